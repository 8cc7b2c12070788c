import { fromJsonInteger } from '../../../../base/lib/int64'
import { isChanged } from '../../../project-file/pair'
import type { IdsByName, Writing } from '../../../project-file/section'
import { changed, idOf } from '../../../project-file/stored'
import type { CatalogChanges } from '../../service'
import type { CurrencyGrant, Product } from '../../snapshot'
import { ACCESS } from '../access/model'
import { VIRTUAL_CURRENCIES } from '../virtual-currencies/model'
import type { GrantState, ProductState } from './model'

export type ProductChanges = Pick<CatalogChanges, 'products' | 'grants'>

/** The rows of the products that a plan changes, with all grants of each product. */
export function productRows({ pairs, ids }: Writing<unknown, ProductState>): ProductChanges {
  const changedPairs = pairs.filter((pair) => isChanged(pair))
  return {
    products: changed(pairs, (id, identifier, state) => rowOf(id, identifier, state, ids)),
    grants: changedPairs.flatMap(({ id, after }) => (after?.grants ?? []).map((grant) => grantRow(id, grant, ids))),
  }
}

const grantRow = (productId: string, { currency, amount, grantOn }: GrantState, ids: IdsByName): CurrencyGrant => ({
  productId,
  currencyId: idOf(ids.of(VIRTUAL_CURRENCIES), currency),
  amount: fromJsonInteger(amount),
  grantOn,
})

const rowOf = (id: string, identifier: string, state: ProductState, ids: IdsByName): Product => ({
  id,
  identifier,
  type: state.type,
  displayName: state.displayName,
  iosId: state.storeIds.ios,
  androidId: state.storeIds.android,
  paymentId: state.storeIds.payment,
  androidBasePlanId: state.androidBasePlanId,
  androidOfferId: state.androidOfferId,
  period: state.period,
  accessIds: state.accessIds.map((name) => idOf(ids.of(ACCESS), name)),
  isActive: state.isActive,
  metadata: state.metadata,
})
