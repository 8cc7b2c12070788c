import { DAY, MINUTE } from '../../base/lib/clock'

// The key of a pack is one integer: the day, the subject and the minute of the day at which the pack starts. So the
// rows of a day lie together on the disk, those of a subject in it too, and no index of texts is needed.

const MINUTES = 2 ** 11
const SUBJECTS = 2 ** 27
/** Keys of one day. */
const PER_DAY = SUBJECTS * MINUTES

/** The number of a UTC day: days since 1970. */
export const dayOf = (instant: number): number => Math.floor(instant / DAY)

export const minuteOf = (instant: number): number => Math.floor((instant % DAY) / MINUTE)

/** The key of the pack of a subject that starts at a minute of a day; exact until the year 2059. */
export function packKey(day: number, subject: number, minute: number): number {
  if (subject >= SUBJECTS) throw new Error('session events can be stored for 134,217,727 subscribers')
  return day * PER_DAY + subject * MINUTES + minute
}

export const readPackKey = (key: number): { day: number; subject: number; minute: number } => ({
  day: Math.floor(key / PER_DAY),
  subject: Math.floor((key % PER_DAY) / MINUTES),
  minute: key % MINUTES,
})

/** By how much the key of a pack grows with the number of its subject. */
export const PACK_KEY_STEP = MINUTES

/** For queries: the subject of a key, in the integer arithmetic of both databases. */
export const SUBJECT_OF_KEY = { divisor: MINUTES, modulus: SUBJECTS } as const
