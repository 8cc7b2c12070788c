import { type Blobs, BlobsNotConfigured, BlobsUnavailable, type StoredBlob } from '../../../base/blobs/blobs'
import { AppError, invalid } from '../../../base/errors'
import { fileBody, streamOfParts } from '../../../base/http/file-body'
import { ImportUnreadable } from './faults'

/** The largest file (wire 6). */
export const MAX_UPLOAD_BYTES = 2 * 1024 * 1024 * 1024

/**
 * Writes a file into the blob store as it arrives. 413 `IMPORT_FILE_TOO_LARGE` as soon as it is known to be too large,
 * 503 `IMPORT_STORAGE_UNAVAILABLE`; then nothing is left of it.
 */
export async function storeUpload(blobs: Blobs, key: string, body: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
  try {
    return await blobs.write(key, streamOfParts(fileBody(body, MAX_UPLOAD_BYTES, tooLarge)))
  } catch (error) {
    throw toRefusal(error)
  }
}

/** 413 when the declared size is too large already. */
export function refuseDeclared(bytes: number | null): void {
  if (bytes !== null && bytes > MAX_UPLOAD_BYTES) throw tooLarge()
}

const tooLarge = (): AppError => new AppError('IMPORT_FILE_TOO_LARGE')

/** What the storage and the reader throw, as refusals of the request. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof ImportUnreadable) return invalid(error.message)
  if (error instanceof BlobsNotConfigured)
    return new AppError('FEATURE_NOT_CONFIGURED', { feature: 'upload_staging' }, { cause: error })
  if (error instanceof BlobsUnavailable) return new AppError('IMPORT_STORAGE_UNAVAILABLE', undefined, { cause: error })
  return error
}
