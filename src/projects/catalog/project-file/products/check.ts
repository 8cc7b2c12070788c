import { lost, over, tooMany } from '../../../project-file/checks'
import type { Live } from '../../../project-file/model'
import { gone, live } from '../../../project-file/pair'
import { type Path, type Problem, problem } from '../../../project-file/problem'
import type { Checking } from '../../../project-file/section'
import { PRODUCTS, type ProductState } from './model'

/** Limits for a project, and for one product (wire section 6). */
const MAX_PRODUCTS = 2000
const MAX_GRANTS = 20

/** Refuses pruning a product that is in use, a store id that another product has, and too many products or grants. */
export const checkProducts = ({ pairs, users }: Checking<ProductState, unknown, ProductState>): Problem[] => [
  ...lost(PRODUCTS, gone(pairs), users),
  ...takenStoreIds(live(pairs)),
  ...tooMany(PRODUCTS, pairs, MAX_PRODUCTS),
  ...live(pairs).flatMap(({ path, after }) =>
    path === null ? [] : over([...path, 'grants'], 'grants', after.grants.length, MAX_GRANTS),
  ),
]

const STORES = ['ios', 'android', 'payment'] as const

/** A store id belongs to one product; an Android id belongs to one product for each base plan. */
function takenStoreIds(products: readonly Live<ProductState>[]): Problem[] {
  const holders = new Map<string, Live<ProductState>>()
  const problems: Problem[] = []
  for (const product of products.toSorted((a, b) => Number(a.path !== null) - Number(b.path !== null)))
    for (const store of STORES) {
      const storeId = product.after.storeIds[store]
      const key = `${store} ${storeId} ${store === 'android' ? (product.after.androidBasePlanId ?? '') : ''}`
      const holder = holders.get(key)
      if (storeId === null) continue
      if (!holder) holders.set(key, product)
      else if (product.path !== null) problems.push(takenStoreId(product.path, store, storeId, holder))
    }
  return problems
}

function takenStoreId(path: Path, store: string, storeId: string, holder: Live<ProductState>): Problem {
  const product = { id: holder.id, identifier: holder.name }
  return problem(
    [...path, 'storeIds', store],
    `${storeId} is the ${store} id of ${holder.name} already`,
    'STORE_ID_TAKEN',
    { store, storeId, product },
  )
}
