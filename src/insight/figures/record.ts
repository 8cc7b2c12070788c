import type { Tx } from '../../base/context'
import { MAX_INSTANT } from '../../base/lib/time'
import { isTroubled } from '../../core/purchase/status'
import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import type { PurchaseState, TransactionLine } from '../../people/purchases/model'
import { findStoreProduct } from '../../people/purchases/store-product'
import { difference, netted, type PlacedEntry } from './diff'
import { type LineRules, lineEntries } from './lines'
import { type Entry, VALUE_NAMES, type ValueName, type Values } from './model'
import { addedTo } from './phase-stocks'
import { type Groups, placeOf } from './place'
import {
  type EntryRow,
  insertEntries,
  insertManyEntries,
  listEntries,
  listEntriesOf,
  type NewEntryRow,
} from './queries'
import { type RulesOf, rulesFor } from './standing-rules'
import { NOTHING, type Standing, type StandingRules, standingOf, stateEntries } from './states'
import { momentAt, startOf, timeline } from './timeline'

/** What the entries of a purchase's money lines depend on. */
const lineRulesOf = (recorded: RecordedPurchase): LineRules => ({
  productType: recorded.purchase.fold.productType,
  commission: recorded.project.commission,
  pendingUntil: pendingUntilOf(recorded),
})

/** When it is decided that a trial is not charged: when neither it nor the attempts to charge it continue. */
const pendingUntilOf =
  ({ observations, purchase: { fold } }: RecordedPurchase) =>
  ({ occurredAt }: TransactionLine): number => {
    const decided = timeline(observations, fold.productType, occurredAt).find(({ state }) => !isOpenTrial(state))
    return decided?.at ?? MAX_INSTANT
  }

const isOpenTrial = (state: PurchaseState | null): boolean =>
  state?.isTrial === true && (state.status === 'TRIAL' || isTroubled(state.status))

/** Makes the entries of a purchase equal to what follows from its observations. The caller holds the purchase's lock. */
export const recordEntries = async (tx: Tx, recorded: RecordedPurchase): Promise<void> =>
  recordAt(tx, recorded, recorded.isNew ? [] : await listEntries(tx, recorded.purchase.id), tx.clock.now())

/** Like `recordEntries`, for many purchases at once. */
export async function recordManyEntries(tx: Tx, recorded: readonly RecordedPurchase[]): Promise<void> {
  const known = recorded.filter(({ isNew }) => !isNew).map(({ purchase }) => purchase.id)
  const held = await listEntriesOf(tx, known)
  const knownAt = tx.clock.now()
  const rulesOf = await rulesFor(tx, recorded)
  await insertManyEntries(
    tx,
    recorded.flatMap((one) =>
      changedEntries(one, held.get(one.purchase.id) ?? [], rulesOf).map((entry) => toRow(one, entry, knownAt)),
    ),
  )
}

/** @param rows the entries so far @param knownAt when the observations became known */
export async function recordAt(
  tx: Tx,
  recorded: RecordedPurchase,
  rows: readonly EntryRow[],
  knownAt: number,
): Promise<void> {
  const changes = changedEntries(recorded, rows, await rulesFor(tx, [recorded]))
  if (changes.length > 0)
    await insertEntries(
      tx,
      changes.map((one) => ({ row: baseRow(recorded, one, knownAt), values: one.values })),
    )
}

function changedEntries(
  recorded: RecordedPurchase,
  rows: readonly EntryRow[],
  rulesOf: RulesOf,
): PlacedEntry<Groups>[] {
  const held = rows.length === 0 ? [] : netted(rows.map(toEntry))
  return difference(held, wantedEntries(recorded, held, rulesOf(recorded)))
}

/** Takes back everything that purchases count for, before they are removed. */
export async function takeBackEntries(tx: Tx, purchaseIds: readonly string[]): Promise<void> {
  const knownAt = tx.clock.now()
  const rows = [...(await listEntriesOf(tx, purchaseIds)).values()]
  await insertManyEntries(
    tx,
    rows.flatMap((own) => takenBackRows(own, knownAt)),
  )
}

function takenBackRows(rows: readonly EntryRow[], knownAt: number): NewEntryRow[] {
  const last = new Map(rows.map((row) => [row.kind, row]))
  return difference(netted(rows.map(toEntry)), []).flatMap(({ values, groups, ...about }) => {
    const row = last.get(about.kind)
    if (!row) return []
    const { projectId, environment, purchaseId, store } = row
    return [{ projectId, environment, purchaseId, store, knownAt, ...about, ...groups, ...withZeros(values) }]
  })
}

function wantedEntries(
  recorded: RecordedPurchase,
  held: readonly PlacedEntry<Groups>[],
  rules: StandingRules,
): PlacedEntry<Groups>[] {
  const { fresh: news, observations } = recorded
  const states = held.filter(({ kind }) => kind === 'STATE').toSorted((a, b) => a.at - b.at)
  const since = withEnd(states, startOf(news.length > 0 ? news : observations, observations))
  const kept = states.filter(({ at }) => at < since)
  const fresh = [...lineEntries(recorded.saved, lineRulesOf(recorded)), ...statesSince(recorded, since, kept, rules)]
  const place = placeOf(recorded, held)
  return [
    ...kept.map((one) => ({ ...one, groups: { ...one.groups, ...place, ...renamed(recorded, held, one) } })),
    ...fresh.map((one) => ({ ...one, groups: { ...place, product: productOf(recorded, held, one) } })),
  ]
}

