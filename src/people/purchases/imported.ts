import { HOUR } from '../../base/lib/clock'
import type { Marker, Observation, Report, TransactionPart } from '../../stores/observation'
import { comparePurchases, type KnownPart, newestOf, setPart } from './parts'

/** How far the beginnings of one period may differ between a file and the store. */
const SAME_PERIOD_MS = 12 * HOUR

/**
 * The observations with imported rows brought into agreement with what is known beside them. Of several rows about one
 * transaction the newest counts. A row without an id of the store belongs to the store's transaction that starts at the
 * same time. A row that names no transaction counts only while nothing else is known. Only the row about the current
 * transaction says how the purchase continues. The result depends only on the set of observations.
 *
 * @param ordered in the order of folding
 */
export function settleImported(ordered: Observation[]): Observation[] {
  if (!ordered.some(isImported)) return ordered
  const rows = newestRows(ordered)
  const named = nameByPeriod(dropStandIns(rows))
  const current = currentOf(named)
  return (named === rows ? rows : newestRows(named)).map((one) =>
    isImported(one) && one.transaction ? settled(one, one.transaction, current) : one,
  )
}

const isImported = (one: Observation): one is Report => one.kind === 'REPORT' && one.imported !== undefined

function newestRows(ordered: readonly Observation[]): readonly Observation[] {
  const newest = new Map<string, Report>()
  let count = 0
  for (const one of ordered) {
    if (!isImported(one) || !one.transaction) continue
    count++
    newest.set(one.transaction.transactionId, one)
  }
  if (newest.size === count) return ordered
  return ordered.filter(
    (one) => !isImported(one) || !one.transaction || newest.get(one.transaction.transactionId) === one,
  )
}

function dropStandIns(ordered: readonly Observation[]): readonly Observation[] {
  if (!ordered.some((one) => one.kind === 'REPORT' && one.imported === 'PURCHASE')) return ordered
  const isKnown = ordered.some((one) => one.kind === 'REPORT' && one.transaction && one.imported !== 'PURCHASE')
  return isKnown ? ordered.filter((one) => one.kind !== 'REPORT' || one.imported !== 'PURCHASE') : ordered
}

function nameByPeriod(ordered: readonly Observation[]): readonly Observation[] {
  if (!ordered.some((one) => one.kind === 'REPORT' && one.imported === 'PERIOD')) return ordered
  const names = new Map<string, string>()
  const stated = ordered.flatMap((one) =>
    one.kind === 'REPORT' && one.transaction && one.imported !== 'PERIOD' ? [one.transaction] : [],
  )
  for (const one of ordered) {
    if (one.kind !== 'REPORT' || one.imported !== 'PERIOD' || !one.transaction) continue
    const match = nearest(stated, one.transaction.purchaseDate)
    if (match) names.set(one.transaction.transactionId, match.transactionId)
  }
  return names.size === 0 ? ordered : ordered.map((one) => renamed(one, names))
}

function nearest(parts: readonly TransactionPart[], at: number): TransactionPart | null {
  let found: TransactionPart | null = null
  const distance = ({ purchaseDate }: TransactionPart) => Math.abs(purchaseDate - at)
  for (const part of parts)
    if (distance(part) <= SAME_PERIOD_MS && (!found || distance(part) < distance(found))) found = part
  return found
}

function renamed(one: Observation, names: ReadonlyMap<string, string>): Observation {
  if (one.kind !== 'REPORT') return { ...one, transactionId: nameOf(one, names) }
  if (!one.imported || !one.transaction) return one
  const transactionId = names.get(one.transaction.transactionId)
  return transactionId === undefined ? one : { ...one, transaction: { ...one.transaction, transactionId } }
}

const nameOf = ({ transactionId }: Marker, names: ReadonlyMap<string, string>): string =>
  names.get(transactionId) ?? transactionId

/**
 * The observations on which the fold depends, when imported rows with ids of the store are everything that is known: those
 * of the current transaction, the one that tells when the purchase first started, and the newest one. All of them otherwise.
 */
export function decisiveOnes(observations: readonly Observation[]): readonly Observation[] {
  if (observations.length < 4) return observations
  const ids = new Set<string>()
  const transactionIds = new Set<string>()
  let count = 0
  let [current, first, newest]: [TransactionPart | null, TransactionPart | null, Observation | null] = [
    null,
    null,
    null,
  ]
  for (const one of observations) {
    ids.add(one.id)
    if (!newest || one.eventAt > newest.eventAt) newest = one
    if (one.kind !== 'REPORT') continue
    const { transaction } = one
    if (one.imported !== 'TRANSACTION' || !transaction || transaction.sale !== undefined) return observations
    count++
    transactionIds.add(transaction.transactionId)
    if (!current || comparePurchases(current, transaction) < 0) current = transaction
    if (!first || transaction.originalPurchaseDate < first.originalPurchaseDate) first = transaction
  }
  if (ids.size < observations.length || transactionIds.size < count || !current) return observations
  const { transactionId } = current
  return observations.filter((one) => {
    if (one === newest) return true
    return one.kind === 'REPORT'
      ? one.transaction === current || one.transaction === first
      : one.transactionId === transactionId
  })
}

interface Current {
  transactionId: string | null
  /** When the purchase first started, of everything that is known. */
  firstPurchaseDate: number
}

function currentOf(ordered: readonly Observation[]): Current {
  const parts = new Map<string, KnownPart>()
  for (const one of ordered) if (one.kind === 'REPORT') setPart(parts, one)
  const began = [...parts.values()].map(({ part }) => part.originalPurchaseDate)
  return { transactionId: newestOf(parts.values())?.part.transactionId ?? null, firstPurchaseDate: Math.min(...began) }
}

function settled(one: Report, transaction: TransactionPart, current: Current): Report {
  const originalPurchaseDate = Math.min(transaction.originalPurchaseDate, current.firstPurchaseDate)
  const isCurrent = transaction.transactionId === current.transactionId
  if (originalPurchaseDate === transaction.originalPurchaseDate && (isCurrent || !one.renewal)) return one
  const { renewal, ...rest } = one
  return {
    ...rest,
    transaction: { ...transaction, originalPurchaseDate },
    ...(isCurrent && renewal && { renewal }),
  }
}
