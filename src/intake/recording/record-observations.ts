import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { foldObservations } from '../../people/purchases/fold'
import { storeLines } from '../../people/purchases/line-rows'
import { type EarlierPeriod, transactionLines } from '../../people/purchases/lines'
import {
  insertObservations,
  insertPurchase,
  listObservations,
  type PurchaseRow,
  updatePurchase,
} from '../../people/purchases/queries'
import { statusAt } from '../../people/purchases/status'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, ProductType } from '../../stores/observation'
import type { LineChange } from './grant-booking'
import type { Owner, PurchaseReport, RecordedObservations } from './model'
import { recordPurchaseEvents } from './purchase-events'
import { changedColumns, gainsProduct, toObservationRow, toPurchaseRow } from './purchase-row'

/**
 * Adds observations to a purchase (made when it is new, for `owner`) and brings everything that follows from them to
 * the fold of all: the purchase, its money lines, currency grants, access and events, in the caller's transaction.
 * Observations that are known already change nothing. The caller holds the purchase's lock and has read `held`, the
 * purchase as it stands now.
 */
export async function recordObservations(
  tx: Tx,
  project: ProjectState,
  { subscriber: owner, isNew }: Owner,
  held: PurchaseRow | null,
  report: PurchaseReport,
  cause: EventCause,
): Promise<RecordedObservations> {
  const known = held ? await listObservations(tx, held.id) : []
  const fresh = report.observations.filter((one) => !known.some(({ kind, id }) => kind === one.kind && id === one.id))
  if (held && fresh.length === 0 && !gainsProduct(project, held))
    return { purchase: await keepContext(tx, held, report), image: null }
  const all = [...known, ...fresh]
  const fold = foldObservations(all, report.productType)
  if (!fold) return { purchase: null, image: null } // Only markers of transactions that nobody has reported.
  const after = statusAt(fold, tx.clock.now())
  const row = toPurchaseRow(tx, project, owner, report, held, fold)
  await (held ? updatePurchase(tx, held.id, changedColumns(held, row)) : insertPurchase(tx, row))
  const observations = fresh.map((one) => toObservationRow(tx, row.id, one, cause))
  if (observations.length > 0) await insertObservations(tx, observations)
  const replaced = replacedPeriod(all)
  const lines = linesOf(known, all, report.productType)
  const stored = await storeLines(tx, project, row, held === null, lines.after)
  const change = {
    held,
    row,
    after,
    lines,
    stored,
    cause,
    isFirst: isNew,
    replacedStoreProductId: replaced?.storeProductId,
  }
  return { purchase: row, image: await recordPurchaseEvents(tx, project, owner, change) }
}

/** Where it was sold comes from whoever submits it, and may be all that is new. */
async function keepContext(tx: Tx, held: PurchaseRow, { presentedContext }: PurchaseReport): Promise<PurchaseRow> {
  if (!bringsContext(presentedContext, held)) return held
  await updatePurchase(tx, held.id, { presentedContext })
  return { ...held, presentedContext }
}

/** Whether somebody tells where a purchase was sold, and nobody has told so before. */
export const bringsContext = (
  presentedContext: PurchaseReport['presentedContext'],
  held: Pick<PurchaseRow, 'presentedContext'>,
): boolean => presentedContext !== null && held.presentedContext === null

/** What the purchase continues, by whichever observation tells it. */
export function replacedPeriod(observations: readonly Observation[]): EarlierPeriod | null {
  for (const one of observations) if (one.kind === 'REPORT' && one.replaces) return one.replaces
  return null
}

const linesOf = (known: readonly Observation[], all: readonly Observation[], productType: ProductType): LineChange => ({
  before: known.length > 0 ? transactionLines(known, productType, replacedPeriod(known)) : [],
  after: transactionLines(all, productType, replacedPeriod(all)),
})
