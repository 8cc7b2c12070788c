import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listSalesOfChain, toUnownedPurchase } from '../../people/purchases/unlisted-sales'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { planReports } from '../recording/record-chain'
import { ERASED, idle, type Recording } from '../recording/recording'
import { isErasedBuyer, PAYMENT } from './owner'
import { toReport } from './report'
import { recordUnlistedLine } from './unlisted-line'

/**
 * Keeps a sale without any product of the catalogue. It makes no subscriber and no event, and gives nothing. The caller
 * holds the lock of its chain, and no purchase of the chain is recorded.
 */
export async function recordUnlisted(
  tx: Tx,
  project: ProjectState,
  payment: DecodedPayment,
  cause: EventCause,
): Promise<Recording> {
  const held = await listSalesOfChain(tx, project.id, PAYMENT, payment.chainKey)
  if (held.some(({ environment }) => environment !== payment.environment)) return idle('the sale is of the other mode')
  if (held.some(({ erasedAt }) => erasedAt !== null)) return idle(ERASED)
  if (await isErasedBuyer(tx, project.id, payment)) return idle(ERASED)
  for (const line of await planReports(tx, held.map(toUnownedPurchase), toReport(project, payment)))
    await recordUnlistedLine(tx, project, payment, line, cause)
  return idle('it sells no product of the catalogue, so it is kept as an unlisted sale')
}
