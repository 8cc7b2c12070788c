const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** What ids start with. A slice declares its own into this interface. */
export interface IdPrefixes {
  prj: string
  key: string
  sub: string
  acc: string
  prd: string
  off: string
  pur: string
  txn: string
  vcy: string
  vtx: string
  exp: string
  aud: string
  flg: string
  plc: string
  fnl: string
  fnv: string
  evt: string
  trf: string
  alg: string
  req: string
  job: string
  obs: string
  sev: string
  act: string
  rfs: string
}

export type IdPrefix = keyof IdPrefixes

/**
 * Creates ids: `prefix_` + 26 characters. Ids sort by creation time; within one process also those of the same
 * millisecond.
 */
export interface Ids {
  next(prefix: IdPrefix): string
  /** Random UUIDv4 in lower case, for account tokens and nonces. */
  uuid(): string
  /** `length` characters of `[0-9A-Za-z]`, each with the same probability. */
  token(length: number): string
}

type RandomBytes = (length: number) => Uint8Array

/** Ids from the given clock and a source of random bytes. Tests pass a seeded source. */
export function createIds(now: () => number, random: RandomBytes = pooledRandom()): Ids {
  const tick = createTicks()
  let head = ''
  let headTime = Number.NaN
  return {
    next(prefix) {
      const bytes = random(10)
      const { time, counter } = tick(now(), ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0))
      if (time !== headTime) head = encodeTime(time)
      headTime = time
      return `${prefix}_${head}${encodeTail(counter, bytes)}`
    },
    uuid: () => formatUuid(random(16)),
    token: (length) => drawToken(length, random),
  }
}

const POOL_BYTES = 4096

/**
 * Secure random bytes, read from the system in large blocks: every request needs some, and each read from the system is
 * slow.
 */
function pooledRandom(): RandomBytes {
  const pool = new Uint8Array(POOL_BYTES)
  let taken = POOL_BYTES
  return (length) => {
    if (length > POOL_BYTES) return secureRandom(length)
    if (taken + length > POOL_BYTES) {
      crypto.getRandomValues(pool)
      taken = 0
    }
    taken += length
    return pool.slice(taken - length, taken)
  }
}

export const secureRandom: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length))

interface Tick {
  time: number
  /** 12 bits. */
  counter: number
}

/** A clock that goes back by more than this was set on purpose, and ids follow it. A smaller step back is ignored. */
const TREMBLE_MS = 10_000

/**
 * Instants that increase with each call. Within one millisecond a counter of 12 bits increases; it starts at a random
 * value (RFC 9562 section 6.2).
 */
function createTicks(): (now: number, chance: number) => Tick {
  const last: Tick = { time: 0, counter: 0 }
  return (now, chance) => {
    if (now > last.time || now < last.time - TREMBLE_MS) {
      last.time = now
      last.counter = chance & 0x7ff // The counter starts in the lower half of its range, so that it can increase.
    } else if (++last.counter > 0xfff) {
      last.time++
      last.counter = 0
    }
    return last
  }
}

/** The two characters for each number of ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`)

// The 128 bits of a UUIDv7 (RFC 9562 section 5.7) as 26 characters of five bits each, most significant bit first, after
// two padding bits. Ten characters hold the 48 bits of the time, which many ids have in common; sixteen hold the rest.

function encodeTime(time: number): string {
  let text = ''
  for (const unit of [2 ** 40, 2 ** 30, 2 ** 20, 2 ** 10, 1]) text += PAIRS[Math.floor(time / unit) % 1024]
  return text
}

/** Text that comes before every id that is created from this instant on, and after every earlier one. */
export const idBound = (prefix: IdPrefix, instant: number): string => `${prefix}_${encodeTime(instant)}`

/** Version, counter of 12 bits, variant, and 62 random bits. */
function encodeTail(counter: number, random: Uint8Array): string {
  const third = ((random[2] ?? 0) & 0x3f) | 0x80
  return (
    encodeFive(0x70 | (counter >> 8), counter & 0xff, third, random[3] ?? 0, random[4] ?? 0) +
    encodeFive(random[5] ?? 0, random[6] ?? 0, random[7] ?? 0, random[8] ?? 0, random[9] ?? 0)
  )
}

/** Encodes five bytes as eight characters. */
const encodeFive = (a: number, b: number, c: number, d: number, e: number): string =>
  `${PAIRS[(a << 2) | (b >> 6)]}${PAIRS[((b & 63) << 4) | (c >> 4)]}${PAIRS[((c & 15) << 6) | (d >> 2)]}${PAIRS[((d & 3) << 8) | e]}`

function formatUuid(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function drawToken(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62]
  }
  return text
}
