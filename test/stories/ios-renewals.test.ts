import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { lastEvent, money, renew, rowOf } from '../support/facts'
import { endReason, expectSubmitted, follow, notifyNew, on, sweep } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
})
afterEach(() => s.close())

const BOUGHT: NotificationKind = ['SUBSCRIBED', 'INITIAL_BUY']
const AGAIN: NotificationKind = ['SUBSCRIBED', 'RESUBSCRIBE']
const RENEWED: NotificationKind = ['DID_RENEW', null]
const RECOVERED: NotificationKind = ['DID_RENEW', 'BILLING_RECOVERY']
const OFF: NotificationKind = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']
const ON: NotificationKind = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED']
const GRACE: NotificationKind = ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD']
const kinds = async (device: string) => (await money(s, (await rowOf(s, device)).id)).map(([kind]) => kind)

test('Sal is known to the store before her app says a word, leaves, and comes back', async () => {
  const bought = s.buy(MONTHLY)
  await notifyNew(s, BOUGHT, bought)
  await expectSubmitted(s.receipt('svc_sal', bought))
  const step = follow(s, 'svc_sal')
  await step({
    events: ['entitlement.granted', 'subscriber.transferred'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })

  on(s, '2026-12-19')
  const second = renew(s, bought, MONTHLY)
  await notifyNew(s, RENEWED, second)
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
  await expectSubmitted(s.receipt('svc_sal', second))
  await step({ events: [], access: { pro: '2027-01-20' }, net: 19_980_000 })

  on(s, '2026-12-25')
  await notifyNew(s, OFF, second)
  await step({ events: ['purchase.cancelled'], access: { pro: '2027-01-20' }, net: 19_980_000 })
  await notifyNew(s, ON, second)
  s.ctx.clock.advance(1)
  await notifyNew(s, OFF, second)
  await step({
    events: ['purchase.uncancelled', 'purchase.cancelled'],
    access: { pro: '2027-01-20' },
    net: 19_980_000,
  })

  on(s, '2027-01-20')
  await notifyNew(s, ['EXPIRED', 'VOLUNTARY'], second)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 19_980_000 })
  expect(await endReason(s, 'svc_sal')).toBe('UNSUBSCRIBED')
  await sweep(s)
  await step({ events: [], access: {}, net: 19_980_000 })

  on(s, '2027-03-01')
  await notifyNew(s, AGAIN, s.buy(MONTHLY, { previous: second }))
  await step({ events: ['purchase.renewed', 'entitlement.granted'], access: { pro: '2027-04-01' }, net: 29_970_000 })
  expect((await lastEvent(s, 'svc_sal', 'purchase.renewed')).data).toMatchObject({ reactivation: true, late: false })
  expect(await kinds('svc_sal')).toEqual(['INITIAL', 'RENEWAL', 'REACTIVATION'])
})

test('Tia gives up during her trial, and pays only when she comes back', async () => {
  const step = follow(s, 'svc_tia')
  const trial = s.buy(MONTHLY, { withTrial: true })
  await expectSubmitted(s.receipt('svc_tia', trial))
  await step({ events: ['purchase.trial_started', 'entitlement.granted'], access: { pro: '2026-11-27' }, net: 0 })

  on(s, '2026-11-22')
  await notifyNew(s, BOUGHT, trial) // The store delivers it late.
  await notifyNew(s, OFF, trial)
  await step({ events: ['purchase.cancelled'], access: { pro: '2026-11-27' }, net: 0 })

  on(s, '2026-11-27')
  await notifyNew(s, ['EXPIRED', 'VOLUNTARY'], trial)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 0 })

  on(s, '2026-12-05')
  await notifyNew(s, AGAIN, s.buy(MONTHLY, { previous: trial }))
  await step({ events: ['purchase.renewed', 'entitlement.granted'], access: { pro: '2027-01-05' }, net: 9_990_000 })
  expect(await kinds('svc_tia')).toEqual(['TRIAL', 'REACTIVATION'])
})

