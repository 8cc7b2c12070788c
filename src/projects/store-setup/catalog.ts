import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { listAnswer, readCursor, toList } from '../../base/http/list'
import type { ProjectState } from '../project/state'
import type { StoreName, StoreProduct } from './model'

const strict = { additionalProperties: false }
const TextOrNull = Type.Union([Type.String(), Type.Null()])

const OfferView = Type.Object({ id: Type.String(), status: Type.String() }, strict)
const BasePlanView = Type.Object(
  { id: Type.String(), period: TextOrNull, status: Type.String(), offers: Type.Array(OfferView) },
  strict,
)

export const StoreProductView = Type.Object(
  {
    storeId: Type.String(),
    name: Type.String(),
    type: Type.Union(
      [
        Type.Literal('SUBSCRIPTION'),
        Type.Literal('CONSUMABLE'),
        Type.Literal('NON_CONSUMABLE'),
        Type.Literal('ONE_TIME'),
      ],
      { description: 'ONE_TIME: the store does not say whether it is used up' },
    ),
    basePlans: Type.Array(BasePlanView, {
      description: 'Of the Android store: base plans of a subscription, purchase options of a one-time product',
    }),
    status: Type.String({ description: "The store's own word, such as APPROVED, ACTIVE or ARCHIVED" }),
    period: { ...TextOrNull, description: 'ISO 8601 duration of one period' },
  },
  { ...strict, title: 'StoreProduct' },
)

export const StoreCatalogAnswer = listAnswer(StoreProductView)

/** Everything that a store sells for the project, by its id at the store. Calls the store. */
export async function listStoreProducts(
  ctx: Context,
  project: ProjectState,
  store: StoreName,
): Promise<StoreProduct[]> {
  const catalog = ctx.hooks.storeCatalogs?.find((one) => one.store === store)
  if (!catalog) throw notFound('catalogue of the store', store)
  const products = new Map((await catalog.list(ctx, project)).map((product) => [product.storeId, product]))
  return [...products.values()].sort((a, b) => (a.storeId < b.storeId ? -1 : 1))
}

/** One page of a store's catalogue. */
export async function pageOfCatalog(
  ctx: Context,
  project: ProjectState,
  store: StoreName,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<Static<typeof StoreCatalogAnswer>['data']> {
  const scope = ['storeCatalog', project.id, store]
  const after = readCursor(cursor, scope, 1)?.[0] ?? null
  const all = await listStoreProducts(ctx, project, store)
  const rest = after === null ? all : all.filter(({ storeId }) => storeId > String(after))
  return toList(rest.slice(0, limit + 1), limit, scope, {
    positionOf: ({ storeId }) => [storeId],
    toItem: (product) => product,
  })
}
