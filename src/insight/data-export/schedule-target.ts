import type { Context } from '../../base/context'
import { isBucket, isRegion, parseBucket } from '../../base/lib/bucket-address'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
import { reasonText } from '../../core/reason/reasons'
import type { Fault } from '../../core/text/fault'
import { refuseFaults } from '../../projects/project/edit'
import { folderBelow } from './targets/address'

/** Where a schedule writes. */
export interface GivenTarget {
  to: string
  endpoint: string | null
  region: string | null
  /** Whether the command line of the server names it. */
  isTrusted: boolean
}

export interface CheckedTarget extends GivenTarget {
  isFolder: boolean
}

/**
 * The target as it is stored; 400 `VALIDATION_ERROR` for one that is not allowed. Only the command line of the server may
 * name a folder of its disk, or an address in a private network.
 */
export async function checkTarget(ctx: Context, given: GivenTarget): Promise<CheckedTarget> {
  if (!isBucket(given.to)) return checkFolder(ctx, given)
  refuseFaults(bucketFaults(given))
  refuseFaults(await endpointFaults(ctx, given))
  return { ...given, isFolder: false }
}

function checkFolder({ config }: Context, given: GivenTarget): CheckedTarget {
  const path = given.isTrusted ? folderBelow(config.dataDir, given.to) : null
  if (path !== null) return { to: path, endpoint: null, region: null, isTrusted: true, isFolder: true }
  const message = given.isTrusted
    ? 'to must be s3://bucket/prefix, or a folder below exports of the data folder'
    : 'to must be s3://bucket/prefix'
  refuseFaults([{ path: 'to', message }])
  throw new Error('a fault was not refused')
}

const bucketFaults = ({ to, region }: GivenTarget): Fault[] => [
  ...(parseBucket(to) ? [] : [{ path: 'to', message: 'to must be s3://bucket/prefix with the names that S3 allows' }]),
  ...(region === null || isRegion(region) ? [] : [{ path: 'region', message: 'region must be one like eu-central-1' }]),
]

/** Looks up the host of an address that a user gave. */
export async function endpointFaults(
  ctx: Pick<Context, 'state'>,
  { endpoint, isTrusted }: Pick<GivenTarget, 'endpoint' | 'isTrusted'>,
): Promise<Fault[]> {
  if (endpoint === null) return []
  const url = URL.parse(endpoint)
  const isOrigin = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (!isOrigin || !/^https?:$/.test(url.protocol))
    return [{ path: 'endpoint', message: reasonText('BUCKET_ADDRESS', { message: reasonText('ADDRESS_WITH_PATH') }) }]
  const fault = isTrusted ? null : await ctx.state.outgoing.faultOf(endpoint)
  return fault === null
    ? []
    : [{ path: 'endpoint', message: reasonText('BUCKET_ADDRESS', { message: URL_FAULTS[fault] }) }]
}
