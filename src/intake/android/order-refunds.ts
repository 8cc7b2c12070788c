import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listByChain, listObservations, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { splitAndroidId } from '../../stores/android/purchase-id'
import type { Marker, Observation } from '../../stores/observation'
import { recordHeldObservations } from '../recording/held'
import type { ChangeTaker } from '../recording/model'
import type { AndroidLook } from './fetch'
import type { LookRefunds } from './look-refunds'
import { ANDROID } from './tokens'

/**
 * Records the refunds that orders of a purchase tell, each for the lines that it concerns. A refund that a line of the
 * purchase has already is not divided again: what the purchase has lost since would divide it otherwise. The caller holds
 * the locks of the token and of the owner.
 */
export async function recordOrderRefunds(
  tx: Tx,
  project: ProjectState,
  { purchaseToken, refunds }: Pick<AndroidLook, 'purchaseToken' | 'refunds'>,
  cause: EventCause,
  news: ChangeTaker,
): Promise<void> {
  const lines: { row: PurchaseRow; known: Observation[] }[] = []
  for (const row of await listByChain(tx, project.id, ANDROID, purchaseToken))
    lines.push({ row, known: await listObservations(tx, row.id) })
  const recorded = new Set(lines.flatMap(({ known }) => known.filter(isPart).map(({ id }) => id)))
  for (const { row, known } of lines) {
    const markers = refunds.flatMap((one) => markersFor(one, known)).filter(({ id }) => !recorded.has(id))
    if (markers.length > 0) await recordHeldObservations(tx, project, row, markers, cause, news)
  }
}

const isPart = ({ kind, id }: Observation): boolean => kind === 'REFUND' && id.includes('~')

/** The markers of the product that the order has charged for the line. */
function markersFor({ orderId, markers }: LookRefunds, known: readonly Observation[]): readonly Marker[] {
  const charged = known.flatMap((one) => {
    const part = one.kind === 'REPORT' ? [one.transaction, one.adjustment] : []
    return part.flatMap((own) => (own?.transactionId === orderId ? [splitAndroidId(own.storeProductId).productId] : []))
  })
  return [...new Set(charged)].flatMap((productId) => markers.get(productId) ?? [])
}
