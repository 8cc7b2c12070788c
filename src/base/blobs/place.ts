import { BLOB_KEY, type Blobs, BlobsUnavailable } from './blobs'

/** The folder or the bucket that blobs are in. */
export interface BlobPlace extends Blobs {
  /** Rejects with `BlobsUnavailable` when the place cannot be used. Writes nothing. */
  check(): Promise<void>
  /** Removes what writes that were interrupted before this instant have left; returns how many. */
  sweepUnfinished(before: number): Promise<number>
}

/** Throws for a text that is not the key of a blob, such as one that leads out of the folder. */
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
