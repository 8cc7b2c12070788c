/** What was found in a file while it was cleaned. */
export interface Cleaned {
  hadMetadata: boolean
}

/** Takes the parts of a file apart anew: in pieces of a wanted length. */
export class PartReader {
  private rest: Uint8Array = new Uint8Array()
  /** How many bytes were taken. */
  position = 0

  constructor(private readonly parts: AsyncGenerator<Uint8Array>) {}

  /** So many bytes in one piece; fewer at the end of the file. Only for small numbers. */
  async take(bytes: number): Promise<Buffer> {
    const found: Uint8Array[] = []
    for await (const piece of this.pieces(bytes)) found.push(piece)
    return Buffer.concat(found)
  }

  /** The next bytes as they come; fewer at the end of the file. */
  async *pieces(bytes = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (this.rest.length === 0 && !(await this.fill())) return
      const piece = this.rest.subarray(0, left)
      this.rest = this.rest.subarray(piece.length)
      this.position += piece.length
      left -= piece.length
      yield piece
    }
  }

  private async fill(): Promise<boolean> {
    const { value, done } = await this.parts.next()
    if (done) return false
    this.rest = value
    return true
  }
}

/** Zeros in place of the next bytes. */
export async function* blanked(reader: PartReader, bytes: number): AsyncGenerator<Uint8Array> {
  for await (const piece of reader.pieces(bytes)) yield new Uint8Array(piece.length)
}
