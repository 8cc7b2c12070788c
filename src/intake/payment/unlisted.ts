import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { foldObservations } from '../../people/purchases/fold'
import { storeLines } from '../../people/purchases/line-rows'
import { insertObservations, listObservations, type PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import {
  columnsOf,
  listSalesOfChain,
  NOBODY,
  saveSale,
  toUnownedPurchase,
  type UnlistedSaleRow,
} from '../../people/purchases/unlisted-sales'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import type { DecodedPayment } from '../../stores/payment/decode'
import { linesOf } from '../recording/line-change'
import { runOnRecorded } from '../recording/on-recorded'
import { toObservationRow, toPurchaseRow } from '../recording/purchase-row'
import { type ChainLine, planChain } from '../recording/record-chain'
import { ERASED, idle, type Recording } from '../recording/recording'
import { isErasedBuyer, PAYMENT } from './owner'
import { toReport } from './report'

/** Whether the catalogue has the product of some line of a sale, now or in one of its earlier charges. */
export const isListed = (project: ProjectState, { lines }: Pick<DecodedPayment, 'lines'>): boolean =>
  lines.some(
    ({ storeProductId, observations }) =>
      hasProduct(project, storeProductId) || observations.some((one) => namesProduct(project, one)),
  )

/** Whether an observation is about a product of the catalogue. */
export const namesProduct = (project: ProjectState, one: Observation): boolean =>
  one.kind === 'REPORT' &&
  [one.transaction?.storeProductId, one.adjustment?.storeProductId].some(
    (id) => id !== undefined && hasProduct(project, id),
  )

const hasProduct = ({ catalog }: ProjectState, storeProductId: string): boolean =>
  findStoreProduct(catalog, storeProductId, PAYMENT) !== null

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
  for (const line of await planChain(tx, held.map(toUnownedPurchase), toReport(project, payment)))
    await recordLine(tx, project, payment, line, cause)
  return idle('it sells no product of the catalogue, so it is kept as an unlisted sale')
}

async function recordLine(
  tx: Tx,
  project: ProjectState,
  payment: DecodedPayment,
  { row: held, report }: ChainLine,
  cause: EventCause,
): Promise<void> {
  const known = held ? await listObservations(tx, held.id) : []
  const fresh = report.observations.filter((one) => !known.some(({ kind, id }) => kind === one.kind && id === one.id))
  const observations = [...known, ...fresh]
  const fold = foldObservations(observations, report.productType)
  if (!fold || (held && fresh.length === 0)) return
  const row = toPurchaseRow(tx, project, { id: NOBODY }, report, held, fold)
  await saveSale(tx, toSale(row, payment))
  await insertObservations(
    tx,
    fresh.map((one) => toObservationRow(tx, row.id, one, { kind: cause.kind, ref: cause.ref })),
  )
  const isNew = held === null
  const { saved } = await storeLines(tx, project, row, isNew, linesOf([], observations, report.productType).after)
  await runOnRecorded(tx, { project, owner: null, purchase: row, isNew, observations, fresh, saved })
}

const toSale = (row: PurchaseRow, { customerId, owner }: DecodedPayment): UnlistedSaleRow => ({
  ...columnsOf(row),
  customerId,
  buyerId: owner.subscriberId,
  deviceKey: owner.deviceKey,
  erasedAt: null,
})
