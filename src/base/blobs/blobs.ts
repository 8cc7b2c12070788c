/** Files that the server keeps outside of the database: uploads that wait for work, and results for download. */
export interface Blobs {
  /**
   * Stores the bytes under the key, instead of what was there. Until the stream has ended nothing is visible under it;
   * a stream that fails leaves nothing, and its error is thrown. Rejects with `BlobsUnavailable` when the place cannot
   * be written.
   */
  write(key: string, bytes: ReadableStream<Uint8Array>): Promise<StoredBlob>
  /** The bytes from an offset on; null when there is none. */
  read(key: string, from?: number): Promise<ReadableStream<Uint8Array> | null>
  /** In bytes; null when there is none. */
  size(key: string): Promise<number | null>
  /** Does nothing when there is none. */
  remove(key: string): Promise<void>
  /** Keys that begin with the prefix, in their order. */
  list(prefix: string): Promise<string[]>
  /** Rejects with `BlobsUnavailable` when the place cannot be used. Writes nothing. */
  check(): Promise<void>
  /** Removes what writes that were interrupted before this instant have left; returns how many. */
  sweepUnfinished(before: number): Promise<number>
}

export interface StoredBlob {
  bytes: number
  /** Hex. */
  sha256: string
}

/** The folder or the bucket does not work at present. */
export class BlobsUnavailable extends Error {}

const BLOB_KEY = /^[a-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/** Keys are made by the program: names of letters, digits, `.`, `_` and `-`, in folders. Throws for any other. */
export function assertBlobKey(key: string): void {
  if (!BLOB_KEY.test(key)) throw new RangeError(`"${key}" is not the key of a blob`)
}

/** Runs a call to the place of the blobs. Every error of it means that the place does not work. */
export async function available<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(error)
  }
}

export function unavailable(error: unknown): BlobsUnavailable {
  if (error instanceof BlobsUnavailable) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  return new BlobsUnavailable([code, message].filter((part) => typeof part === 'string').join(': '), { cause: error })
}
