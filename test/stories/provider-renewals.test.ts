import { afterEach, beforeEach, expect, test } from 'bun:test'
import { HOUR } from '../../src/base/lib/clock'
import * as turns from '../../src/test-store/stores/payment-turns'
import type { PaymentWorld } from '../../src/test-store/stores/payment-world'
import { balances, changeSettings, lastEvent } from '../support/facts'
import { type PaymentStage, paymentStage } from '../support/payment'
import { deliverAll, endReason, follow, on, sweep } from '../support/story'
import { changeAndDeliver, subscribeOnWeb, switchAtPeriodEnd } from '../support/web'

let s: PaymentStage
let world: PaymentWorld
beforeEach(async () => {
  s = await paymentStage() // It is 2026-11-20.
  world = s.world
})
afterEach(() => s.close())

const BOUGHT = ['purchase.initial', 'entitlement.granted']
const OVER = ['purchase.expired', 'entitlement.revoked']

test('Abe tries for a week, pays for two months, and the next period is paid an hour after it began', async () => {
  const step = follow(s, 'svc_abe')
  const month = await subscribeOnWeb(s, 'svc_abe', { trialDays: 7 })
  await step({ events: [], access: {}, net: 0 })
  await deliverAll(s)
  await step({ events: ['purchase.trial_started', 'entitlement.granted'], access: { pro: '2026-11-27' }, net: 0 })

  on(s, '2026-11-27')
  await changeAndDeliver(s, () => turns.renew(world, month))
  await step({ events: ['purchase.trial_converted'], access: { pro: '2026-12-27' }, net: 9_990_000 })
  on(s, '2026-12-27')
  await changeAndDeliver(s, () => turns.renew(world, month))
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-27' }, net: 19_980_000 })

  on(s, '2027-01-27')
  await changeAndDeliver(s, () => turns.beginPeriod(world, month)) // At the provider the invoice is a draft at first.
  await sweep(s)
  await step({ events: [], access: { pro: '2027-02-27' }, net: 19_980_000 })
  s.ctx.clock.advance(HOUR)
  await changeAndDeliver(s, () => turns.settle(world, month))
  await step({ events: ['purchase.renewed'], access: { pro: '2027-02-27' }, net: 29_970_000 })
})

test("Bea's card fails: five days of grace, then it works again", async () => {
  await changeSettings(s, { providerGraceDays: 5 })
  const step = follow(s, 'svc_bea')
  const month = await subscribeOnWeb(s, 'svc_bea')
  await deliverAll(s)
  await step({ events: BOUGHT, access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  await changeAndDeliver(s, () => turns.failPayment(world, month))
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period'],
    access: { pro: '2026-12-25' },
    net: 9_990_000,
  })
  on(s, '2026-12-24')
  await sweep(s)
  await changeAndDeliver(s, () => turns.settle(world, month))
  await step({ events: ['purchase.recovered'], access: { pro: '2027-01-20' }, net: 19_980_000 })

  on(s, '2027-01-20')
  await changeAndDeliver(s, () => turns.failPayment(world, month))
  on(s, '2027-01-25') // The fifth day is over, and the provider still tries to charge.
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period'],
    access: {},
    net: 19_980_000,
  })
  await sweep(s)
  await step({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 19_980_000 })
})