function statesSince(recorded: RecordedPurchase, since: number, kept: readonly Entry[], rules: StandingRules): Entry[] {
  const { observations, purchase } = recorded
  const { productType } = purchase.fold
  const before =
    kept.length === 0 ? NOTHING : asCounted(standingOf(momentAt(observations, productType, since - 1), rules), kept)
  const past = {
    hadMrr: kept.some(({ values }) => (values.mrrNew ?? 0) > 0),
    wasPaid: kept.some(({ values }) => (values.paidIn ?? 0) > 0),
    troubledSince: isTroubled(before.phase.status) ? lastEntered(kept, ({ billingIn = 0 }) => billingIn) : null,
  }
  const whole = recorded.isFolded ? purchase.fold : null
  return stateEntries(timeline(observations, productType, since, whole), rules, before, past)
}

/** News on a subscription that has expired can tell why: then from that end on. */
function withEnd(states: readonly Entry[], since: number): number {
  const before = states.filter(({ at }) => at < since)
  const isExpired = before.reduce((sum, { values }) => sum + addedTo('expired', values), 0) > 0
  return (isExpired && lastEntered(before, (values) => addedTo('expired', values))) || since
}

/** The last instant at which some value rose, over all products. */
function lastEntered(entries: readonly Entry[], pick: (values: Values) => number): number | null {
  const byInstant = [...Map.groupBy(entries, ({ at }) => at)]
  const rises = byInstant.filter(([, own]) => own.reduce((sum, { values }) => sum + pick(values), 0) > 0)
  return rises.at(-1)?.[0] ?? null
}

/** The standing that the kept entries add up to, so that the sum of all entries is right even if a product was edited. */
function asCounted(standing: Standing, kept: readonly Entry[]): Standing {
  const sum = (pick: (values: Values) => number): number => kept.reduce((total, one) => total + pick(one.values), 0)
  return {
    ...standing,
    mrr: sum(mrrChange),
    isPaid: sum(({ paidIn = 0, paidOut = 0 }) => paidIn - paidOut) > 0,
    isTrial: sum(({ trialIn = 0, trialOut = 0 }) => trialIn - trialOut) > 0,
    isUnconverted: sum(({ mrrUnconverted = 0 }) => mrrUnconverted) > 0,
    storeProductId: kept.at(-1)?.storeProductId ?? '',
    price: kept.at(-1)?.price ?? null,
  }
}

/** How monthly recurring revenue changes by an entry. */
export const mrrChange = (values: Values): number =>
  (values.mrrNew ?? 0) +
  (values.mrrReactivation ?? 0) +
  (values.mrrExpansion ?? 0) -
  (values.mrrContraction ?? 0) -
  (values.mrrChurn ?? 0)

/** The group of an entry that stays, if its product is in the catalogue only now. */
const renamed = (recorded: RecordedPurchase, held: readonly PlacedEntry<Groups>[], one: PlacedEntry<Groups>) =>
  recorded.isLinked ? { product: productOf(recorded, held, one) } : {}

/** A product keeps the name that it had first; one that is in the catalogue only now is no longer named by its store id. */
function productOf(
  { project, purchase, isLinked }: RecordedPurchase,
  held: readonly PlacedEntry<Groups>[],
  { storeProductId }: Entry,
): string {
  const known = held.find((one) => one.storeProductId === storeProductId)?.groups.product
  const isKept = known !== undefined && !(isLinked && known === storeProductId)
  return isKept
    ? known
    : (findStoreProduct(project.catalog, storeProductId, purchase.store)?.identifier ?? storeProductId)
}

function toEntry(row: EntryRow): PlacedEntry<Groups> {
  const { kind, key, transactionId, at, storeProductId, price, pendingUntil } = row
  const { product, country, platform, offering, placement, variant } = row
  const groups = { product, country, platform, offering, placement, variant }
  const values: Partial<Record<ValueName, number>> = {}
  for (const name of VALUE_NAMES) if (row[name] !== 0) values[name] = row[name]
  return { kind, key, transactionId, at, storeProductId, price, pendingUntil, values, groups }
}

/** The row of an entry without its values. */
function baseRow(
  { purchase }: RecordedPurchase,
  entry: PlacedEntry<Groups>,
  knownAt: number,
): Omit<NewEntryRow, ValueName> {
  const { id: purchaseId, projectId, environment, store } = purchase
  const { groups, kind, key, transactionId, at, storeProductId, price, pendingUntil } = entry
  const { product, country, platform, offering, placement, variant } = groups
  const place = { product, country, platform, offering, placement, variant }
  const about = { kind, key, transactionId, at, storeProductId, price, pendingUntil }
  return { projectId, environment, purchaseId, store, knownAt, ...about, ...place }
}

/** Zeros first: copies of one object are made fastest, and an import makes several for each row of its file. */
const toRow = (recorded: RecordedPurchase, entry: PlacedEntry<Groups>, knownAt: number): NewEntryRow =>
  Object.assign({ ...ZEROS }, baseRow(recorded, entry, knownAt), entry.values)

const ZEROS = Object.fromEntries(VALUE_NAMES.map((name) => [name, 0])) as Required<Values>

const withZeros = (values: Values): Required<Values> => ({ ...ZEROS, ...values })
