import { DAY } from '../../base/lib/clock'

/** How the protocol names the durations of granted access, with the longest span of each. */
const DURATIONS: readonly [name: string, longestMs: number][] = [
  ['daily', DAY],
  ['three_day', 3 * DAY],
  ['weekly', 7 * DAY],
  ['two_week', 14 * DAY],
  ['monthly', 31 * DAY],
  ['two_month', 62 * DAY],
  ['three_month', 93 * DAY],
  ['six_month', 186 * DAY],
  ['yearly', 366 * DAY],
]

/** The id of the made-up product of a grant: with the nearest duration that is not shorter than the grant. */
export function promotionalId(access: string, grant: { purchaseDate: number; expiresAt: number | null }): string {
  const span = grant.expiresAt === null ? Number.POSITIVE_INFINITY : grant.expiresAt - grant.purchaseDate
  const [name] = DURATIONS.find(([, longest]) => span <= longest) ?? ['lifetime']
  return `rc_promo_${access}_${name}`
}
