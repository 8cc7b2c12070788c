import type { Marker, Observation, Report, TransactionPart } from '../../stores/observation'
import { comparePurchases } from './parts'

/** The observations under one id for each charge, and the other ids of the charges that have several. */
export interface OneCharge {
  observations: readonly Observation[]
  /** By the id that the charge is known by; ascending. */
  aliases: ReadonlyMap<string, readonly string[]>
}

const NO_ALIASES: ReadonlyMap<string, readonly string[]> = new Map()

/**
 * Copies of one charge brought under one id: a restore, or another device, makes a copy with an id of its own. The copy that
 * was bought first gives the id and the purchase date; of several at one instant the one with the lowest id. A marker
 * that names a copy is about the charge, and two copies of one marker are one. The result depends only on the set of
 * observations.
 */
export function joinCopies(observations: readonly Observation[]): OneCharge {
  if (observations.length < 2) return { observations, aliases: NO_ALIASES }
  const groups = copiesOf(observations)
  if (groups.length === 0) return { observations, aliases: NO_ALIASES }
  const first = new Map<string, TransactionPart>()
  const aliases = new Map<string, readonly string[]>()
  for (const group of groups) {
    const [named, ...others] = [...group.values()].sort(comparePurchases)
    if (!named) continue
    for (const id of group.keys()) first.set(id, named)
    aliases.set(named.transactionId, others.map(({ transactionId }) => transactionId).sort())
  }
  return { observations: observations.map((one) => underFirst(one, first)), aliases }
}

/** The transactions that have the same sale, each as it was first bought; without those that are alone. */
function copiesOf(observations: readonly Observation[]): Map<string, TransactionPart>[] {
  const saleOf = salesOf(observations)
  if (saleOf.size === 0) return []
  const sales = new Set(saleOf.values())
  for (const one of observations) {
    // What was recorded before copies were known has no sale. A one-time purchase is named by its first transaction.
    const id = one.kind === 'REPORT' ? one.transaction?.transactionId : undefined
    if (id !== undefined && !saleOf.has(id) && sales.has(id)) saleOf.set(id, id)
  }
  if (sales.size === saleOf.size) return []
  const groups = new Map<string, Map<string, TransactionPart>>()
  for (const one of observations) {
    const part = one.kind === 'REPORT' ? one.transaction : undefined
    const sale = part && saleOf.get(part.transactionId)
    if (!part || sale === undefined) continue
    const group = groups.get(sale) ?? new Map<string, TransactionPart>()
    groups.set(sale, group)
    const known = group.get(part.transactionId)
    if (!known || part.purchaseDate < known.purchaseDate) group.set(part.transactionId, part)
  }
  return [...groups.values()].filter(({ size }) => size > 1)
}

/** What the sale of a transaction is called when only its period states that it is a copy. */
const PERIOD = 'period:'
/** What the App Store calls the line item of a period. */
const ITEM = 'item:'

export const periodSale = ({ storeProductId, expiresAt }: TransactionPart): string =>
  `${PERIOD}${storeProductId}@${expiresAt}`

/**
 * Whether a report of a period was recorded by a release that did not know copies: it kept neither the line item of the
 * transaction nor `isRevoked`. What such a report lacks, its period says: a subscription of the App Store has one period
 * at a time, so two transactions of one product that end at the same instant are one charge.
 */
export const isFormerPeriod = ({ transaction: part, imported }: Report): boolean =>
  part !== undefined &&
  part.sale === undefined &&
  part.isRevoked === undefined &&
  imported === undefined &&
  isPaid(part)

const isPaid = ({ expiresAt, ownershipType }: TransactionPart): boolean =>
  expiresAt !== null && ownershipType === 'PURCHASED'

/**
 * The sale of each transaction that has one. A transaction that is known by its period has the line item of that period,
 * where the store names exactly one.
 */
function salesOf(observations: readonly Observation[]): Map<string, string> {
  const named = new Map<string, string>()
  const byPeriod = new Map<string, string>()
  const items: TransactionPart[] = []
  for (const one of observations) {
    if (one.kind !== 'REPORT' || !one.transaction) continue
    const { transaction: part } = one
    const { transactionId, sale } = part
    if (sale?.startsWith(PERIOD)) byPeriod.set(transactionId, sale)
    else if (sale !== undefined) named.set(transactionId, sale)
    else if (isFormerPeriod(one) && !byPeriod.has(transactionId)) byPeriod.set(transactionId, '')
    if (sale?.startsWith(ITEM) || byPeriod.has(transactionId)) items.push(part)
  }
  return byPeriod.size === 0 ? named : withPeriods(named, byPeriod, items)
}

/** @param byPeriod the sale that only a period states; empty where no repair has named it */
function withPeriods(
  named: Map<string, string>,
  byPeriod: ReadonlyMap<string, string>,
  parts: readonly TransactionPart[],
): Map<string, string> {
  const items = new Map<string, Set<string>>()
  for (const part of parts) {
    const item = named.get(part.transactionId)
    if (item !== undefined) items.set(periodSale(part), (items.get(periodSale(part)) ?? new Set()).add(item))
  }
  const sales = new Map(named)
  for (const part of parts) {
    const { transactionId } = part
    const [item, ...others] = items.get(periodSale(part)) ?? []
    const assumed = byPeriod.get(transactionId)
    if (named.has(transactionId) || assumed === undefined) continue
    const sale = item !== undefined && others.length === 0 ? item : assumed
    if (sale !== '') sales.set(transactionId, sale)
  }
  return sales
}

function underFirst(one: Observation, first: ReadonlyMap<string, TransactionPart>): Observation {
  const id = one.kind === 'REPORT' ? one.transaction?.transactionId : one.transactionId
  const named = id === undefined ? undefined : first.get(id)
  if (!named || id === undefined) return one
  return one.kind === 'REPORT' ? reportOf(one, named) : markerOf(one, id, named)
}

function reportOf(one: Report, { transactionId, purchaseDate }: TransactionPart): Report {
  return one.transaction ? { ...one, transaction: { ...one.transaction, transactionId, purchaseDate } } : one
}

/** The id of a marker of the iOS store contains that of its transaction. */
const markerOf = (one: Marker, own: string, { transactionId }: TransactionPart): Marker =>
  own === transactionId ? one : { ...one, id: one.id.replace(`:${own}@`, `:${transactionId}@`), transactionId }
