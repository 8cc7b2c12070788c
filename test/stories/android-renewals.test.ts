import { afterEach, beforeEach, expect, test } from 'bun:test'
import { priceRaised } from '../../src/test-store/stores/android'
import type { AndroidStore } from '../../src/test-store/stores/android-store'
import { ANDROID_MONTHLY, type AndroidStage, aboutToken, androidStage } from '../support/android'
import { lastEvent, money, rowOf } from '../support/facts'
import { deliverAll, endReason, expectSubmitted, expectTaken, follow, on, sweep } from '../support/story'

let s: AndroidStage
let store: AndroidStore
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
  store = s.server.store
})
afterEach(() => s.close())

/** Somebody with a monthly subscription that the store and the device have reported. */
async function onMonthly(device: string) {
  const token = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token(device, token, 'pro_monthly'))
  await deliverAll(s)
  const step = follow(s, device)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })
  return { token, step }
}

test('Ola on trial pays for a month, leaves, and is not missed before its end', async () => {
  const step = follow(s, 'svc_ola')
  const token = store.subscribe(ANDROID_MONTHLY, { withTrial: true })
  await expectSubmitted(s.token('svc_ola', token, 'pro_monthly'))
  await deliverAll(s)
  await step({ events: ['purchase.trial_started', 'entitlement.granted'], access: { pro: '2026-11-27' }, net: 0 })

  on(s, '2026-11-27')
  store.renew(token)
  await deliverAll(s)
  await step({ events: ['purchase.trial_converted'], access: { pro: '2026-12-27' }, net: 9_990_000 })

  on(s, '2026-12-10')
  store.cancel(token)
  await deliverAll(s)
  await expectSubmitted(s.token('svc_ola', token, 'pro_monthly'))
  await step({ events: ['purchase.cancelled'], access: { pro: '2026-12-27' }, net: 9_990_000 })

  on(s, '2026-12-27')
  store.expire(token)
  await deliverAll(s)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_ola')).toBe('UNSUBSCRIBED')
  const lines = await money(s, (await rowOf(s, 'svc_ola')).id)
  expect(lines.map(([kind]) => kind)).toEqual(['TRIAL', 'TRIAL_CONVERSION'])
})

test("Pia's card fails; she is put on hold, and pays", async () => {
  const { token, step } = await onMonthly('svc_pia')
  on(s, '2026-12-20')
  store.failPayment(token)
  await deliverAll(s)
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period'],
    access: { pro: '2026-12-27' },
    net: 9_990_000,
  })

  on(s, '2026-12-27')
  store.hold(token)
  await deliverAll(s)
  await step({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  await expectSubmitted(s.token('svc_pia', token, 'pro_monthly'))
  await step({ events: [], access: {}, net: 9_990_000 })

  on(s, '2027-01-03')
  store.renew(token)
  await deliverAll(s)
  await step({ events: ['purchase.recovered', 'entitlement.granted'], access: { pro: '2027-02-03' }, net: 19_980_000 })
})

test("Rex's card fails and the store gives up on him", async () => {
  const { token, step } = await onMonthly('svc_rex')
  on(s, '2026-12-20')
  store.failPayment(token)
  await deliverAll(s)
  on(s, '2026-12-22') // He pays in time once.
  store.renew(token)
  await deliverAll(s)
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period', 'purchase.recovered'],
    access: { pro: '2027-01-20' },
    net: 19_980_000,
  })
  on(s, '2027-01-20') // This time he does not pay, and there is no grace period.
  store.hold(token)
  await deliverAll(s)
  await step({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 19_980_000 })
  on(s, '2027-02-19')
  store.expire(token)
  await deliverAll(s)
  await step({ events: ['purchase.expired'], access: {}, net: 19_980_000 })
  expect(await endReason(s, 'svc_rex')).toBe('BILLING_ERROR')
})

