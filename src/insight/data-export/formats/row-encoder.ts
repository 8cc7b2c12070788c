import type { ExportRow } from '../model'

/** Makes the bytes of one file from its rows. It keeps at most one group of rows in memory. */
export interface RowEncoder {
  /** The bytes that are ready now; may be empty. */
  push(rows: readonly ExportRow[]): Uint8Array
  /** The rest of the file. */
  end(): Uint8Array
}

export const NO_BYTES = new Uint8Array(0)
