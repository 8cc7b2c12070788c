import { fromCsvText } from '../../../base/http/csv'
import type { RowFault } from '../row'
import { faultOfDate, isNothing, ruinOfId } from './ids'
import { readInstant } from './instants'
import { readBoolean, readWhole } from './numbers'
import type { FileRecord } from './record'

/** The reader of a column that the file does not have. */
export const ABSENT = -1

const MAX_HINT = 255

const NO_RECORD: FileRecord = { line: 0, count: 0, fault: null, field: () => '', fieldFault: () => null }

/** Reads the values of one record after another. A value that is absent or empty is null. */
export class FieldReader {
  /** Only the first fault of a row is reported. */
  fault: RowFault | null = null
  #record = NO_RECORD

  /** @param isGuarded whether texts that a spreadsheet would run as a formula have an apostrophe in front */
  constructor(
    readonly headers: readonly string[],
    readonly isGuarded = false,
  ) {}

  /** Goes on to another record. */
  begin(record: FileRecord): void {
    this.#record = record
    this.fault = null
  }

  get line(): number {
    return this.#record.line
  }

  text(column: number, maxLength: number): string | null {
    const text = this.trimmed(column)
    if (text.length > maxLength) return this.none(column, tooLong(maxLength))
    return text === '' ? null : text
  }

  /** As `text`. A word for nothing is no id, and one that a spreadsheet has ruined is a fault. */
  id(column: number, maxLength: number): string | null {
    return this.checkedId(column, this.text(column, maxLength) ?? '') || null
  }

  /** An id that was read; empty where it means none. */
  checkedId(column: number, id: string): string {
    const text = id.trim()
    if (text === '' || isNothing(text)) return ''
    const ruin = ruinOfId(text)
    if (ruin !== null) this.refuse(column, ruin)
    return id
  }

  instant(column: number): number | null {
    const text = this.trimmed(column)
    if (text === '') return null
    return readInstant(text) ?? this.none(column, faultOfDate(text))
  }

  boolean(column: number): boolean | null {
    const text = this.trimmed(column)
    if (text === '') return null
    return readBoolean(text) ?? this.none(column, 'It must be true or false, 1 or 0')
  }

  whole(column: number, minimum: number): number | null {
    const text = this.trimmed(column)
    if (text === '') return null
    const number = readWhole(text)
    if (number !== null && number >= minimum) return number
    return this.none(column, `It must be a whole number from ${minimum} on`)
  }

  trimmed(column: number): string {
    const text = this.raw(column)
    return text === '' ? '' : text.trim()
  }

  /** With the spaces around it. */
  raw(column: number): string {
    if (column === ABSENT) return ''
    const text = this.#record.field(column)
    if (text !== null) return this.isGuarded ? fromCsvText(text) : text
    this.refuse(column, `It ${this.#record.fieldFault(column)}`)
    return ''
  }

  /** A text that is read when it can be; else empty. */
  hint(column: number): string {
    const text = column === ABSENT ? null : this.#record.field(column)
    return text === null || text.length > MAX_HINT ? '' : (this.isGuarded ? fromCsvText(text) : text).trim()
  }

  refuse(column: number, message: string): void {
    this.fault ??= { line: this.#record.line, column: this.headers[column] ?? null, message }
  }

  /** Refuses a value, and takes its place. */
  none(column: number, message: string): null {
    this.refuse(column, message)
    return null
  }
}

export const tooLong = (maxLength: number): string => `It has more than ${maxLength} characters`
