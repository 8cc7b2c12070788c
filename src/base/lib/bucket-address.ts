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
