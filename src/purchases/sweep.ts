import type { Context, Tx } from '../context'
import { balancesByCode } from '../currencies/service'
import { accessChange } from '../entitlements/service'
import { causeOf } from '../events/model'
import { recordEvents } from '../events/service'
import { findSubscriber, saveToldAccess } from '../subscribers/service'
import { listPurchases } from './holdings'
import { stateOf } from './observe'
import { findPurchaseById, listDue, type PurchaseRow, updatePurchase } from './queries'
import { nextStatusChangeAt, statusAt } from './status'
import { purchaseEvents } from './transitions'
import { toPurchaseView } from './wire'

const BATCH = 500

/**
 * Tells what the clock alone has changed since it was last told (wire 5.5): expiries above all, however long ago.
 * Access itself needs no sweep, reads apply the clock. Returns how many purchases were told.
 */
export async function sweepPurchases(ctx: Context): Promise<number> {
  let told = 0
  for (;;) {
    const due = await listDue(ctx, ctx.clock.now(), BATCH)
    for (const purchase of due) if (await tellOne(ctx, purchase)) told++
    if (due.length < BATCH) return told
  }
}

async function tellOne(ctx: Context, { id, projectId, subscriberId }: PurchaseRow): Promise<boolean> {
  const project = await ctx.projects.find(projectId)
  return ctx.write(async (tx) => {
    if (!project) return forget(tx, id)
    await tx.lock(`subscriber:${subscriberId}`)
    const row = await findPurchaseById(tx, projectId, id)
    const now = tx.clock.now()
    if (!row || row.sweepAt === null || row.sweepAt > now) return false
    const after = statusAt(row.fold, now)
    await updatePurchase(tx, id, { status: after.status, sweepAt: nextStatusChangeAt(row.fold, now), updatedAt: now })
    await tell(tx, project, row, after)
    return true
  })
}

/** A purchase of a project that is gone has nobody to tell. */
async function forget(tx: Tx, id: string): Promise<false> {
  await updatePurchase(tx, id, { sweepAt: null })
  return false
}

type Project = Parameters<typeof toPurchaseView>[0]

async function tell(tx: Tx, project: Project, row: PurchaseRow, after: ReturnType<typeof statusAt>): Promise<void> {
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
  const access = accessChange(tx, project, owner, await listPurchases(tx, owner.id))
  const balances = await balancesByCode(tx, project, owner.id)
  await saveToldAccess(tx, owner, access.after)
  const subject = { id: owner.id, projectId: project.id, appUserId: owner.appUserId }
  const images = { before: { access: access.before, balances }, after: { access: access.after, balances } }
  await recordEvents(tx, { subject, cause: causeOf('SWEEP', null), ...images }, [...drafts, ...access.drafts])
}
