import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { findPurchaseByChain, type PurchaseRow } from '../../people/purchases/holdings'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedTransaction } from '../../stores/ios/decode'
import { ownerOf } from '../recording/held'
import { queueAnswer } from './jobs'
import { findDecided, isNews, type RefundOutcome } from './outcome'
import { deadlineOf, planAnswer, type RefundShieldPlan } from './plan'
import { countResponses, insertResponse, listByTransaction, type ResponseRow, sumSaved, updateOutcome } from './queries'

export { listResponses } from './queries'
export type { ResponseRow }

/** What the store asked, or told, of a transaction: verified, and with the instant at which the store said it. */
export interface RefundNews {
  notificationId: string
  signedAt: number
  transaction: DecodedTransaction
}

/** A purchase keeps the environment that it was made in: what another one tells of it is refused. */
export type Recorded = 'recorded' | 'unknown' | 'environment'

/**
 * Records a request of the store about a refund, in the transaction that takes its notification in, and queues the
 * answer (wire 5.12). Told again, or processed again, it changes nothing; asked again after a refusal, it is another.
 */
export async function recordRefundRequest(tx: Tx, project: ProjectState, news: RefundNews): Promise<Recorded> {
  const { notificationId, signedAt: askedAt, transaction } = news
  await lockTransaction(tx, project, transaction)
  const purchase = await findPurchase(tx, project, transaction)
  if (purchase && purchase.environment !== transaction.environment) return 'environment'
  const detectedAt = tx.clock.now()
  const owner = purchase && (await ownerOf(tx, purchase))
  const isKnown = owner?.erasedAt === null
  const plan = planAnswer(project.refundShield, { askedAt, detectedAt, isKnown })
  const row: ResponseRow = {
    id: tx.ids.next('rfs'),
    projectId: project.id,
    notificationId,
    purchaseId: purchase?.id ?? null,
    subscriberId: isKnown ? owner.id : null,
    transactionId: transaction.transactionId,
    askedAt,
    ...UNANSWERED,
    ...columnsOf(plan, detectedAt),
    deadlineAt: deadlineOf(detectedAt),
    createdAt: detectedAt,
    updatedAt: detectedAt,
  }
  if ((await insertResponse(tx, row)) && row.status === 'PENDING') await queueAnswer(tx, row.id, row.dueAt)
  return 'recorded'
}

const UNANSWERED = { outcome: null, outcomeAt: null, attempts: 0, sentAt: null }

const columnsOf = (plan: RefundShieldPlan, detectedAt: number): Pick<ResponseRow, 'status' | 'dueAt' | 'error'> => ({
  status: plan.status,
  dueAt: plan.status === 'PENDING' ? plan.dueAt : detectedAt,
  error: plan.status === 'FAILED' ? plan.error : null,
})

/**
 * Notes how the store decided, with the request that it decided on; `unknown` when it had asked nothing. The row's own
 * turn, when it is due, sees that there is nothing more to answer.
 */
export async function recordRefundOutcome(
  tx: Tx,
  project: ProjectState,
  outcome: RefundOutcome,
  { signedAt: decidedAt, transaction }: RefundNews,
): Promise<Recorded> {
  await lockTransaction(tx, project, transaction)
  const purchase = await findPurchase(tx, project, transaction)
  if (purchase && purchase.environment !== transaction.environment) return 'environment'
  const requests = await listByTransaction(tx, project.id, transaction.transactionId)
  const decision = { outcome, decidedAt }
  const decided = findDecided(requests, decision)
  if (!decided) return 'unknown'
  const change = { outcome, outcomeAt: decidedAt, updatedAt: tx.clock.now() }
  if (isNews(decided, decision)) await updateOutcome(tx, decided.id, change)
  return 'recorded'
}

/** A request and its outcome may come at once, in either order. */
const lockTransaction = (tx: Tx, { id }: ProjectState, { transactionId }: DecodedTransaction): Promise<void> =>
  tx.lock(`refund-shield:${id}:${transactionId}`)

const findPurchase = (tx: Tx, { id }: ProjectState, { chainKey }: DecodedTransaction): Promise<PurchaseRow | null> =>
  findPurchaseByChain(tx, id, 'IOS_STORE', chainKey)

/** What the shield did for a project (wire 7.8). Money is in micros of the US dollar. */
export interface RefundShieldMetrics {
  requests: number
  sent: number
  declined: number
  approved: number
  /** Charges answered for whose refund the store declined, as far as they are known in dollars; of the sandbox none. */
  savedMicros: number
}

export async function refundShieldMetrics(handle: Handle, projectId: string): Promise<RefundShieldMetrics> {
  const [groups, savedMicros] = await Promise.all([countResponses(handle, projectId), sumSaved(handle, projectId)])
  const count = (isCounted: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(isCounted).reduce((sum, group) => sum + group.count, 0)
  return {
    requests: count(() => true),
    sent: count(({ status }) => status === 'SENT'),
    declined: count(({ outcome }) => outcome === 'REFUND_DECLINED'),
    approved: count(({ outcome }) => outcome === 'REFUND_APPROVED'),
    savedMicros,
  }
}
