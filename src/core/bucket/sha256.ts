import { utf8 } from '../text/utf8'

// For browsers: Web Crypto is absent on plain http and answers later, and a draft is evaluated while a slider moves.

/** The first 32 bits of the SHA-256 of a text. */
export function sha256Head(text: string): number {
  const words = padded(utf8(text))
  const state = Uint32Array.from(INITIAL)
  const schedule = new Uint32Array(64)
  for (let start = 0; start < words.length; start += 16) {
    for (let i = 0; i < 64; i++) schedule[i] = i < 16 ? at(words, start + i) : extended(schedule, i)
    compress(state, schedule)
  }
  return at(state, 0)
}

const at = (list: Uint32Array, index: number): number => list[index] ?? 0

const rotate = (value: number, bits: number): number => (value >>> bits) | (value << (32 - bits))

function padded(bytes: readonly number[]): Uint32Array {
  const length = (((bytes.length + 8) >> 6) + 1) * 64
  const view = new DataView(new ArrayBuffer(length))
  for (const [index, byte] of bytes.entries()) view.setUint8(index, byte)
  view.setUint8(bytes.length, 0x80)
  view.setUint32(length - 4, bytes.length * 8)
  return Uint32Array.from({ length: length / 4 }, (_, index) => view.getUint32(index * 4))
}

function extended(w: Uint32Array, i: number): number {
  const [a, b] = [at(w, i - 15), at(w, i - 2)]
  const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
  const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
  return at(w, i - 16) + s0 + at(w, i - 7) + s1
}

function compress(state: Uint32Array, w: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] ?? 0) + at(w, i)) | 0
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + value
}

const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

/** The first 32 bits of the fraction of a root. */
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32)

const INITIAL = primes(8).map((prime) => fraction(Math.sqrt(prime)))
const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)))
