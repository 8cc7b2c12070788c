import type { Context, Tx } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { toIsoOrNull } from '../../base/lib/time'
import { type PurchaseReport, present } from '../../intake/recording/model'
import { recordObservations } from '../../intake/recording/record-observations'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/holdings'
import { assertLive, findReferenced, lockLive, type SubscriberRow } from '../../people/subscribers/service'
import { type AuditEntry, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { type ActionOrigin, causeOfAction, checkReason } from './actor'
import { type GrantPlan, type GrantWish, grantReport, type PlannedGrant, planGrant } from './grant-plan'
import { type Preview, preview } from './preview'

export interface GrantOrder extends GrantTerms {
  /** Subscriber reference as a secret key may use it (wire 1.8): `sub_` id, label or device key. */
  subscriber: string
  origin: ActionOrigin
}

/**
 * Gives access without a payment (wire 7.8). The grant is recorded as a purchase of the store MANUAL, without a price.
 * It books no virtual currency, because currency follows charges; `credits` books currency by hand. 400
 * `UNKNOWN_REFERENCES` for a product or an access that the project does not have.
 */
export async function grantAccess(ctx: Context, project: ProjectState, order: GrantOrder): Promise<PurchaseRow> {
  const checked = checkGrant(ctx, project, order)
  return ctx.write(async (tx) =>
    grantTo(tx, project, await lockOwner(tx, project.id, order.subscriber), order.origin, checked),
  )
}

/** What `grantAccess` would do, with the same refusals. Nothing is written. */
export async function previewGrant(
  ctx: Context,
  project: ProjectState,
  order: GrantOrder,
): Promise<Preview<PurchaseRow>> {
  const checked = checkGrant(ctx, project, order)
  return preview(ctx, project, async (tx) => {
    const subscriber = await lockOwner(tx, project.id, order.subscriber)
    return { subscriber, run: () => grantTo(tx, project, subscriber, order.origin, checked) }
  })
}

/** A grant without its receiver. */
export interface GrantTerms extends GrantWish {
  reason: string | null
}

/** Terms that the project can fulfil. */
export interface CheckedGrant {
  plan: PlannedGrant
  reason: string | null
}

/** 400 `UNKNOWN_REFERENCES` or `VALIDATION_ERROR` for what cannot be given. */
export function checkGrant(ctx: Context, project: ProjectState, order: GrantTerms): CheckedGrant {
  const plan = planGrant(order, project.catalog, ctx.clock.now())
  if (!plan.ok) throw refusal(plan)
  return { plan, reason: checkReason(order.reason) }
}

async function grantTo(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  origin: ActionOrigin,
  { plan, reason }: CheckedGrant,
): Promise<PurchaseRow> {
  const purchase = await recordGrant(tx, project, owner, plan, causeOfAction(origin, 'MANUAL', reason))
  await recordAudit(tx, project.id, origin.actor, [auditOf(purchase, reason)])
  return purchase
}

/**
 * Gives many people the same access, each as `grantAccess` does, in the caller's transaction, which holds the lock of each.
 * `detail` is added to what the audit log keeps of each grant.
 */
export async function grantToAll(
  tx: Tx,
  project: ProjectState,
  owners: readonly SubscriberRow[],
  origin: ActionOrigin,
  { plan, reason }: CheckedGrant,
  detail: object,
): Promise<void> {
  const cause = causeOfAction(origin, 'MANUAL', reason)
  const entries: AuditEntry[] = []
  for (const owner of owners) {
    const entry = auditOf(await recordGrant(tx, project, owner, plan, cause), reason)
    entries.push({ ...entry, after: { ...entry.after, ...detail } })
  }
  await recordAudit(tx, project.id, origin.actor, entries)
}

async function lockOwner(tx: Tx, projectId: string, reference: string): Promise<SubscriberRow> {
  const found = await findReferenced(tx, { projectId, presented: 'secret' }, reference)
  if (!found) throw notFound('subscriber', reference)
  return assertLive(await lockLive(tx, found))
}

async function recordGrant(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  plan: PlannedGrant,
  cause: EventCause,
): Promise<PurchaseRow> {
  const id = tx.ids.next('pur')
  const report: PurchaseReport = {
    store: 'MANUAL',
    environment: 'PRODUCTION',
    chainKey: id,
    originalTransactionId: id,
    productType: plan.productType,
    accountToken: null,
    presentedContext: null,
    accessIds: plan.accessIds,
    observations: [grantReport(id, plan, tx.clock.now())],
  }
  const { purchase } = await recordObservations(tx, project, present(owner), null, report, cause)
  if (!purchase) throw new Error('a grant made no purchase')
  return purchase
}

const auditOf = (purchase: PurchaseRow, reason: string | null) => ({
  action: 'subscriber.grant',
  target: { type: 'subscriber', id: purchase.subscriberId },
  before: null,
  after: {
    purchaseId: purchase.id,
    productId: purchase.productId,
    accessIds: purchase.accessIds,
    expiresAt: toIsoOrNull(purchase.fold.expiresAt),
    reason,
  },
})

function refusal(plan: Exclude<GrantPlan, PlannedGrant>): AppError {
  switch (plan.reason) {
    case 'unknown':
      return unknown(plan.resource, plan.ids)
    case 'unclear':
      return invalid('Name either productId or at least one of accessIds')
    case 'no_access':
      return invalid('productId: the product gives no access; book its currency as credits instead')
    case 'past':
      return invalid('expiresAt: must lie in the future')
    case 'too_late':
      return invalid('expiresAt: not a time before the year 10000; leave it out for access without an end')
  }
}

function unknown(resource: 'product' | 'access', ids: string[]): AppError {
  const message = `This project has no ${resource} called ${ids.slice(0, 10).join(', ')}`
  return new AppError('UNKNOWN_REFERENCES', { resource, ids }, { message })
}
