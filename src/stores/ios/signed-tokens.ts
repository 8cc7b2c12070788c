const DIGEST_BYTES = 32
/** Places in one row. A token belongs to one row, and can be in each of its places. */
const ROW_PLACES = 4
const ROW_BYTES = DIGEST_BYTES * ROW_PLACES

/**
 * The tokens with a valid signature, by SHA-256 of their whole text, so that a repeated one costs a hash in place of an
 * ES256 check. A token that is not here may be valid too: the fifth of a row takes the place of the first.
 * The 16,384 places are 512 KiB, taken when the first token is added.
 */
export class SignedTokens {
  #digests: Buffer | null = null
  readonly #digest = Buffer.alloc(DIGEST_BYTES)
  /** The token whose digest that is: one that is added was looked for just before. */
  #digested: string | null = null

  constructor(private readonly rows = 4096) {}

  has(token: string): boolean {
    if (!this.#digests) return false
    const row = this.#rowOf(token)
    for (let at = row; at < row + ROW_BYTES; at += DIGEST_BYTES)
      if (this.#digests.compare(this.#digest, 0, DIGEST_BYTES, at, at + DIGEST_BYTES) === 0) return true
    return false
  }

  add(token: string): void {
    this.#digests ??= Buffer.alloc(this.rows * ROW_BYTES)
    const row = this.#rowOf(token)
    this.#digests.copyWithin(row + DIGEST_BYTES, row, row + ROW_BYTES - DIGEST_BYTES)
    this.#digests.set(this.#digest, row)
  }

  /** Where the row of the token starts; its digest is in `#digest` afterwards. */
  #rowOf(token: string): number {
    if (token !== this.#digested) Bun.SHA256.hash(token, this.#digest)
    this.#digested = token
    return (this.#digest.readUInt32BE(0) % this.rows) * ROW_BYTES
  }
}
