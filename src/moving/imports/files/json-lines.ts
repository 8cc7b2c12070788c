import { Buffer, isUtf8 } from 'node:buffer'
import { parseExact } from '../../../base/lib/int64'
import { isTooDeep } from '../rows/depth'
import type { RecordReader } from '../rows/record'
import { MAX_RECORD_BYTES } from './records'

const [LF, CR] = [10, 13]
const EMPTY = Buffer.alloc(0)

type Members = Readonly<Record<string, unknown>>

/**
 * Cuts JSON Lines into records: one object a line, whose members are the fields. Members that are absent or null are
 * empty, and what is no text is as JSON writes it. Lines without any character are left out.
 */
export class JsonLineScanner implements RecordReader {
  line = 0
  readonly count: number
  fault: RecordReader['fault'] = null

  readonly #names: ReadonlySet<string>
  #held: Buffer = EMPTY
  /** Where the next line starts in the bytes that are held, and up to where its end was searched for. */
  #position = 0
  #searched = 0
  #dropped: number
  #nextLine: number
  #isEnded = false
  /** The present line is too long: its bytes are dropped until its end comes. */
  #isTooLong = false
  #members: Members = {}

  constructor(
    readonly headers: readonly string[],
    from: { offset: number; line: number },
  ) {
    this.count = headers.length
    this.#names = new Set(headers)
    this.#dropped = from.offset
    this.#nextLine = from.line
  }

  get offset(): number {
    return this.#dropped + this.#position
  }

  get nextLine(): number {
    return this.#nextLine
  }

  add(part: Uint8Array): void {
    this.#dropped += this.#position
    this.#held = Buffer.concat([this.#held.subarray(this.#position), part])
    this.#searched -= this.#position
    this.#position = 0
  }

  end(): void {
    this.#isEnded = true
  }

  next(): boolean {
    for (;;) {
      const line = this.#takeLine()
      if (line === null) return false
      if (line.length === 0 && !this.#isTooLong) continue
      this.line = this.#nextLine - 1
      this.#members = {}
      this.fault = this.#isTooLong ? 'TOO_LONG' : this.#read(line)
      this.#isTooLong = false
      return true
    }
  }

  /** The next line without its end; null when it is not held whole yet. */
  #takeLine(): Buffer | null {
    const found = this.#held.indexOf(LF, this.#searched)
    if (found < 0 && !this.#isEnded) return this.#wait()
    const end = found < 0 ? this.#held.length : found
    if (found < 0 && end === this.#position && !this.#isTooLong) return null
    const line = this.#held.subarray(this.#position, end)
    this.#isTooLong ||= line.length > MAX_RECORD_BYTES
    this.#position = found < 0 ? end : end + 1
    this.#searched = this.#position
    this.#nextLine++
    return line.at(-1) === CR ? line.subarray(0, -1) : line
  }

  /** For the rest of a line. A line that is too long is not held. */
  #wait(): null {
    this.#searched = this.#held.length
    this.#isTooLong ||= this.#held.length - this.#position > MAX_RECORD_BYTES
    if (this.#isTooLong) this.#position = this.#held.length
    return null
  }

  #read(line: Buffer): RecordReader['fault'] {
    if (!isUtf8(line)) return 'NOT_UTF8'
    const members = objectOf(line.toString())
    if (members === null) return 'NO_OBJECT'
    if (Object.keys(members).some((name) => !this.#names.has(name))) return 'STRANGE_MEMBER'
    this.#members = members
    return null
  }

  field(index: number): string | null {
    const text = this.#text(index)
    return faultOf(text) === null ? text : null
  }

  fieldFault(index: number): string | null {
    return faultOf(this.#text(index))
  }

  #text(index: number): string {
    const name = this.headers[index] ?? ''
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : null
    if (typeof value === 'string') return value
    return value === null || value === undefined ? '' : JSON.stringify(value)
  }
}

function faultOf(text: string): string | null {
  if (text.includes('\0')) return 'has a NUL character'
  return text.isWellFormed() ? null : 'has half a character'
}

/** The object that a line is; null when it is none. Integers keep all their digits. */
export function objectOf(line: string): Members | null {
  if (isTooDeep(line)) return null
  try {
    const value: unknown = parseExact(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null
  } catch {
    return null
  }
}
