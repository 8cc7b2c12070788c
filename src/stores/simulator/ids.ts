import { createHash } from 'node:crypto'

/** A numeric transaction id of the store's shape (16 digits), from anything unique: equal seeds give equal ids. */
export function transactionIdOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return `2${(digest.readBigUInt64BE(0) % 1_000_000_000_000_000n).toString().padStart(15, '0')}`
}
