import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OutgoingCalls } from '../../../base/http/outgoing'
import { isAlive } from '../../../base/lib/this-process'
import { reasonText } from '../../../core/reason/reasons'
import type { Destination, S3Credentials } from '../model'
import { scheduleFolder } from './address'
import type { ExportTarget } from './target'
import { clientUploads, guardedUploads } from './uploads'

type BucketDestination = Extract<Destination, { kind: 's3' }>

interface BucketParts {
  destination: BucketDestination
  credentials: S3Credentials
  /** The folder of the run in the bucket. */
  folder: string
  dataDir: string
  /** Makes the calls to an address that a user of the dashboard gave; null = the address is trusted. */
  guard: OutgoingCalls | null
}

/**
 * A bucket of Amazon S3 or of a service that speaks its protocol. A file is made on this machine and then uploaded; the
 * bucket shows it when the last byte is there.
 */
export async function bucketTarget(parts: BucketParts): Promise<ExportTarget> {
  const { destination, credentials, folder, dataDir, guard } = parts
  const { bucket, prefix, endpoint, region } = destination
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const client = new Bun.S3Client({
    ...{ bucket, endpoint, region, accessKeyId, secretAccessKey },
    ...(sessionToken !== null && { sessionToken }),
  })
  if (sessionToken === null) refuseForeignToken(client)
  const uploads = guard ? guardedUploads(client, guard) : clientUploads(client)
  const staging = await makeStaging(dataDir)
  const keyOf = (name: string) => [prefix, folder, name].filter((part) => part !== '').join('/')
  const partPath = (name: string) => join(staging, name)
  return {
    partPath,
    place: async (name) => {
      await uploads.file(keyOf(name), partPath(name))
      await rm(partPath(name))
    },
    placeText: (name, text) => uploads.text(keyOf(name), text),
    close: () => rm(staging, { recursive: true, force: true }),
  }
}

/**
 * Bun's client adds the session token of the environment to credentials that have none, and nothing can keep it from
 * that. The token would reach an address that a user gave.
 */
function refuseForeignToken(client: Bun.S3Client): void {
  if (URL.parse(client.presign('any'))?.searchParams.has('X-Amz-Security-Token') === true)
    throw new Error(reasonText('FOREIGN_SESSION_TOKEN'))
}

const NAME = /^\.upload-(\d+)-/

/**
 * A folder for files that wait for their upload. It is in the data folder, where there is one: a folder for temporary
 * files may be memory. What killed processes have left there is removed, because it holds data of people.
 */
async function makeStaging(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) return mkdtemp(join(tmpdir(), 'svc-export-'))
  const folder = scheduleFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { recursive: true, force: true })
  }
  return mkdtemp(join(folder, `.upload-${process.pid}-`))
}
