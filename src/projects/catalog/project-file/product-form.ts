import type { JsonInteger } from '../../../base/lib/int64'
import { isPeriod } from '../../../base/lib/period'
import type { ProductType } from '../../../stores/observation'
import { currency, label, metadata, reference } from '../../project-file/fields'
import { type Formed, form, may, must, orNone } from '../../project-file/form'
import { sectionKey } from '../../project-file/model'
import { bool, checkedText, int64, integer, list, oneOf, type Spot, unique } from '../../project-file/reader'
import { checkGrants, type GrantFault } from '../grants'
import { MAX_PRICE_MICROS } from '../rules'
import type { GrantOn } from '../tables'
import { ACCESS } from './access'
import { VIRTUAL_CURRENCIES } from './virtual-currencies'

const PRODUCT_TYPES: readonly ProductType[] = ['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE']
const GRANT_TRIGGERS: readonly GrantOn[] = ['PURCHASE', 'RENEWAL', 'BOTH']

// The plan checks the real limit and refuses with CONFLICT; this one only bounds the work.
const MANY = 5000

const period = checkedText(32, (value) =>
  isPeriod(value) ? null : 'This must be an ISO 8601 period of whole years, months, weeks or days, like P1M',
)

export const PRICE = form({ amountMicros: must(integer(1, MAX_PRICE_MICROS), 1), currency: must(currency, 'USD') })

const STORE_IDS = form({ ios: orNone(label), android: orNone(label), payment: orNone(label) })

const GRANT = form({
  currency: must(reference(VIRTUAL_CURRENCIES), ''),
  amount: must<JsonInteger>(int64(1), 1),
  grantOn: must(oneOf(GRANT_TRIGGERS), 'PURCHASE', 'on'),
})

export type GrantState = Formed<typeof GRANT>

export const PRODUCT = form(
  {
    type: must(oneOf(PRODUCT_TYPES), 'SUBSCRIPTION'),
    displayName: must(label, ''),
    period: orNone(period),
    price: orNone(PRICE),
    storeIds: may(STORE_IDS, { ios: null, android: null, payment: null }),
    androidBasePlanId: orNone(label),
    androidOfferId: orNone(label),
    accessIds: may(unique(list(reference(ACCESS), MANY)), [], 'access'),
    isActive: may(bool, true),
    metadata: may(metadata, {}),
    /** Sorted by currency and trigger. */
    grants: may(list(GRANT, MANY), []),
  },
  (state, spot) => {
    refuseGrants(state, spot)
    return { ...state, grants: state.grants.toSorted(byCurrency) }
  },
)

export type ProductState = Formed<typeof PRODUCT>

export const PRODUCTS = sectionKey<ProductState>('products', 'product')

function refuseGrants({ type, grants }: { type: ProductType; grants: GrantState[] }, spot: Spot): void {
  for (const { index, reason, currency: code } of checkGrants(type, grants)) {
    const details = reason === 'granted_twice' ? { reason, currency: code } : { reason }
    spot.failAt(['grants', index], GRANT_FAULTS[reason], 'CURRENCY_GRANT_INVALID', details)
  }
}

const GRANT_FAULTS: Record<GrantFault['reason'], string> = {
  renewal_needs_subscription: 'Only a subscription can grant on renewal',
  granted_twice: 'This currency is granted twice on the same trigger',
}

export const byCurrency = (a: GrantState, b: GrantState): number => (keyOf(a) < keyOf(b) ? -1 : 1)

const keyOf = (grant: GrantState): string => `${grant.currency} ${grant.grantOn}`
