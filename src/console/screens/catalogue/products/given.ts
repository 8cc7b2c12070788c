import { BLANK, type ProductState } from './model'

const TYPES = ['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE'] as const
const LONGEST = 64

/** The new product that an address describes by what purchases tell of it; null for an address that describes none. */
export function givenState(query: URLSearchParams): ProductState | null {
  const [store, storeId] = [query.get('store'), query.get('storeId')]
  if (store === null || !storeId) return null
  const type = TYPES.find((one) => one === query.get('type')) ?? BLANK.type
  const period = type === 'SUBSCRIPTION' ? (query.get('period') ?? '') : BLANK.period
  return { ...BLANK, displayName: storeId, type, period, ...namesAt(store, storeId) }
}

function namesAt(store: string, storeId: string): Pick<ProductState, 'identifier' | 'storeIds' | 'androidBasePlanId'> {
  const none = { ios: '', android: '', payment: '' }
  if (store === 'ANDROID_STORE') {
    const [android = '', ...plan] = storeId.split(':')
    const androidBasePlanId = plan.join(':')
    const identifier = toIdentifier([android, androidBasePlanId].filter(Boolean).join('.'))
    return { identifier, storeIds: { ...none, android }, androidBasePlanId }
  }
  // A product of the payment provider is found by its name; only a price is an id.
  const isNamed = store === 'PAYMENT' && storeId.startsWith('prod_')
  const storeIds = { ...none, ...(!isNamed && { [store === 'PAYMENT' ? 'payment' : 'ios']: storeId }) }
  return { identifier: toIdentifier(storeId), storeIds, androidBasePlanId: '' }
}

const toIdentifier = (name: string): string => name.replace(/[^A-Za-z0-9$_.-]/g, '_').slice(0, LONGEST)
