import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { foldObservations } from '../../people/purchases/fold'
import { storeManyLines } from '../../people/purchases/line-rows'
import {
  insertManyObservations,
  insertPurchases,
  listObservationsOf,
  listTransactionsOf,
} from '../../people/purchases/many-queries'
import { type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import { dropCopies, keepCopies } from './copies'
import { linesOf } from './line-change'
import type { PurchaseReport } from './model'
import { type RecordedPurchase, runOnRecordedMany } from './on-recorded'
import { changedColumns, toObservationRow, toPurchaseRow } from './purchase-row'

/** What became known of one purchase. Of one batch, each purchase has one. */
export interface ReportOrder {
  owner: SubscriberRow
  /** Its current row, read under its lock; null for a new purchase. */
  held: PurchaseRow | null
  report: PurchaseReport
}

/** A report with what follows from it. Nothing is written yet. */
export interface PlannedReport extends ReportOrder {
  /** The row afterwards; null when there is still no transaction, so that nothing is recorded. */
  row: PurchaseRow | null
  known: readonly Observation[]
  fresh: readonly Observation[]
  isChanged: boolean
}

/** How a batch is recorded. */
export interface ManyRules {
  /**
   * The observations of a report that are to be recorded, given the known ones; without it all those that are not known.
   */
  select?(order: ReportOrder, known: readonly Observation[]): readonly Observation[]
  /** When the store is to be asked about a purchase; without it as after any other report. */
  recheckAt?(row: PurchaseRow, order: ReportOrder): number | null
}

/**
 * Reads what is known of many purchases and computes what their reports make of them. The caller holds the locks of the
 * purchases and of their owners.
 */
export async function planMany(
  tx: Tx,
  project: ProjectState,
  orders: readonly ReportOrder[],
  rules: ManyRules = {},
): Promise<PlannedReport[]> {
  const known = await listObservationsOf(
    tx,
    orders.flatMap(({ held }) => held?.id ?? []),
  )
  return orders.map((order) => {
    const own = order.held ? (known.get(order.held.id) ?? []).map(({ payload }) => payload) : []
    return planOne(tx, project, order, own, rules)
  })
}

function planOne(
  tx: Tx,
  project: ProjectState,
  order: ReportOrder,
  known: readonly Observation[],
  rules: ManyRules,
): PlannedReport {
  const { owner, held, report } = order
  const fresh = withoutKnown(rules.select?.(order, known) ?? report.observations, known)
  const planned = { ...order, known, fresh }
  if (held && fresh.length === 0) return { ...planned, row: held, isChanged: false }
  const fold = foldObservations([...known, ...fresh], report.productType)
  if (!fold) return { ...planned, row: null, isChanged: false }
  const row = toPurchaseRow(tx, project, owner, report, held, fold)
  if (rules.recheckAt) row.recheckAt = rules.recheckAt(row, order)
  return { ...planned, row, isChanged: true }
}

function withoutKnown(reported: readonly Observation[], known: readonly Observation[]): readonly Observation[] {
  if (known.length === 0) return reported
  const names = new Set(known.map(nameOf))
  return reported.filter((one) => !names.has(nameOf(one)))
}

const nameOf = ({ kind, id }: Observation): string => `${kind}:${id}`

/**
 * Writes planned reports: purchases, observations, money lines and figures. It books no currency and writes no events;
 * the caller saves the access that follows. The owners' rows are there.
 */
export async function recordMany(
  tx: Tx,
  project: ProjectState,
  planned: readonly PlannedReport[],
  cause: EventCause,
): Promise<void> {
  const changed = planned.flatMap((one) => (one.isChanged && one.row ? [{ ...one, row: one.row }] : []))
  await insertPurchases(
    tx,
    changed.filter(({ held }) => held === null).map(({ row }) => row),
  )
  for (const { held, row } of changed) if (held) await updatePurchase(tx, held.id, changedColumns(held, row))
  const told = { kind: cause.kind, ref: cause.ref }
  await insertManyObservations(
    tx,
    changed.flatMap(({ row, fresh }) => fresh.map((one) => toObservationRow(tx, row.id, one, told))),
  )
  await recordWhatFollows(tx, project, changed)
}

type ChangedReport = PlannedReport & { row: PurchaseRow }

/**
 * Money lines and figures. `removed`: the fresh observations of the reports are not added to the known ones, but were
 * taken from them.
 */
export async function recordWhatFollows(
  tx: Tx,
  project: ProjectState,
  changed: readonly ChangedReport[],
  fresh: 'added' | 'removed' = 'added',
): Promise<void> {
  const observationsOf = (one: ChangedReport) => (fresh === 'added' ? [...one.known, ...one.fresh] : one.known)
  const rows = await listTransactionsOf(
    tx,
    changed.flatMap(({ held }) => held?.id ?? []),
  )
  const orders = changed.map((one) => ({
    purchase: one.row,
    rows: rows.get(one.row.id) ?? [],
    lines: linesOf([], observationsOf(one), one.report.productType).after,
  }))
  const stored = await storeManyLines(tx, project, orders)
  for (const { purchase, lines } of orders) await keepCopies(tx, purchase, lines)
  if (fresh === 'removed') for (const one of changed) await dropCopies(tx, one.row, one.known, one.fresh)
  await runOnRecordedMany(
    tx,
    changed.map((one, index) => toRecorded(project, one, observationsOf(one), stored[index]?.saved ?? [])),
  )
}

const toRecorded = (
  project: ProjectState,
  { owner, row, held, fresh }: ChangedReport,
  observations: readonly Observation[],
  saved: RecordedPurchase['saved'],
): RecordedPurchase => ({
  project,
  owner,
  purchase: row,
  isNew: held === null,
  observations,
  fresh,
  saved,
})
