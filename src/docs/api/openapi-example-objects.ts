const ID = '01m5vnfe40es8r65rzyjka792g'
const PURCHASE_ID = 'pur_01m5w36wm0edqrb018tr4sjm6r'

const price = { amountMicros: 9_990_000, currency: 'USD' }

const access = {
  pro: {
    isActive: true,
    expiresDate: '2026-12-20T08:00:00.000Z',
    store: 'IOS_STORE',
    productIdentifier: 'pro_monthly',
  },
}

const purchase = {
  id: PURCHASE_ID,
  subscriberId: `sub_${ID}`,
  store: 'IOS_STORE',
  environment: 'PRODUCTION',
  productId: `prd_${ID}`,
  productIdentifier: 'pro_monthly',
  storeProductId: 'com.example.pro.monthly',
  chainKey: '2000000123456789',
  lineKey: '2000000123456789',
  originalTransactionId: '2000000123456789',
  storeTransactionId: '2000000123456999',
  status: 'ACTIVE',
  isTrial: false,
  isIntroOffer: false,
  offerId: null,
  ownershipType: 'PURCHASED',
  quantity: 1,
  purchaseDate: '2026-11-20T08:00:00.000Z',
  originalPurchaseDate: '2026-10-20T08:00:00.000Z',
  expiresAt: '2026-12-20T08:00:00.000Z',
  gracePeriodExpiresAt: null,
  effectiveEnd: '2026-12-20T08:00:00.000Z',
  autoRenews: true,
  pendingProductId: null,
  autoResumeAt: null,
  cancelledAt: null,
  refundedAt: null,
  price,
  priceAfter: null,
  storeEventAt: '2026-11-20T08:00:01.200Z',
}

const before = {
  ...purchase,
  storeTransactionId: '2000000123456789',
  purchaseDate: '2026-10-20T08:00:00.000Z',
  expiresAt: '2026-11-20T08:00:00.000Z',
  effectiveEnd: '2026-11-20T08:00:00.000Z',
  storeEventAt: '2026-10-20T08:00:01.200Z',
}

const accessBefore = { pro: { ...access.pro, expiresDate: '2026-11-20T08:00:00.000Z' } }

const transaction = {
  id: 'txn_01m5w6mr80evr88y42wdngtn4v',
  kind: 'RENEWAL',
  price,
  usdMicros: 9_990_000,
  storeTransactionId: '2000000123456999',
  renewalNumber: 2,
}

const cause = {
  kind: 'STORE_NOTIFICATION',
  ref: 'sev_01m5w6mr80evr88y42wdngtn4v',
  store: 'IOS_STORE',
  detail: 'DID_RENEW',
}

/** Examples of whole objects, by the title of their schema. */
export const OBJECTS: Readonly<Record<string, object>> = {
  AccessEntry: access.pro,
  EventCause: cause,
  PurchaseView: purchase,
  Transaction: transaction,
  Event: {
    id: 'evt_01m5wynsm0e35rw9hmckwyqppc',
    seq: 7,
    type: 'purchase.renewed',
    projectId: `prj_${ID}`,
    subscriberId: `sub_${ID}`,
    appUserId: 'user_1',
    environment: 'PRODUCTION',
    occurredAt: '2026-11-20T08:00:00.000Z',
    recordedAt: '2026-11-20T08:00:01.310Z',
    cause,
    before: { purchase: before, access: accessBefore, balances: { gems: 42 } },
    after: { purchase, access, balances: { gems: 42 } },
    data: { transaction, reactivation: false, late: false },
  },
}
