import type { Money } from '../../base/lib/money'
import type { Marker, Observation, Report } from '../../stores/observation'

/**
 * What a store says about one line, from what it says about each of its items: the one that is there and those that it
 * replaced. A charge that paid several of them is reported for each, and is one charge of the line with the sum of what
 * they paid: that of the period where one of them had a period, else of the first item. What was returned of it is the
 * sum too.
 */
export function joinCharges(items: readonly (readonly Observation[])[]): readonly Observation[] {
  const [only = [], ...others] = items
  if (others.length === 0) return only
  const shared = sharedCharges(items)
  const reports = items.flatMap((told, index) =>
    told
      .filter((one) => one.kind === 'REPORT')
      .flatMap((one) => withTotal(one, shared.get(chargeOf(one)?.id ?? ''), index)),
  )
  return [...reports, ...joinMarkers(items.flat())]
}

/** A charge of several items. */
interface SharedCharge {
  /** The index of the item that has it. */
  of: number
  total: Money | null
}

interface ItemCharge {
  id: string
  index: number
  isPeriod: boolean
  price: Money | null
}

function sharedCharges(items: readonly (readonly Observation[])[]): ReadonlyMap<string, SharedCharge> {
  const all = items.flatMap((told, index) => chargesOf(told, index))
  const several = [...Map.groupBy(all, ({ id }) => id)].filter(([, charges]) => charges.length > 1)
  return new Map(several.map(([id, charges]) => [id, toShared(charges)]))
}

/** Each charge of an item once: its state repeats the one of the period. */
function chargesOf(told: readonly Observation[], index: number): ItemCharge[] {
  const charges = told.flatMap((one) => (one.kind === 'REPORT' ? [chargeOf(one)] : [])).filter((one) => one !== null)
  return [...new Map(charges.map((one) => [one.id, { ...one, index }])).values()]
}

function chargeOf({ transaction, adjustment }: Report): Omit<ItemCharge, 'index'> | null {
  if (transaction) return { id: transaction.transactionId, isPeriod: true, price: transaction.price }
  return adjustment ? { id: adjustment.transactionId, isPeriod: false, price: adjustment.price } : null
}

const toShared = (charges: readonly ItemCharge[]): SharedCharge => ({
  of: (charges.find(({ isPeriod }) => isPeriod) ?? charges[0])?.index ?? 0,
  total: charges.map(({ price }) => price).reduce(sumOf),
})

/** Unknown amounts add nothing. The items of one charge have one currency. */
const sumOf = (a: Money | null, b: Money | null): Money | null =>
  a && b ? { ...a, amountMicros: a.amountMicros + b.amountMicros } : (a ?? b)

function withTotal(report: Report, charge: SharedCharge | undefined, index: number): Report[] {
  if (!charge) return [report]
  if (charge.of !== index) return []
  const { transaction, adjustment } = report
  return [
    {
      ...report,
      ...(transaction && { transaction: { ...transaction, price: charge.total } }),
      ...(adjustment && { adjustment: { ...adjustment, price: charge.total ?? adjustment.price } }),
    },
  ]
}

function joinMarkers(told: readonly Observation[]): Marker[] {
  const markers = told.filter((one) => one.kind !== 'REPORT')
  return [...Map.groupBy(markers, ({ kind, id }) => `${kind}:${id}`).values()].flatMap((same) => {
    const [first] = same
    return first ? [{ ...first, amount: amountOf(same) }] : []
  })
}

/** Null, the whole, when one of them is of the whole. */
function amountOf(markers: readonly Marker[]): Money | null {
  const amounts = markers.map(({ amount }) => amount)
  return amounts.includes(null) ? null : amounts.reduce(sumOf)
}
