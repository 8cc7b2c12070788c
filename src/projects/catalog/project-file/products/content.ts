import { type Content, contentByName, sortDeep, unless, withoutEmpty } from '../../../project-file/content'
import type { Saved } from '../../../project-file/model'
import type { ProductState } from './model'

/** The content of the products in an exported file. */
export const productsContent = (saved: readonly Saved<ProductState>[]): Content => contentByName(saved, productContent)

const productContent = (state: ProductState): Content =>
  withoutEmpty({
    type: state.type,
    displayName: state.displayName,
    period: state.period,
    storeIds: withoutEmpty(state.storeIds),
    androidBasePlanId: state.androidBasePlanId,
    androidOfferId: state.androidOfferId,
    access: state.accessIds,
    isActive: unless(true, state.isActive),
    metadata: sortDeep(state.metadata),
    grants: state.grants.map(({ currency, amount, grantOn }) => ({ currency, amount, on: grantOn })),
  })
