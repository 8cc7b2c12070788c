import { closeSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The length is known to this many pages. */
const STEP = 128

/**
 * The length of a write-ahead log in pages, read from the file beside the database. The size of the file does not show
 * it: after a checkpoint SQLite writes over the file from its start. Each frame carries the salt of the header, which
 * changes whenever the log starts again (https://sqlite.org/fileformat.html#the_write_ahead_log), so a frame with
 * another salt is an old one.
 *
 * Nobody may open the database file itself or its `-shm` in this process: closing them would release all of SQLite's
 * locks. The `-wal` file carries no locks.
 */
export class WalLength {
  private file: number | null = null
  private readonly header = Buffer.alloc(HEADER_BYTES)
  private readonly frame = Buffer.alloc(FRAME_HEADER_BYTES)
  private salt = ''
  private pages = 0

  constructor(private readonly path: string) {}

  /** The pages of the log. Call it after a commit: until then a log that starts again still has its old header. */
  read(): number {
    this.file ??= openSync(`${this.path}-wal`, 'r')
    if (readSync(this.file, this.header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return 0
    const frameBytes = FRAME_HEADER_BYTES + this.header.readUInt32BE(8)
    const salt = this.header.toString('latin1', 16, 24)
    if (salt !== this.salt) this.pages = 0
    this.salt = salt
    while (this.saltAt(HEADER_BYTES + (this.pages + STEP - 1) * frameBytes) === salt) this.pages += STEP
    return this.pages
  }

  close(): void {
    if (this.file !== null) closeSync(this.file)
    this.file = null
  }

  private saltAt(position: number): string | null {
    if (this.file === null) return null
    const read = readSync(this.file, this.frame, 0, FRAME_HEADER_BYTES, position)
    return read < FRAME_HEADER_BYTES ? null : this.frame.toString('latin1', 8, 16)
  }
}
