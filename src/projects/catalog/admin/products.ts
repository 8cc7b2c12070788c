import type { Context } from '../../../base/context'
import type { ProductType } from '../../../stores/observation'
import { conflict, given, isSame, type ProjectActor } from '../../project/edit'
import { PRODUCTS } from '../project-file/product-form'
import { loadCatalog, type ProductRow } from '../queries'
import { MOST, type StoreIds } from '../rules'
import { findSoldProducts, writeCatalog } from '../service'
import type { CurrencyGrant } from '../snapshot'
import {
  type CatalogEdit,
  editCatalog,
  editStoreIds,
  refuseOverfull,
  refuseUnknown,
  requireObject,
  revised,
  stamped,
  type WithWaiting,
  withoutStamps,
} from './edit-catalog'
import { entryOf, type GrantingProduct, productImage } from './images'
import { refuseGrantFaults, refuseUnsoundProduct } from './product-checks'
import { ordered, type ProductView, toProductView } from './product-view'
import { refuseUsed } from './users'

export interface ProductInput {
  identifier: string
  type: ProductType
  displayName: string
  storeIds?: Partial<StoreIds>
  androidBasePlanId?: string | null
  androidOfferId?: string | null
  /** ISO 8601 duration. */
  period?: string | null
  /** What the built-in test store charges. */
  price?: ProductRow['price']
  accessIds?: string[]
  isActive?: boolean
  metadata?: Record<string, unknown>
}

/**
 * 400 `VALIDATION_ERROR`, `UNKNOWN_REFERENCES` or `PAYMENT_PRICE_NOT_FOUND`; 409 `IDENTIFIER_TAKEN`, `STORE_ID_TAKEN`,
 * or `CONFLICT` for the 2001st.
 */
export async function createProduct(ctx: Context, by: ProjectActor, input: ProductInput): Promise<SavedProduct> {
  await checkPrice(ctx, by.projectId, input.storeIds?.payment, null)
  return editStoreIds(ctx, by, async (edit) => revised(edit, await addProduct(edit, input)))
}

type SavedProduct = ProductView & WithWaiting

/** Adds a product within an open edit. */
export async function addProduct(edit: CatalogEdit, input: ProductInput): Promise<ReturnType<typeof toProductView>> {
  const product = { ...NEW, id: edit.tx.ids.next('prd'), ...toColumns(input), grants: [] }
  refuseUnsoundProduct(edit, product)
  refuseOverfull('products', edit.rows.products.length + 1, MOST.products)
  const { grants, ...row } = product
  const changes = { created: [row], updated: [], deletedIds: [] }
  await writeCatalog(edit.tx, edit.projectId, { products: changes })
  edit.entries.push(entryOf('product', 'create', { before: null, after: product }, productImage(edit.rows)))
  const saved = stamped(edit, row)
  edit.rows.products.push(saved)
  return toProductView(saved, grants)
}

const NEW = {
  identifier: '',
  type: 'SUBSCRIPTION' as ProductType,
  displayName: '',
  iosId: null,
  androidId: null,
  paymentId: null,
  androidBasePlanId: null,
  androidOfferId: null,
  period: null,
  price: null,
  accessIds: [] as string[],
  isActive: true,
  metadata: {},
}

function toColumns({ storeIds: { ios, android, payment } = {}, accessIds, ...input }: Partial<ProductInput>) {
  const unique = accessIds && [...new Set(accessIds)]
  return given({ ...input, iosId: ios, androidId: android, paymentId: payment, accessIds: unique })
}

/** Members that are left out keep their value, those of `storeIds` too. Refusals as for `createProduct`. */
export async function updateProduct(
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<ProductInput>,
): Promise<SavedProduct> {
  if (change.storeIds?.payment) {
    const { products } = await loadCatalog(ctx, by.projectId)
    const saved = products.find((row) => row.id === id)
    if (saved) await checkPrice(ctx, by.projectId, change.storeIds.payment, saved.paymentId)
  }
  return editStoreIds(ctx, by, async (edit) => {
    const { saved, product: before } = await requireProduct(edit, id)
    const after = { ...before, ...toColumns(change) } as GrantingProduct // `given` leaves out what is undefined.
    refuseUnsoundProduct(edit, after, before)
    return saveProduct(edit, saved, before, after)
  })
}

/**
 * Replaces what the product grants. 400 `CURRENCY_GRANT_INVALID`, or `UNKNOWN_REFERENCES` for an unknown or archived
 * currency; 409 `CONFLICT` for more than 20.
 */
export const setGrants = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  grants: readonly Omit<CurrencyGrant, 'productId'>[],
): Promise<ProductView> =>
  editCatalog(ctx, by, async (edit) => {
    const { saved, product: before } = await requireProduct(edit, id)
    const after = { ...before, grants: ordered(grants.map((grant) => ({ ...grant, productId: id }))) }
    const live = edit.rows.currencies.filter(({ archivedAt }) => archivedAt === null)
    const ids = grants.map(({ currencyId }) => currencyId)
    refuseUnknown('virtualCurrency', live, ids)
    refuseGrantFaults(after)
    refuseOverfull('grants', grants.length, MOST.grants)
    return saveProduct(edit, saved, before, after)
  })

/** 409 `CONFLICT` when it was bought, or an offering has it. */
export const deleteProduct = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editCatalog(ctx, by, async (edit) => {
    const { product: before } = await requireProduct(edit, id)
    const sold = await findSoldProducts(edit.tx, edit.projectId, [id])
    if (sold.has(id)) throw conflict(`${before.identifier} has purchases, which keep it; set isActive to false instead`)
    await refuseUsed(edit, PRODUCTS, before.identifier)
    const changes = { created: [], updated: [], deletedIds: [id] }
    await writeCatalog(edit.tx, edit.projectId, { products: changes })
    edit.entries.push(entryOf('product', 'delete', { before, after: null }, productImage(edit.rows)))
  })

async function requireProduct(edit: CatalogEdit, id: string): Promise<{ saved: ProductRow; product: GrantingProduct }> {
  const saved = await requireObject(edit, 'product', edit.rows.products, id)
  const grants = ordered(edit.rows.grants.filter(({ productId }) => productId === id).map(toGrant))
  return { saved, product: { ...withoutStamps(saved), grants } }
}

const toGrant = ({ productId, currencyId, amount, grantOn }: CurrencyGrant): CurrencyGrant => ({
  productId,
  currencyId,
  amount,
  grantOn,
})

async function saveProduct(
  edit: CatalogEdit,
  saved: ProductRow,
  before: GrantingProduct,
  after: GrantingProduct,
): Promise<ProductView> {
  const image = productImage(edit.rows)
  if (isSame(image(before), image(after))) return revised(edit, toProductView(saved, before.grants))
  const { grants, ...row } = after
  const changes = { created: [], updated: [row], deletedIds: [] }
  await writeCatalog(edit.tx, edit.projectId, { products: changes, grants })
  edit.entries.push(entryOf('product', 'update', { before, after }, image))
  return revised(edit, toProductView(stamped(edit, { ...row, accessIds: [...row.accessIds] }, saved.createdAt), grants))
}

/** Asks the payment provider about a new price, before the transaction. */
async function checkPrice(
  ctx: Context,
  projectId: string,
  priceId: string | null | undefined,
  saved: string | null,
): Promise<void> {
  if (priceId == null || priceId === saved) return
  for (const check of ctx.hooks.checkPaymentPrice ?? []) await check(ctx, projectId, priceId)
}
