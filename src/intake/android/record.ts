import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listByChain, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { saysNothingNew } from '../../stores/android/observe'
import type { Observation } from '../../stores/observation'
import { findLiveOwner, recordHeldObservations } from '../recording/held'
import { type ChangeTaker, present } from '../recording/model'
import { type ChainReport, type LineReport, recordChain } from '../recording/record-chain'
import { REPEAT_KEPT_MS } from '../recording/recording'
import { type EarlierLine, earlierLine, replacement } from './earlier-lines'
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
  lines: lineReports(look, earlier),
})

/** What Google reported about each line, given the lines of the purchase that this one replaces. */
export const lineReports = (look: AndroidLook, earlier: readonly EarlierLine[]): LineReport[] =>
  look.lines.map((line) => toLineReport(look, line, earlier))

function toLineReport(look: AndroidLook, line: AndroidLine, earlier: readonly EarlierLine[]): LineReport {
  const { lineKey, storeProductId, product } = line
  const before = earlierLine(look, line, earlier)
  const replacements = before ? [replacement(look, before)] : []
  const observe: LineReport['observe'] = (known) => [...replacements, ...newsOf(look, line, known)]
  return { lineKey, storeProductId, isPresent: true, productType: product?.type ?? null, observe }
}
