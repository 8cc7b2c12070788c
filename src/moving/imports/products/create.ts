import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { addAccess } from '../../../projects/catalog/admin/access'
import { type CatalogEdit, editCatalog } from '../../../projects/catalog/admin/edit-catalog'
import { addProduct } from '../../../projects/catalog/admin/products'
import { loadCatalogRows } from '../../../projects/catalog/service'
import { conflict, type ProjectActor } from '../../../projects/project/edit'
import { refuseState } from '../machine'
import type { ProductFacts } from '../model'
import type { ImportJobRow } from '../queries'
import { requireJob } from '../views'
import { catalogFile } from './catalog-file'
import { type NewProduct, type ProductPlan, planProducts } from './plan'
import { planned } from './planned'

/** The products of a file, planned or created. */
export interface ImportProducts extends ProductPlan {
  isDryRun: boolean
  /** A project file with the same accesses and products; null without products. */
  catalog: string | null
}

/**
 * Creates the products that an import names and the catalogue does not have, with the accesses that they give by the file.
 * `dryRun` only tells them. 404 for an import of another project, 409 `IMPORT_JOB_STATE` before its dry run has ended, 409
 * `CONFLICT` when there is none to create, or when the catalogue cannot take as many.
 */
export async function createImportProducts(
  ctx: Context,
  by: ProjectActor,
  id: string,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): Promise<ImportProducts> {
  const job = await requireJob(ctx, by.projectId, id)
  const facts = factsOf(job)
  const rows = await loadCatalogRows(ctx, by.projectId)
  const unsold = await withoutPrices(ctx, by.projectId, planProducts(facts, rows))
  if (dryRun) return toAnswer(job, planned(facts, unsold, rows), true)
  return editCatalog(ctx, by, async (edit) => {
    const plan = planned(facts, unsold, edit.rows)
    if (plan.products.length === 0) throw conflict(nothingOf(plan))
    await write(edit, plan)
    return toAnswer(job, plan, false)
  })
}

function factsOf({ status, findings }: ImportJobRow): readonly ProductFacts[] {
  refuseState('createProducts', status)
  if (!findings.products) throw new AppError('IMPORT_JOB_STATE', { action: 'createProducts', state: status })
  return findings.products
}

function nothingOf({ skipped }: ProductPlan): string {
  if (skipped.length === 0) return 'The import names no product that the catalogue does not have'
  return skipped.every(({ reason }) => reason === 'EXISTS')
    ? 'The catalogue has every product of the import by now; try the import again to see it'
    : 'None of the products of the import can be created; `dryRun` says why'
}

const AT_ONCE = 8

/** Prices that the payment provider does not have. It is asked before the transaction. */
async function withoutPrices(ctx: Context, projectId: string, { products }: ProductPlan): Promise<ReadonlySet<string>> {
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

const toAnswer = (job: ImportJobRow, plan: ProductPlan, isDryRun: boolean): ImportProducts => ({
  ...{ isDryRun, ...plan, catalog: catalogFile(plan, job.fileName) },
})
