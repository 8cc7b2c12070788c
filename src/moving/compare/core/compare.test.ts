import { describe, expect, test } from 'bun:test'
import {
  DAY,
  differences,
  END,
  entitlement,
  kinds,
  once,
  ours,
  pro,
  R,
  START,
  seconds,
  subscription,
} from './compare.fixtures'

const PAST = R - 3 * DAY
const coins = (change: object = {}) => ({
  ...{ product: 'coins', storeProductId: 'com.x.coins', storeTransactionId: '2000000900000321', expiresAt: null },
  ...change,
})

describe('one cause is one difference:', () => {
  test('an access only there, with its purchase', () => {
    expect(differences(pro(), ours())).toEqual([
      {
        ...{ kind: 'ACCESS_ONLY_THERE', identifier: 'pro', access: 'pro', purchaseId: null, ours: 'no access' },
        theirs: 'until 2026-12-10T08:00:00.000Z by com.x.pro (app_store)',
      },
    ])
  })

  test('an access only there, by a purchase that both have', () => {
    expect(kinds(pro(), ours({ expiresAt: PAST }))).toEqual(['ACCESS_ONLY_THERE'])
    expect(kinds(pro(), ours({ refundedAt: PAST }))).toEqual(['ACCESS_ONLY_THERE'])
  })

  test('an access only here, with or without its purchase there', () => {
    expect(kinds({}, ours({}))).toEqual(['ACCESS_ONLY_HERE'])
    expect(kinds({ ...pro(), entitlements: {} }, ours({}))).toEqual(['ACCESS_ONLY_HERE'])
    expect(kinds(pro({ expires_date: seconds(PAST) }), ours({}))).toEqual(['ACCESS_ONLY_HERE'])
  })

  test('another end', () => {
    const found = differences(pro({ expires_date: seconds(END + DAY) }), ours({}))
    expect(found.map(({ kind, theirs }) => [kind, theirs])).toEqual([['OTHER_END', '2026-12-11T08:00:00.000Z']])
    // A renewal that we have not heard of has another transaction and another start, too.
    const renewed = { purchase_date: seconds(PAST), expires_date: seconds(END + DAY), store_transaction_id: '3' }
    expect(kinds(pro(renewed), ours({}))).toEqual(['OTHER_END'])
  })

  test('another product', () => {
    const found = differences(pro({}, 'com.x.pro.year'), ours({}))
    expect(found).toMatchObject([{ kind: 'OTHER_PRODUCT', ours: 'com.x.pro', theirs: 'com.x.pro.year' }])
  })

  test('another store', () => {
    const found = differences(pro({ store: 'stripe' }), ours({}))
    expect(found).toMatchObject([{ kind: 'OTHER_STORE', ours: 'IOS_STORE', theirs: 'stripe' }])
    const play = { store: 'play_store', product_plan_identifier: 'monthly', store_transaction_id: 'GPA.1' }
    expect(kinds(pro(play, 'pro'), ours({}))).toEqual(['OTHER_STORE'])
    expect(kinds(pro({ store: 'promotional' }, 'rc_promo_pro_monthly'), ours({}))).toContain('OTHER_STORE')
  })

  test('a purchase only there: an ended one, and one that unlocks nothing', () => {
    expect(kinds(pro({ expires_date: seconds(PAST) }), ours())).toEqual(['PURCHASE_ONLY_THERE'])
    const bought = { non_subscriptions: { 'com.x.coins': [once(), once({ store_transaction_id: '5' })] } }
    expect(kinds(bought, ours(coins()))).toEqual(['PURCHASE_ONLY_THERE'])
  })

  test('a purchase only here: an ended one, and one that unlocks nothing', () => {
    expect(kinds({}, ours({ expiresAt: PAST }))).toEqual(['PURCHASE_ONLY_HERE'])
    expect(kinds({}, ours(coins()))).toEqual(['PURCHASE_ONLY_HERE'])
    expect(kinds({}, ours(coins({ refundedAt: PAST })))).toEqual([])
  })

  test('two purchases of coins that are not the same one', () => {
    const there = {
      non_subscriptions: { 'com.x.coins': [once({ store_transaction_id: '5', purchase_date: seconds(PAST) })] },
    }
    expect(kinds(there, ours(coins())).toSorted()).toEqual(['PURCHASE_ONLY_HERE', 'PURCHASE_ONLY_THERE'])
  })

  test('another owner, also where the purchase gives an access', () => {
    const [purchase] = ours({}).purchases
    if (!purchase) throw new Error('no purchase')
    const found = differences(pro(), ours(), { found: [['IOS_STORE 2000000900000777', { purchase, owner: 'bo' }]] })
    expect(found).toMatchObject([{ kind: 'OTHER_OWNER', ours: 'owned by bo', purchaseId: 'pur_0' }])
  })

  test('somebody whom we do not know', () => {
    expect(kinds(pro(), null)).toEqual(['PERSON_UNKNOWN_HERE'])
    expect(kinds({}, null)).toEqual([])
  })

  test('a purchase of an access that both have by another purchase', () => {
    const second = subscription({ store_transaction_id: '8', expires_date: seconds(PAST) })
    const there = { ...pro(), subscriptions: { ...pro().subscriptions, 'com.x.magazine': second } }
    const began = { original_purchase_date: seconds(START - DAY) }
    expect(
      kinds(
        { ...there, subscriptions: { ...pro().subscriptions, 'com.x.magazine': { ...second, ...began } } },
        ours({}),
      ),
    ).toEqual(['PURCHASE_ONLY_THERE'])
  })
})

