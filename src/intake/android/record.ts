import type { Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import type { EventCause } from '../../people/events/model'
import { listByChain, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { saysNothingNew } from '../../stores/android/observe'
import { splitAndroidId } from '../../stores/android/purchase-id'
import type { Observation, Report } from '../../stores/observation'
import { findLiveOwner, recordHeldObservations } from '../recording/held'
import { type ChangeTaker, present } from '../recording/model'
import { type ChainReport, type LineReport, recordChain } from '../recording/record-chain'
import { REPEAT_KEPT_MS } from '../recording/recording'
import { type AndroidLine, type AndroidLook, likelyTypeOf } from './fetch'
import { recordOrderRefunds } from './order-refunds'
import { ANDROID } from './tokens'

export interface UpdateOrder {
  /** The owner of the purchases that are not recorded yet. */
  ownerId: string
  presentedContext: Record<string, unknown> | null
  cause: EventCause
}

/**
 * Records what Google said about a purchase and about those it replaces, the oldest first. The caller holds the locks
 * of the tokens and of the owners. The end of a replaced purchase is recorded after the new one. `news` takes the changes of
 * an owner; the caller tells them with `tellLooks`.
 */
export async function recordLooks(
  tx: Tx,
  project: ProjectState,
  looks: readonly AndroidLook[],
  telling: UpdateOrder,
  news: ChangeTaker,
): Promise<void> {
  for (const look of looks) {
    const { replaced } = look
    const earlier = replaced ? await listByChain(tx, project.id, ANDROID, replaced.purchaseToken) : []
    await recordLook(tx, project, look, earlier, telling, news)
    if (!replaced) continue
    for (const line of earlier) await recordHeldObservations(tx, project, line, [replaced.report], telling.cause, news)
  }
}

async function recordLook(
  tx: Tx,
  project: ProjectState,
  look: AndroidLook,
  earlier: readonly PurchaseRow[],
  { ownerId, presentedContext, cause }: UpdateOrder,
  news: ChangeTaker,
): Promise<void> {
  const held = await listByChain(tx, project.id, ANDROID, look.purchaseToken)
  const owner = await findLiveOwner(tx, project.id, held[0]?.subscriberId ?? ownerId)
  if (!owner) return
  await recordChain(tx, project, present(owner, news), held, toReport(look, held, earlier, presentedContext), cause)
  if (look.refunds.length > 0) await recordOrderRefunds(tx, project, look, cause, news)
}

/** The observations of a fetched line that are worth storing, given the known ones. */
export function newsOf(
  { fetchedAt }: Pick<AndroidLook, 'fetchedAt'>,
  line: AndroidLine,
  known: readonly Observation[],
): Observation[] {
  const reportedAt = Math.max(0, ...known.map(({ kind, eventAt }) => (kind === 'REPORT' ? eventAt : 0)))
  const isDue = fetchedAt - reportedAt >= REPEAT_KEPT_MS
  return line.observe(known).filter((one) => isDue || !saysNothingNew(one, known))
}

/** The line of an earlier purchase, as far as it says which line of the new one continues it. */
type EarlierLine = Pick<PurchaseRow, 'chainKey' | 'lineKey' | 'fold'>

/**
 * The line of the earlier purchase that a line of the new one continues: the one that Google names, else the one of the
 * same product, else the first of those that end with the earlier purchase. None for a product that is added.
 */
export function earlierLine<Line extends EarlierLine>(
  { lines }: Pick<AndroidLook, 'lines'>,
  line: AndroidLine,
  earlier: readonly Line[],
): Line | null {
  const { lineKey, replacedProductId } = line
  const named = earlier.find((one) => keyOf(one) === (replacedProductId ?? lineKey))
  if (named) return named
  const ending = earlier.filter((one) => lines.every((other) => other.lineKey !== keyOf(one)))
  const coming = lines.filter((other) => earlier.every((one) => keyOf(one) !== other.lineKey))
  return ending[coming.indexOf(line)] ?? null
}

/** A row of a time before lines has no key, and that of its product counts. */
const keyOf = ({ lineKey, fold }: EarlierLine): string => lineKey || splitAndroidId(fold.storeProductId).productId

/**
 * A report that says which line of an earlier purchase the new one continues. It has an id made from the old purchase, so
 * repeating it changes nothing. Google links only to purchases that could still be continued, on hold or not, so
 * `isRunning` is true. Later reports about the old purchase must not change the kind of the new one.
 */
export function replacement(
  { startedAt }: Pick<AndroidLook, 'startedAt'>,
  { chainKey, fold }: Pick<PurchaseRow, 'chainKey' | 'fold'>,
): Report {
  const { storeProductId, isTrial } = fold
  const id = `replaces:${sha256Hex(chainKey).slice(0, 32)}`
  return { kind: 'REPORT', id, eventAt: startedAt, replaces: { storeProductId, isTrial, isRunning: true } }
}

const toReport = (
  look: AndroidLook,
  [held]: readonly PurchaseRow[],
  earlier: readonly PurchaseRow[],
  presentedContext: Record<string, unknown> | null,
): ChainReport => ({
  store: ANDROID,
  environment: held?.environment ?? look.environment,
  chainKey: look.purchaseToken,
  originalTransactionId: held?.originalTransactionId ?? look.originalTransactionId,
  accountToken: look.account,
  presentedContext,
  fetchedAt: look.fetchedAt,
  likelyType: likelyTypeOf(look),
  replacesInOrder: false,
  lines: look.lines.map((line) => toLineReport(look, line, earlier)),
})

function toLineReport(look: AndroidLook, line: AndroidLine, earlier: readonly PurchaseRow[]): LineReport {
  const { lineKey, storeProductId, product } = line
  const before = earlierLine(look, line, earlier)
  const replacements = before ? [replacement(look, before)] : []
  const observe: LineReport['observe'] = (known) => [...replacements, ...newsOf(look, line, known)]
  return { lineKey, storeProductId, isPresent: true, productType: product?.type ?? null, observe }
}
