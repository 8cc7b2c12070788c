import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { addAccess } from '../../projects/catalog/admin/access'
import { type CatalogEdit, editStoreIds, type WithWaiting } from '../../projects/catalog/admin/edit-catalog'
import { addProduct } from '../../projects/catalog/admin/products'
import { loadCatalogRows } from '../../projects/catalog/service'
import { conflict, type ProjectActor } from '../../projects/project/edit'
import type { NewProduct, ProductFacts, ProductPlan } from './plan'
import { planned } from './planned'

/** What would be created of the products. Nothing is written. */
export async function planMissing(
  ctx: Context,
  projectId: string,
  facts: readonly ProductFacts[],
): Promise<ProductPlan> {
  const unsold = await withoutPrices(ctx, projectId, facts)
  return planned(facts, unsold, await loadCatalogRows(ctx, projectId))
}

/**
 * Creates the products, with the accesses that they give. Purchases that wait for them get them in the background. 409
 * `CONFLICT` when there is none to create, with the sentence of `nothingOf`, or when the catalogue cannot take as many.
 */
export async function createMissing(
  ctx: Context,
  by: ProjectActor,
  facts: readonly ProductFacts[],
  nothingOf: (plan: ProductPlan) => string,
): Promise<ProductPlan & WithWaiting> {
  const unsold = await withoutPrices(ctx, by.projectId, facts)
  return editStoreIds(ctx, by, async (edit) => {
    const plan = planned(facts, unsold, edit.rows)
    if (plan.products.length === 0) throw conflict(nothingOf(plan))
    await write(edit, plan)
    return plan
  })
}

const AT_ONCE = 8

/** Prices that the payment provider does not have. It is asked before the transaction. */
async function withoutPrices(
  ctx: Context,
  projectId: string,
  facts: readonly ProductFacts[],
): Promise<ReadonlySet<string>> {
  const { products } = planned(facts, new Set(), await loadCatalogRows(ctx, projectId))
  const prices = products.flatMap(({ storeIds }) => storeIds.payment ?? [])
  const missing = new Set<string>()
  for (let start = 0; start < prices.length; start += AT_ONCE) {
    const some = prices.slice(start, start + AT_ONCE)
    const found = await Promise.all(some.map((price) => isSold(ctx, projectId, price)))
    for (const [index, price] of some.entries()) if (!found[index]) missing.add(price)
  }
  return missing
}

async function isSold(ctx: Context, projectId: string, price: string): Promise<boolean> {
  try {
    for (const check of ctx.hooks.checkPaymentPrice ?? []) await check(ctx, projectId, price)
    return true
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'PAYMENT_PRICE_NOT_FOUND') return false
    throw error
  }
}

async function write(edit: CatalogEdit, { access, products }: ProductPlan): Promise<void> {
  for (const one of access) await addAccess(edit, one)
  const idOf = new Map(edit.rows.access.map(({ id, identifier }) => [identifier, id]))
  for (const one of products) await addProduct(edit, toInput(one, idOf))
}

function toInput({ access, rows, ...product }: NewProduct, idOf: ReadonlyMap<string, string>) {
  return { ...product, accessIds: access.flatMap((identifier) => idOf.get(identifier) ?? []) }
}
