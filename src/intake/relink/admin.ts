import type { Context } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { recordAudit } from '../../projects/audit/audit'
import type { ProjectActor } from '../../projects/project/edit'
import { countLinkable } from './awaited'
import { relinkJob } from './jobs'
import { causeKind } from './on-products-written'

/**
 * Queues a run over everything that waits in a project. One that waits already is not queued a second time. Returns how
 * many purchases are to be linked.
 */
export const queueRelink = (ctx: Context, by: ProjectActor): Promise<number> =>
  ctx.write(async (tx) => {
    const { projectId, actor } = by
    const payload = { projectId, productIds: null, cause: causeKind(by), looksAgain: false }
    const jobId = await enqueue(tx, relinkJob, payload, { dedupeKey: projectId })
    const waiting = await countLinkable(tx, projectId)
    if (jobId === null) return waiting
    const target = { type: 'relink', id: jobId }
    await recordAudit(tx, projectId, actor, [{ action: 'purchases.relink', target, before: null, after: { waiting } }])
    return waiting
  })
