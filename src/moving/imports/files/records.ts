import { Buffer, isUtf8 } from 'node:buffer'
import { reasonText } from '../../../core/reason/reasons'

const LF = 10
const CR = 13
const QUOTE = 34
const FIRST_BYTES = 256 * 1024

/** A longer record is taken for one whose quote is never closed. */
export const MAX_RECORD_BYTES = 1024 * 1024

/** Why a record has no fields that could be read. */
export type RecordFault = 'OPEN_QUOTE' | 'TOO_LONG'

/**
 * Cuts UTF-8 text into records of RFC 4180, from parts of any size. It looks at bytes, and makes a text only of the
 * fields that are asked for. Line ends are LF, CRLF and CR, also mixed. Lines without any character are left out.
 */
export class RecordScanner {
  /** The physical line on which the present record starts. */
  line = 0
  /** Fields of the present record. */
  count = 0
  /** Set when the record could not be cut into fields; then the next record starts on the next line. */
  fault: RecordFault | null = null

  #bytes = new Uint8Array(FIRST_BYTES)
  #text = Buffer.from(this.#bytes.buffer)
  #filled = 0
  #isEnded = false
  /** The line at the position is left out up to its end, which is not held yet. */
  #isLeftOut = false
  /** Where the next record starts, in the bytes and in the lines. */
  #position = 0
  #nextLine: number
  /** Where the present record lies in the bytes, and its bytes as characters; made when a field is first asked for. */
  #recordStart = 0
  #recordEnd = 0
  #record: string | null = null
  /** Bytes of the text before the first one that is held. */
  #dropped: number
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  /** `UNUSUAL` = has a NUL or bytes beyond ASCII; `DOUBLED` = has doubled quotes. */
  readonly #marks: Uint8Array
  readonly #classes = new Uint8Array(256)

  /** `maxFields`: fields after it are counted, and cannot be read. */
  constructor(separator: string, maxFields: number, from: { offset: number; line: number } = { offset: 0, line: 1 }) {
    this.#dropped = from.offset
    this.#nextLine = from.line
    this.#starts = new Int32Array(maxFields + 1)
    this.#ends = new Int32Array(maxFields + 1)
    this.#marks = new Uint8Array(maxFields + 1)
    for (const code of [LF, CR, separator.charCodeAt(0)]) this.#classes[code] = 1
  }

  /** Where the next record starts, in bytes of the text. */
  get offset(): number {
    return this.#dropped + this.#position
  }

  /** The physical line there. */
  get nextLine(): number {
    return this.#nextLine
  }