test("Uma's card fails, and she pays within the grace period", async () => {
  const step = follow(s, 'svc_uma')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_uma', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  await notifyNew(s, GRACE, bought)
  const grace = { pro: '2027-01-05' }
  await step({ events: ['purchase.billing_issue', 'purchase.grace_period'], access: grace, net: 9_990_000 })
  on(s, '2026-12-27')
  await sweep(s)
  // Contains nothing about the billing problem.
  await expectSubmitted(s.receipt('svc_uma', { ...bought, signedDate: s.ctx.clock.now() }))
  await step({ events: [], access: grace, net: 9_990_000 })

  on(s, '2027-01-02')
  await notifyNew(s, RECOVERED, renew(s, bought, MONTHLY))
  await step({ events: ['purchase.recovered'], access: { pro: '2027-02-02' }, net: 19_980_000 })
  on(s, '2027-01-06') // The day on which the grace period would have ended.
  await sweep(s)
  await step({ events: [], access: { pro: '2027-02-02' }, net: 19_980_000 })
})

test("Vic's card fails, the grace period ends, and the store gives up", async () => {
  const step = follow(s, 'svc_vic')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_vic', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  await notifyNew(s, GRACE, bought)
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period'],
    access: { pro: '2027-01-05' },
    net: 9_990_000,
  })

  on(s, '2027-01-05')
  await sweep(s)
  await step({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect((await lastEvent(s, 'svc_vic', 'purchase.billing_issue')).data).toMatchObject({ phase: 'RETRY' })
  await notifyNew(s, ['GRACE_PERIOD_EXPIRED', null], bought)
  await step({ events: [], access: {}, net: 9_990_000 })

  on(s, '2027-02-18')
  await notifyNew(s, ['EXPIRED', 'BILLING_RETRY'], bought)
  await step({ events: ['purchase.expired'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_vic')).toBe('BILLING_ERROR')
})

test('Wes is told early that his card will fail; after 60 silent days nobody waits for him', async () => {
  const step = follow(s, 'svc_wes')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_wes', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-19')
  await notifyNew(s, ['DID_FAIL_TO_RENEW', null], bought)
  await sweep(s)
  await step({ events: [], access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-12-20')
  await sweep(s)
  await step({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 9_990_000 })

  on(s, '2027-02-17')
  await sweep(s)
  await step({ events: [], access: {}, net: 9_990_000 })
  on(s, '2027-02-18')
  await sweep(s)
  await step({ events: ['purchase.expired'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_wes')).toBe('BILLING_ERROR')

  on(s, '2027-03-01') // The renewal succeeds very late.
  await notifyNew(s, RECOVERED, renew(s, bought, MONTHLY))
  await step({ events: ['purchase.renewed', 'entitlement.granted'], access: { pro: '2027-04-01' }, net: 19_980_000 })
  expect((await lastEvent(s, 'svc_wes', 'purchase.renewed')).data).toMatchObject({ reactivation: true, late: true })
})

test('Xia goes down from the year to the month, after she had thought better of it once', async () => {
  const step = follow(s, 'svc_xia')
  const year = s.buy(YEARLY)
  await expectSubmitted(s.receipt('svc_xia', year))
  const both = { coach: '2027-11-20', pro: '2027-11-20' }
  await step({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted'],
    access: both,
    net: 79_990_000,
  })
  const down = () =>
    notifyNew(s, ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'], year, { renewal: { autoRenewProductId: MONTHLY.productId } })

  on(s, '2027-06-01')
  await down()
  await step({ events: ['purchase.product_changed'], access: both, net: 79_990_000 })
  expect((await lastEvent(s, 'svc_xia', 'purchase.product_changed')).data).toMatchObject({ effective: 'NEXT_PERIOD' })
  on(s, '2027-06-02')
  await notifyNew(s, ['DID_CHANGE_RENEWAL_PREF', null], year)
  await step({ events: ['purchase.product_changed'], access: both, net: 79_990_000 })
  on(s, '2027-11-01')
  await down()
  await step({ events: ['purchase.product_changed'], access: both, net: 79_990_000 })

  on(s, '2027-11-20')
  await notifyNew(s, RENEWED, renew(s, year, MONTHLY))
  await step({ events: ['purchase.renewed', 'entitlement.revoked'], access: { pro: '2027-12-20' }, net: 89_980_000 })
})

test('Zoe never agrees to the higher price, and is let go', async () => {
  const step = follow(s, 'svc_zoe')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_zoe', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-01')
  await notifyNew(s, ['PRICE_INCREASE', 'PENDING'], bought)
  await step({ events: ['purchase.price_increase_consent'], access: { pro: '2026-12-20' }, net: 9_990_000 })
  expect((await lastEvent(s, 'svc_zoe', 'purchase.price_increase_consent')).data).toMatchObject({ state: 'PENDING' })

  on(s, '2026-12-20')
  await notifyNew(s, ['EXPIRED', 'PRICE_INCREASE'], bought)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_zoe')).toBe('PRICE_INCREASE')
})

test('Abe agrees to the higher price, and pays it', async () => {
  const step = follow(s, 'svc_abe')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_abe', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-01')
  await notifyNew(s, ['PRICE_INCREASE', 'PENDING'], bought)
  on(s, '2026-12-03')
  await notifyNew(s, ['PRICE_INCREASE', 'ACCEPTED'], bought)
  await step({
    events: ['purchase.price_increase_consent', 'purchase.price_increase_consent'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  expect((await lastEvent(s, 'svc_abe', 'purchase.price_increase_consent')).data).toMatchObject({ state: 'ACCEPTED' })

  on(s, '2026-12-19')
  await notifyNew(s, RENEWED, renew(s, bought, { ...MONTHLY, price: 12_990 }))
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 22_980_000 })
})

test('Bea is given a week by the developer', async () => {
  const step = follow(s, 'svc_bea')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_bea', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-10')
  const longer = { ...bought, expiresDate: Date.parse('2026-12-27T08:00:00.000Z') }
  await notifyNew(s, ['RENEWAL_EXTENDED', null], longer)
  await notifyNew(s, ['RENEWAL_EXTENSION', 'SUMMARY'], null)
  await step({ events: ['purchase.extended'], access: { pro: '2026-12-27' }, net: 9_990_000 })

  await expectSubmitted(s.receipt('svc_bea', bought)) // The receipt of the first day does not contain the change.
  on(s, '2026-12-20')
  await sweep(s)
  await step({ events: [], access: { pro: '2026-12-27' }, net: 9_990_000 })

  on(s, '2026-12-27')
  await notifyNew(s, RENEWED, renew(s, longer, MONTHLY))
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-27' }, net: 19_980_000 })
})

test('Dot is won back by an offer, after the product was taken off the market', async () => {
  const step = follow(s, 'svc_dot')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_dot', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  await notifyNew(s, ['EXPIRED', 'PRODUCT_NOT_FOR_SALE'], bought)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_dot')).toBe('PRODUCT_UNAVAILABLE')

  on(s, '2027-01-05')
  const half = s.buy({ ...MONTHLY, price: 4990 }, { previous: bought })
  const offer = { offerType: 4, offerIdentifier: 'comeback', offerDiscountType: 'PAY_AS_YOU_GO' }
  await notifyNew(s, ['OFFER_REDEEMED', 'RESUBSCRIBE'], { ...half, ...offer })
  await step({ events: ['purchase.renewed', 'entitlement.granted'], access: { pro: '2027-02-05' }, net: 14_980_000 })
  expect((await lastEvent(s, 'svc_dot', 'purchase.renewed')).after).toMatchObject({ purchase: { offerId: 'comeback' } })
})
