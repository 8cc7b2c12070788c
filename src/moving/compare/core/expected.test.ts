import { describe, expect, test } from 'bun:test'
import { toIso } from '../../../base/lib/time'
import {
  CATALOG,
  DAY,
  differences,
  END,
  entitlement,
  HOUR,
  kinds,
  once,
  ours,
  outcome,
  pro,
  R,
  START,
  seconds,
  subscription,
} from './compare.fixtures'

const PAST = R - 3 * DAY

test('the same month on both sides differs in nothing', () => {
  expect(outcome(pro(), ours({}))).toEqual({
    ...{ differences: [], missing: [], tooCloseUntil: null, temporary: [], otherStores: [] },
  })
})

describe('what is expected to differ is not reported:', () => {
  test('1: whole seconds there, milliseconds here', () => {
    expect(kinds(pro(), ours({ expiresAt: END + 587, purchaseDate: START - 300 }))).toEqual([])
    expect(kinds(pro(), ours({ expiresAt: END + 1588 }))).toEqual(['OTHER_END'])
  })

  test('2: grace in the end, in its own member, or in both', () => {
    const grace = R + 5 * DAY
    const here = ours({ expiresAt: R - DAY, gracePeriodExpiresAt: grace, billingTrouble: 'GRACE' })
    const trouble = { billing_issues_detected_at: seconds(R - DAY) }
    const own = { ...trouble, expires_date: seconds(R - DAY), grace_period_expires_date: seconds(grace) }
    expect(kinds(pro(own), here)).toEqual([])
    expect(kinds(pro({ ...trouble, expires_date: seconds(grace) }), here)).toEqual([])
    const both = { ...trouble, expires_date: seconds(grace), grace_period_expires_date: seconds(grace) }
    expect(kinds(pro(both), here)).toEqual([])
  })

  test('3: accesses that have ended there', () => {
    expect(kinds(pro({ expires_date: seconds(PAST) }), ours({ expiresAt: PAST }))).toEqual([])
  })

  test('4: an end close to the reading is read again', () => {
    const close = outcome(pro({ expires_date: seconds(R + 3000) }), ours({ expiresAt: R - 2000 }))
    expect(close.differences).toEqual([])
    expect(close.tooCloseUntil).toBeGreaterThan(R + 3000)
    const later = outcome(pro({ expires_date: seconds(R + 20_000) }), ours({}), { readAt: R + 18_000 })
    expect([later.differences, later.tooCloseUntil === null]).toEqual([[], false])
  })

  test('4: a clock far from ours makes nothing undecided', () => {
    const theirs = pro({ expires_date: seconds(R + DAY) })
    expect(kinds(theirs, ours({}), { readAt: R + 9 * DAY })).toEqual(['OTHER_END'])
  })

  test("5: the store's product there, our own here", () => {
    const android = { store: 'ANDROID_STORE', storeProductId: 'pro:monthly' } as const
    const play = { store: 'play_store', product_plan_identifier: 'monthly' }
    expect(kinds(pro(play, 'pro'), ours(android))).toEqual([])
    expect(kinds(pro({ store: 'play_store' }, 'pro'), ours(android))).toEqual([])
    expect(kinds(pro({ ...play, product_plan_identifier: 'yearly' }, 'pro'), ours(android))).toEqual(['OTHER_PRODUCT'])
    // The fold has another text for it, and the catalogue states that it is the same product.
    expect(kinds(pro({}), ours({ storeProductId: 'pro_monthly' }))).toEqual([])
  })

  test('5: ids of two kinds at the payment provider say nothing', () => {
    const here = ours({ store: 'PAYMENT', storeProductId: 'price_1' })
    expect(kinds(pro({ store: 'stripe' }, 'prod_9'), here)).toEqual([])
  })

  test('6: a grant there is a grant here, whatever its product', () => {
    const granted = pro({ store: 'promotional' }, 'rc_promo_pro_monthly')
    expect(kinds(granted, ours({ store: 'MANUAL', product: null, access: ['pro'] }))).toEqual([])
    expect(kinds(granted, ours({ store: 'MANUAL', expiresAt: END + DAY }))).toEqual(['OTHER_END'])
    const ended = pro({ store: 'promotional', expires_date: seconds(PAST) }, 'rc_promo_pro_monthly')
    expect(kinds(ended, ours())).toEqual([])
  })

  test('7: the names of the stores', () => {
    for (const store of ['app_store', 'mac_app_store']) expect(kinds(pro({ store }), ours({}))).toEqual([])
    for (const store of ['stripe', 'paddle', 'rc_billing'])
      expect(kinds(pro({ store }), ours({ store: 'PAYMENT' }))).toEqual([])
  })

  test('8: sandbox purchases are left out on both sides', () => {
    const sandbox = pro({ is_sandbox: true })
    expect(kinds(sandbox, ours())).toEqual([])
    expect(kinds(pro({}), ours({}, { environment: 'SANDBOX', storeTransactionId: '9', product: 'themes' }))).toEqual([])
    expect(kinds({}, ours({ environment: 'SANDBOX' }))).toEqual([])
    expect(kinds(sandbox, ours(), { skipSandbox: false })).toEqual(['ACCESS_ONLY_THERE'])
  })

  test('9: older purchases of a product have no entry there', () => {
    const older = {
      id: 'pur_old',
      storeTransactionId: '1',
      purchaseDate: START - 90 * DAY,
      expiresAt: START - 60 * DAY,
    }
    expect(kinds(pro(), ours({}, older))).toEqual([])
  })

  test('10: a chain that changed its product has several entries there', () => {
    const { subscriptions } = pro()
    const before = subscription({ expires_date: seconds(PAST), store_transaction_id: '2000000900000001' })
    const there = { ...pro(), subscriptions: { ...subscriptions, 'com.x.pro.year': before } }
    expect(kinds(there, ours({}))).toEqual([])
  })

  test('10: also when only a search shows that the transaction is of the chain', () => {
    const [purchase] = ours({}).purchases
    if (!purchase) throw new Error('no purchase')
    const before = subscription({
      ...{ expires_date: seconds(PAST), original_purchase_date: seconds(PAST - 90 * DAY), store_transaction_id: '1' },
    })
    const there = { ...pro(), subscriptions: { ...pro().subscriptions, 'com.x.pro.year': before } }
    expect(kinds(there, ours({}))).toEqual(['PURCHASE_ONLY_THERE'])
    expect(kinds(there, ours({}), { found: [['IOS_STORE 1', { purchase, owner: null }]] })).toEqual([])
  })

  test('11: two purchases unlock one access until the same end', () => {
    const play = { store: 'ANDROID_STORE', storeProductId: 'pro:monthly', storeTransactionId: 'GPA.1' } as const
    const both = {
      ...pro(),
      subscriptions: {
        ...pro().subscriptions,
        pro: subscription({ store: 'play_store', product_plan_identifier: 'monthly', store_transaction_id: 'GPA.1' }),
      },
    }
    const here = ours({}, { ...play, purchaseDate: START + HOUR })
    expect(here.entitlements[0]?.store).toBe('ANDROID_STORE')
    expect(kinds(both, here)).toEqual([])
  })

  test('12: times of noticing count by their presence only', () => {
    const there = pro({ unsubscribe_detected_at: seconds(R - 9 * DAY) })
    expect(kinds(there, ours({ autoRenews: false, cancelledAt: R - DAY }))).toEqual([])
  })

  test('13: the end of a refunded or revoked purchase', () => {
    const refunded = pro({ refunded_at: seconds(PAST), expires_date: seconds(PAST) })
    expect(kinds(refunded, ours({ refundedAt: PAST - HOUR }))).toEqual([])
    expect(kinds(refunded, ours({ revokedAt: PAST - HOUR }))).toEqual([])
    expect(kinds(pro({ expires_date: seconds(PAST) }), ours({ revokedAt: PAST - DAY }))).toEqual([])
  })

  test('14: a refund of an earlier period', () => {
    // The fold of such a purchase has no refund, and the entry there has none either.
    expect(kinds(pro(), ours({ refundedAt: null }))).toEqual([])
    expect(kinds(pro(), ours({ refundedAt: PAST }))).toEqual(['ACCESS_ONLY_THERE'])
  })

  test('15: billing retry here, ended there', () => {
    const ended = pro({ expires_date: seconds(PAST), billing_issues_detected_at: seconds(PAST) })
    expect(kinds(ended, ours({ expiresAt: PAST - 16 * DAY, billingTrouble: 'RETRY' }))).toEqual([])
    const long = { expiresAt: R - 90 * DAY, purchaseDate: R - 120 * DAY, billingTrouble: 'RETRY' } as const
    expect(kinds(pro({ expires_date: seconds(R - 90 * DAY) }), ours({ ...long, storeEventAt: R - 90 * DAY }))).toEqual(
      [],
    )
  })

  test('16: the length of grace at the payment provider', () => {
    const trouble = { store: 'stripe', billing_issues_detected_at: seconds(PAST) }
    const there = pro({ ...trouble, expires_date: seconds(R + 2 * DAY) })
    const grace = { billingTrouble: 'GRACE', expiresAt: PAST, gracePeriodExpiresAt: R + 4 * DAY } as const
    expect(kinds(there, ours({ store: 'PAYMENT', ...grace }))).toEqual([])
    expect(kinds(there, ours({ store: 'PAYMENT', expiresAt: R + 4 * DAY }))).toEqual(['OTHER_END'])
    const over = pro({ ...trouble, expires_date: seconds(R - DAY) })
    expect(kinds(over, ours({ store: 'PAYMENT', ...grace }))).toEqual(['ACCESS_ONLY_HERE'])
  })

  test('17: auto-renewal is off there during billing trouble', () => {
    const grace = { billing_issues_detected_at: seconds(PAST), unsubscribe_detected_at: seconds(PAST) }
    const here = ours({ billingTrouble: 'GRACE', expiresAt: PAST, gracePeriodExpiresAt: END })
    expect(kinds(pro(grace), here)).toEqual([])
  })

  test('18: a purchase that belongs to another row of the same person', () => {
    const [purchase] = ours({}).purchases
    if (!purchase) throw new Error('no purchase')
    const there = pro({ expires_date: seconds(PAST) })
    const key = 'IOS_STORE 2000000900000777'
    expect(outcome(there, ours()).missing.map(({ transactionId }) => transactionId)).toEqual(['2000000900000777'])
    expect(kinds(there, ours(), { found: [[key, { purchase, owner: null }]] })).toEqual([])
    expect(kinds(there, ours(), { found: [[key, { purchase, owner: 'bo' }]] })).toEqual(['OTHER_OWNER'])
  })

  test('19: a family share has its own row', () => {
    const shared = { ownershipType: 'FAMILY_SHARED', id: 'pur_b' } as const
    const there = pro({ ownership_type: 'FAMILY_SHARED' })
    expect(kinds(there, ours(shared))).toEqual([])
    const [purchase] = ours({}).purchases
    if (!purchase) throw new Error('no purchase')
    const found: [string, { purchase: typeof purchase; owner: string }] = [
      'IOS_STORE 2000000900000777',
      { purchase, owner: 'bo' },
    ]
    expect(kinds(there, ours(), { found: [found] })).toEqual(['ACCESS_ONLY_THERE'])
  })

  test('20, 21, 25: members without a counterpart, prices and attributes', () => {
    const more = {
      ...{
        original_purchase_date: seconds(R - 900 * DAY),
        original_application_version: '7',
        management_url: 'https://x',
      },
      other_purchases: { old: {} },
      subscriber_attributes: { $email: { value: 'a@example.com', updated_at_ms: 1 } },
    }
    const price = { price: { amount: '4.49', currency: 'EUR' } }
    expect(kinds({ ...pro(price), ...more }, ours({ price: { amountMicros: 9_990_000, currency: 'USD' } }))).toEqual([])
  })

  test('22: an access for hours, without a product, during an outage', () => {
    const hours = { expires_date: seconds(R + 20 * HOUR), product_identifier: 'stand_in' }
    const found = outcome({ entitlements: { pro: entitlement(hours) } }, ours())
    expect([found.differences, found.temporary]).toEqual([[], ['pro']])
    const days = entitlement({ expires_date: seconds(R + 2 * DAY), product_identifier: null })
    expect(kinds({ entitlements: { pro: days } }, ours())).toEqual(['ACCESS_ONLY_THERE'])
  })

  test('23: an end that never comes, on both sides', () => {
    const there = pro({ expires_date: null })
    expect(kinds(there, ours({ expiresAt: null }))).toEqual([])
    expect(kinds(there, ours({}))).toEqual(['OTHER_END'])
    expect(kinds(pro(), ours({ expiresAt: null }))).toEqual(['OTHER_END'])
  })

  test('24: one-time purchases have no end', () => {
    const there = {
      entitlements: { themes: entitlement({ expires_date: null, product_identifier: 'com.x.themes' }) },
      non_subscriptions: { 'com.x.themes': [once()] },
    }
    const here = { product: 'themes', storeProductId: 'com.x.themes', storeTransactionId: '2000000900000321' }
    expect(kinds(there, ours({ ...here, expiresAt: null }))).toEqual([])
  })

  test('26: stores that we do not have are named once', () => {
    const found = outcome(pro({ store: 'amazon' }), ours())
    expect([found.differences, found.otherStores]).toEqual([[], ['amazon']])
    expect(kinds(pro({ store: 'roku' }), ours({ store: 'MANUAL', product: null, access: ['pro'] }))).toEqual([])
  })

  test('27: a person who was unknown there until now, and has nothing here', () => {
    expect(kinds({}, ours(), { isNewThere: true })).toEqual([])
    const [found] = differences({}, ours({}), { isNewThere: true })
    expect(found).toMatchObject({ kind: 'PERSON_UNKNOWN_THERE', access: 'pro', theirs: 'unknown' })
  })
})

test('the catalogue of these tests has what they name', () => {
  expect([...CATALOG.access.values()].map(({ identifier }) => identifier)).toEqual(['pro', 'themes'])
  expect(toIso(R)).toBe('2026-11-20T08:00:00.412Z')
})
