import type { PurchaseFold } from '../../src/people/purchases/model'
import { effectiveEnd, statusAt } from '../../src/people/purchases/status'
import type { PurchaseEnvironment, Store } from '../../src/stores/observation'
import { COINS, LIFETIME, MONTHLY, type Stage, YEARLY } from './cast'
import { rowOf } from './facts'
import { type OldVendor, seconds } from './old-vendor'

export const DAY = 86_400_000

type Json = Record<string, unknown>

/** One purchase as both services have it; changes of one side make a difference. */
export interface Bought extends Partial<PurchaseFold> {
  transaction: string
  store?: Store
  environment?: PurchaseEnvironment
  /** Identifier of our catalogue; null = a grant of accesses. */
  product?: keyof typeof STORE_IDS | null
  access?: string[]
}

const STORE_IDS = {
  pro_monthly: MONTHLY.productId,
  pro_yearly: YEARLY.productId,
  coins_100: COINS.productId,
  lifetime: LIFETIME.productId,
}

export interface MadePerson {
  label: string | null
  deviceKey: string
  bought?: Bought[]
  /** `subscriber` there; null = unknown there. */
  there: Json | null
  /** The id there; the label by default. */
  vendorId?: string
}

const fold = (now: number, { transaction, product = 'pro_monthly', ...change }: Bought): PurchaseFold => {
  const { store: _store, environment: _environment, access: _access, ...members } = change
  const isOnce = product === 'coins_100' || product === 'lifetime'
  return {
    productType: product === 'coins_100' ? 'CONSUMABLE' : product === 'lifetime' ? 'NON_CONSUMABLE' : 'SUBSCRIPTION',
    ...{ storeProductId: product === null ? 'grant' : STORE_IDS[product], storeTransactionId: transaction },
    ...{ purchaseDate: now - 10 * DAY, originalPurchaseDate: now - 10 * DAY },
    ...{ expiresAt: isOnce ? null : now + 20 * DAY, gracePeriodExpiresAt: null, isTrial: false, isIntroOffer: false },
    ...{ offerId: null, price: null, quantity: 1, ownershipType: 'PURCHASED', autoRenews: !isOnce },
    ...{ pendingStoreProductId: null, billingTrouble: 'NONE', pausedAt: null, autoResumeAt: null, priceConsent: null },
    ...{ cancelledAt: null, refundedAt: null, revokedAt: null, expiryReason: null, storeEventAt: now - 10 * DAY },
    ...members,
  }
}

const BATCH = 500

/** Writes people directly into the tables, as an import of many files would have left them, and into the stand-in. */
export async function writePeople(
  s: Stage,
  vendor: OldVendor,
  people: readonly MadePerson[],
): Promise<Map<string, string>> {
  const now = s.ctx.clock.now()
  await s.ctx.write(async () => {})
  const ids = new Map<string, string>()
  const template = await templateRow(s)
  const subscribers = people.map(({ label, deviceKey }) => {
    const id = s.ctx.ids.next('sub')
    ids.set(deviceKey, id)
    return { ...template, id, deviceKey, appUserId: label, createdAt: now - 400 * DAY }
  })
  const purchases = people.flatMap(({ deviceKey, bought = [] }) =>
    bought.map((one) => purchaseRow(s, ids.get(deviceKey) ?? '', one, now)),
  )
  const { tables } = s.ctx
  for (let from = 0; from < subscribers.length; from += BATCH)
    await s.ctx.write((tx) => tx.db.insert(tables.subscribers).values(subscribers.slice(from, from + BATCH)))
  for (let from = 0; from < purchases.length; from += BATCH)
    await s.ctx.write((tx) => tx.db.insert(tables.purchases).values(purchases.slice(from, from + BATCH)))
  for (const { label, deviceKey, vendorId, there } of people)
    if (there) vendor.people.set(vendorId ?? label ?? deviceKey, there)
  return ids
}

async function templateRow(s: Stage) {
  const device = 'svc_template'
  await s.get('/v1/me/entitlements', device)
  const row = await rowOf(s, device)
  return { ...row, seq: 0, attributes: {}, toldAccess: {}, isSynthetic: false }
}

function purchaseRow(s: Stage, subscriberId: string, one: Bought, now: number) {
  const { store = 'IOS_STORE', environment = 'PRODUCTION', product = 'pro_monthly', access } = one
  const state = fold(now, one)
  const id = s.ctx.ids.next('pur')
  return {
    ...{ id, projectId: s.project.id, subscriberId, store, environment },
    ...{ chainKey: store === 'MANUAL' ? id : one.transaction, originalTransactionId: one.transaction },
    ...{ productId: product === null ? null : productId(product), accessIds: access?.map(accessId) ?? null },
    ...{ accountToken: null, status: statusAt(state, now).status, fold: state, effectiveEnd: effectiveEnd(state) },
    ...{ sweepAt: null, recheckAt: null, presentedContext: null, createdAt: now, updatedAt: now },
  }
}

// As `makeProject` names them.
const productId = (identifier: string): string => `prd_1${identifier}`.padEnd(30, '0')
const accessId = (identifier: string): string => `acc_1${identifier}`.padEnd(30, '0')

/** How the vendor reports the usual month of `pro_monthly`. */
export const subscription = (now: number, transaction: string, change: Json = {}): Json => ({
  ...{ auto_resume_date: null, billing_issues_detected_at: null, display_name: 'Pro', is_sandbox: false },
  ...{ expires_date: seconds(now + 20 * DAY), grace_period_expires_date: null, ownership_type: 'PURCHASED' },
  ...{ original_purchase_date: seconds(now - 10 * DAY), purchase_date: seconds(now - 10 * DAY), period_type: 'normal' },
  ...{ price: { amount: 4.49, currency: 'EUR' }, refunded_at: null, store: 'app_store' },
  ...{ store_transaction_id: transaction, unsubscribe_detected_at: null, ...change },
})

/** A subscription that unlocks `pro`, under the name of its product. */
export function pro(now: number, transaction: string, change: Json = {}, product = MONTHLY.productId) {
  const entry = subscription(now, transaction, change)
  const { expires_date, grace_period_expires_date, purchase_date } = entry
  return {
    entitlements: { pro: { expires_date, grace_period_expires_date, purchase_date, product_identifier: product } },
    subscriptions: { [product]: entry },
  }
}
