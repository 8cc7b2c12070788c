import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, SECOND } from '../../src/base/lib/clock'
import { refreshPaymentPurchase } from '../../src/intake/payment/refresh'
import { causeOf } from '../../src/people/events/model'
import { charge, subscribe } from '../../src/test-store/stores/payment-billing'
import { chargeOfIntent, refundCharge } from '../../src/test-store/stores/payment-returns'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { cancelAtPeriodEnd, endNow, renew } from '../../src/test-store/stores/payment-turns'
import { access, everything, listenTo, money } from '../support/facts'
import { type PaymentStage, paymentStage, sellThrough, stopSelling } from '../support/payment'

let s: PaymentStage
let ada = ''
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await paymentStage()
  ada = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.id
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

async function adaSubscribes() {
  const subscription = subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: ada } })
  await s.deliverAll()
  await newEvents()
  return subscription
}

async function refresh() {
  const project = await s.ctx.state.projects.get(s.project.id)
  for (const purchase of await s.ctx.db.select().from(s.ctx.tables.purchases))
    await refreshPaymentPurchase(s.ctx, project, purchase, causeOf('RECONCILE', 'run_1', 'PAYMENT'))
}

const restore = () => s.post('/v1/subscribers/svc_ada/restore', {})
const observations = () => s.ctx.db.select().from(s.ctx.tables.observations)

describe('a refresh', () => {
  test('finds what no event told: renewals, cancellations and ends', async () => {
    const { id } = await adaSubscribes()
    s.ctx.clock.advance(30 * DAY)
    renew(s.world, id)
    await refresh()
    expect(await newEvents()).toEqual(['purchase.renewed'])
    expect(await money(s, ada)).toHaveLength(2)
    s.ctx.clock.advance(DAY)
    cancelAtPeriodEnd(s.world, id)
    await refresh()
    expect(await newEvents()).toEqual(['purchase.cancelled'])
    s.ctx.clock.advance(DAY)
    endNow(s.world, id)
    await refresh()
    expect(await newEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
    const [event] = (await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)).slice(-1)
    expect(event?.cause).toMatchObject({ kind: 'RECONCILE', ref: 'run_1' })
  })

  test('and the events that come late then change nothing', async () => {
    const { id } = await adaSubscribes()
    s.ctx.clock.advance(30 * DAY)
    renew(s.world, id)
    endNow(s.world, id)
    s.ctx.clock.advance(SECOND)
    await refresh()
    const [events, lines] = [await newEvents(), await money(s, ada)]
    expect(events).toContain('purchase.expired')
    await s.deliverAll()
    expect(await newEvents()).toEqual([])
    expect(await money(s, ada)).toEqual(lines)
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('that hears what is known keeps a word of it twice a day, and tells nothing', async () => {
    await adaSubscribes()
    const before = (await observations()).length
    for (let hour = 0; hour < 11; hour++) {
      s.ctx.clock.advance(HOUR)
      await refresh()
    }
    expect(await observations()).toHaveLength(before)
    s.ctx.clock.advance(HOUR)
    await refresh()
    await refresh()
    expect(await observations()).toHaveLength(before + 1)
    expect(await newEvents()).toEqual([])
  })

  test('of a one-time payment finds its refund, and otherwise adds nothing', async () => {
    const metadata = { svc_subscriber_id: ada, svc_price_id: 'price_lifetime' }
    const intent = charge(s.world, { amount: 19999, currency: 'usd', customer: null, metadata })
    s.world.emit('payment_intent.succeeded', intent)
    await s.deliverAll()
    await newEvents()
    const before = await everything(s)
    s.ctx.clock.advance(DAY)
    await refresh()
    expect(await everything(s)).toEqual(before)
    refundCharge(s.world, chargeOfIntent(s.world, intent.id))
    await refresh()
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    await s.deliverAll()
    await refresh()
    expect(await newEvents()).toEqual([])
    expect((await money(s, ada)).map(([, amount]) => amount)).toEqual([199_990_000, -199_990_000])
  })

  test('asks nobody about a purchase of the other mode, or without an account', async () => {
    await adaSubscribes()
    const asked = s.server.requests.length
    const before = await everything(s)
    await sellThrough(s, s.project, null, 'live')
    await refresh()
    await stopSelling(s, s.project)
    await refresh()
    expect(await everything(s)).toEqual(before)
    expect(s.server.requests).toHaveLength(asked)
  })

  test('of what the provider does not know changes nothing', async () => {
    await adaSubscribes()
    s.world.subscriptions.clear()
    const before = await everything(s)
    await refresh()
    expect(await everything(s)).toEqual(before)
  })

  test('fails as a whole while the provider is away', async () => {
    await adaSubscribes()
    const before = await everything(s)
    s.server.faults = { ...NO_FAULTS, status: 500 }
    await expect(refresh()).rejects.toMatchObject({ refusal: 'STORE_UNAVAILABLE' })
    expect(await everything(s)).toEqual(before)
  })
})

describe('a restore without receipts', () => {
  test('asks about what ends, or ended, within a day', async () => {
    const { id } = await adaSubscribes()
    s.ctx.clock.advance(15 * DAY)
    const asked = s.server.requests.length
    await restore()
    expect(s.server.requests).toHaveLength(asked)
    s.ctx.clock.advance(15 * DAY + HOUR)
    renew(s.world, id)
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(Object.keys((await restore()).body.data.access)).toEqual(['pro'])
  })

  test('is 503 while the provider is away, and 200 without an account', async () => {
    await adaSubscribes()
    s.ctx.clock.advance(30 * DAY)
    s.server.faults = { ...NO_FAULTS, status: 500 }
    const { status, body, headers } = await restore()
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'STORE_UNAVAILABLE', '60'])
    await stopSelling(s, s.project)
    expect((await restore()).status).toBe(200)
  })
})
