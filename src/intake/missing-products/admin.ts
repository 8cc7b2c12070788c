import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { loadCatalogRows } from '../../projects/catalog/service'
import type { ProjectActor } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import { catalogFile } from './catalog-file'
import { createMissing, planMissing } from './create'
import { listWaitingProducts, type WaitingProduct } from './list'
import type { ProductFacts, ProductPlan } from './plan'

export interface MissingOrder {
  dryRun?: boolean | undefined
  /** Absent = all that purchases of people wait for. */
  products?: readonly { store: WaitingProduct['store']; storeProductId: string }[] | undefined
  /** What each of them gives. */
  accessIds?: readonly string[] | undefined
}

export interface MissingProducts extends ProductPlan {
  isDryRun: boolean
  waitingPurchases: number
  catalog: string | null
}

/**
 * Creates the products that purchases wait for, as the purchases tell them. `dryRun` only tells what it would create. 400
 * `UNKNOWN_REFERENCES` for an access of another project, `VALIDATION_ERROR` for a product that nothing waits for; 409
 * `CONFLICT` when there is none to create, or when the catalogue cannot take as many.
 */
export async function createWaitingProducts(
  ctx: Context,
  by: ProjectActor,
  project: ProjectState,
  { dryRun = false, products, accessIds = [] }: MissingOrder,
): Promise<MissingProducts> {
  const entitlements = await identifiersOf(ctx, project.id, accessIds)
  const waiting = await findWaiting(ctx, project, products)
  const facts = waiting.map((one) => toFacts(one, entitlements))
  const plan = dryRun
    ? { ...(await planMissing(ctx, project.id, facts)), waitingPurchases: 0 }
    : await createMissing(ctx, by, facts, nothingOf)
  return { isDryRun: dryRun, ...plan, catalog: catalogFile(project.slug, plan, HEAD) }
}

const HEAD = [
  'Products that people bought and the catalogue does not have.',
  'Types and periods are read from the purchases: look through them, then: svc apply -f <this file>',
]

async function identifiersOf(ctx: Context, projectId: string, accessIds: readonly string[]): Promise<string[]> {
  const { access } = await loadCatalogRows(ctx, projectId)
  const unknown = accessIds.filter((id) => !access.some((one) => one.id === id))
  if (unknown.length > 0) throw new AppError('UNKNOWN_REFERENCES', { resource: 'access', ids: unknown })
  return access.filter(({ id }) => accessIds.includes(id)).map(({ identifier }) => identifier)
}

const MOST = 1000
const PAGE = 200

async function findWaiting(
  ctx: Context,
  project: ProjectState,
  named: MissingOrder['products'],
): Promise<WaitingProduct[]> {
  const all = await listAllWaiting(ctx, project)
  if (!named) return all.filter(({ state }) => state === 'MISSING')
  return named.map(({ store, storeProductId }, index) => {
    const found = all.find((one) => one.store === store && one.storeProductId === storeProductId)
    if (found) return found
    throw invalid(`products/${index}: no purchase waits for ${storeProductId}`)
  })
}

/** The store products that something waits for; at most the first thousand, because the catalogue cannot take many more. */
export async function listAllWaiting(ctx: Context, project: ProjectState): Promise<WaitingProduct[]> {
  const found: WaitingProduct[] = []
  for (let after: readonly (string | number)[] | null = null; ; ) {
    const { rows, next } = await listWaitingProducts(ctx, project, { after, limit: PAGE })
    found.push(...rows)
    if (next === null || found.length >= MOST) return found
    after = next
  }
}

const toFacts = (
  { store, storeProductId, type, period, purchases, sales }: WaitingProduct,
  entitlements: string[],
): ProductFacts => ({
  ...{ store, identifier: storeProductId, rows: purchases + sales, type, period, name: null, entitlements },
})

const nothingOf = ({ skipped }: ProductPlan): string =>
  skipped.every(({ reason }) => reason === 'EXISTS')
    ? 'No purchase waits for a product that the catalogue does not have'
    : 'None of the products can be created; `dryRun` says why'
