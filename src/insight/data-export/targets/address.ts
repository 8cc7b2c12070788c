import { isAbsolute, join, normalize, relative } from 'node:path'
import { DEFAULT_REGION, endpointOf, parseBucket } from '../../../base/lib/bucket-address'
import type { Destination } from '../model'

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
