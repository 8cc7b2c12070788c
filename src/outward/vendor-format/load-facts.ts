import type { Context } from '../../base/context'
import { fromJsonInteger } from '../../base/lib/int64'
import { commissionRate, firstPaid } from '../../people/purchases/commission'
import {
  findPurchase,
  findPurchases,
  listLinesOfPurchase,
  type PurchaseRow,
  type TransactionRow,
} from '../../people/purchases/holdings'
import { isCharge } from '../../people/purchases/lines'
import type { ProjectState } from '../../projects/project/state'
import { findExperiment } from '../../targeting/experiments/stored-experiments'
import {
  type ClaimData,
  type CurrencyData,
  dataOf,
  type ExposureData,
  type FormatEvent,
  type PurchaseImages,
  purchaseImages,
  type TransferData,
} from './event'
import { type FormatProduct, type LedgerFacts, NO_FACTS, type PurchaseFacts, type VendorFacts } from './facts'
import { loadPerson } from './load-person'
import { loadTransfer, sidesBefore } from './load-transfer'
import { findTransferBetween, listEntriesAt } from './queries'

/** Reads what the body of an event is made of, besides the event. A few reads, the same number for every person. */
export async function loadFacts(ctx: Context, project: ProjectState, event: FormatEvent): Promise<VendorFacts> {
  const { subscriberId } = event
  const [person, special] = await Promise.all([
    subscriberId === null ? null : loadPerson(ctx, project.id, subscriberId),
    loadSpecial(ctx, project, event),
  ])
  const facts = { ...NO_FACTS, ...special, person }
  return { ...facts, products: productsOf(project, productIdsOf(event, facts)) }
}

/** What only some types of events need. */
async function loadSpecial(ctx: Context, project: ProjectState, event: FormatEvent): Promise<Partial<VendorFacts>> {
  switch (event.type) {
    case 'subscriber.transferred':
      return loadTransferred(ctx, project, event)
    case 'currency.transaction':
      return loadCurrency(ctx, project, event)
    case 'experiment.exposed':
      return { offeringOfVariant: await loadOffering(ctx, event) }
    case 'funnel.claimed':
      return loadClaim(ctx, project, event)
    default:
      return loadPurchase(ctx, project, event)
  }
}

async function loadPurchase(ctx: Context, project: ProjectState, event: FormatEvent): Promise<Partial<VendorFacts>> {
  const images = purchaseImages(event)
  if (!images) return {}
  const { id } = images.after
  const [row, lines] = await Promise.all([findPurchase(ctx, project.id, id), listLinesOfPurchase(ctx, id)])
  if (!row) return { purchase: null }
  return {
    purchase: { ...toPurchaseFacts(project, row, lines), commission: commissionOf(project, row, lines, images) },
  }
}

/** Of the charge that an event is about; null for a grant, which has no price. */
function commissionOf(
  { commission }: ProjectState,
  { store, fold: { productType } }: PurchaseRow,
  lines: readonly TransactionRow[],
  { after, transaction }: PurchaseImages,
): number | null {
  if (store === 'MANUAL') return null
  const named = transaction?.storeTransactionId ?? after.storeTransactionId
  const charge = lines.find((line) => isCharge(line) && line.storeTransactionId === named)
  const chargedAt = charge?.occurredAt ?? Date.parse(after.purchaseDate)
  const paidSince = firstPaid(lines, ({ amountMicros }) => amountMicros)?.occurredAt ?? null
  return commissionRate({ store, productType, chargedAt, paidSince }, commission) / MILLION
}

const MILLION = 1_000_000

function toPurchaseFacts({ catalog }: ProjectState, row: PurchaseRow, lines: readonly TransactionRow[]): PurchaseFacts {
  const { store, environment, productId, fold, accessIds, presentedContext } = row
  const offering = presentedContext?.offeringIdentifier
  return {
    ...{ store, environment, productId },
    storeProductId: fold.storeProductId,
    storeTransactionId: fold.storeTransactionId,
    grantedAccess: accessIds?.flatMap((id) => catalog.access.get(id)?.identifier ?? []) ?? null,
    offering: typeof offering === 'string' ? offering : null,
    hasTrial: lines.some(({ kind }) => kind === 'TRIAL'),
    commission: null,
  }
}

async function loadTransferred(ctx: Context, project: ProjectState, event: FormatEvent): Promise<Partial<VendorFacts>> {
  const { purchaseIds = [] } = dataOf<TransferData>(event)
  const [transfer, purchase] = await Promise.all([loadTransfer(ctx, event), firstSold(ctx, project, purchaseIds)])
  return { transfer, purchase }
}

