import type { Context, Tx } from '../../base/context'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import { causeOf } from '../../people/events/model'
import type { PurchaseState } from '../../people/purchases/model'
import { listDue, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import { nextStatusChangeAt, statusAt } from '../../people/purchases/status'
import { purchaseEvents } from '../../people/purchases/transitions'
import { toPurchaseView } from '../../people/purchases/wire'
import { findSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { lockWithOwner } from './held'
import { stateOf } from './purchase-row'

const BATCH = 500
/** Subscribers processed at a time: their writes share a commit on SQLite, and leave connections free on Postgres. */
const AT_ONCE = 8

/**
 * Records the events of purchases whose status has changed by time alone since the last sweep (wire 5.5), mostly
 * expirations, however long ago they were. Access needs no sweep, because reads apply the current time. Returns the
 * number of purchases updated.
 */
export async function sweepPurchases(ctx: Context): Promise<number> {
  let recorded = 0
  for (;;) {
    const due = await listDue(ctx, ctx.clock.now(), BATCH)
    const owners = [...Map.groupBy(due, ({ subscriberId }) => subscriberId).values()]
    for (let start = 0; start < owners.length; start += AT_ONCE) {
      const counts = await Promise.all(owners.slice(start, start + AT_ONCE).map((owned) => recordInOrder(ctx, owned)))
      recorded += counts.reduce((sum, count) => sum + count, 0)
    }
    if (due.length < BATCH) return recorded
  }
}

/** Records the changes of one subscriber's purchases, in the order in which they are due. */
async function recordInOrder(ctx: Context, owned: readonly PurchaseRow[]): Promise<number> {
  let recorded = 0
  for (const purchase of owned) if (await recordChange(ctx, purchase)) recorded++
  return recorded
}

async function recordChange(ctx: Context, due: PurchaseRow): Promise<boolean> {
  const project = await ctx.state.projects.find(due.projectId)
  return ctx.write(async (tx) => {
    if (!project) return forget(tx, due.id)
    const row = await lockWithOwner(tx, due)
    const now = tx.clock.now()
    if (!row || row.sweepAt === null || row.sweepAt > now) return false
    const after = statusAt(row.fold, now)
    await updatePurchase(tx, row.id, {
      status: after.status,
      sweepAt: nextStatusChangeAt(row.fold, now),
      updatedAt: now,
    })
    await recordEvents(tx, project, row, after)
    return true
  })
}

/** A purchase of a deleted project records no events, so the sweep does not visit it again. */
async function forget(tx: Tx, id: string): Promise<false> {
  await updatePurchase(tx, id, { sweepAt: null })
  return false
}

async function recordEvents(tx: Tx, project: ProjectState, row: PurchaseRow, after: PurchaseState): Promise<void> {
  const owner = await findSubscriber(tx, project.id, row.subscriberId)
  if (!owner || owner.erasedAt !== null) return
  const before = stateOf(row)
  const views = {
    before: { purchase: toPurchaseView(project, row, before) },
    after: { purchase: toPurchaseView(project, row, after) },
  }
  const events = purchaseEvents(before, after, { newLines: [], productIdOf: () => null, transactionIdOf: () => null })
  const drafts = events.map(({ type, data }) => ({
    type,
    occurredAt: row.sweepAt ?? tx.clock.now(),
    environment: row.environment,
    data: { transaction: null, ...data },
    ...views,
  }))
  await recordSubscriberEvents(tx, project, owner, { cause: causeOf('SWEEP', null), drafts })
}
