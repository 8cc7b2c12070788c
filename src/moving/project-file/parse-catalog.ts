import { checkGrants, type GrantFault } from '../../projects/catalog/grants'
import type { GrantOn } from '../../projects/catalog/tables'
import type { Clawback } from '../../projects/project/settings'
import type { ProductType } from '../../stores/observation'
import { description, identifier, label, metadata, period, reference, storeId } from './fields'
import type { AccessState, CurrencyState, GrantState, OfferingState, PackageState, ProductState, Wanted } from './model'
import { bool, integer, list, object, oneOf, type Read } from './reader'
import { section } from './section'

const PRODUCT_TYPES: readonly ProductType[] = ['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE']
const GRANT_TRIGGERS: readonly GrantOn[] = ['PURCHASE', 'RENEWAL', 'BOTH']
export const CLAWBACKS: readonly Clawback[] = ['none', 'available', 'full']

// The limits that are told as CONFLICT are the plan's; these only bound the work.
const MANY = 5000

export const accessSection: Read<Wanted<AccessState>[]> = section((members) => ({
  displayName: members.required('displayName', label, ''),
  description: members.optional('description', description, null),
  metadata: members.optional('metadata', metadata, {}),
}))

export const currencySection: Read<Wanted<CurrencyState>[]> = section((members) => ({
  name: members.required('name', label, ''),
  clawback: members.optional<Clawback | null>('clawback', oneOf(CLAWBACKS), null),
  isArchived: false,
}))

const NO_STORE_IDS = { ios: null, android: null, payment: null }

const storeIds: Read<ProductState['storeIds']> = object((members) => ({
  ios: members.optional<string | null>('ios', storeId, null),
  android: members.optional<string | null>('android', storeId, null),
  payment: members.optional<string | null>('payment', storeId, null),
}))

const grant: Read<GrantState> = object((members) => ({
  currency: members.required('currency', reference('virtualCurrency'), ''),
  amount: members.required('amount', integer(1, Number.MAX_SAFE_INTEGER), 1),
  grantOn: members.required<GrantOn>('on', oneOf(GRANT_TRIGGERS), 'PURCHASE'),
}))

/** What a product of the type grants, by currency and trigger. */
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

export const byCurrency = (a: GrantState, b: GrantState): number => (keyOf(a) < keyOf(b) ? -1 : 1)

const keyOf = ({ currency, grantOn }: GrantState): string => `${currency} ${grantOn}`

export const productSection: Read<Wanted<ProductState>[]> = section((members) => {
  const type = members.required<ProductType>('type', oneOf(PRODUCT_TYPES), 'SUBSCRIPTION')
  return {
    type,
    displayName: members.required('displayName', label, ''),
    period: members.optional<string | null>('period', period, null),
    storeIds: members.optional('storeIds', storeIds, NO_STORE_IDS),
    androidBasePlanId: members.optional<string | null>('androidBasePlanId', storeId, null),
    androidOfferId: members.optional<string | null>('androidOfferId', storeId, null),
    accessIds: [...new Set(members.optional('access', list(reference('access'), MANY), []))],
    isActive: members.optional('isActive', bool, true),
    metadata: members.optional('metadata', metadata, {}),
    grants: members.optional('grants', grants(type), []),
  }
})

type NewPackage = Omit<PackageState, 'order'> & { order: number | null }

const slot: Read<NewPackage> = object((members) => ({
  identifier: members.required('identifier', identifier, ''),
  product: members.required('product', reference('product'), ''),
  order: members.optional<number | null>('order', integer(-1_000_000, 1_000_000), null),
  isPromoted: members.optional('promoted', bool, false),
  metadata: members.optional('metadata', metadata, {}),
}))

/** Packages in their order: that of the list, where they do not say another. */
const packages: Read<PackageState[]> = (spot) => {
  const found = list(slot, MANY)(spot)
  const names = new Set<string>()
  for (const { identifier: name } of found ?? []) {
    if (names.has(name)) spot.fail(`Two packages are called ${name}`)
    names.add(name)
  }
  const placed = found?.map(({ order, ...rest }, index) => ({ ...rest, order: order ?? index }))
  return placed?.sort((a, b) => a.order - b.order)
}

export const offeringSection: Read<Wanted<OfferingState>[]> = section((members) => ({
  isDefault: members.optional('isDefault', bool, false),
  packages: members.optional('packages', packages, []),
  metadata: members.optional('metadata', metadata, {}),
}))
