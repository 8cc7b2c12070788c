import { resolve } from 'node:path'
import { type Io, UsageError } from '../../base/cli/command'
import { isBucket, isRegion, parseBucket } from '../../base/lib/bucket-address'
import { readService } from './command-options'
import type { Destination } from './model'
import { targetName } from './open-target'
import { destinationOf } from './targets/address'

export interface Place {
  destination: Destination
  /** The name of the place among exports. */
  target: string
}

interface PlaceValues {
  to?: string | undefined
  's3-endpoint'?: string | undefined
  's3-region'?: string | undefined
}

const DEFAULT_FOLDER = 'svc-export'

/** Where a single export goes: a folder of this machine, or a bucket. */
export function readPlace(values: PlaceValues, io: Io): Place {
  const { to = DEFAULT_FOLDER } = values
  if (to === '') throw new UsageError('--to takes a folder or s3://bucket/prefix')
  if (!isBucket(to)) {
    const path = resolve(to)
    return { destination: { kind: 'folder', path }, target: path }
  }
  if (!parseBucket(to)) throw new UsageError(`--to takes a folder or s3://bucket/prefix, not "${to}"`)
  const { endpoint, region } = readService(values, io)
  if (region !== null && !isRegion(region)) throw new UsageError(`--s3-region takes a region, not "${region}"`)
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new UsageError('--s3-endpoint takes an http(s) address')
  const destination = destinationOf(to.replace(/\/$/, ''), endpoint, region)
  return { destination, target: targetName(to.replace(/\/$/, ''), endpoint) }
}
