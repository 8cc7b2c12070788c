import type { Context, Tx } from '../../base/context'
import { writeOrTry } from '../../base/db/dry-run'
import { describeFailure } from '../../base/jobs/failure'
import type { EventCause } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import { currentProject } from '../relink/current-project'
import type { Joined } from './join'

export interface RepairOrder {
  projectId: string
  cause: EventCause
  /** Does the same and writes nothing. */
  isDryRun: boolean
  /** Looks at all charges again, although a run has looked at them before. */
  isAll: boolean
  isStopping?: () => boolean
  /** Gets each purchase that several rows became, or of which charges were joined. */
  onJoined?: (joined: Joined) => void
  /** Gets how many of the sales have been looked at. */
  onProgress?: (done: number, total: number) => void
}

export interface RepairReport {
  /** Purchases that several rows became, or of which charges were joined. */
  joined: number
  /** Sales that could not be repaired. The log has the reasons. */
  failed: number
  /** False: it was stopped before the end. The rest still has the former key. */
  isComplete: boolean
}

type Repair = (tx: Tx, project: ProjectState, original: string, cause: EventCause) => Promise<Joined[]>

/** One that cannot be repaired does not keep the others from it. */
export async function repairOne(
  ctx: Context,
  order: RepairOrder,
  report: RepairReport,
  original: string,
  repair: Repair,
): Promise<void> {
  try {
    const project = await currentProject(ctx, order.projectId)
    if (!project) return
    const joined = await writeOrTry(ctx, order.isDryRun, (tx) => repair(tx, project, original, order.cause))
    for (const one of joined) order.onJoined?.(one)
    report.joined += joined.length
  } catch (error) {
    report.failed++
    ctx.log.warn('rows of one purchase could not be joined', { original, error: describeFailure(error) })
  }
}
