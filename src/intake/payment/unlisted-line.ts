import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { foldObservations } from '../../people/purchases/fold'
import { storeLines } from '../../people/purchases/line-rows'
import { insertObservations, listObservations, type PurchaseRow } from '../../people/purchases/queries'
import { columnsOf, NOBODY, saveSale, type UnlistedSaleRow } from '../../people/purchases/unlisted-sales'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { linesOf } from '../recording/line-change'
import { runOnRecorded } from '../recording/on-recorded'
import { toObservationRow, toPurchaseRow } from '../recording/purchase-row'
import type { ChainLine } from '../recording/record-chain'

/** Adds what is reported about a line of an unlisted sale, and makes its money lines and figures right. */
export async function recordUnlistedLine(
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
