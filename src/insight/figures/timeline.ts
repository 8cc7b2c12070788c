import { type BareRow, foldObservations, foldRows } from '../../people/purchases/fold'
import type { PurchaseFold, PurchaseState } from '../../people/purchases/model'
import { nextStatusChangeAt, statusAt } from '../../people/purchases/status'
import type { Observation, ProductType, Report, TransactionPart } from '../../stores/observation'

/** The purchase from an instant on, until the next one of the list; null = nothing is bought yet. */
export interface Moment {
  at: number
  state: PurchaseState | null
  /** End of the current period, as its newest report has it: without extensions and early ends. */
  periodEnd: number | null
}

/**
 * The states of a purchase from `since` on, by what is known now. The first moment is the state at `since`. A report
 * that came later than its purchase counts from the purchase on, with what it says about the transaction only. `whole`: the
 * fold of all observations, where it is known; computing it is a large part of the time.
 */
export function timeline(
  observations: readonly Observation[],
  productType: ProductType,
  since: number,
  whole: PurchaseFold | null = null,
): Moment[] {
  const moments: Moment[] = []
  const instants = [since, ...instantsOf(observations).filter((at) => at > since)]
  const dated = toDated(observations)
  const opening = openingOf(observations)
  const last = observations.reduce((latest, { eventAt }) => Math.max(latest, eventAt), Number.NEGATIVE_INFINITY)
  const foldAt = (view: Observation[], at: number): PurchaseFold | null => {
    if (at < opening) return foldRows(view as BareRow[], productType)
    return whole !== null && at >= last ? whole : foldObservations(view, productType)
  }
  for (const [index, at] of instants.entries()) {
    const view = viewOf(dated, at)
    addUntil(moments, view, foldAt(view, at), at, instants[index + 1] ?? null)
  }
  return moments
}

/** The purchase at an instant, by what is known now. */
export function momentAt(observations: readonly Observation[], productType: ProductType, at: number): Moment {
  const view = viewAt(observations, at)
  const fold = foldObservations(view, productType)
  return { at, state: fold && statusAt(fold, at), periodEnd: fold && endOfPeriod(view, fold) }
}

/**
 * The instant from which on new observations can change what was known before. A transaction may have been reported
 * before its purchase date, and another price of it counts from that report on.
 */
export function startOf(fresh: readonly Observation[], all: readonly Observation[]): number {
  if (fresh.length === all.length && fresh.every((one, index) => one === all[index])) return firstDate(all)
  const names = new Set(fresh.flatMap(aboutOf))
  const related = all.filter((one) => aboutOf(one).some((name) => names.has(name)))
  return Math.min(firstDate(fresh), firstDate(related))
}

const firstDate = (observations: readonly Observation[]): number => {
  let first = Number.POSITIVE_INFINITY
  for (const one of observations) for (const at of dates(one)) first = Math.min(first, at)
  return first
}

const aboutOf = (one: Observation): string[] =>
  one.kind === 'REPORT' && one.transaction ? namesOf(one.transaction) : []

/** A copy of a transaction has the sale in common with it. */
const namesOf = ({ transactionId, sale }: TransactionPart): string[] =>
  sale === undefined ? [transactionId] : [transactionId, `sale:${sale}`]

const dates = (one: Observation): number[] =>
  one.kind === 'REPORT' && one.transaction ? [one.eventAt, one.transaction.purchaseDate] : [one.eventAt]

const instantsOf = (observations: readonly Observation[]): number[] =>
  [...new Set(observations.flatMap(dates))].toSorted((a, b) => a - b)

/**
 * Until when a view has only the early parts of imported rows, each of another transaction with an id of the store.
 * Before any instant when not all observations are such rows.
 */
function openingOf(observations: readonly Observation[]): number {
  const ids = new Set<string>()
  const transactionIds = new Set<string>()
  let opening = Number.POSITIVE_INFINITY
  for (const one of observations) {
    opening = Math.min(opening, one.eventAt)
    if (one.kind !== 'REPORT') continue
    if (one.imported !== 'TRANSACTION' || !one.transaction || one.transaction.sale !== undefined)
      return Number.NEGATIVE_INFINITY
    ids.add(one.id)
    transactionIds.add(one.transaction.transactionId)
  }
  const count = observations.filter(({ kind }) => kind === 'REPORT').length
  return ids.size < count || transactionIds.size < count ? Number.NEGATIVE_INFINITY : opening
}

/** What was dated up to an instant. */
export const viewAt = (observations: readonly Observation[], at: number): Observation[] =>
  viewOf(toDated(observations), at)

/** An observation, and what of it was to be seen before it. */
interface Dated {
  one: Observation
  early: Report | null
}

function toDated(observations: readonly Observation[]): Dated[] {
  const priced = firstPriced(observations)
  return observations.map((one) => ({ one, early: earlyPart(one, priced) }))
}

/** The first report of each transaction that has a recurring price. That price applies from the date of the purchase. */
function firstPriced(observations: readonly Observation[]): ReadonlySet<Observation> {
  const first = new Map<string, Report>()
  for (const one of observations) {
    if (one.kind !== 'REPORT' || !one.transaction || one.renewal?.recurring === undefined) continue
    const { transactionId } = one.transaction
    const held = first.get(transactionId)
    if (!held || one.eventAt < held.eventAt || (one.eventAt === held.eventAt && one.id < held.id))
      first.set(transactionId, one)
  }
  return new Set(first.values())
}

function viewOf(dated: readonly Dated[], at: number): Observation[] {
  const view: Observation[] = []
  for (const { one, early } of dated)
    if (one.eventAt <= at) view.push(one)
    else if (early && early.eventAt <= at) view.push(early)
  return view
}

function earlyPart(one: Observation, priced: ReadonlySet<Observation>): Report | null {
  if (one.kind !== 'REPORT' || !one.transaction || one.transaction.purchaseDate >= one.eventAt) return null
  const { id, transaction, imported } = one
  const { recurring } = one.renewal ?? {}
  const price = recurring !== undefined && priced.has(one) ? { renewal: { recurring } } : {}
  const early: Report = { kind: 'REPORT', id, eventAt: transaction.purchaseDate, transaction, ...price }
  return imported ? { ...early, imported } : early
}

/** The states by the clock alone, up to the next observation. */
function addUntil(
  moments: Moment[],
  view: readonly Observation[],
  fold: PurchaseFold | null,
  from: number,
  until: number | null,
): void {
  const periodEnd = fold && endOfPeriod(view, fold)
  let at: number | null = from
  while (at !== null && (until === null || at < until)) {
    moments.push({ at, state: fold && statusAt(fold, at), periodEnd })
    at = fold && nextStatusChangeAt(fold, at)
  }
}

function endOfPeriod(
  view: readonly Observation[],
  { storeTransactionId, aliases = [] }: Pick<PurchaseFold, 'storeTransactionId' | 'aliases'>,
): number | null {
  const isOfCurrent = (id: string | undefined) =>
    id === storeTransactionId || (id !== undefined && aliases.includes(id))
  // A later report can have an extended end.
  let first: Report | null = null
  for (const one of view)
    if (one.kind === 'REPORT' && isOfCurrent(one.transaction?.transactionId))
      if (!first || one.eventAt < first.eventAt || (one.eventAt === first.eventAt && one.id < first.id)) first = one
  return first?.transaction?.expiresAt ?? null
}
