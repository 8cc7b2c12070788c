import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { findPurchaseByNames, type PurchaseRow } from '../../people/purchases/holdings'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedTransaction } from '../../stores/ios/decode'
import { ownerOf } from '../recording/held'
import { queueAnswer } from './jobs'
import { findDecided, isUpdate, type RefundOutcome } from './outcome'
import { deadlineOf, planAnswer, type RefundShieldPlan } from './plan'
import { countResponses, insertResponse, listByTransaction, type ResponseRow, sumSaved, updateOutcome } from './queries'

/** A verified request or decision of the store about a transaction, with the instant at which the store signed it. */
export interface RefundUpdate {
  notificationId: string
  signedAt: number
  transaction: DecodedTransaction
}

/** `environment`: refused, because the purchase was made in another environment than the notification. */
export type Recorded = 'recorded' | 'unknown' | 'environment'

/**
 * Records a request of the store about a refund, in the transaction that processes its notification, and queues the
 * answer (wire 5.12). The same notification again changes nothing. A new request after a refusal is another row.
 */
export async function recordRefundRequest(tx: Tx, project: ProjectState, news: RefundUpdate): Promise<Recorded> {
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
 * Saves the store's decision in the row of its request; `unknown` when there was no request. An answer that is still
 * due is then not sent.
 */
export async function recordRefundOutcome(
  tx: Tx,
  project: ProjectState,
  outcome: RefundOutcome,
  { signedAt: decidedAt, transaction }: RefundUpdate,
): Promise<Recorded> {
  await lockTransaction(tx, project, transaction)
  const purchase = await findPurchase(tx, project, transaction)
  if (purchase && purchase.environment !== transaction.environment) return 'environment'
  const requests = await listByTransaction(tx, project.id, transaction.transactionId)
  const decision = { outcome, decidedAt }
  const decided = findDecided(requests, decision)
  if (!decided) return 'unknown'
  const change = { outcome, outcomeAt: decidedAt, updatedAt: tx.clock.now() }
  if (isUpdate(decided, decision)) await updateOutcome(tx, decided.id, change)
  return 'recorded'
}

/** A request and its outcome may arrive at the same time, in either order. */
const lockTransaction = (tx: Tx, { id }: ProjectState, { transactionId }: DecodedTransaction): Promise<void> =>
  tx.lock(`refund-shield:${id}:${transactionId}`)

const findPurchase = (
  tx: Tx,
  { id }: ProjectState,
  { chainKey, transactionId }: DecodedTransaction,
): Promise<PurchaseRow | null> => findPurchaseByNames(tx, id, 'IOS_STORE', { chainKey, transactionId })

/** What the shield did for a project (wire 7.8). Money is in micros of the US dollar. */
export interface RefundShieldMetrics {
  requests: number
  sent: number
  declined: number
  approved: number
  /** Answered charges whose refund the store declined. Without the sandbox and charges not known in dollars. */
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
