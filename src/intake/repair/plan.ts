/** Who owns a row: a person with a label, a device, or none, as after an erasure or before a device came. */
export type OwnerKind = 'LABELLED' | 'DEVICE' | 'NOBODY'

/**
 * How the store sells a product. `ONCE`: all transactions with one original id are copies of one sale. `EACH_DATE`: a
 * subscription that never renews, of which each purchase date is a sale. `OTHER`: the rows are separate purchases.
 */
export type SaleKind = 'ONCE' | 'EACH_DATE' | 'OTHER'

/** A recorded purchase of the App Store, by what decides whether it is another row of the same sale. */
export interface SaleRow {
  id: string
  chainKey: string
  createdAt: number
  subscriberId: string
  owner: OwnerKind
  environment: 'PRODUCTION' | 'SANDBOX'
  storeProductId: string
  isShared: boolean
  kind: SaleKind
  purchaseDate: number
  originalPurchaseDate: number
}

/** Rows that are one purchase, and the key that it is to have. */
export interface JoinPlan {
  survivorId: string
  /** The other rows, the oldest first; empty when only the key is of before. */
  mergedIds: string[]
  chainKey: string
}

/** Xcode gives small numbers to the transactions of every device, so they do not name a sale. */
const isNumberedByXcode = (original: string): boolean => /^\d{1,8}$/.test(original)

/** What to do with the rows of one original transaction id; nothing with those that are as they are recorded today. */
export function planJoins(original: string, rows: readonly SaleRow[]): JoinPlan[] {
  if (isNumberedByXcode(original)) return []
  const groups = Map.groupBy(
    rows.filter((row) => row.kind !== 'OTHER' && !isOfMergedMember(original, row)),
    saleOf,
  )
  return [...groups.values()].flatMap((group) => {
    const plan = planSale(original, group)
    const isTaken = rows.some(({ id, chainKey }) => chainKey === plan.chainKey && !namesRow(plan, id))
    return isTaken || (plan.mergedIds.length === 0 && group[0]?.chainKey === plan.chainKey) ? [] : [plan]
  })
}

const namesRow = ({ survivorId, mergedIds }: JoinPlan, id: string): boolean =>
  survivorId === id || mergedIds.includes(id)

function saleOf(row: SaleRow): string {
  const { environment, storeProductId, isShared, kind, purchaseDate, subscriberId } = row
  const date = kind === 'EACH_DATE' ? purchaseDate : null
  return JSON.stringify([environment, storeProductId, date, isShared ? subscriberId : null])
}

/** The share of a member who was merged into another person. An undo of the merge gives it back, so it stays apart. */
const isOfMergedMember = (original: string, row: SaleRow): boolean =>
  row.isShared && row.chainKey.startsWith(`${original}:`) && row.chainKey !== keyOf(original, row)

function planSale(original: string, group: readonly SaleRow[]): JoinPlan {
  const [survivor, ...others] = group.toSorted(byClaim)
  if (!survivor) throw new Error('a sale has at least one row')
  return {
    survivorId: survivor.id,
    mergedIds: others.toSorted(byAge).map(({ id }) => id),
    chainKey: keyOf(original, survivor),
  }
}

const CLAIMS: readonly OwnerKind[] = ['LABELLED', 'DEVICE', 'NOBODY']

/** The owner who keeps the purchase comes first. */
const byClaim = (a: SaleRow, b: SaleRow): number => CLAIMS.indexOf(a.owner) - CLAIMS.indexOf(b.owner) || byAge(a, b)

const byAge = (a: SaleRow, b: SaleRow): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

/** The key that a receipt of today gives to the purchase (wire 4.2). */
function keyOf(original: string, row: SaleRow): string {
  const { isShared, kind, subscriberId, purchaseDate, originalPurchaseDate } = row
  if (isShared) return `${original}:${subscriberId}`
  const isFirst = kind === 'ONCE' || purchaseDate === originalPurchaseDate
  return isFirst ? original : `${original}@${purchaseDate}`
}
