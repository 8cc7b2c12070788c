const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export type IdPrefix =
  | 'prj'
  | 'key'
  | 'sub'
  | 'acc'
  | 'prd'
  | 'off'
  | 'pur'
  | 'txn'
  | 'vcy'
  | 'vtx'
  | 'exp'
  | 'aud'
  | 'flg'
  | 'plc'
  | 'fnl'
  | 'fnv'
  | 'evt'
  | 'trf'
  | 'alg'
  | 'req'
  | 'job'
  | 'obs'
  | 'sev'
  | 'act'
  | 'rfs'

/** Makes ids `prefix_` + 26 characters that sort by their making, within one process also those of one millisecond. */
export interface Ids {
  next(prefix: IdPrefix): string
  /** Random UUIDv4 in lower case, for account tokens and nonces. */
  uuid(): string
  /** `length` characters of `[0-9A-Za-z]`, each drawn without bias. */
  token(length: number): string
}

type RandomBytes = (length: number) => Uint8Array

/** Ids from the clock given and a source of random bytes; tests pass a seeded one. */
export function createIds(now: () => number, random: RandomBytes = pooledRandom()): Ids {
  const tick = createTicks()
  return {
    next(prefix) {
      const bytes = random(10)
      return `${prefix}_${encodeBase32(uuidV7(tick(now(), ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)), bytes))}`
    },
    uuid: () => formatUuid(random(16)),
    token: (length) => drawToken(length, random),
  }
}

const POOL_BYTES = 4096

/** Secure random bytes drawn by the pool: every request takes some, and each draw from the system costs more. */
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

/** A clock that was set back further than this is believed; one that trembles is not. */
const TREMBLE_MS = 10_000

/** Instants that grow with each call: a counter of 12 bits, begun anew by chance in each millisecond (RFC 9562 6.2). */
function createTicks(): (now: number, chance: number) => Tick {
  const last: Tick = { time: 0, counter: 0 }
  return (now, chance) => {
    if (now > last.time || now < last.time - TREMBLE_MS) {
      last.time = now
      last.counter = chance & 0x7ff // The upper half is left to count into.
    } else if (++last.counter > 0xfff) {
      last.time++
      last.counter = 0
    }
    return last
  }
}

/** The 16 bytes of a UUIDv7 (RFC 9562 section 5.7), the counter in the 12 bits behind its version. */
function uuidV7({ time: instant, counter }: Tick, random: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16)
  let time = instant
  for (let index = 5; index >= 0; index--) {
    bytes[index] = time % 256
    time = Math.floor(time / 256)
  }
  bytes.set(random, 6)
  bytes[6] = 0x70 | (counter >> 8)
  bytes[7] = counter & 0xff
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes
}

/** Every two characters that ten bits can be. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`)

/** 128 bits as 26 characters, most significant bit first; the first carries the two padding bits. */
function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 2
  for (let index = 0; index < bytes.length; index++) {
    buffer = (buffer << 8) | (bytes[index] ?? 0)
    bits += 8
    if (bits < 10) continue
    bits -= 10
    text += PAIRS[buffer >> bits]
    buffer &= (1 << bits) - 1
  }
  return text
}

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
