import type { Tx } from '../../base/context'
import { rewriteObservation } from '../../people/purchases/join-queries'
import { listObservations, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import { catalogueEnds } from './catalogue-end'
import type { PurchaseReport } from './model'

/** The record of a purchase, and the facts that a report adds. */
export interface FreshObservations {
  /** As they were recorded before. */
  stored: readonly Observation[]
  /** The same with what the report adds to them; the same array when it adds nothing. */
  known: readonly Observation[]
  fresh: readonly Observation[]
}

/** Reads the record of a purchase, and saves the new facts of the report. */
export async function freshObservations(
  tx: Tx,
  project: ProjectState,
  held: PurchaseRow | null,
  report: PurchaseReport,
): Promise<FreshObservations> {
  const stored = held ? await listObservations(tx, held.id) : []
  const known = held ? await learnSales(tx, held.id, stored, report.observations) : stored
  const reported = report.observations.filter(
    (one) => !known.some(({ kind, id }) => kind === one.kind && id === one.id),
  )
  return { stored, known, fresh: [...reported, ...catalogueEnds(project, report.store, [...known, ...reported])] }
}

/**
 * A report that an earlier release recorded does not name the sale of its transaction. The same report from today does,
 * and then tells which charges are copies. Returns the known observations with what they lacked; the same array when
 * they lacked nothing.
 */
async function learnSales(
  tx: Tx,
  purchaseId: string,
  known: readonly Observation[],
  reported: readonly Observation[],
): Promise<readonly Observation[]> {
  const learnt = known.map((one) => withSale(one, reported))
  if (learnt.every((one, index) => one === known[index])) return known
  for (const [index, one] of learnt.entries())
    if (one !== known[index]) await rewriteObservation(tx, { purchaseId, ...one }, one)
  return learnt
}

function withSale(one: Observation, reported: readonly Observation[]): Observation {
  const same = reported.find(({ kind, id }) => kind === one.kind && id === one.id)
  if (!same || !namesSale(one, same) || one.kind !== 'REPORT' || !one.transaction) return one
  const sale = saleOf(same)
  return sale === undefined ? one : { ...one, transaction: { ...one.transaction, sale } }
}

const saleOf = (one: Observation): string | undefined => (one.kind === 'REPORT' ? one.transaction?.sale : undefined)

/** Whether a report names the sale of its transaction, and the recorded same report does not. */
export const namesSale = (told: Observation, report: Observation): boolean =>
  saleOf(told) === undefined && saleOf(report) !== undefined
