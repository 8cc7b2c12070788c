import type { Schemas } from '../../../api/schemas'
import { isSame } from '../../../kit/draft'
import { readNumber } from '../../../kit/read-number'

export type ProductView = Schemas['Product']
export type Grant = Schemas['CurrencyGrantRequest']

export interface ProductState {
  identifier: string
  type: ProductView['type']
  displayName: string
  storeIds: { ios: string; android: string; payment: string }
  androidBasePlanId: string
  androidOfferId: string
  period: string
  /** An empty amount = none. */
  price: { amount: string; currency: string }
  accessIds: string[]
  isActive: boolean
  metadata: Record<string, unknown>
  grants: Grant[]
}

export const BLANK: ProductState = {
  identifier: '',
  type: 'SUBSCRIPTION',
  displayName: '',
  storeIds: { ios: '', android: '', payment: '' },
  androidBasePlanId: '',
  androidOfferId: '',
  period: 'P1M',
  price: { amount: '', currency: 'USD' },
  accessIds: [],
  isActive: true,
  metadata: {},
  grants: [],
}

export const toState = (view: ProductView): ProductState => ({
  identifier: view.identifier,
  type: view.type,
  displayName: view.displayName,
  storeIds: {
    ios: view.storeIds.ios ?? '',
    android: view.storeIds.android ?? '',
    payment: view.storeIds.payment ?? '',
  },
  androidBasePlanId: view.androidBasePlanId ?? '',
  androidOfferId: view.androidOfferId ?? '',
  period: view.period ?? '',
  price: view.price ? { amount: String(view.price.amountMicros / 1e6), currency: view.price.currency } : BLANK.price,
  accessIds: view.accessIds,
  isActive: view.isActive,
  metadata: view.metadata,
  grants: view.grants,
})

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export const toBody = ({ grants: _grants, ...state }: ProductState): Schemas['ProductRequest'] => ({
  ...state,
  storeIds: {
    ios: orNull(state.storeIds.ios),
    android: orNull(state.storeIds.android),
    payment: orNull(state.storeIds.payment),
  },
  androidBasePlanId: orNull(state.androidBasePlanId),
  androidOfferId: orNull(state.androidOfferId),
  period: state.type === 'SUBSCRIPTION' ? orNull(state.period) : null,
  price: toPrice(state.price),
})

/** The server refuses an amount that is no number, for it comes as 0. */
function toPrice({ amount, currency }: ProductState['price']): Schemas['ProductPrice'] | null {
  if (amount.trim() === '') return null
  const number = readNumber(amount, { min: 0, isWhole: false }) ?? 0
  return { amountMicros: Math.round(number * 1e6), currency: currency.trim().toUpperCase() }
}

/** Only the members that changed, so that a store is called only for new values. */
export function changeOf(state: ProductState, base: ProductState): Schemas['ProductChange'] {
  const before = toBody(base)
  return Object.fromEntries(
    Object.entries(toBody(state)).filter(([name, value]) => !isSame(value, before[name as keyof typeof before])),
  )
}
