import { computeEntitlements } from '../../../people/entitlements/compute'
import type { PurchaseFold } from '../../../people/purchases/model'
import { statusAt } from '../../../people/purchases/status'
import { compileCatalog, type Product } from '../../../projects/catalog/snapshot'
import type { PurchaseEnvironment, Store } from '../../../stores/observation'
import { decodeSubscriber } from '../revenuecat/decode'
import { compare } from './compare'
import type { Comparison, Difference, FoundPurchase, OurPurchase, OurSide, Outcome } from './model'

/** The instant of the answer: `request_date_ms` of the sample in the vendor's documentation. */
export const R = 1795161600412
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export const seconds = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`

const product = (identifier: string, ids: Partial<Product>): Product => ({
  ...{ id: `prd_${identifier}`, identifier, type: 'SUBSCRIPTION', displayName: identifier, iosId: null },
  ...{ androidId: null, paymentId: null, androidBasePlanId: null, androidOfferId: null, period: null, price: null },
  ...{ accessIds: ['acc_pro'], isActive: true, metadata: {} },
  ...ids,
})

export const CATALOG = compileCatalog({
  products: [
    product('pro_monthly', {
      iosId: 'com.x.pro',
      androidId: 'pro',
      androidBasePlanId: 'monthly',
      paymentId: 'price_1',
    }),
    product('pro_yearly', { iosId: 'com.x.pro.year', androidId: 'pro', androidBasePlanId: 'yearly' }),
    product('themes', { iosId: 'com.x.themes', type: 'NON_CONSUMABLE', accessIds: ['acc_themes'] }),
    product('coins', { iosId: 'com.x.coins', type: 'CONSUMABLE', accessIds: [] }),
    product('magazine', { iosId: 'com.x.magazine', accessIds: [] }),
  ],
  access: ['pro', 'themes'].map((identifier) => ({
    ...{ id: `acc_${identifier}`, identifier, displayName: identifier, description: null, metadata: {} },
  })),
  ...{ offerings: [], currencies: [], grants: [] },
})

export interface Given extends Partial<PurchaseFold> {
  id?: string
  store?: Store
  environment?: PurchaseEnvironment
  product?: string | null
  original?: string
  access?: string[]
}

/** A month of `pro` on the App Store that started ten days ago. */
export function ours(...given: Given[]): OurSide {
  const rows = given.map((one, n) => ourPurchase(one, n))
  const entitlements = computeEntitlements(
    rows.map(({ purchase, access }) => ({
      purchaseId: purchase.id,
      accessIdentifiers: access,
      productIdentifier: purchase.productIdentifier,
      store: purchase.store,
      environment: purchase.environment,
      fold: purchase.state,
    })),
    R,
    false,
  )
  return { entitlements, purchases: rows.map(({ purchase }) => purchase) }
}

function ourPurchase(
  {
    id,
    store = 'IOS_STORE',
    environment = 'PRODUCTION',
    product: name = 'pro_monthly',
    original,
    access,
    ...fold
  }: Given,
  n: number,
): { purchase: OurPurchase; access: string[] } {
  const known = name === null ? undefined : CATALOG.productByIdentifier.get(name)
  const whole: PurchaseFold = { ...FOLD, productType: known?.type ?? 'SUBSCRIPTION', ...fold }
  const purchase: OurPurchase = {
    ...{ id: id ?? `pur_${n}`, subscriberId: 'sub_1', store, environment, productId: known?.id ?? null },
    productIdentifier: known?.identifier ?? 'unknown',
    originalTransactionId: original ?? whole.storeTransactionId,
    state: statusAt(whole, R),
  }
  const ids = known?.accessIds ?? []
  return { purchase, access: access ?? ids.map((one) => one.replace('acc_', '')) }
}

export const START = R - 10 * DAY
export const END = R + 20 * DAY

const FOLD: PurchaseFold = {
  ...{ productType: 'SUBSCRIPTION', storeProductId: 'com.x.pro', storeTransactionId: '2000000900000777' },
  ...{ purchaseDate: START, originalPurchaseDate: START, expiresAt: END, gracePeriodExpiresAt: null },
  ...{ isTrial: false, isIntroOffer: false, offerId: null, price: null, quantity: 1, ownershipType: 'PURCHASED' },
  ...{ autoRenews: true, pendingStoreProductId: null, billingTrouble: 'NONE', pausedAt: null, autoResumeAt: null },
  ...{ priceConsent: null, cancelledAt: null, refundedAt: null, revokedAt: null, expiryReason: null },
  storeEventAt: START,
}

type Json = Record<string, unknown>

/** The same month as the vendor reports it. */
export const subscription = (change: Json = {}): Json => ({
  ...{ auto_resume_date: null, billing_issues_detected_at: null, display_name: 'Pro', expires_date: seconds(END) },
  ...{ grace_period_expires_date: null, is_sandbox: false, original_purchase_date: seconds(START) },
  ...{ ownership_type: 'PURCHASED', period_type: 'normal', purchase_date: seconds(START), refunded_at: null },
  ...{ store: 'app_store', store_transaction_id: '2000000900000777', unsubscribe_detected_at: null },
  ...change,
})

export const entitlement = (change: Json = {}): Json => ({
  ...{ expires_date: seconds(END), grace_period_expires_date: null, product_identifier: 'com.x.pro' },
  ...{ purchase_date: seconds(START), ...change },
})

export const once = (change: Json = {}): Json => ({
  ...{ id: 'a1', is_sandbox: false, purchase_date: seconds(START), store: 'app_store' },
  ...{ store_transaction_id: '2000000900000321', ...change },
})

interface Subscriber {
  entitlements?: Json
  subscriptions?: Json
  non_subscriptions?: Json
  [name: string]: unknown
}

export const answer = (subscriber: Subscriber = {}, at = R): string =>
  JSON.stringify({
    ...{ request_date: seconds(at), request_date_ms: at },
    subscriber: {
      ...{ original_app_user_id: 'ada', first_seen: seconds(START), entitlements: {}, subscriptions: {} },
      ...{ non_subscriptions: {}, other_purchases: {}, ...subscriber },
    },
  })

/** One subscription that unlocks `pro`, with the same changes of dates in both places. */
export const pro = (change: Json = {}, name = 'com.x.pro'): Subscriber => {
  const { expires_date = seconds(END), grace_period_expires_date = null, product_plan_identifier } = change
  const plan = product_plan_identifier === undefined ? {} : { product_plan_identifier }
  return {
    entitlements: { pro: entitlement({ product_identifier: name, expires_date, grace_period_expires_date, ...plan }) },
    subscriptions: { [name]: subscription(change) },
  }
}

interface Options {
  isNewThere?: boolean
  skipSandbox?: boolean
  readAt?: number
  found?: [key: string, hit: FoundPurchase][]
}

export function outcome(subscriber: Subscriber, here: OurSide | null, options: Options = {}): Outcome {
  const comparison: Comparison = {
    theirs: decodeSubscriber(answer(subscriber)),
    isNewThere: options.isNewThere ?? false,
    ours: here,
    catalog: CATALOG,
    skipSandbox: options.skipSandbox ?? true,
    readAt: options.readAt ?? R,
    found: new Map(options.found ?? []),
  }
  return compare(comparison)
}

export const differences = (...parts: Parameters<typeof outcome>): Difference[] => outcome(...parts).differences
export const kinds = (...parts: Parameters<typeof outcome>): string[] => differences(...parts).map(({ kind }) => kind)