test('Cid never pays again: past due, unpaid, cancelled, and a second subscription a year later', async () => {
  const step = follow(s, 'svc_cid')
  const month = await subscribeOnWeb(s, 'svc_cid')
  await deliverAll(s)
  on(s, '2026-12-20')
  await changeAndDeliver(s, () => turns.failPayment(world, month))
  await step({
    events: [...BOUGHT, 'purchase.billing_issue', 'purchase.grace_period'],
    access: { pro: '2026-12-27' },
    net: 9_990_000,
  })
  on(s, '2026-12-23') // The provider gives up before the grace period is over.
  await changeAndDeliver(s, () => turns.giveUp(world, month, 'unpaid'))
  await step({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  on(s, '2027-01-03')
  await sweep(s)
  await changeAndDeliver(s, () => turns.endNow(world, month, 'payment_failed'))
  await step({ events: ['purchase.expired'], access: {}, net: 9_990_000 })
  expect(await endReason(s, 'svc_cid')).toBe('BILLING_ERROR')

  on(s, '2028-01-03')
  await sweep(s)
  await subscribeOnWeb(s, 'svc_cid')
  await deliverAll(s)
  await step({ events: BOUGHT, access: { pro: '2028-02-03' }, net: 19_980_000 })
  expect(world.customers.size).toBe(1)
})

test('Dee cancels, thinks better of it, and cancels for good', async () => {
  const step = follow(s, 'svc_dee')
  const month = await subscribeOnWeb(s, 'svc_dee')
  await deliverAll(s)
  on(s, '2026-12-01')
  await changeAndDeliver(s, () => turns.cancelAtPeriodEnd(world, month))
  await step({ events: [...BOUGHT, 'purchase.cancelled'], access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-12-05')
  await changeAndDeliver(s, () => turns.undoCancel(world, month))
  await step({ events: ['purchase.uncancelled'], access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-12-20')
  await changeAndDeliver(s, () => turns.renew(world, month))
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })

  on(s, '2027-01-10')
  await changeAndDeliver(s, () => turns.cancelAtPeriodEnd(world, month))
  await step({ events: ['purchase.cancelled'], access: { pro: '2027-01-20' }, net: 19_980_000 })
  on(s, '2027-01-20') // Here the clock passes the end before the provider's event arrives.
  await sweep(s)
  await step({ events: OVER, access: {}, net: 19_980_000 })
  await changeAndDeliver(s, () => turns.endNow(world, month))
  await step({ events: [], access: {}, net: 19_980_000 })
  expect(await endReason(s, 'svc_dee')).toBe('UNSUBSCRIBED')
})

test('Eve goes up to a year at once, and back to the month when it ends', async () => {
  const step = follow(s, 'svc_eve')
  const plan = await subscribeOnWeb(s, 'svc_eve')
  await deliverAll(s)
  await step({ events: BOUGHT, access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-05') // Half of the month is left, and its value reduces the price of the year.
  await changeAndDeliver(s, () => turns.changePrice(world, plan, 'price_yearly'))
  const proration = 35_000_000 // The rest of the period at each of the two prices, in whole cents.
  expect((await lastEvent(s, 'svc_eve', 'purchase.product_changed')).data.effective).toBe('NOW')
  await step({
    events: ['purchase.charged', 'purchase.product_changed', 'entitlement.granted'],
    access: { coach: '2026-12-20', pro: '2026-12-20' },
    net: 9_990_000 + proration,
  })
  expect(await balances(s, 'svc_eve')).toEqual({}) // A change of product grants nothing.

  on(s, '2026-12-20')
  await changeAndDeliver(s, () => turns.renew(world, plan))
  await step({
    events: ['purchase.renewed', 'currency.transaction'],
    access: { coach: '2027-12-20', pro: '2027-12-20' },
    net: 9_990_000 + proration + 79_990_000,
  })
  on(s, '2027-12-20')
  switchAtPeriodEnd(s, plan, 'price_monthly')
  await changeAndDeliver(s, () => turns.renew(world, plan))
  await step({
    events: ['purchase.product_changed', 'entitlement.revoked'], // The event carries the charge of the month.
    access: { pro: '2028-01-20' },
    net: 9_990_000 + proration + 79_990_000 + 9_990_000,
  })
  expect(await balances(s, 'svc_eve')).toEqual({ coins: 500 })
})

test('Fil is not asked to pay for two months: without access, and with it again', async () => {
  await changeSettings(s, { pausedCollection: 'noAccess' })
  const step = follow(s, 'svc_fil')
  const month = await subscribeOnWeb(s, 'svc_fil')
  await deliverAll(s)
  on(s, '2026-12-10')
  await changeAndDeliver(s, () => turns.pauseCollection(world, month, Date.UTC(2027, 1, 20, 8) / 1000))
  await step({ events: BOUGHT, access: { pro: '2026-12-20' }, net: 9_990_000 }) // That month is paid.
  for (const [day, events] of [
    ['2026-12-20', ['purchase.paused', 'entitlement.revoked']],
    ['2027-01-20', []],
  ] as const) {
    on(s, day)
    await changeAndDeliver(s, () => turns.beginPeriod(world, month)) // The provider voids its invoice.
    await sweep(s)
    await step({ events: [...events], access: {}, net: 9_990_000 })
  }
  on(s, '2027-02-20')
  await changeAndDeliver(s, () => {
    turns.resume(world, month)
    turns.renew(world, month)
  })
  await step({ events: ['purchase.resumed', 'entitlement.granted'], access: { pro: '2027-03-20' }, net: 19_980_000 })
})

test("Gia's week without a card ends in a pause, and her card ends the pause", async () => {
  const step = follow(s, 'svc_gia')
  const month = await subscribeOnWeb(s, 'svc_gia', { trialDays: 7 })
  await deliverAll(s)
  on(s, '2026-11-27')
  await changeAndDeliver(s, () => turns.pause(world, month))
  await step({
    events: ['purchase.trial_started', 'entitlement.granted', 'purchase.paused', 'entitlement.revoked'],
    access: {},
    net: 0,
  })
  on(s, '2026-12-10')
  await sweep(s)
  await step({ events: [], access: {}, net: 0 })
  await changeAndDeliver(s, () => {
    turns.resume(world, month)
    turns.renew(world, month)
  })
  await step({ events: ['purchase.resumed', 'entitlement.granted'], access: { pro: '2026-12-27' }, net: 9_990_000 })
})
