import { hostname } from 'node:os'
import type { Context } from '../../base/context'
import { MINUTE } from '../../base/lib/clock'
import { isAlive, processName } from '../../base/lib/this-process'
import type { RunRow } from './queries'

/** A process that has not been heard of for this long has ended. */
const SILENT_MS = 2 * MINUTE

/** How this process is named in the runs that it works on. */
export const ownerName = ({ instanceId }: Pick<Context, 'instanceId'>): string => processName(instanceId)

/** Whether some process still works on a run, as far as can be known from here. */
export function isHeld({ owner, seenAt }: Pick<RunRow, 'owner' | 'seenAt'>, now: number): boolean {
  if (owner === null || now - seenAt >= SILENT_MS) return false
  const [host, pid] = owner.split(' ')
  return host !== hostname() || isAlive(Number(pid))
}
