import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { settlesWithin } from '../../../base/jobs/within'
import { MINUTE } from '../../../base/lib/clock'
import type { Destination, S3Credentials } from '../model'
import { makeStaging } from './staging'
import type { ExportTarget } from './target'

type BucketDestination = Extract<Destination, { kind: 's3' }>

interface BucketParts {
  destination: BucketDestination
  credentials: S3Credentials
  /** The folder of the run in the bucket. */
  folder: string
  dataDir: string
}

const PART_BYTES = 8 * 1024 * 1024
const UPLOAD_MS = 30 * MINUTE

/**
 * A bucket of Amazon S3 or of a service that speaks its protocol. A file is made on this machine and then uploaded, a
 * large one in parts; the bucket shows it when the last part is there.
 */
export async function bucketTarget({ destination, credentials, folder, dataDir }: BucketParts): Promise<ExportTarget> {
  const { bucket, prefix, endpoint, region } = destination
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const client = new Bun.S3Client({
    ...{ bucket, endpoint, region, accessKeyId, secretAccessKey },
    ...(sessionToken !== null && { sessionToken }),
  })
  if (sessionToken === null) refuseForeignToken(client)
  const staging = await makeStaging(dataDir)
  const keyOf = (name: string) => [prefix, folder, name].filter((part) => part !== '').join('/')
  const partPath = (name: string) => join(staging, name)
  return {
    partPath,
    place: async (name) => {
      await inTime(upload(client.file(keyOf(name)), partPath(name)))
      await rm(partPath(name))
    },
    placeText: async (name, text) => {
      await inTime(client.write(keyOf(name), text, { type: 'application/json' }))
    },
    close: () => rm(staging, { recursive: true, force: true }),
  }
}

/**
 * Bun's client adds the session token of the environment to credentials that have none, and nothing can keep it from
 * that. The token would reach an address that a user gave.
 */
function refuseForeignToken(client: Bun.S3Client): void {
  if (URL.parse(client.presign('any'))?.searchParams.has('X-Amz-Security-Token') === true)
    throw new Error('AWS_SESSION_TOKEN in the environment of svc does not belong to this bucket; start svc without it')
}

async function upload(target: Bun.S3File, path: string): Promise<void> {
  const writer = target.writer({ partSize: PART_BYTES, queueSize: 2, retry: 3, type: 'application/octet-stream' })
  for await (const chunk of Bun.file(path).stream()) {
    writer.write(chunk)
    await writer.flush() // Without this, a slow bucket would let the whole file gather in memory.
  }
  await writer.end()
}

async function inTime(work: Promise<unknown>): Promise<void> {
  try {
    if (await settlesWithin(work, UPLOAD_MS)) return
  } catch (error) {
    const { code = 'no code', message } = error as { code?: string; message: string }
    throw new Error(`the bucket does not take the file: ${code}, ${message}`)
  }
  throw new Error('the bucket did not take the file in time')
}
