import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { catchUpWithStores } from '../../src/intake/catch-up/catch-up'
import { replayStoreEvent } from '../../src/intake/catch-up/replay'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { chargeOfInvoice, closeDispute, openDispute, refundCharge } from '../../src/test-store/stores/payment-returns'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { renew } from '../../src/test-store/stores/payment-turns'
import { access, eventTypes, everything, money } from '../support/facts'
import { storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage, sellThrough, stopSelling } from '../support/payment'

let s: PaymentStage
let ada = ''
beforeEach(async () => start())
afterEach(() => s.close())

async function start(account: string | null = null): Promise<void> {
  s = await paymentStage({ account })
  ada = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.id
}

/** Ada subscribes and the events are delivered; returns the invoice of the first period. */
async function adaSubscribes() {
  const { id, latest_invoice } = subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: ada } })
  await s.deliverAll()
  return { id, charge: chargeOfInvoice(s.world, String(latest_invoice)) }
}

async function catchUp(): Promise<number> {
  s.ctx.clock.advance(HOUR)
  return catchUpWithStores(s.ctx)
}

const lists = () => s.server.requests.filter(({ path }) => path === '/v1/events')
const warnings = () => s.ctx.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
const failed = async () => (await storeEvents(s)).filter(({ status }) => status === 'FAILED')

describe('what was lost is made good', () => {
  test('a refund of the invoice of an earlier period', async () => {
    const { id, charge } = await adaSubscribes()
    await catchUp()
    s.ctx.clock.advance(30 * DAY)
    renew(s.world, id)
    await s.deliverAll()
    refundCharge(s.world, charge)
    expect(await catchUp()).toBe(1)
    expect(await money(s, ada)).toContainEqual(['REFUND', -9_990_000])
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    expect(await s.ctx.metrics.text()).toContain('svc_store_catchups_total{store="PAYMENT"} 1\n')
    expect(warnings()).toEqual([expect.objectContaining({ store: 'PAYMENT', environment: 'SANDBOX', missing: 1 })])
  })

  test('a dispute that was lost', async () => {
    const { charge } = await adaSubscribes()
    closeDispute(s.world, openDispute(s.world, charge).id, 'lost')
    expect(await catchUp()).toBe(1)
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await eventTypes(s, ada)).toContain('purchase.refunded')
  })

  test('of a connected account, whose events the provider lists without its name; they can be replayed', async () => {
    await s.close()
    await start('acct_shop')
    refundCharge(s.world, (await adaSubscribes()).charge)
    expect(await catchUp()).toBe(1)
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(lists().every(({ account }) => account === 'acct_shop')).toBe(true)
    const row = (await storeEvents(s)).at(-1)
    expect(await replayStoreEvent(s.ctx, row?.id ?? '')).toMatchObject({ status: 'PROCESSED', attempts: 2 })
  })

  test('over several pages, once each', async () => {
    const { id } = await adaSubscribes()
    for (let month = 0; month < 60; month++) renew(s.world, id)
    expect(await catchUp()).toBe(180)
    expect(lists().filter(({ form }) => 'starting_after' in form)).toHaveLength(1)
    expect(await money(s, ada)).toHaveLength(61)
    expect(await catchUp()).toBe(0)
  }, 600_000)
})

describe('nothing twice', () => {
  async function refunded() {
    refundCharge(s.world, (await adaSubscribes()).charge)
    s.ctx.clock.advance(HOUR)
    const event = s.world.events.findLast(({ type }) => type === 'charge.refunded')
    if (!event) throw new Error('nothing was told')
    return () => signEvent(event, { secret: s.secret, now: s.ctx.clock.now() })
  }
  const refunds = async () => (await eventTypes(s, ada)).filter((type) => type === 'purchase.refunded')

  test('when the webhook brings its own copy later', async () => {
    const sign = await refunded()
    expect(await catchUpWithStores(s.ctx)).toBe(1)
    const before = await everything(s)
    expect((await s.deliver(await sign())).body).toEqual({ data: { received: true, duplicate: true } })
    expect(await everything(s)).toEqual(before)
    expect(await refunds()).toHaveLength(1)
  })

  test('when both come at once', async () => {
    const delivery = await (await refunded())()
    const [{ status }, one, two] = await Promise.all([
      s.deliver(delivery),
      catchUpWithStores(s.ctx),
      catchUpWithStores(s.ctx),
    ])
    expect(status).toBeOneOf([200, 409])
    expect(one + two).toBeLessThanOrEqual(1)
    expect(await refunds()).toHaveLength(1)
    expect(await catchUp()).toBe(0)
  })
})

describe('what cannot be believed', () => {
  test('is refused or ignored, and the rest is taken in', async () => {
    const { charge } = await adaSubscribes()
    const [event] = s.world.events
    if (!event) throw new Error('nothing was told')
    const strange = { ...event, id: 'evt_strange', livemode: 'no' as never }
    const simulated = { ...event, id: `evt_sim${'a'.repeat(12)}00000001` }
    s.world.events.push({ ...event, id: 'evt_live', livemode: true }, strange, simulated)
    refundCharge(s.world, charge)
    expect(await catchUp()).toBe(2)
    const rows = await storeEvents(s)
    expect(rows.find(({ notificationId }) => notificationId === 'evt_live')?.status).toBe('IGNORED')
    expect(rows.map(({ notificationId }) => notificationId)).not.toContain(simulated.id)
    expect(rows.map(({ notificationId }) => notificationId)).not.toContain(strange.id)
    expect(await access(s, 'svc_ada')).toEqual({})
  })
})

describe('faults at the provider', () => {
  test('when it lists nothing: the next run finds what was told meanwhile', async () => {
    const { charge } = await adaSubscribes()
    await catchUp()
    refundCharge(s.world, charge)
    s.server.faults = { ...NO_FAULTS, status: 503 }
    for (let hour = 0; hour < 8; hour++) expect(await catchUp()).toBe(0)
    s.server.faults = NO_FAULTS
    expect(await catchUp()).toBe(1)
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('when it cannot say what one event is about: that one waits, however long, and the others do not', async () => {
    const { id, charge } = await adaSubscribes()
    await catchUp()
    refundCharge(s.world, charge)
    s.ctx.clock.advance(2 * DAY)
    renew(s.world, id)
    const held = s.world.charges.get(charge)
    if (!held) throw new Error('no charge')
    s.world.charges.set(charge, { id: charge, object: 'charge' } as never)
    expect(await catchUp()).toBe(4)
    expect((await failed()).map(({ type }) => type)).toEqual(['charge.refunded'])
    expect((await money(s, ada)).map(([kind]) => kind)).toEqual(['INITIAL', 'RENEWAL'])
    for (let hour = 0; hour < 5; hour++) expect(await catchUp()).toBe(0)
    s.world.charges.set(charge, held)
    expect(await catchUp()).toBe(0) // It was found missing only once.
    expect(await failed()).toEqual([])
    expect((await money(s, ada)).map(([kind]) => kind)).toContain('REFUND')
  })

  test('of one project do not stop the other', async () => {
    await sellThrough(s, s.other, 'acct_other')
    refundCharge(s.world, (await adaSubscribes()).charge)
    expect(await catchUp()).toBe(1)
    expect(warnings().map(({ projectId }) => projectId)).toEqual([s.other.id])
  })
})

test('without an account nobody is asked', async () => {
  await adaSubscribes()
  await stopSelling(s, s.project)
  s.server.requests.length = 0
  expect(await catchUp()).toBe(0)
  expect(s.server.requests).toEqual([])
})
