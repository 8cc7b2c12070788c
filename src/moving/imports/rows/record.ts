/** A record of a file, as far as reading its row needs it. */
export interface FileRecord {
  readonly line: number
  /** Number of its fields. */
  readonly count: number
  /** Why it could not be cut into fields. */
  readonly fault: 'OPEN_QUOTE' | 'TOO_LONG' | 'NOT_UTF8' | 'NO_OBJECT' | 'STRANGE_MEMBER' | null
  /** The text of a field; null when its bytes are none. */
  field(index: number): string | null
  fieldFault(index: number): string | null
}

/** Cuts a text into records, from parts of any size. It is the present record itself. */
export interface RecordReader extends FileRecord {
  /** Where the next record starts, in bytes of the text. */
  readonly offset: number
  /** The physical line there. */
  readonly nextLine: number
  add(part: Uint8Array): void
  /** No more parts follow. */
  end(): void
  /** Goes on to the next record; false when it needs another part, or after the end when there is none. */
  next(): boolean
}
