import type { Mac } from '../../../base/lib/mac'

/** The most ids of one audience. */
export const MAX_MEMBERS = 100_000
const MAX_CHARACTERS = 255
const HASH_BYTES = 16
const PURPOSE = 'members of audiences'

/** Hashes ids with the master key: without the key, the hashes do not allow to test guessed ids. */
export class MemberHasher {
  constructor(private readonly mac: Mac) {}

  hash(projectId: string, id: string): Buffer {
    return Buffer.from(this.mac.sign(`${projectId}|${id}`, PURPOSE), 'base64url').subarray(0, HASH_BYTES)
  }

  /** Identifies the master key: hashes that were made with another one match no subscriber. */
  fingerprint(): string {
    return this.mac.sign('fingerprint', PURPOSE).slice(0, 16)
  }
}

/** The ids in a text of one id a line, each once; or the end of a sentence about what is wrong with it. */
export function readMembers(text: string): string[] | string {
  const ids = new Set<string>()
  let number = 0
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    number++
    const id = start === end ? '' : text.slice(start, end).trim()
    start = end + 1
    if (id === '') continue
    if (id.length > MAX_CHARACTERS) return `has a line ${number} of more than ${MAX_CHARACTERS} characters`
    if (CONTROL.test(id)) return `has a control character in line ${number}`
    ids.add(id)
    // Nothing is read behind it: every other request waits meanwhile.
    if (ids.size > MAX_MEMBERS) return `has more than ${MAX_MEMBERS} ids`
  }
  return [...ids]
}

const CONTROL = /\p{Cc}/u

/** The hashes in the form in which they are stored. */
export const packHashes = (hashes: readonly Buffer[]): string =>
  Buffer.concat(hashes.toSorted(Buffer.compare)).toString('base64')

/** The list of ids of an audience, as hashes in ascending order. */
export class Group {
  private readonly bytes: Buffer

  constructor(packed: string) {
    this.bytes = Buffer.from(packed, 'base64')
  }

  get size(): number {
    return Math.floor(this.bytes.length / HASH_BYTES)
  }

  has(hash: Buffer): boolean {
    let [low, high] = [0, this.size - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = hash.compare(this.bytes, middle * HASH_BYTES, (middle + 1) * HASH_BYTES)
      if (order === 0) return true
      if (order < 0) high = middle - 1
      else low = middle + 1
    }
    return false
  }

  /** The list without these, in the form in which it is stored; null when none of them is in it. */
  without(hashes: readonly Buffer[]): string | null {
    const gone = hashes.filter((hash) => this.has(hash)).map((hash) => hash.toString('base64'))
    if (gone.length === 0) return null
    const kept = Array.from({ length: this.size }, (_, at) =>
      this.bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
    )
    return packHashes(kept.filter((hash) => !gone.includes(hash.toString('base64'))))
  }
}
