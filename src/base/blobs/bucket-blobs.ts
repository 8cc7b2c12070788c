import { createHash } from 'node:crypto'
import type { BucketStorage } from '../config-storage'
import { settlesWithin } from '../jobs/within'
import { MINUTE, SECOND } from '../lib/clock'
import { BlobsUnavailable, type StoredBlob } from './blobs'
import { assertBlobKey, available, type BlobPlace, unavailable } from './place'
import { watched } from './watched-stream'

const PART_BYTES = 8 * 1024 * 1024
/** The longest that the bucket may take for one call, or for the next part of an upload. */
const PATIENCE_MS = 2 * MINUTE
const CHECK_MS = 10 * SECOND

/** Blobs as objects of a bucket of Amazon S3, or of a service that speaks its protocol. */
export function bucketBlobs(storage: BucketStorage, patienceMs = PATIENCE_MS): BlobPlace {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, sessionToken } = storage
  const client = new Bun.S3Client({
    ...{ bucket, endpoint, region, accessKeyId, secretAccessKey },
    ...(sessionToken !== null && { sessionToken }),
  })
  const fileOf = (key: string): Bun.S3File => {
    assertBlobKey(key)
    return client.file(withPrefix(prefix, key))
  }
  const call = <Result>(work: () => Promise<Result>, ms = patienceMs) => available(() => inTime(work(), ms))
  const size = (file: Bun.S3File) => call(() => sizeOf(file))
  return {
    size: (key) => size(fileOf(key)),
    write: (key, bytes) => upload(fileOf(key), bytes, patienceMs),
    read: async (key, from = 0) => {
      const file = fileOf(key)
      const bytes = await size(file)
      if (bytes === null) return null
      return from < bytes ? readFrom(file, from, patienceMs) : new Blob([]).stream()
    },
    remove: (key) => {
      const file = fileOf(key)
      return call(() => file.delete())
    },
    list: (wanted) => call(() => listAll(client, withPrefix(prefix, wanted), withPrefix(prefix, '').length)),
    check: () => call(() => client.list({ prefix: withPrefix(prefix, ''), maxKeys: 1 }), CHECK_MS).then(() => {}),
    // The bucket itself removes unfinished uploads, by a lifecycle rule; Bun's client cannot list them.
    sweepUnfinished: async () => 0,
  }
}

const withPrefix = (prefix: string, key: string): string => (prefix === '' ? key : `${prefix}/${key}`)

async function inTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  if (await settlesWithin(work, ms)) return work
  throw new BlobsUnavailable('the bucket did not answer in time')
}

async function sizeOf(file: Bun.S3File): Promise<number | null> {
  try {
    return (await file.stat()).size
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * In parts while they arrive, so that a large blob is never in memory as a whole. The object appears when the last part
 * is there; when the stream fails, Bun's client takes the parts back.
 */
async function upload(file: Bun.S3File, bytes: ReadableStream<Uint8Array>, patienceMs: number): Promise<StoredBlob> {
  const hash = createHash('sha256')
  let size = 0
  const source = watched(bytes, patienceMs, (chunk) => {
    hash.update(chunk)
    size += chunk.byteLength
  })
  const type = 'application/octet-stream'
  const body = new Response(source.stream)
  const writing = file.write(body, { partSize: PART_BYTES, queueSize: 2, retry: 2, type })
  try {
    await Promise.race([writing, source.stalled])
  } catch (error) {
    source.cancel(error)
    throw source.failure === null ? unavailable(error) : source.failure.error
  } finally {
    source.end()
  }
  return { bytes: size, sha256: hash.digest('hex') }
}

const readFrom = (file: Bun.S3File, from: number, patienceMs: number): ReadableStream<Uint8Array> => {
  const reader = (from === 0 ? file : file.slice(from)).stream().getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await available(() => inTime(reader.read(), patienceMs))
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

async function listAll(client: Bun.S3Client, prefix: string, cut: number): Promise<string[]> {
  const keys: string[] = []
  for (let token: string | undefined; ; ) {
    const page = await client.list({ prefix, ...(token !== undefined && { continuationToken: token }) })
    for (const { key } of page.contents ?? []) keys.push(key.slice(cut))
    token = page.isTruncated ? page.nextContinuationToken : undefined
    if (token === undefined) return keys.sort()
  }
}

const isMissing = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound', 'ENOENT'].includes(String((error as { code?: unknown }).code))
