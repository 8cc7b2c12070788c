import { isAbsolute, join, normalize, relative } from 'node:path'
import type { Destination } from '../model'

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[\w!.*'()-]+(\/[\w!.*'()-]+)*$/
const REGION = /^[a-z0-9-]{1,32}$/
const MAX_PREFIX = 512

export const DEFAULT_REGION = 'us-east-1'

export interface BucketAddress {
  bucket: string
  /** Without slashes at its ends; may be empty. */
  prefix: string
}

/** Reads `s3://bucket/prefix`; null for anything else. */
export function parseBucket(text: string): BucketAddress | null {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(text) ?? []
  const prefix = rest.replace(/\/$/, '')
  if (!BUCKET.test(bucket) || bucket.includes('..') || prefix.length > MAX_PREFIX) return null
  const isFine = prefix === '' || (PREFIX.test(prefix) && !prefix.split('/').some((part) => /^\.+$/.test(part)))
  return isFine ? { bucket, prefix } : null
}

export const isBucket = (text: string): boolean => text.startsWith('s3://')

export const isRegion = (text: string): boolean => REGION.test(text)

/** The address of the service when none is given. */
export const endpointOf = (region: string): string => `https://s3.${region}.amazonaws.com`

/** Where the files of a stored target go. */
export function destinationOf(target: string, endpoint: string | null, region: string | null): Destination {
  const bucket = parseBucket(target)
  if (!bucket) return { kind: 'folder', path: target }
  const named = region ?? DEFAULT_REGION
  return { kind: 's3', ...bucket, region: named, endpoint: endpoint ?? endpointOf(named) }
}

/** The folder below which schedules of this server write. */
export const scheduleFolder = (dataDir: string): string => join(dataDir, 'exports')

/** A folder below `exports` of the data folder, named by its whole path or from there; null when it lies elsewhere. */
export function folderBelow(dataDir: string, text: string): string | null {
  const root = scheduleFolder(dataDir)
  const path = normalize(isAbsolute(text) ? text : join(root, text)).replace(/\/$/, '')
  const way = relative(root, path)
  return way === '' || way === '..' || way.startsWith('../') || text.includes('\0') ? null : path
}
