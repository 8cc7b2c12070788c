/** Files that the server keeps outside of the database: uploads that wait for work, and results for download. */
export interface Blobs {
  /**
   * Stores the bytes under the key, instead of what was there. Until the stream has ended nothing is visible under it;
   * a stream that fails leaves nothing, and its own error is thrown. Rejects with `BlobsUnavailable` when the place
   * cannot be written.
   */
  write(key: string, bytes: ReadableStream<Uint8Array>): Promise<StoredBlob>
  /** The bytes from an offset on; null when there is none. */
  read(key: string, from?: number): Promise<ReadableStream<Uint8Array> | null>
  /** In bytes; null when there is none. */
  size(key: string): Promise<number | null>
  /** Does nothing when there is none. */
  remove(key: string): Promise<void>
  /** Keys that start with the prefix, in their order. */
  list(prefix: string): Promise<string[]>
}

export interface StoredBlob {
  bytes: number
  /** Hex. */
  sha256: string
}

/** The folder or the bucket does not work at present. */
export class BlobsUnavailable extends Error {}

/** This deployment has no place for files. */
export class BlobsNotConfigured extends BlobsUnavailable {}

/** Keys are made by the program: names of letters, digits, `.`, `_` and `-`, in folders. */
export const BLOB_KEY = /^[a-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/