/** The first of some purchases that was not granted by hand. */
async function firstSold(ctx: Context, project: ProjectState, ids: readonly string[]): Promise<PurchaseFacts | null> {
  const rows = ids.length === 0 ? [] : await findPurchases(ctx, project.id, ids.slice(0, 500))
  const sold = new Map(rows.filter(({ store }) => store !== 'MANUAL').map((row) => [row.id, row]))
  const first = ids.flatMap((id) => sold.get(id) ?? [])[0]
  return first ? toPurchaseFacts(project, first, []) : null
}

async function loadCurrency(ctx: Context, project: ProjectState, event: FormatEvent): Promise<Partial<VendorFacts>> {
  const { code, amount, balance, referenceType, referenceId } = dataOf<CurrencyData>(event)
  if (code === undefined || amount === undefined || balance === undefined || event.subscriberId === null) return {}
  const currency = project.catalog.currencyByCode.get(code)
  const ledger = { subscriberId: event.subscriberId, currencyId: currency?.id ?? code, at: event.occurredAt }
  const purchaseId = referenceType === 'purchase' ? (referenceId ?? null) : null
  const [entries, row, lines] = await Promise.all([
    listEntriesAt(ctx, ledger),
    purchaseId === null ? null : findPurchase(ctx, project.id, purchaseId),
    purchaseId === null ? [] : listLinesOfPurchase(ctx, purchaseId),
  ])
  const isEntry = (one: { amount: bigint; balance: bigint }) =>
    one.amount === fromJsonInteger(amount) && one.balance === fromJsonInteger(balance)
  const entry = entries.find(isEntry)
  const storeTransactionId = entry ? chargeOf(entry.grantReference, lines) : null
  const facts: LedgerFacts | null = entry
    ? { id: entry.id, currencyName: currency?.name ?? code, storeTransactionId }
    : null
  return { ledger: facts, purchase: row && toPurchaseFacts(project, row, lines) }
}

/** The store transaction of a grant: its reference names it, or it is the first charge that was paid. */
function chargeOf(grantReference: string | null, lines: readonly TransactionRow[]): string | null {
  const reference = grantReference?.replace(/^refund:/, '') ?? ''
  const named = lines.find(({ storeTransactionId: id }) =>
    [`renewal:${id}`, `txn:${id}`].some((one) => isOf(reference, one)),
  )
  const charges = lines.filter(({ kind }) => !['TRIAL', 'REFUND', 'REFUND_REVERSAL', 'CHARGEBACK'].includes(kind))
  const first = charges.toSorted((a, b) => a.occurredAt - b.occurredAt)[0]
  return (named ?? first)?.storeTransactionId ?? null
}

/** A grant of one of several lines names the line behind a slash; one that was made again has a number at the end. */
const isOf = (reference: string, base: string): boolean =>
  reference === base ||
  reference.startsWith(`${base}/`) ||
  (reference.startsWith(`${base}:`) && /^\d+$/.test(reference.slice(base.length + 1)))

async function loadOffering(ctx: Context, event: FormatEvent): Promise<string | null> {
  const { experimentId, variantId } = dataOf<ExposureData>(event)
  if (experimentId === undefined) return null
  const experiment = await findExperiment(ctx, event.projectId, { id: experimentId })
  if (experiment?.type !== 'OFFERING') return null
  const value = experiment.variants.find(({ id }) => id === variantId)?.value
  return typeof value === 'string' ? value : null
}

async function loadClaim(ctx: Context, project: ProjectState, event: FormatEvent): Promise<Partial<VendorFacts>> {
  const { fromSubscriberId } = dataOf<ClaimData>(event)
  if (fromSubscriberId === undefined || event.subscriberId === null) return {}
  const sides = { from: fromSubscriberId, to: event.subscriberId, until: event.recordedAt }
  const transfer = await findTransferBetween(ctx, sides)
  if (!transfer) return {}
  const [ids, purchase] = await Promise.all([
    sidesBefore(ctx, transfer),
    firstSold(ctx, project, transfer.moved.purchaseIds),
  ])
  return { transfer: ids, purchase }
}

/** The products that the event and its purchase name. */
function productIdsOf(event: FormatEvent, { purchase }: VendorFacts): string[] {
  const images = purchaseImages(event)
  const { fromProductId, toProductId } = event.data
  const ids = [images?.before?.productId, images?.after.productId, fromProductId, toProductId, purchase?.productId]
  return ids.filter((id) => typeof id === 'string')
}

const productsOf = (project: ProjectState, ids: readonly string[]): Record<string, FormatProduct> =>
  Object.fromEntries(ids.flatMap((id) => toEntry(project, id)))

function toEntry({ catalog }: ProjectState, id: string): [string, FormatProduct][] {
  const product = catalog.products.get(id)
  if (!product) return []
  const { displayName, type, iosId, androidId, androidBasePlanId, paymentId, accessIds } = product
  const access = accessIds.flatMap((one) => catalog.access.get(one)?.identifier ?? [])
  const isSubscription = type === 'SUBSCRIPTION'
  return [[id, { displayName, isSubscription, iosId, androidId, androidBasePlanId, paymentId, access }]]
}
