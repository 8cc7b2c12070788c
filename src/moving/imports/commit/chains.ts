import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import type { Observation, ProductType, PurchaseEnvironment, Report, Store } from '../../../stores/observation'
import type { ImportOptions } from '../model'
import type { ImportRow } from '../row'
import { identityOf, personOf, type RowIdentity } from './row-identity'
import { eventTime, observationsOf } from './row-observations'

/** The rows of a batch about one purchase. */
export interface RowChain {
  person: string
  store: Store
  environment: PurchaseEnvironment
  isFamilyShare: boolean
  chainKey: string
  originalTransactionId: string
  productType: ProductType
  /** The catalogue lacks it, so its type is only likely. */
  hasUnknownProduct: boolean
  isAskable: boolean
  /** Access ids of a grant whose product the catalogue does not have. */
  accessIds: string[] | null
  observations: Observation[]
  /** Event time of what the rows say about each transaction. */
  saidAt: ReadonlyMap<string, number>
  rows: readonly ImportRow[]
}

interface IdentifiedRow {
  row: ImportRow
  identity: RowIdentity
}

/** One chain for each person, store and original transaction. Rows without any date are in none. */
export function chainsOf(
  rows: readonly ImportRow[],
  catalog: CatalogSnapshot,
  options: ImportOptions,
  importedAt: number,
): RowChain[] {
  const groups = new Map<string, IdentifiedRow[]>()
  for (const row of rows) {
    const identity = identityOf(row, catalog, options)
    if (!identity) continue
    // A purchase that is not shared has one owner, whatever other people the file names.
    const share = isShared(row) ? personOf(row) : ''
    const name = `${row.store}\n${identity.chainKey}\n${share}`
    const group = groups.get(name)
    if (group) group.push({ row, identity })
    else groups.set(name, [{ row, identity }])
  }
  return [...groups.values()].map((group) => toChain(group, catalog, importedAt))
}

const isShared = ({ store, ownershipType }: ImportRow): boolean =>
  store === 'IOS_STORE' && ownershipType === 'FAMILY_SHARED'

function toChain(group: readonly IdentifiedRow[], catalog: CatalogSnapshot, importedAt: number): RowChain {
  const environment = environmentOf(group)
  const newest = newestVersions(group, environment, importedAt)
  const said = newest.map(({ row, identity }) => observationsOf(row, identity, importedAt))
  const { row, identity } = current(newest)
  return {
    person: personOf(row),
    store: row.store,
    environment,
    isFamilyShare: isShared(row),
    chainKey: identity.chainKey,
    originalTransactionId: identity.originalTransactionId,
    productType: identity.productType,
    hasUnknownProduct: identity.product === null,
    isAskable: group.some((one) => one.identity.isAskable),
    accessIds: accessIdsOf(row, identity, catalog),
    observations: said.flatMap(({ report, marker }) => (marker ? [report, marker] : [report])),
    saidAt: new Map(said.map(({ report }) => [transactionIdOf(report), report.eventAt])),
    rows: group.map((one) => one.row),
  }
}

const transactionIdOf = ({ transaction }: Report): string => transaction?.transactionId ?? ''

/** A purchase has one environment: that of its first transaction. */
function environmentOf(group: readonly IdentifiedRow[]): PurchaseEnvironment {
  const [first] = group.toSorted((a, b) => startOf(a) - startOf(b))
  return first?.row.isSandbox ? 'SANDBOX' : 'PRODUCTION'
}

const startOf = ({ row }: IdentifiedRow): number => row.purchaseDate ?? row.expiresDate ?? 0

/** Of several rows about one transaction the one that was changed last, wherever it is in the file. */
function newestVersions(
  group: readonly IdentifiedRow[],
  environment: PurchaseEnvironment,
  importedAt: number,
): IdentifiedRow[] {
  const newest = new Map<string, { one: IdentifiedRow; at: number; text: string | null }>()
  for (const one of group) {
    if ((one.row.isSandbox ? 'SANDBOX' : 'PRODUCTION') !== environment) continue
    const at = eventTime(one.row, importedAt)
    const { transactionId } = one.identity
    const known = newest.get(transactionId)
    if (!known || at > known.at || (at === known.at && textOf(one.row) > textOf(known.one.row)))
      newest.set(transactionId, { one, at, text: null })
  }
  return [...newest.values()].map(({ one }) => one)
}

/** Decides between rows that contradict each other and were changed at the same time. */
const textOf = ({ productName, productType, productPeriod, ...row }: ImportRow): string =>
  JSON.stringify({ ...row, line: 0 })

function current(group: readonly IdentifiedRow[]): IdentifiedRow {
  const [newest] = group.toSorted((a, b) => startOf(b) - startOf(a))
  if (!newest) throw new Error('a chain has no rows')
  return newest
}

function accessIdsOf(
  { store, entitlements }: ImportRow,
  { product }: RowIdentity,
  { access }: CatalogSnapshot,
): string[] | null {
  if (store !== 'MANUAL' || product || !entitlements) return null
  return [...access.values()].filter(({ identifier }) => entitlements.includes(identifier)).map(({ id }) => id)
}
