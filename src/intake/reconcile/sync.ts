import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { defineJob } from '../../base/jobs/registry'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { listPurchases } from '../../people/purchases/holdings'
import type { PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber, resolveRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { askStore } from './ask'
import { scheduleRecheck } from './queries'
import { reconcile } from './run'
import { RECONCILED } from './stores'

/** A run of a project ends after this time. The rest stays due. */
const SYNC_MS = 20 * MINUTE
/** So that one request does not use up the calls that the store allows the app. */
const SYNC_BUDGET = 30_000

/** Queries the stores now: about all purchases of one subscriber, or about those of a project that are due. */
export const syncJob = defineJob({
  name: 'purchases.sync',
  payload: Type.Object(
    { projectId: Type.String(), subscriberId: Type.Union([Type.String(), Type.Null()]) },
    { additionalProperties: false },
  ),
  maxAttempts: 5,
  handle: async (ctx, { projectId, subscriberId }, isStopping) => {
    const project = await ctx.state.projects.find(projectId)
    if (!project) return
    const until = monotonicMs() + SYNC_MS
    const isOver = () => isStopping() || monotonicMs() > until
    if (subscriberId === null) await reconcile(ctx, { projectId, budget: SYNC_BUDGET, isOver })
    else await syncSubscriber(ctx, project, subscriberId)
  },
})

/** Asks about every purchase; afterwards throws the first fault of a store, so that the job is tried again. */
async function syncSubscriber(ctx: Context, project: ProjectState, subscriberId: string): Promise<void> {
  const found = await findSubscriber(ctx, project.id, subscriberId)
  if (!found) return
  const faults: unknown[] = []
  for (const purchase of await listPurchases(ctx, (await resolveRow(ctx, found)).id)) {
    const fault = await syncPurchase(ctx, project, purchase)
    if (fault !== null) faults.push(fault)
  }
  if (faults.length > 0) throw faults[0]
}

/** The fault when the store did not answer; null also for a purchase about which no store can be asked. */
async function syncPurchase(ctx: Context, project: ProjectState, purchase: PurchaseRow): Promise<unknown> {
  const store = RECONCILED[purchase.store]
  if (!store || !(await store.canAsk(ctx, project))) return null
  const reply = await askStore(ctx, { project, store, purchase, isDryRun: false })
  if (reply.kind === 'FAILED') return reply.error ?? new Error('a store did not answer')
  const from = (reply.kind === 'ANSWERED' ? reply.savedAt : null) ?? purchase.recheckAt
  if (from !== null) await ctx.write((tx) => scheduleRecheck(tx, purchase.id, from, reply.recheckAt))
  return null
}
