import { lost, over, tooMany } from '../../../project-file/checks'
import type { Live } from '../../../project-file/model'
import { gone, live } from '../../../project-file/pair'
import { type Path, type Problem, problem } from '../../../project-file/problem'
import type { Checking } from '../../../project-file/section'
import { lacksPeriod, MOST, PERIOD_MISSING, storeIdClashes } from '../../rules'
import { PRODUCTS, type ProductState } from './model'

/** Refuses pruning a product that is in use, a store id that another product has, and too many products or grants. */
export const checkProducts = ({ pairs, users, isWhole }: Checking<ProductState, unknown, ProductState>): Problem[] => [
  ...lost(PRODUCTS, gone(pairs), users),
  ...takenStoreIds(live(pairs)),
  ...live(pairs).flatMap((product) =>
    product.path && isWhole(product.path) ? missingPeriod(product, product.path) : [],
  ),
  ...tooMany(PRODUCTS, pairs, MOST.products),
  ...live(pairs).flatMap(({ path, after }) =>
    path === null ? [] : over([...path, 'grants'], 'grants', after.grants.length, MOST.grants),
  ),
]

/** What is saved without a period already may stay so. */
const missingPeriod = ({ before, after }: Live<ProductState>, path: Path): Problem[] =>
  !lacksPeriod(soldAs(after)) || (before && lacksPeriod(soldAs(before)))
    ? []
    : [problem([...path, 'period'], PERIOD_MISSING)]

const soldAs = ({ type, period, storeIds }: ProductState) => ({ type, period, iosId: storeIds.ios })

/** A product outside of the file keeps its ids. */
function takenStoreIds(products: readonly Live<ProductState>[]): Problem[] {
  const ordered = products.toSorted((a, b) => Number(a.path !== null) - Number(b.path !== null))
  return storeIdClashes(ordered, ({ after }) => after).flatMap(({ product, store, storeId, holder }) =>
    product.path === null ? [] : takenStoreId(product.path, store, storeId, holder),
  )
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
