import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { foldObservations } from '../../people/purchases/fold'
import type { Linking } from '../../people/purchases/line-rows'
import { insertObservations, insertPurchase, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import { statusAt } from '../../people/purchases/status'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import { freshObservations } from './fresh-observations'
import type { Owner, PurchaseReport, RecordedObservations } from './model'
import { recordPurchaseEvents } from './purchase-events'
import { changedColumns, gainsProduct, isLinkedRow, toObservationRow, toPurchaseRow } from './purchase-row'
import { recordChange } from './record-change'

/**
 * Adds observations to a purchase, in the caller's transaction; a new purchase is created for `owner`. Folds all
 * observations again and updates what follows from them: the purchase, its money lines, currency grants, access and
 * events. Observations that are stored already change nothing. The caller holds the purchase's lock and has read
 * `held`, its current row, under it.
 */
export async function recordObservations(
  tx: Tx,
  project: ProjectState,
  { subscriber: owner, isNew: isNewOwner, news }: Owner,
  held: PurchaseRow | null,
  report: PurchaseReport,
  cause: EventCause,
): Promise<RecordedObservations> {
  const linking: Linking = cause.kind === 'IMPORT' ? 'KEEPS' : 'LINKS'
  const { stored, known, fresh } = await freshObservations(tx, project, held, report)
  if (held && fresh.length === 0 && known === stored && !(linking === 'LINKS' && gainsProduct(project, held)))
    return { purchase: await keepContext(tx, project, owner, { held, known, report }), image: null }
  const all = [...known, ...fresh]
  const fold = foldObservations(all, report.productType)
  if (!fold) return { purchase: null, image: null } // Only markers of transactions that have no report yet.
  const after = statusAt(fold, tx.clock.now())
  const row = toPurchaseRow(tx, project, owner, report, held, fold, linking)
  await (held ? updatePurchase(tx, held.id, changedColumns(held, row)) : insertPurchase(tx, row))
  const observations = fresh.map((one) => toObservationRow(tx, row.id, one, { kind: cause.kind, ref: cause.ref }))
  if (observations.length > 0) await insertObservations(tx, observations)
  const { aliases } = report
  const isNew = held === null
  const isLinked = isLinkedRow(held, row)
  const written = {
    project,
    owner,
    purchase: row,
    isNew,
    isLinked,
    linking,
    isFolded: true as const,
    observations: all,
    fresh,
    known: stored,
    aliases,
  }
  const change = { held, row, after, isFirst: isNewOwner, ...(await recordChange(tx, written)) }
  news?.add(owner, change)
  return { purchase: row, image: news ? null : await recordPurchaseEvents(tx, project, owner, cause, [change], row) }
}

/** The context comes from the caller who submits the receipt, so it can be new when no observation is. */
async function keepContext(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  { held, known, report: { presentedContext } }: Repeated,
): Promise<PurchaseRow> {
  if (!bringsContext(presentedContext, held)) return held
  await updatePurchase(tx, held.id, { presentedContext })
  const purchase = { ...held, presentedContext }
  const nothing = { isNew: false, fresh: [], linking: 'KEEPS' } as const
  await recordChange(tx, { project, owner, purchase, observations: known, known, ...nothing })
  return purchase
}

/** A report that has nothing new, of a purchase that is there already. */
interface Repeated {
  held: PurchaseRow
  known: readonly Observation[]
  report: PurchaseReport
}

/** Whether the report has the context in which a purchase was presented, and the stored purchase has none. */
export const bringsContext = (
  presentedContext: PurchaseReport['presentedContext'],
  held: Pick<PurchaseRow, 'presentedContext'>,
): boolean => presentedContext !== null && held.presentedContext === null
