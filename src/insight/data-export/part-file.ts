import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** A file that is being written, with its size and checksum. */
export class PartFile {
  private readonly hash = createHash('sha256')
  bytes = 0

  private constructor(private readonly file: FileHandle) {}

  /** Only its owner may read it. What an earlier attempt has left there is gone. */
  static async create(path: string): Promise<PartFile> {
    return new PartFile(await open(path, 'w', 0o600))
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, from)
      from += bytesWritten
    }
    this.hash.update(bytes)
    this.bytes += bytes.length
  }

  async close(): Promise<void> {
    await this.file.close()
  }

  sha256(): string {
    return this.hash.digest('hex')
  }
}
