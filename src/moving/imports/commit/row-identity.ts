import { sha256Hex } from '../../../base/lib/hash'
import { findStoreProduct } from '../../../people/purchases/store-product'
import type { CatalogSnapshot, Product } from '../../../projects/catalog/snapshot'
import { orderIdOf, splitOrderId } from '../../../stores/android/order'
import type { Imported, ProductType } from '../../../stores/observation'
import type { ImportOptions } from '../model'
import type { ImportRow } from '../row'

/** Which purchase and which transaction of it a row is about. */
export interface RowIdentity {
  /**
   * Identifies the purchase within its store (wire 4.2), as live news of it do. A family share gets its owner added, and
   * a promotional grant gets an id of ours.
   */
  chainKey: string
  originalTransactionId: string
  transactionId: string
  /** How far the row identifies its transaction. */
  imported: Imported
  product: Product | null
  productType: ProductType
  /** Whether a store can be asked about the purchase by its chain key. */
  isAskable: boolean
}

type Catalog = Pick<CatalogSnapshot, keyof CatalogSnapshot>

/** Null when the row has no date at all: then only its proof can tell what was bought. */
export function identityOf(row: ImportRow, catalog: Catalog, options: ImportOptions): RowIdentity | null {
  if (row.purchaseDate === null && row.expiresDate === null) return null
  const product = productOf(row, catalog)
  const productType = product?.type ?? likelyType(row)
  return { product, productType, ...IDENTITIES[row.store](row, { productType, options }) }
}

/** The product of the catalogue that the row names; null when it names none, or one that the catalogue lacks. */
export function productOf({ store, productIdentifier }: ImportRow, catalog: Catalog): Product | null {
  if (productIdentifier === null) return null
  if (store === 'MANUAL') return catalog.productByIdentifier.get(productIdentifier) ?? null
  return findStoreProduct(catalog, productIdentifier, store)
}

/** Of a product that the catalogue lacks. What has an end is a subscription. */
function likelyType({ isSubscription, expiresDate, store }: ImportRow): ProductType {
  if (store === 'MANUAL') return 'SUBSCRIPTION'
  return (isSubscription ?? expiresDate !== null) ? 'SUBSCRIPTION' : 'NON_CONSUMABLE'
}

interface Circumstances {
  productType: ProductType
  options: ImportOptions
}

type Ids = Pick<RowIdentity, 'chainKey' | 'originalTransactionId' | 'transactionId' | 'imported' | 'isAskable'>
type Identify = (row: ImportRow, circumstances: Circumstances) => Ids

const ofIos: Identify = (row, { productType, options }) => {
  const { storeTransactionId, originalTransactionId } = row
  // A copy of a one-time purchase has a transaction id of its own; a consumable has no copies.
  const isNamedByOwn = productType === 'CONSUMABLE' && storeTransactionId !== null
  const isLoose = productType === 'SUBSCRIPTION' && options.enrichUngroupedChains
  const [first, second] = isNamedByOwn
    ? [storeTransactionId, originalTransactionId]
    : [originalTransactionId, isLoose ? null : storeTransactionId]
  const stated = first ?? second
  const chainKey = stated ?? withoutProof(row, options)
  const ids = { chainKey, originalTransactionId: originalTransactionId ?? chainKey, isAskable: stated !== null }
  return { ...ids, ...transactionOf(row, chainKey, storeTransactionId) }
}

/**
 * The token identifies a purchase at Google. A file without it has order ids, whose first part is the same for all
 * renewals. The purchase then has that as its key, until live news or the second pass bring the token.
 */
const ofAndroid: Identify = (row, { options }) => {
  const { purchaseToken, storeTransactionId } = row
  const named = row.originalTransactionId ?? storeTransactionId
  const base = named === null ? null : splitOrderId(named).base
  const chainKey = purchaseToken ?? base ?? withoutProof(row, options)
  const originalTransactionId = base ?? (purchaseToken === null ? chainKey : orderIdOf(null, purchaseToken))
  const ids = { chainKey, originalTransactionId, isAskable: purchaseToken !== null }
  return { ...ids, ...transactionOf(row, chainKey, storeTransactionId) }
}

const PAYMENT_ID = /^(sub|pi)_/
const CHARGE_ID = /^(in|pi)_/

const ofPayment: Identify = (row, { options }) => {
  const { providerId, originalTransactionId, storeTransactionId } = row
  const chainKey = providerId ?? originalTransactionId ?? storeTransactionId ?? withoutProof(row, options)
  const charge = [storeTransactionId, chainKey].find((id) => id !== null && CHARGE_ID.test(id)) ?? null
  const ids = { chainKey, originalTransactionId: chainKey, isAskable: PAYMENT_ID.test(chainKey) }
  return { ...ids, ...transactionOf(row, chainKey, charge) }
}

const ofGrant: Identify = (row) => {
  const { originalTransactionId, storeTransactionId } = row
  const name = `import:${originalTransactionId ?? storeTransactionId ?? hashOf(personOf(row), row.productIdentifier, row.purchaseDate)}`
  return { chainKey: name, originalTransactionId: name, transactionId: name, imported: 'TRANSACTION', isAskable: false }
}

const IDENTITIES: Record<ImportRow['store'], Identify> = {
  IOS_STORE: ofIos,
  ANDROID_STORE: ofAndroid,
  PAYMENT: ofPayment,
  MANUAL: ofGrant,
}

/** @param own the id that the store gave the transaction */
function transactionOf(
  { purchaseDate, renewalNumber }: ImportRow,
  chainKey: string,
  own: string | null,
): Pick<RowIdentity, 'transactionId' | 'imported'> {
  if (purchaseDate === null) return { transactionId: `import:${chainKey}`, imported: 'PURCHASE' }
  if (own !== null) return { transactionId: own, imported: 'TRANSACTION' }
  const period = renewalNumber === null ? `@${purchaseDate}` : String(renewalNumber)
  return { transactionId: `${chainKey}:${period}`, imported: 'PERIOD' }
}

/**
 * The key of a purchase of which the file names nothing that a store knows. Its rows are one purchase when chains are to
 * be grouped, else each is one.
 */
function withoutProof(row: ImportRow, { enrichUngroupedChains }: ImportOptions): string {
  const own = enrichUngroupedChains ? [] : [row.storeTransactionId, row.purchaseDate, row.expiresDate]
  return `import:${hashOf(personOf(row), row.store, row.productIdentifier, ...own)}`
}

/** Whether the row has nothing by which its store could be asked. */
export const isAnchorless = (row: ImportRow): boolean =>
  row.store !== 'MANUAL' &&
  [row.originalTransactionId, row.storeTransactionId, row.purchaseToken, row.receipt, row.providerId].every(
    (proof) => proof === null,
  )

/** Names the person of a row within a file. */
export const personOf = ({ deviceKey, subscriberExternalId }: ImportRow): string => deviceKey ?? subscriberExternalId

const hashOf = (...parts: (string | number | null)[]): string => sha256Hex(JSON.stringify(parts)).slice(0, 32)
