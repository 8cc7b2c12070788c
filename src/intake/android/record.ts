import type { Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import type { EventCause } from '../../people/events/model'
import { findByChain, listObservations, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { saysNothingNew } from '../../stores/android/observe'
import { isOrderId } from '../../stores/android/order'
import type { Observation, Report } from '../../stores/observation'
import { findLiveOwner, recordHeldObservations } from '../recording/held'
import { type PurchaseReport, present } from '../recording/model'
import { recordObservations } from '../recording/record-observations'
import { REPEAT_KEPT_MS } from '../recording/recording'
import { type AndroidLook, typeOf } from './fetch'

export const ANDROID = 'ANDROID_STORE'

/** Locks purchases by their tokens, always in the same order. */
export async function lockTokens(tx: Tx, projectId: string, tokens: readonly string[]): Promise<void> {
  for (const token of [...new Set(tokens)].sort()) await tx.lock(`purchase:${projectId}:${ANDROID}:${token}`)
}

/**
 * An import without tokens knows a purchase by its order, and such a purchase has that as its key. The first answer of
 * Google with its token gives it the token, so that both are one purchase. The caller holds the locks of the tokens.
 */
export async function adoptOrders(tx: Tx, projectId: string, looks: readonly AndroidLook[]): Promise<void> {
  for (const { purchaseToken, originalTransactionId: orderId } of looks) {
    if (!isOrderId(orderId) || (await findByChain(tx, projectId, ANDROID, orderId)) === null) continue
    await tx.lock(`purchase:${projectId}:${ANDROID}:${orderId}`)
    const imported = await findByChain(tx, projectId, ANDROID, orderId)
    const isKnown = (await findByChain(tx, projectId, ANDROID, purchaseToken)) !== null
    if (imported && !isKnown) await updatePurchase(tx, imported.id, { chainKey: purchaseToken })
  }
}

/** The tokens of the fetched purchases and of those that they replace. */
export const tokensOf = (looks: readonly AndroidLook[]): string[] => [
  ...new Set(
    looks.flatMap(({ purchaseToken, replaced }) => [purchaseToken, ...(replaced ? [replaced.purchaseToken] : [])]),
  ),
]

/** The recorded purchases of these tokens, in the order of the tokens. */
export async function listByTokens(tx: Tx, projectId: string, tokens: readonly string[]): Promise<PurchaseRow[]> {
  const rows: PurchaseRow[] = []
  for (const token of tokens) {
    const row = await findByChain(tx, projectId, ANDROID, token)
    if (row) rows.push(row)
  }
  return rows
}

export interface UpdateOrder {
  /** The owner of the purchases that are not recorded yet. */
  ownerId: string
  presentedContext: Record<string, unknown> | null
  cause: EventCause
}

/**
 * Records what Google said about a purchase and about those it replaces, the oldest first. The caller holds the locks
 * of the tokens and of the owners. The end of a replaced purchase is recorded after the new one, so that no event says
 * that access which both give was lost.
 */
export async function recordLooks(
  tx: Tx,
  project: ProjectState,
  looks: readonly AndroidLook[],
  telling: UpdateOrder,
): Promise<void> {
  for (const look of looks) {
    const { replaced } = look
    const predecessor = replaced ? await findByChain(tx, project.id, ANDROID, replaced.purchaseToken) : null
    await recordLook(tx, project, look, predecessor, telling)
    if (replaced && predecessor)
      await recordHeldObservations(tx, project, predecessor, [replaced.report], telling.cause)
  }
}

async function recordLook(
  tx: Tx,
  project: ProjectState,
  look: AndroidLook,
  predecessor: PurchaseRow | null,
  { ownerId, presentedContext, cause }: UpdateOrder,
): Promise<void> {
  const held = await findByChain(tx, project.id, ANDROID, look.purchaseToken)
  const owner = await findLiveOwner(tx, project.id, held?.subscriberId ?? ownerId)
  if (!owner) return
  const known = held ? await listObservations(tx, held.id) : []
  const replacements = predecessor ? [replacement(look, predecessor)] : []
  const report = toReport(look, held, presentedContext, [...replacements, ...newsOf(look, known)])
  await recordObservations(tx, project, present(owner), held, report, cause)
}

/** The observations of a fetched purchase that are worth storing, given the known ones. */
export function newsOf(look: AndroidLook, known: readonly Observation[]): Observation[] {
  const reportedAt = Math.max(0, ...known.map(({ kind, eventAt }) => (kind === 'REPORT' ? eventAt : 0)))
  const isDue = look.fetchedAt - reportedAt >= REPEAT_KEPT_MS
  return look.observe(known).filter((one) => isDue || !saysNothingNew(one, known))
}

/**
 * A report that says which purchase the new one replaces. It has an id made from the old purchase, so repeating it
 * changes nothing. Google links only to purchases that could still be continued, on hold or not, so `isRunning` is
 * true. Later reports about the old purchase must not change the kind of the new one.
 */
export function replacement(
  { startedAt }: AndroidLook,
  { chainKey, fold }: Pick<PurchaseRow, 'chainKey' | 'fold'>,
): Report {
  const { storeProductId, isTrial } = fold
  const id = `replaces:${sha256Hex(chainKey).slice(0, 32)}`
  return { kind: 'REPORT', id, eventAt: startedAt, replaces: { storeProductId, isTrial, isRunning: true } }
}

const toReport = (
  look: AndroidLook,
  held: PurchaseRow | null,
  presentedContext: Record<string, unknown> | null,
  observations: readonly Observation[],
): PurchaseReport => ({
  store: ANDROID,
  environment: held?.environment ?? look.environment,
  chainKey: look.purchaseToken,
  originalTransactionId: held?.originalTransactionId ?? look.originalTransactionId,
  productType: typeOf(look, held?.fold.productType ?? null),
  accountToken: look.account,
  presentedContext,
  observations,
})
