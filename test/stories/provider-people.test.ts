import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addCustomer, charge, subscribe } from '../../src/test-store/stores/payment-billing'
import { refundCharge } from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import type { PaymentWorld } from '../../src/test-store/stores/payment-world'
import { MONTHLY } from '../support/cast'
import { eventTypes, expectRefused, identify, renew, rowOf } from '../support/facts'
import { type PaymentStage, paymentStage } from '../support/payment'
import { deliverAll, expectSubmitted, follow, notifyNew, on, sweep } from '../support/story'
import { changeAndDeliver, chargeOf, payOnWeb, subscribeOnWeb } from '../support/web'

let s: PaymentStage
let world: PaymentWorld
beforeEach(async () => {
  s = await paymentStage() // It is 2026-11-20.
  world = s.world
})
afterEach(() => s.close())

const BOUGHT = ['purchase.initial', 'entitlement.granted']
const transfer = (fromAppUserId: string, toAppUserId: string) =>
  expectSubmitted(s.post('/v1/subscribers/transfer', { fromAppUserId, toAppUserId }, { key: s.project.secretKey }))

test('Ned has a month on the iPhone and one on the web: the web one ends, and he keeps his access', async () => {
  const phone = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_ned', phone))
  await identify(s, 'svc_ned', 'ned')
  on(s, '2026-12-01')
  const web = await subscribeOnWeb(s, 'svc_ned_web')
  await identify(s, 'svc_ned_web', 'ned') // Before the provider has sent any event.
  const step = follow(s, 'svc_ned_web')
  await step({
    events: ['entitlement.granted', 'subscriber.transferred', 'subscriber.identified'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  await deliverAll(s)
  await step({ events: ['purchase.initial'], access: { pro: '2027-01-01' }, net: 19_980_000 })

  on(s, '2026-12-20')
  await notifyNew(s, ['DID_RENEW', null], renew(s, phone, MONTHLY))
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 29_970_000 })
  on(s, '2027-01-01')
  await changeAndDeliver(s, () => turns.failPayment(world, web))
  await changeAndDeliver(s, () => turns.giveUp(world, web, 'canceled'))
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period', 'purchase.expired'],
    access: { pro: '2027-01-20' },
    net: 29_970_000,
  })
  on(s, '2027-01-20')
  await sweep(s)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 29_970_000 })
})

test('Ola buys on the web, signs in on a phone, and finds everything there', async () => {
  const web = follow(s, 'svc_ola_web')
  const month = await subscribeOnWeb(s, 'svc_ola_web')
  await deliverAll(s)
  await identify(s, 'svc_ola_web', 'ola')
  await web({ events: [...BOUGHT, 'subscriber.identified'], access: { pro: '2026-12-20' }, net: 9_990_000 })
  await identify(s, 'svc_ola_phone', 'ola')
  const phone = follow(s, 'svc_ola_phone')
  await phone({
    events: ['entitlement.granted', 'subscriber.transferred', 'subscriber.identified'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  on(s, '2026-12-20')
  // The metadata of the subscription still names the web device.
  await changeAndDeliver(s, () => turns.renew(world, month))
  await phone({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
  await web({
    events: ['entitlement.revoked', 'subscriber.transferred'],
    access: { pro: '2027-01-20' }, // The access of the surviving subscriber.
    net: 0,
  })
  expect((await s.portal('svc_ola_phone')).body.data.customer).toBe([...world.customers.keys()][0])
})

test('Pip is a guest of a payment page, and support gives him what he paid for when he has an account', async () => {
  const customer = addCustomer(world).id
  const month = subscribe(world, { priceId: 'price_monthly', customer }).id
  await deliverAll(s)
  const { id: guestId, isSynthetic } = await rowOf(s, `payment:${customer}`)
  expect([isSynthetic, await eventTypes(s, guestId)]).toEqual([true, BOUGHT])
  // Nobody can act for a guest by using the guest's name.
  await expectRefused(s, () => s.get('/v1/me', `payment:${customer}`), 400, 'VALIDATION_ERROR')

  on(s, '2026-12-01')
  await identify(s, 'svc_pip', 'pip')
  const pip = follow(s, 'svc_pip')
  await pip({ events: ['subscriber.identified'], access: {}, net: 0 })
  await transfer(guestId, 'pip')
  await pip({
    events: ['entitlement.granted', 'subscriber.transferred'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  on(s, '2026-12-20')
  await changeAndDeliver(s, () => turns.renew(world, month))
  await pip({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
  on(s, '2026-12-21')
  subscribe(world, { priceId: 'price_yearly', customer }) // On the same page, with the same customer.
  await deliverAll(s)
  await pip({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted'],
    access: { coach: '2027-12-21', pro: '2027-12-21' },
    net: 99_970_000,
  })
  expect((await s.portal('svc_pip')).body.data.customer).toBe(customer)
})

test('Rex pays without so much as a customer, and once more as one: two strangers, until both are his', async () => {
  const metadata = { svc_price_id: 'price_lifetime' }
  const forever = charge(world, { amount: 19_999, currency: 'usd', customer: null, metadata })
  world.emit('payment_intent.succeeded', forever)
  payOnWeb(s, 'price_coins')
  await deliverAll(s)
  await identify(s, 'svc_rex', 'rex')
  const rex = follow(s, 'svc_rex')
  const rows = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  const guests = rows.filter(({ isSynthetic }) => isSynthetic)
  expect(guests).toHaveLength(2)
  for (const { id } of guests) await transfer(id, 'rex')
  await rex({
    events: [
      'subscriber.identified',
      'entitlement.granted',
      'subscriber.transferred',
      'currency.transaction',
      'subscriber.transferred',
    ],
    access: { pro: null },
    net: 200_980_000,
  })
  await changeAndDeliver(s, () => refundCharge(world, chargeOf(s, forever.id)))
  await rex({ events: ['purchase.refunded', 'entitlement.revoked'], access: {}, net: 990_000 })
})
