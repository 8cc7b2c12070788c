import { resolve } from 'node:path'
import type { Reader } from './config-reader'
import { DEFAULT_REGION, endpointOf, isBucket, isRegion, parseBucket } from './lib/bucket-address'

/** `none`: this deployment keeps no files, so nothing can be uploaded or made for download. */
export type StorageConfig = { kind: 'folder'; path: string } | BucketStorage | { kind: 'none' }

/** A bucket of Amazon S3, or of a service that speaks its protocol. */
export interface BucketStorage {
  kind: 's3'
  bucket: string
  /** Without slashes at its ends; may be empty. */
  prefix: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

export function readStorage(read: Reader, dataDir: string): StorageConfig {
  const given = read.text('SVC_STORAGE_URL')
  const bucket = readBucket(read, given ?? '')
  if (given === undefined) return { kind: 'folder', path: resolve(dataDir, 'blobs') }
  if (given === 'off') return { kind: 'none' }
  if (bucket !== null) return bucket
  if (!/^file:./.test(given)) read.fault('SVC_STORAGE_URL', given, 'file:FOLDER, s3://BUCKET/PREFIX or off')
  return { kind: 'folder', path: resolve(given.replace(/^file:(\/\/(?=\/))?/, '')) }
}

/** Null unless the address is that of a bucket. The variables of a bucket that is not used are not checked. */
function readBucket(read: Reader, given: string): BucketStorage | null {
  const [accessKeyId, secretAccessKey] = [read.text('AWS_ACCESS_KEY_ID'), read.text('AWS_SECRET_ACCESS_KEY')]
  const sessionToken = read.text('AWS_SESSION_TOKEN') ?? null
  const [region = DEFAULT_REGION, endpoint] = [read.text('AWS_REGION'), read.text('AWS_ENDPOINT_URL')]
  if (!isBucket(given)) return null
  const address = parseBucket(given)
  if (address === null) read.fault('SVC_STORAGE_URL', given, 's3://BUCKET or s3://BUCKET/PREFIX')
  if (!isRegion(region)) read.fault('AWS_REGION', region, 'a region such as eu-central-1')
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    read.fault('AWS_ENDPOINT_URL', endpoint, 'an http(s) address')
  if (accessKeyId === undefined || secretAccessKey === undefined)
    read.fault('SVC_STORAGE_URL', given, 'given together with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const { bucket, prefix } = address ?? { bucket: '', prefix: '' }
  const keys = { accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '', sessionToken }
  return { kind: 's3', bucket, prefix, region, endpoint: endpoint ?? endpointOf(region), ...keys }
}
