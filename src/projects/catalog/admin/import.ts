import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { isPeriod } from '../../../base/lib/period'
import type { ProjectActor } from '../../project/edit'
import type { StoreCatalogItem } from '../hooks'
import { type CatalogStore, lacksPeriod } from '../rules'
import type { Product } from '../snapshot'
import { type CatalogEdit, editStoreIds, revised, type WithWaiting } from './edit-catalog'
import type { ProductView } from './product-view'
import { addProduct, type ProductInput } from './products'

export interface ImportOrder {
  store: CatalogStore
  storeIds: readonly string[]
}

/**
 * EXISTS: a product has the store id. NOT_FOUND: the store does not list it. NO_PERIOD: the store does not tell the period
 * of a subscription that needs one, so the product is made by hand.
 */
export interface Skipped {
  storeId: string
  reason: 'EXISTS' | 'NOT_FOUND' | 'NO_PERIOD'
}

export interface Imported {
  created: ProductView[]
  skipped: Skipped[]
}

/**
 * Makes products for ids of a store, one for each base plan of an Android subscription. 400 `STORE_NOT_CONFIGURED` when
 * no store answers for the project.
 */
export async function importProducts(
  ctx: Context,
  by: ProjectActor,
  { store, storeIds }: ImportOrder,
): Promise<Imported & WithWaiting> {
  const [listCatalog] = ctx.hooks.storeCatalog ?? []
  if (!listCatalog) throw new AppError('STORE_NOT_CONFIGURED')
  const listed = new Map((await listCatalog(ctx, by.projectId, store)).map((item) => [item.storeId, item]))
  return editStoreIds(ctx, by, async (edit) => {
    const imported: Imported = { created: [], skipped: [] }
    for (const storeId of new Set(storeIds)) {
      const item = listed.get(storeId)
      if (!item) imported.skipped.push({ storeId, reason: 'NOT_FOUND' })
      else await importItem(edit, store, item, imported)
    }
    return imported
  })
}

async function importItem(
  edit: CatalogEdit,
  store: CatalogStore,
  { storeId, name, type, basePlans, period }: StoreCatalogItem,
  { created, skipped }: Imported,
): Promise<void> {
  const plans = store === 'android' && basePlans.length > 0 ? basePlans : [{ id: null, period }]
  const missing = plans.filter(({ id }) => !edit.rows.products.some((product) => isOf(product, store, storeId, id)))
  if (missing.length === 0) skipped.push({ storeId, reason: 'EXISTS' })
  for (const plan of missing) {
    if (lacksPeriod({ type, period: periodOf(plan.period), iosId: store === 'ios' ? storeId : null })) {
      skipped.push({ storeId, reason: 'NO_PERIOD' })
      continue
    }
    const identifier = freeIdentifier(edit, plan.id === null ? storeId : `${storeId}.${plan.id}`)
    const input: ProductInput = {
      identifier,
      type,
      displayName: labelOf(name, storeId),
      storeIds: { [store]: storeId },
      androidBasePlanId: plan.id,
      period: periodOf(plan.period),
    }
    created.push(await revised(edit, await addProduct(edit, input)))
  }
}

const COLUMNS = { ios: 'iosId', android: 'androidId', payment: 'paymentId' } as const

const isOf = (product: Product, store: CatalogStore, storeId: string, plan: string | null): boolean =>
  product[COLUMNS[store]] === storeId && (plan === null || product.androidBasePlanId === plan)

const MAX_LABEL = 255

/** A name that can be saved: NUL is left out, and no half of a surrogate pair is at its end. */
export function labelOf(name: string, storeId: string): string {
  const text = name.replaceAll('\0', '').toWellFormed().trim() || storeId
  const isCut = text.length > MAX_LABEL && !text.slice(0, MAX_LABEL).isWellFormed()
  return text.slice(0, isCut ? MAX_LABEL - 1 : MAX_LABEL)
}

/** A store may use periods that a product cannot have; then the period is left open. */
const periodOf = (given: string | null): string | null => (given !== null && isPeriod(given) ? given : null)

const MAX_IDENTIFIER = 64

const freeIdentifier = ({ rows }: CatalogEdit, storeId: string): string =>
  untakenIdentifier(new Set(rows.products.map(({ identifier }) => identifier)), storeId)

/** A name of a store in the form of an identifier: `price_1`, or `price_1-2` when that is taken. */
export function untakenIdentifier(taken: ReadonlySet<string>, storeId: string): string {
  const base = storeId.replace(/[^A-Za-z0-9$_.-]/g, '_')
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `-${number}`
    const candidate = base.slice(0, MAX_IDENTIFIER - ending.length) + ending
    if (!taken.has(candidate)) return candidate
  }
}
