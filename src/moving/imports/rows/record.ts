/** A record of a file, as far as reading its row needs it. */
export interface FileRecord {
  readonly line: number
  /** Number of its fields. */
  readonly count: number
  /** Why it could not be cut into fields. */
  readonly fault: 'OPEN_QUOTE' | 'TOO_LONG' | null
  /** The text of a field; null when its bytes are none. */
  field(index: number): string | null
  fieldFault(index: number): string | null
}