test('Sue pauses for a month and resumes; a pause that she only plans changes nothing', async () => {
  const { token, step } = await onMonthly('svc_sue')
  on(s, '2026-12-10')
  expectTaken(await s.deliver(await aboutToken(s, 11, token))) // SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED
  await step({ events: [], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  store.pause(token)
  await deliverAll(s)
  await step({ events: ['purchase.paused', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect((await lastEvent(s, 'svc_sue', 'purchase.paused')).data).toMatchObject({
    autoResumeAt: '2027-01-20T08:00:00.000Z',
  })
  on(s, '2027-01-10')
  await expectSubmitted(s.token('svc_sue', token, 'pro_monthly'))
  await sweep(s)
  await step({ events: [], access: {}, net: 9_990_000 })

  on(s, '2027-01-20')
  store.resume(token)
  await deliverAll(s)
  await step({ events: ['purchase.resumed', 'entitlement.granted'], access: { pro: '2027-02-20' }, net: 19_980_000 })
})

test('Tom pauses, and never comes back', async () => {
  const { token, step } = await onMonthly('svc_tom')
  on(s, '2026-12-20')
  store.pause(token)
  await deliverAll(s)
  await step({ events: ['purchase.paused', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  on(s, '2027-01-02')
  store.cancel(token)
  store.expire(token)
  await deliverAll(s)
  await step({ events: ['purchase.expired'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_tom')).toBe('UNSUBSCRIBED')
})

test('Una is given three days by the developer, leaves in them, and thinks better of it', async () => {
  const { token, step } = await onMonthly('svc_una')
  on(s, '2026-12-15')
  store.defer(token, 'P3D')
  await deliverAll(s)
  await step({ events: ['purchase.extended'], access: { pro: '2026-12-23' }, net: 9_990_000 })
  on(s, '2026-12-20')
  await sweep(s)
  store.cancel(token)
  await deliverAll(s)
  await step({ events: ['purchase.cancelled'], access: { pro: '2026-12-23' }, net: 9_990_000 })
  on(s, '2026-12-21')
  store.restart(token)
  await deliverAll(s)
  await step({ events: ['purchase.uncancelled'], access: { pro: '2026-12-23' }, net: 9_990_000 })
  on(s, '2026-12-23')
  store.renew(token)
  await deliverAll(s)
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-23' }, net: 19_980_000 })
})

test('Val never agrees to the higher price, and is let go', async () => {
  const { token, step } = await onMonthly('svc_val')
  on(s, '2026-12-01')
  const held = store.subscriptions.get(token)
  const price = { amountMicros: 12_990_000, currency: 'USD' }
  if (held) store.subscriptions.set(token, priceRaised(held, price, 'OUTSTANDING'))
  expectTaken(await s.deliver(await aboutToken(s, 19, token))) // SUBSCRIPTION_PRICE_CHANGE_UPDATED
  await step({ events: ['purchase.price_increase_consent'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  store.expire(token)
  await deliverAll(s)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_val')).toBe('PRICE_INCREASE')
})

test('Wim is thrown out by Google, which then gives his money back too', async () => {
  const { token, step } = await onMonthly('svc_wim')
  on(s, '2026-12-01')
  store.revoke(token)
  await deliverAll(s)
  const out = ['purchase.revoked', 'entitlement.revoked']
  await step({ events: out, access: {}, net: 0 })
  store.refund(token)
  await deliverAll(s)
  await step({ events: [], access: {}, net: 0 })
  await expectSubmitted(s.token('svc_wim', token, 'pro_monthly'))
  on(s, '2026-12-20')
  await sweep(s)
  await step({ events: [], access: {}, net: 0 })
})

test('Xan is refunded for the second month, and buys again', async () => {
  const { token, step } = await onMonthly('svc_xan')
  on(s, '2026-12-20')
  store.renew(token)
  await deliverAll(s)
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
  on(s, '2026-12-24')
  store.refund(token)
  await deliverAll(s)
  await step({ events: ['purchase.refunded', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  on(s, '2026-12-31')
  const again = store.subscribe(ANDROID_MONTHLY)
  await deliverAll(s)
  await expectSubmitted(s.token('svc_xan', again, 'pro_monthly'))
  await step({
    events: ['entitlement.granted', 'subscriber.transferred'],
    access: { pro: '2027-01-31' },
    net: 19_980_000,
  })
})
