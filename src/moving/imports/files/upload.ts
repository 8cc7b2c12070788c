import { type Blobs, BlobsNotConfigured, BlobsUnavailable, type StoredBlob } from '../../../base/blobs/blobs'
import { AppError, invalid } from '../../../base/errors'
import { ImportUnreadable } from './faults'

/** The largest file (wire 6). */
export const MAX_UPLOAD_BYTES = 2 * 1024 * 1024 * 1024

/** A sender who is silent for longer has gone. */
const PATIENCE_MS = 60_000

/**
 * Writes a file into the blob store as it arrives. 413 `IMPORT_FILE_TOO_LARGE` as soon as it is known to be too large,
 * 503 `IMPORT_STORAGE_UNAVAILABLE`; then nothing is left of it.
 */
export async function storeUpload(blobs: Blobs, key: string, body: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
  try {
    return await blobs.write(key, toStream(limited(body)))
  } catch (error) {
    throw toRefusal(error)
  }
}

/** 413 when the declared size is too large already. */
export function refuseDeclared(bytes: number | null): void {
  if (bytes !== null && bytes > MAX_UPLOAD_BYTES) throw new AppError('IMPORT_FILE_TOO_LARGE')
}

/** What the storage and the reader throw, as refusals of the request. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof ImportUnreadable) return invalid(error.message)
  if (error instanceof BlobsNotConfigured)
    return new AppError('FEATURE_NOT_CONFIGURED', { feature: 'upload_staging' }, { cause: error })
  if (error instanceof BlobsUnavailable) return new AppError('IMPORT_STORAGE_UNAVAILABLE', undefined, { cause: error })
  return error
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of patient(body)) {
    bytes += part.length
    if (bytes > MAX_UPLOAD_BYTES) throw new AppError('IMPORT_FILE_TOO_LARGE')
    yield part
  }
}

async function* patient(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await inTime(parts.next())
      if (done) return
      yield value
    }
  } finally {
    void parts.return?.().catch(() => {})
  }
}

async function inTime<Value>(next: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate()), PATIENCE_MS)
  try {
    return await Promise.race([next, promise])
  } catch (error) {
    throw error instanceof AppError ? error : invalid('The file did not arrive whole; send it again')
  } finally {
    clearTimeout(timer)
  }
}

const tooLate = (): AppError =>
  new AppError('HTTP_ERROR', undefined, { status: 408, message: 'The file did not arrive in time; send it again' })

/** As a stream that takes the next part only when the last one is written. */
function toStream(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await parts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
