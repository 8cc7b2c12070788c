import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { type ExplainedCandidate, explainAccess } from '../../people/entitlements/explain'
import { findPurchase, type PurchaseRow, purchaseAsOf } from '../../people/purchases/holdings'
import { type AccessRule, effectiveEnd, statusReason } from '../../people/purchases/status'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Difference } from './core/model'

export interface Reason {
  /** The rule of `explain` (wire 2.21); null where no purchase of ours takes part. */
  rule: AccessRule | null
  reason: string
}

/** Why our side is as it is, at the instant of their answer. */
export async function reasonFor(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  { kind, access, purchaseId }: Difference,
  at: number,
): Promise<Reason> {
  if (access !== null) return accessReason(ctx, project, subscriber, access, at)
  if (kind === 'PERSON_UNKNOWN_HERE') return reasonOfUnknown()
  const row = purchaseId === null ? null : await findPurchase(ctx, project.id, purchaseId)
  if (!row) return { rule: null, reason: 'no purchase of the project has this transaction' }
  const past = await purchaseAsOf(ctx, project, row, at)
  if (kind === 'OTHER_OWNER') return { rule: 'NOT_OWNED', reason: `${purchaseText(row)} belongs to somebody else here` }
  const rule = statusReason(past?.fold ?? null, at)
  return { rule, reason: `${purchaseText(past ?? row)}: ${RULES[rule]}` }
}

export const reasonOfUnknown = (): Reason => ({ rule: null, reason: 'the project has nobody with this id' })

async function accessReason(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  access: string,
  at: number,
): Promise<Reason> {
  const isKnown = [...project.catalog.access.values()].some(({ identifier }) => identifier === access)
  if (!isKnown) return { rule: null, reason: `the project has no access ${access}` }
  const { decidedBy, candidates } = await explainAccess(ctx, project, subscriber, access, at)
  const [first] = candidates
  if (!first) return { rule: null, reason: `no purchase of this person gives ${access}` }
  const rule = decidedBy?.rule ?? first.rule
  const deciding = candidates.find(({ purchase }) => purchase.id === decidedBy?.purchaseId) ?? first
  return { rule, reason: `${purchaseText(deciding.purchase)}: ${sentence(deciding)}` }
}

function sentence({ grants, rule, purchase }: ExplainedCandidate): string {
  const isLive = rule.endsWith('_BEFORE_END') || rule === 'LIFETIME'
  if (!grants && isLive && purchase.environment === 'SANDBOX')
    return `${RULES[rule]}, but sandbox purchases give no access by the setting sandboxAccess`
  return RULES[rule]
}

const purchaseText = ({ store, fold }: PurchaseRow): string => {
  const end = effectiveEnd(fold)
  return `${fold.storeProductId} (${store}) ${fold.storeTransactionId}${end === null ? '' : ` until ${toIso(end)}`}`
}

const RULES: Record<AccessRule, string> = {
  ACTIVE_BEFORE_END: 'it runs',
  TRIAL_BEFORE_END: 'its trial runs',
  GRACE_PERIOD_BEFORE_END: 'a payment failed, and its grace period runs',
  LIFETIME: 'it never ends',
  PAST_END: 'it has ended',
  BILLING_RETRY: 'a payment failed, and there is no grace',
  PAUSED: 'it is paused',
  REFUNDED: 'it was refunded',
  REVOKED: 'it was revoked',
  NOT_OWNED: 'this person did not own it then',
  NOT_YET_BOUGHT: 'it was bought later',
  NO_PRODUCT: 'no product of the catalogue has its store id',
}