describe('another state with the same access:', () => {
  const state = (there: object, here: object) =>
    differences(pro({ ...there }), ours({ ...here })).map(({ kind, ours: our, theirs }) => [kind, our, theirs])

  test('trial, introductory offer, ownership', () => {
    expect(state({ period_type: 'trial' }, {})).toEqual([['OTHER_STATE', 'trial: no', 'trial: yes']])
    expect(state({}, { isIntroOffer: true })).toEqual([
      ['OTHER_STATE', 'introductory offer: yes', 'introductory offer: no'],
    ])
    expect(state({ ownership_type: 'FAMILY_SHARED' }, {})).toEqual([
      ['OTHER_STATE', 'ownership: PURCHASED', 'ownership: FAMILY_SHARED'],
    ])
    expect(state({ ownership_type: 'UNKNOWN' }, {})).toEqual([])
  })

  test('auto-renewal and billing trouble', () => {
    expect(state({ unsubscribe_detected_at: seconds(PAST) }, {})).toEqual([
      ['OTHER_STATE', 'renews: yes', 'renews: no'],
    ])
    expect(state({}, { autoRenews: false })).toEqual([['OTHER_STATE', 'renews: no', 'renews: yes']])
    expect(state({ billing_issues_detected_at: seconds(PAST) }, {})).toEqual([
      ['OTHER_STATE', 'billing trouble: no', 'billing trouble: yes'],
    ])
  })

  test('a refund, a pause and the environment', () => {
    expect(state({ refunded_at: seconds(PAST), expires_date: seconds(PAST) }, { expiresAt: PAST })).toEqual([
      ['OTHER_STATE', 'refunded: no', 'refunded: yes'],
    ])
    expect(state({ auto_resume_date: seconds(END), expires_date: seconds(PAST) }, { expiresAt: PAST })).toEqual([
      ['OTHER_STATE', 'paused: no', 'paused: yes'],
    ])
    const sandbox = differences(pro({ is_sandbox: true, expires_date: seconds(PAST) }), ours({ expiresAt: PAST }))
    expect(sandbox).toMatchObject([{ kind: 'OTHER_STATE', ours: 'sandbox: no', theirs: 'sandbox: yes' }])
  })

  test('several of them are one difference', () => {
    expect(state({ period_type: 'trial', unsubscribe_detected_at: seconds(PAST) }, {})).toEqual([
      ['OTHER_STATE', 'trial: no, renews: yes', 'trial: yes, renews: no'],
    ])
  })
})

test('an end and a product that differ are two differences', () => {
  const there = { ...pro({ expires_date: seconds(END + DAY) }, 'com.x.pro.year') }
  expect(kinds(there, ours({})).toSorted()).toEqual(['OTHER_END', 'OTHER_PRODUCT'])
})

test('an ended purchase that unlocks nothing is compared by itself', () => {
  const there = { subscriptions: { 'com.x.magazine': subscription({ expires_date: seconds(PAST) }) } }
  const here = { product: 'magazine', storeProductId: 'com.x.magazine' }
  expect(kinds(there, ours({ ...here, expiresAt: PAST }))).toEqual([])
  expect(kinds(there, ours({ ...here, expiresAt: PAST - DAY }))).toEqual(['OTHER_END'])
})

test('an access that the project does not have is only there', () => {
  const there = { entitlements: { gold: entitlement() }, subscriptions: pro().subscriptions ?? {} }
  expect(kinds(there, ours({})).toSorted()).toEqual(['ACCESS_ONLY_HERE', 'ACCESS_ONLY_THERE'])
})