  add(part: Uint8Array): void {
    if (this.#position > 0) {
      this.#bytes.copyWithin(0, this.#position, this.#filled)
      this.#dropped += this.#position
      this.#filled -= this.#position
      this.#position = 0
    }
    if (this.#filled + part.length > this.#bytes.length) this.#grow(this.#filled + part.length)
    this.#bytes.set(part, this.#filled)
    this.#filled += part.length
  }

  /** No more parts follow. */
  end(): void {
    this.#isEnded = true
  }

  #grow(needed: number): void {
    const wider = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    wider.set(this.#bytes.subarray(0, this.#filled))
    this.#bytes = wider
    this.#text = Buffer.from(wider.buffer)
  }

  /** Goes on to the next record; false when it needs another part, or after the end when there is none. */
  next(): boolean {
    if (this.#isLeftOut) return this.#leaveOut()
    this.#skipEmptyLines()
    if (this.#position >= this.#filled) return false
    this.fault = null
    this.line = this.#nextLine
    this.#record = null
    this.#recordStart = this.#position
    const end = this.#scan()
    this.#recordEnd = this.#position
    if (end !== MORE) return end - this.#recordStart <= MAX_RECORD_BYTES || this.#giveUpAgain()
    if (this.#filled - this.#position > MAX_RECORD_BYTES) return this.#giveUp('TOO_LONG')
    return this.#isEnded ? this.#giveUp('OPEN_QUOTE') : false
  }

  /**
   * Finds the fields of one record; `MORE` when its end is not held yet. It reads every byte of a file, so it is one
   * loop.
   */
  #scan(): number {
    const bytes = this.#bytes
    const filled = this.#filled
    const classes = this.#classes
    const last = this.#starts.length - 1
    let at = this.#position
    let count = 0
    let lines = 0
    for (;;) {
      let start = at
      let end: number
      let mark = 0
      if (at < filled && bytes[at] === QUOTE) {
        start = ++at
        let all = 0
        for (;;) {
          if (at >= filled) return MORE
          const byte = bytes[at] as number
          if (byte === QUOTE) {
            if (at + 1 >= filled && !this.#isEnded) return MORE
            if (bytes[at + 1] !== QUOTE || at + 1 >= filled) break
            mark |= DOUBLED
            at++
          } else if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) lines++
          if (byte === 0) mark |= UNUSUAL
          all |= byte
          at++
        }
        end = at++
        if (all > 127) mark |= UNUSUAL
        if (at < filled && classes[bytes[at] as number] === 0) {
          mark |= BEHIND_QUOTE
          while (at < filled && classes[bytes[at] as number] === 0) at++
        }
      } else {
        let all = 0
        while (at < filled) {
          const byte = bytes[at] as number
          if (classes[byte] === 1) break
          all |= byte
          if (byte === 0) mark |= UNUSUAL
          at++
        }
        if (all > 127) mark |= UNUSUAL
        end = at
      }
      if (at >= filled && !this.#isEnded) return MORE
      const place = Math.min(count, last)
      this.#starts[place] = start
      this.#ends[place] = end
      this.#marks[place] = mark
      count++
      const stop = at < filled ? (bytes[at] as number) : LF
      if (stop === CR && at + 1 >= filled && !this.#isEnded) return MORE
      at++
      if (stop === LF || stop === CR) {
        if (stop === CR && at < filled && bytes[at] === LF) at++
        this.count = count
        this.#position = Math.min(at, filled)
        this.#nextLine = this.line + lines + 1
        return at
      }
    }
  }

  /** Whether a record is too long must not depend on how much of it is held when its end is found. */
  #giveUpAgain(): boolean {
    this.#position = this.#recordStart
    return this.#giveUp('TOO_LONG')
  }

  /** Leaves the record out, and continues at the next line. */
  #giveUp(fault: RecordFault): boolean {
    this.count = 0
    this.fault = fault
    this.#nextLine = this.line
    return this.#leaveOut()
  }

  /** False while the end of the line is not held. */
  #leaveOut(): boolean {
    let at = this.#position
    while (at < this.#filled && this.#bytes[at] !== LF && this.#bytes[at] !== CR) at++
    const isUnsure = at >= this.#filled || (this.#bytes[at] === CR && at + 1 >= this.#filled)
    this.#isLeftOut = isUnsure && !this.#isEnded
    this.#position = Math.min(at, this.#filled)
    if (this.#isLeftOut) return false
    if (this.#bytes[at] === CR && at + 1 < this.#filled && this.#bytes[at + 1] === LF) at++
    this.#position = Math.min(at + 1, this.#filled)
    this.#nextLine++
    return true
  }

  #skipEmptyLines(): void {
    while (this.#position < this.#filled) {
      const byte = this.#bytes[this.#position]
      if (byte === CR) {
        if (this.#position + 1 >= this.#filled && !this.#isEnded) return
        if (this.#bytes[this.#position + 1] === LF && this.#position + 1 < this.#filled) this.#position++
      } else if (byte !== LF) return
      this.#position++
      this.#nextLine++
    }
  }

  /** The text of a field; null when its bytes are none. An absent field is empty. */
  field(index: number): string | null {
    if (index >= this.count) return ''
    const start = this.#starts[index] as number
    const end = this.#ends[index] as number
    if (start === end) return ''
    const mark = this.#marks[index] as number
    if (mark === 0) {
      // Parts of one text cost less than a text for each field.
      this.#record ??= this.#text.toString('latin1', this.#recordStart, this.#recordEnd)
      return this.#record.slice(start - this.#recordStart, end - this.#recordStart)
    }
    if (this.fieldFault(index) !== null) return null
    const text = this.#text.toString('utf8', start, end)
    return (mark & DOUBLED) === 0 ? text : text.replaceAll('""', '"')
  }

  /** Why the bytes of a field are no text; null when they are one. */
  fieldFault(index: number): string | null {
    const mark = index < this.count ? (this.#marks[index] as number) : 0
    if ((mark & BEHIND_QUOTE) !== 0) return reasonText('FIELD_BEHIND_QUOTE')
    if ((mark & UNUSUAL) === 0) return null
    const bytes = this.#bytes.subarray(this.#starts[index], this.#ends[index])
    if (bytes.includes(0)) return reasonText('FIELD_NUL')
    return isUtf8(bytes) ? null : reasonText('FIELD_NOT_UTF8')
  }
}

const MORE = -1

/** The special properties of a field. */
const UNUSUAL = 1
const DOUBLED = 2
const BEHIND_QUOTE = 4
