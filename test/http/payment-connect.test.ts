import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout } from '../../src/test-store/stores/payment-checkout'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import type { SimulatedEvent } from '../../src/test-store/stores/payment-world'
import { access, expectRefused } from '../support/facts'
import { storeEvents } from '../support/notify'
import {
  CONNECT_LIVE_SECRET,
  CONNECT_SECRET,
  type PaymentStage,
  paymentStage,
  sellThrough,
  stopSelling,
  WEBHOOK_SECRET,
} from '../support/payment'

const ACCOUNT = 'acct_sleep'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage({ account: ACCOUNT })
})
afterEach(() => s.close())

const signed = (event: object, secret = CONNECT_SECRET) => signEvent(event, { secret, now: s.ctx.clock.now() })

function created(): SimulatedEvent {
  subscribe(s.world, { priceId: 'price_monthly' })
  const event = s.world.events.findLast(({ type }) => type === 'customer.subscription.created')
  if (!event) throw new Error('nothing was told')
  return event
}

const owners = async () => {
  const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
  return rows.map(({ projectId }) => projectId).sort()
}

const NOT_KEPT = { data: { received: true, duplicate: false } }

describe('the events of a connected account', () => {
  test('go to the project that sells through it, and are asked for in its name', async () => {
    const { body } = await s.checkout('svc_ada')
    completeCheckout(s.world, body.data.id)
    expect((await s.deliverAll()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    expect(new Set(s.server.requests.map(({ account }) => account))).toEqual(new Set([ACCOUNT]))
    expect((await s.portal('svc_ada')).status).toBe(200)
  })

  test('again are duplicates', async () => {
    const delivery = await signed(created())
    expect((await s.deliver(delivery)).body.data.duplicate).toBe(false)
    expect((await s.deliver(delivery)).body.data.duplicate).toBe(true)
  })

  test('of an account of no project are acknowledged, and nothing is kept', async () => {
    const event = created()
    const { account: _, ...own } = event
    for (const foreign of [
      { ...event, account: 'acct_9' },
      own,
      { ...event, type: 'account.updated', account: 'acct_9' },
    ]) {
      const { status, body } = await s.deliver(await signed(foreign))
      expect([status, body]).toEqual([200, NOT_KEPT])
    }
    expect(await storeEvents(s)).toEqual([])
    expect(await owners()).toEqual([])
  })

  test('of live mode are not those of a project that sells in test mode', async () => {
    const event = { ...created(), livemode: true }
    expect((await s.deliver(await signed(event, CONNECT_LIVE_SECRET))).body).toEqual(NOT_KEPT)
    expect(await storeEvents(s)).toEqual([])
  })

  test('of test mode may be signed by the live endpoint, which is told of both', async () => {
    expect((await s.deliver(await signed(created(), CONNECT_LIVE_SECRET))).status).toBe(200)
    expect(await owners()).toEqual([s.project.id])
  })

  test('of live mode may not be signed by the test endpoint', async () => {
    await sellThrough(s, s.project, ACCOUNT, 'live')
    const event = { ...created(), livemode: true }
    await expectRefused(s, async () => s.deliver(await signed(event)), 401, 'UNAUTHORIZED')
    expect(await storeEvents(s)).toEqual([])
  })

  test('are refused at the address of the project, and own events at that of the platform', async () => {
    const event = created()
    const path = `/webhooks/payment/${s.project.id}`
    for (const secret of [CONNECT_SECRET, WEBHOOK_SECRET, ''])
      await expectRefused(s, async () => s.deliver(await signed(event, secret || 'x'), path), 401, 'UNAUTHORIZED')
    await expectRefused(s, async () => s.deliver(await signed(event, WEBHOOK_SECRET)), 401, 'UNAUTHORIZED')
    await expectRefused(s, () => s.deliver({ body: '{}', signature: '' }), 401, 'UNAUTHORIZED')
  })

  test('are heard from the moment at which the account is connected, and no longer than it is', async () => {
    await stopSelling(s, s.project)
    expect((await s.deliver(await signed(created()))).body).toEqual(NOT_KEPT)
    expect(await owners()).toEqual([])
    await sellThrough(s, s.other, ACCOUNT)
    await s.deliver(await signed(created()))
    expect(await owners()).toEqual([s.other.id])
  })

  test('wait as 503 while the provider is away', async () => {
    const delivery = await signed(created())
    s.server.faults = { ...NO_FAULTS, status: 500 }
    await expectRefused(s, () => s.deliver(delivery), 503, 'STORE_UNAVAILABLE')
    s.server.faults = NO_FAULTS
    s.ctx.clock.advance(60_000)
    expect((await s.deliver(delivery)).status).toBe(200)
    expect(await owners()).toEqual([s.project.id])
  })
})

describe('an account of two projects', () => {
  beforeEach(() => sellThrough(s, s.other, ACCOUNT))

  test('tells both of a sale that no checkout of ours made', async () => {
    await s.deliver(await signed(created()))
    expect(await owners()).toEqual([s.project.id, s.other.id])
  })

  test('tells each, and the other passes over what the first one sold', async () => {
    const { body } = await s.checkout('svc_ada')
    completeCheckout(s.world, body.data.id)
    await s.deliverAll()
    expect(await owners()).toEqual([s.project.id])
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    const rows = (await storeEvents(s)).filter(({ projectId }) => projectId === s.other.id)
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['IGNORED']))
    expect(rows.map(({ error }) => error)).toContain('another project sold it through the same account')
    expect((await s.ctx.db.select().from(s.ctx.tables.subscribers)).map(({ projectId }) => projectId)).toEqual([
      s.project.id,
    ])
  })

  test('of which one fails: the other has it all the same, and a repetition mends the first', async () => {
    const event = created()
    const { storeEvents: e } = s.ctx.tables
    await s.deliver(await signed(event))
    // Sets the state that remains when a process died while it handled the event for the first project.
    const [row] = (await storeEvents(s)).filter(({ projectId }) => projectId === s.project.id)
    const leased = { status: 'PROCESSING', leasedBy: 'x', leasedUntil: s.ctx.clock.now() + 60_000 } as const
    await s.ctx.write((tx) =>
      tx.db
        .update(e)
        .set(leased)
        .where(eq(e.id, row?.id ?? '')),
    )
    const busy = await s.deliver(await signed(event))
    expect([busy.status, busy.body.error.code]).toEqual([409, 'WEBHOOK_IN_PROGRESS'])
    s.ctx.clock.advance(60_001)
    expect((await s.deliver(await signed(event))).body.data).toEqual({ received: true, duplicate: false })
    expect((await storeEvents(s)).map(({ status }) => status)).toEqual(['PROCESSED', 'PROCESSED'])
  })
})

test('without keys of the platform nothing is believed', async () => {
  const env = Object.fromEntries(
    ['TEST', 'LIVE'].flatMap((mode) => [
      [`SVC_PAYMENT_CONNECT_${mode}_KEY`, ''],
      [`SVC_PAYMENT_CONNECT_${mode}_WEBHOOK_SECRET`, ''],
    ]),
  )
  const bare = await paymentStage({ account: ACCOUNT, env })
  const delivery = await signed(created())
  await expectRefused(bare, () => bare.deliver(delivery), 401, 'UNAUTHORIZED')
  expect((await bare.checkout('svc_ada')).status).toBe(400)
  expect((await bare.portal('svc_ada')).body.error.code).toBe('PAYMENT_NOT_CONNECTED')
  await bare.close()
})
