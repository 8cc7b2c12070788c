import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { ConnectResult } from '../../stores/ios/connect-client'
import type { InAppPurchase, Subscription } from '../../stores/ios/connect-shapes'
import type { ProjectState } from '../project/state'
import { findSettings } from './edit-store'
import { connectClient, connectFault, savedKey } from './ios-clients'
import type { StoreCatalog, StoreProduct } from './model'

/** In-app purchases and subscriptions, read from App Store Connect. */
export const iosCatalog: StoreCatalog = { store: 'ios', list: listIosProducts }

async function listIosProducts(ctx: Context, { id, ios }: ProjectState): Promise<StoreProduct[]> {
  const key = savedKey(await findSettings(ctx, id, 'ios'), 'storeConnectKey')
  if (!ios || !key) throw new AppError('STORE_NOT_CONFIGURED', undefined, { message: NO_KEY })
  const client = connectClient(ctx, key)
  const app = unwrap(await client.findApp(ios.bundleId))
  if (!app) throw new AppError('STORE_API_ERROR', undefined, { message: NO_APP })
  const purchases = unwrap(await client.listInAppPurchases(app.id))
  const subscriptions = unwrap(await client.listSubscriptions(app.id))
  return [...purchases.map(ofPurchase), ...subscriptions.map(ofSubscription)]
}

const NO_KEY = 'Save the bundle id and the store-connect key of this project first'
const NO_APP = 'The store-connect key finds no app of the saved bundle id'

function unwrap<Value>(result: ConnectResult<Value>): Value {
  if (!result.ok) throw connectFault(result)
  return result.value
}

const TYPES: Readonly<Record<string, StoreProduct['type']>> = {
  CONSUMABLE: 'CONSUMABLE',
  NON_CONSUMABLE: 'NON_CONSUMABLE',
  NON_RENEWING_SUBSCRIPTION: 'SUBSCRIPTION',
}

const ofPurchase = ({ attributes: { productId, name, inAppPurchaseType, state } }: InAppPurchase): StoreProduct => ({
  storeId: productId,
  name,
  type: TYPES[inAppPurchaseType] ?? 'ONE_TIME',
  basePlans: [],
  status: state ?? 'UNKNOWN',
  period: null,
})

const PERIODS: Readonly<Record<string, string>> = {
  ONE_WEEK: 'P1W',
  ONE_MONTH: 'P1M',
  TWO_MONTHS: 'P2M',
  THREE_MONTHS: 'P3M',
  SIX_MONTHS: 'P6M',
  ONE_YEAR: 'P1Y',
}

const ofSubscription = ({
  attributes: { productId, name, state, subscriptionPeriod },
}: Subscription): StoreProduct => ({
  storeId: productId,
  name,
  type: 'SUBSCRIPTION',
  basePlans: [],
  status: state ?? 'UNKNOWN',
  period: PERIODS[subscriptionPeriod ?? ''] ?? null,
})
