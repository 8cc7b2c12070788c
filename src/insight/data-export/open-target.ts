import { join } from 'node:path'
import type { Context } from '../../base/context'
import type { OutgoingCalls } from '../../base/http/outgoing'
import { reasonText } from '../../core/reason/reasons'
import type { Fault } from '../../core/text/fault'
import { openCredentials } from './credentials'
import { runFolder } from './manifest'
import type { Destination, S3Credentials } from './model'
import type { RunRow, ScheduleRow } from './queries'
import { endpointFaults } from './schedule-target'
import { destinationOf, folderBelow } from './targets/address'
import { bucketTarget } from './targets/bucket'
import { folderTarget } from './targets/folder'
import type { ExportTarget } from './targets/target'

/** The place of one run: a folder of its own, so that a run never touches the files of another. */
export function openTarget(
  { config: { dataDir } }: Pick<Context, 'config'>,
  destination: Destination,
  credentials: S3Credentials | null,
  run: Pick<RunRow, 'id' | 'windowTo'>,
  guard: OutgoingCalls | null = null,
): Promise<ExportTarget> {
  const folder = runFolder(run)
  if (destination.kind === 'folder') return folderTarget(join(destination.path, folder))
  if (credentials === null) throw new Error(reasonText('BUCKET_SEALED'))
  return bucketTarget({ destination, credentials, folder, dataDir, guard })
}

/**
 * The place of a schedule's run. It is checked again: the host of an address may lead elsewhere now, and a folder may
 * have been named on another server.
 */
export async function openScheduleTarget(ctx: Context, schedule: ScheduleRow, run: RunRow): Promise<ExportTarget> {
  const [fault]: Fault[] = await endpointFaults(ctx, schedule)
  if (fault) throw new Error(fault.message)
  const destination = destinationOf(schedule.target, schedule.endpoint, schedule.region)
  if (destination.kind === 'folder' && !isFolderHere(ctx, schedule)) throw new Error(reasonText('FOLDER_ELSEWHERE'))
  const guard = schedule.isTrusted || schedule.endpoint === null ? null : ctx.state.outgoing
  return openTarget(ctx, destination, openCredentials(ctx, schedule), run, guard)
}

const isFolderHere = ({ config }: Context, { isTrusted, target }: ScheduleRow): boolean =>
  isTrusted && folderBelow(config.dataDir, target) === target

/** The name of a target among runs: the same bucket of another service is another one. */
export const targetName = (target: string, endpoint: string | null): string =>
  endpoint === null ? target : `${target} at ${endpoint}`
