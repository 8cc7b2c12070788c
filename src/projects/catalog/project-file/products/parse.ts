import { isPeriod } from '../../../../base/lib/period'
import type { ProductType } from '../../../../stores/observation'
import { label, metadata, reference } from '../../../project-file/fields'
import type { Wanted } from '../../../project-file/model'
import { objects } from '../../../project-file/objects'
import { bool, checkedText, int64, list, object, oneOf, type Read } from '../../../project-file/reader'
import { checkGrants, type GrantFault } from '../../grants'
import type { GrantOn } from '../../tables'
import { ACCESS } from '../access/model'
import { VIRTUAL_CURRENCIES } from '../virtual-currencies/model'
import { byCurrency, type GrantState, type ProductState } from './model'

const PRODUCT_TYPES: readonly ProductType[] = ['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE']
const GRANT_TRIGGERS: readonly GrantOn[] = ['PURCHASE', 'RENEWAL', 'BOTH']

// The plan checks the real limit and refuses with CONFLICT; this one only bounds the work.
const MANY = 5000

const storeId: Read<string> = label

const period: Read<string> = checkedText(32, (value) =>
  isPeriod(value) ? null : 'This must be an ISO 8601 period of whole years, months, weeks or days, like P1M',
)

const NO_STORE_IDS = { ios: null, android: null, payment: null }

const storeIds: Read<ProductState['storeIds']> = object((members) => ({
  ios: members.optional<string | null>('ios', storeId, null),
  android: members.optional<string | null>('android', storeId, null),
  payment: members.optional<string | null>('payment', storeId, null),
}))

const grant: Read<GrantState> = object((members) => ({
  currency: members.required('currency', reference(VIRTUAL_CURRENCIES), ''),
  amount: members.required('amount', int64(1), 1),
  grantOn: members.required<GrantOn>('on', oneOf(GRANT_TRIGGERS), 'PURCHASE'),
}))

/** The currency grants of a product of this type, sorted by currency and trigger. */
const grants =
  (type: ProductType): Read<GrantState[]> =>
  (spot) => {
    const found = list(grant, MANY)(spot) ?? []
    for (const { index, reason, currency } of checkGrants(type, found))
      spot
        .at(index, spot.node)
        .fail(
          GRANT_FAULTS[reason],
          'CURRENCY_GRANT_INVALID',
          reason === 'granted_twice' ? { reason, currency } : { reason },
        )
    return found.sort(byCurrency)
  }

const GRANT_FAULTS: Record<GrantFault['reason'], string> = {
  renewal_needs_subscription: 'Only a subscription can grant on renewal',
  granted_twice: 'This currency is granted twice on the same trigger',
}

export const parseProducts: Read<Wanted<ProductState>[]> = objects((members) => {
  const type = members.required<ProductType>('type', oneOf(PRODUCT_TYPES), 'SUBSCRIPTION')
  return {
    type,
    displayName: members.required('displayName', label, ''),
    period: members.optional<string | null>('period', period, null),
    storeIds: members.optional('storeIds', storeIds, NO_STORE_IDS),
    androidBasePlanId: members.optional<string | null>('androidBasePlanId', storeId, null),
    androidOfferId: members.optional<string | null>('androidOfferId', storeId, null),
    accessIds: [...new Set(members.optional('access', list(reference(ACCESS), MANY), []))],
    isActive: members.optional('isActive', bool, true),
    metadata: members.optional('metadata', metadata, {}),
    grants: members.optional('grants', grants(type), []),
  }
})
