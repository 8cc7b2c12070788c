import { AppError } from '../../../base/errors'
import { refuseFaults } from '../../project/edit'
import { checkGrants } from '../grants'
import { checkMembers, lacksPeriod, PERIOD_MISSING, storeIdClashes } from '../rules'
import type { Product } from '../snapshot'
import { type CatalogEdit, refuseTaken, refuseUnknown } from './edit-catalog'
import type { GrantingProduct } from './images'

const soldAs = ({ iosId, androidId, paymentId, androidBasePlanId }: Product) => ({
  storeIds: { ios: iosId, android: androidId, payment: paymentId },
  androidBasePlanId,
})

/**
 * What a product must be to be saved. `before` is the saved one: what it lacks already is not refused. 400
 * `VALIDATION_ERROR`, `UNKNOWN_REFERENCES` (access) or `CURRENCY_GRANT_INVALID`, 409 `IDENTIFIER_TAKEN` or
 * `STORE_ID_TAKEN`.
 */
export function refuseUnsoundProduct(
  { rows }: CatalogEdit,
  product: GrantingProduct,
  before: GrantingProduct | null = null,
): void {
  const isMissing = lacksPeriod(product) && !(before && lacksPeriod(before))
  refuseFaults([...checkMembers(product), ...(isMissing ? [{ path: 'period', message: PERIOD_MISSING }] : [])])
  refuseUnknown('access', rows.access, product.accessIds)
  refuseGrantFaults(product)
  const named = rows.products.map(({ id, identifier: name }) => ({ id, name }))
  refuseTaken('product', named, { id: product.id, name: product.identifier })
  const others: Product[] = rows.products.filter(({ id }) => id !== product.id)
  const clash = storeIdClashes([...others, product], soldAs).find((found) => found.product.id === product.id)
  if (!clash) return
  const { store, storeId, holder } = clash
  const { id, identifier } = holder
  throw new AppError('STORE_ID_TAKEN', { store, storeId, product: { id, identifier } })
}

const GRANT_FAULTS = {
  renewal_needs_subscription: 'Only a subscription can grant on renewal',
  granted_twice: 'A currency is granted twice on the same trigger',
}

/** 400 `CURRENCY_GRANT_INVALID` for the first fault. */
export function refuseGrantFaults({ type, grants }: Pick<GrantingProduct, 'type' | 'grants'>): void {
  const [fault] = checkGrants(
    type,
    grants.map(({ currencyId: currency, grantOn }) => ({ currency, grantOn })),
  )
  if (!fault) return
  const { reason, currency } = fault
  const details = reason === 'granted_twice' ? { reason, currency } : { reason }
  throw new AppError('CURRENCY_GRANT_INVALID', details, { message: GRANT_FAULTS[reason] })
}
