import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { listForReplay, replayStoreEvent } from '../../src/intake/catch-up/replay'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { type SignedDelivery, signEvent } from '../../src/test-store/stores/payment-events'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { renew } from '../../src/test-store/stores/payment-turns'
import type { SimulatedEvent } from '../../src/test-store/stores/payment-world'
import { access, everything, expectRefused, money, rowOf } from '../support/facts'
import { storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage, SECRET_KEY, sellThrough, stopSelling } from '../support/payment'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage()
})
afterEach(() => s.close())

/** A subscription of Ada at the provider, with nothing delivered yet. */
async function adaSubscribes(priceId = 'price_monthly') {
  const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
  return subscribe(s.world, { priceId, metadata: { svc_subscriber_id: id } })
}

/** The undelivered event of a type, as the provider has it. */
function waiting(type: string): SimulatedEvent {
  const event = s.world.events.findLast((one) => one.type === type)
  if (!event) throw new Error(`no ${type} waits`)
  return event
}

const signed = (event: object, secret = s.secret, now = s.ctx.clock.now()) => signEvent(event, { secret, now })

const inbox = async () =>
  (await storeEvents(s)).map(({ type, status, error }) => [type, status, error] as unknown[]).toSorted()

const CREATED = 'customer.subscription.created'

describe('an event', () => {
  test('of a subscription gives its subscriber the purchase and access', async () => {
    await adaSubscribes()
    for (const { status, body } of await s.deliverAll())
      expect([status, body]).toEqual([200, { data: { received: true, duplicate: false } }])
    expect(await inbox()).toEqual([
      [CREATED, 'PROCESSED', null],
      ['invoice.paid', 'PROCESSED', null],
      ['payment_intent.succeeded', 'IGNORED', 'it names no price'],
    ])
    expect((await s.get('/v1/me/access', 'svc_ada')).body.data.access.pro).toEqual({
      isActive: true,
      expiresDate: '2026-12-20T08:00:00.000Z',
      store: 'PAYMENT',
      productIdentifier: 'pro_monthly',
    })
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([['INITIAL', 9_990_000]])
  })

  test('is kept as it came, and is the cause of what follows', async () => {
    await adaSubscribes()
    const delivery = await signed(waiting(CREATED))
    await s.deliver(delivery)
    const [row] = await storeEvents(s)
    expect(row).toMatchObject({ body: delivery.body, notificationId: waiting(CREATED).id, eventAt: s.ctx.clock.now() })
    const [event] = await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)
    expect(event?.cause).toEqual({ kind: 'STORE_NOTIFICATION', ref: row?.id ?? '', store: 'PAYMENT', detail: CREATED })
  })

  test('of an unknown type is acknowledged and kept', async () => {
    const event = { ...(await adaSubscribes()), id: 'evt_1', object: 'event', created: 1, livemode: false }
    for (const type of ['radar.early_fraud_warning.created', 'charge.dispute.created', 'customer.created'])
      await s.deliver(await signed({ ...event, id: `evt_${type}`, type, data: { object: { id: 'x' } } }))
    expect((await inbox()).map(([, status]) => status)).toEqual(['IGNORED', 'IGNORED', 'IGNORED'])
    expect(s.server.requests).toEqual([])
  })

  test('of the other mode, or of another account, is kept and never believed', async () => {
    await adaSubscribes()
    const event = waiting(CREATED)
    expect((await s.deliver(await signed({ ...event, id: 'evt_live', livemode: true }))).status).toBe(200)
    expect((await s.deliver(await signed({ ...event, id: 'evt_other', account: 'acct_9' }))).status).toBe(200)
    expect((await inbox()).map(([, status, error]) => [status, error])).toEqual([
      ['IGNORED', 'it is of another account'],
      ['IGNORED', 'it is of live mode, and the project sells in test mode'],
    ])
    expect(s.server.requests).toEqual([])
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('whose objects are of the other mode changes nothing', async () => {
    const subscription = await adaSubscribes()
    subscription.livemode = true
    await s.deliver(await signed(waiting(CREATED)))
    expect(await inbox()).toEqual([[CREATED, 'IGNORED', 'it is of the mode that this project does not sell in']])
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('of live mode is a purchase of production', async () => {
    await sellThrough(s, s.project, null, 'live')
    const subscription = await adaSubscribes()
    subscription.livemode = true
    for (const event of s.world.events) await s.deliver(await signed({ ...event, livemode: true }))
    expect((await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ environment }) => environment)).toEqual([
      'PRODUCTION',
    ])
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
  })

  test('of a purchase that is held in the other mode leaves it as it is', async () => {
    const subscription = await adaSubscribes()
    await s.deliverAll()
    await sellThrough(s, s.project, null, 'live')
    subscription.livemode = true
    subscription.status = 'canceled'
    const before = await everything(s)
    await s.deliver(await signed({ ...waiting(CREATED), id: 'evt_later', livemode: true }))
    expect(await everything(s)).toEqual(before)
    expect((await inbox()).map(([, , error]) => error)).toContain('the purchase is of the other mode')
  })
})

describe('an event is refused, and not kept', () => {
  let event: SimulatedEvent
  let good: SignedDelivery
  beforeEach(async () => {
    await adaSubscribes()
    event = waiting(CREATED)
    good = await signed(event)
  })
  afterEach(async () => {
    expect(await inbox()).toEqual([])
    expect(s.server.requests).toEqual([])
    expect((await s.deliver(good)).status).toBe(200)
  })
  const refused = (delivery: SignedDelivery, status = 401, code = 'UNAUTHORIZED', path = s.path) =>
    expectRefused(s, () => s.deliver(delivery, path), status, code)

  test('without a signature, or with a broken one', async () => {
    const { body, signature } = good
    const [time, hash] = signature.split(',')
    for (const wrong of [
      '',
      'x',
      't=,v1=',
      `${time}`,
      `${hash}`,
      `${time},v1=00`,
      `${time},${time},${hash}`,
      `t=0,${hash}`,
    ])
      await refused({ body, signature: wrong })
  })

  test('with another body than was signed', async () => {
    await refused({ ...good, body: good.body.replace('evt_', 'evt_x') })
    await refused({ ...good, body: `${good.body} ` })
    await refused({ ...good, body: '' })
  })

  test('signed with another secret', async () => {
    for (const secret of ['whsec_other', SECRET_KEY, 'whsec_connect_test']) await refused(await signed(event, secret))
  })

  test('signed more than five minutes ago, or ahead', async () => {
    const now = s.ctx.clock.now()
    for (const at of [now - 5 * MINUTE - 1000, now + 5 * MINUTE + 1000])
      await refused(await signed(event, s.secret, at))
    expect((await s.deliver(await signed({ ...event, type: 'x' }, s.secret, now - 5 * MINUTE))).status).toBe(200)
    await s.ctx.write((tx) => tx.db.delete(tx.tables.storeEvents))
  })

  test('for a project that does not exist, or sells through no account', async () => {
    for (const id of ['prj_00000000000000000000000009', 'none', '%00', "'"])
      await refused(good, 404, 'NOT_FOUND', `/webhooks/payment/${id}`)
    await refused(good, 401, 'UNAUTHORIZED', `/webhooks/payment/${s.other.id}`)
  })

  test('that is signed, but is no event', async () => {
    for (const body of [{}, { ...event, object: 'charge' }, { ...event, id: '' }, { ...event, data: {} }, []])
      await refused(await signed(body), 400, 'VALIDATION_ERROR')
  })

  test('more often than 200 times a minute from one address', async () => {
    const wrong = { ...good, signature: 't=1,v1=00' }
    for (let count = 0; count < 200; count++) expect((await s.deliver(wrong)).status).toBe(401)
    expect((await s.deliver(wrong)).status).toBe(429)
  })
})

describe('while the provider', () => {
  for (const [name, faults] of [
    ['is away', { status: 500 }],
    ['has too much to do', { status: 429 }],
    ['refuses the key', { status: 401 }],
    ['answers what nobody can read', { isMalformed: true }],
  ] as const)
    test(`${name}, an event is 503 and kept, and is taken when it comes again`, async () => {
      await adaSubscribes()
      s.server.faults = { ...NO_FAULTS, ...faults }
      const delivery = await signed(waiting(CREATED))
      const { headers } = await expectRefused(s, () => s.deliver(delivery), 503, 'STORE_UNAVAILABLE')
      expect(headers.get('retry-after')).toBe('60')
      expect(await inbox()).toEqual([[CREATED, 'FAILED', expect.stringContaining('payment provider')]])
      s.server.faults = NO_FAULTS
      s.ctx.clock.advance(MINUTE)
      expect((await s.deliver(delivery)).body).toEqual({ data: { received: true, duplicate: false } })
      expect((await inbox()).map(([, status]) => status)).toEqual(['PROCESSED'])
      expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    })

  test('has objects of a shape that is not its own, too', async () => {
    const subscription = await adaSubscribes()
    Object.assign(subscription, { start_date: 'soon' })
    await expectRefused(s, async () => s.deliver(await signed(waiting(CREATED))), 503, 'STORE_UNAVAILABLE')
    expect(await inbox()).toEqual([[CREATED, 'FAILED', expect.stringContaining('subscription.start_date')]])
  })

  test('knows nothing of it by our key, it is told and kept as failed', async () => {
    await adaSubscribes()
    s.world.subscriptions.clear()
    expect((await s.deliver(await signed(waiting(CREATED)))).status).toBe(200)
    expect(await inbox()).toEqual([[CREATED, 'FAILED', expect.stringContaining('replay this')]])
  })

  test('cannot be asked for want of a key, its events wait with it', async () => {
    await adaSubscribes()
    const config = { mode: 'test', accountId: null }
    await s.ctx.write((tx) =>
      saveStoreSettings(tx, s.project.id, 'payment', { config, secrets: { webhookSecret: s.secret } }),
    )
    const delivery = await signed(waiting(CREATED))
    // Without a key the secret is not used: no event of the account is accepted until both are saved.
    await expectRefused(s, () => s.deliver(delivery), 401, 'UNAUTHORIZED')
    await sellThrough(s, s.project, null)
    expect((await s.deliver(delivery)).status).toBe(200)
  })

  test('is no more asked for a project that sells through no account now', async () => {
    await adaSubscribes()
    await s.deliverAll()
    await stopSelling(s, s.project)
    const before = await everything(s)
    const [id = ''] = await listForReplay(s.ctx, {})
    expect(await replayStoreEvent(s.ctx, id)).toMatchObject({ status: 'IGNORED' })
    expect(await everything(s)).toEqual(before)
  })
})

describe('the same event', () => {
  test('a hundred times at once has one effect, and no answer is our fault', async () => {
    await adaSubscribes()
    const delivery = await signed(waiting('invoice.paid'))
    const answers = await Promise.all(Array.from({ length: 100 }, () => s.deliver(delivery)))
    const counts = Map.groupBy(answers, ({ status }) => status)
    expect([...counts.keys()].filter((status) => status !== 200 && status !== 409)).toEqual([])
    for (const { headers, body } of counts.get(409) ?? []) {
      expect(headers.get('retry-after')).toBe('5')
      expect(body.error.code).toBe('WEBHOOK_IN_PROGRESS')
    }
    const fresh = (counts.get(200) ?? []).filter(({ body }) => !body.data.duplicate)
    expect(fresh).toHaveLength(1)
    expect(await inbox()).toEqual([['invoice.paid', 'PROCESSED', null]])
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([['INITIAL', 9_990_000]])
  })

  test('again is a duplicate without an effect', async () => {
    await adaSubscribes()
    await s.deliverAll()
    const before = await everything(s)
    const asked = s.server.requests.length
    for (const event of s.world.events)
      expect((await s.deliver(await signed(event))).body.data).toEqual({ received: true, duplicate: true })
    expect(await everything(s)).toEqual(before)
    expect(s.server.requests).toHaveLength(asked)
  })

  test('for two projects is an event of each', async () => {
    await sellThrough(s, s.other, null)
    subscribe(s.world, { priceId: 'price_monthly' })
    const delivery = await signed(waiting(CREATED))
    const other = await s.deliver(delivery, `/webhooks/payment/${s.other.id}`)
    expect([(await s.deliver(delivery)).body.data.duplicate, other.body.data.duplicate]).toEqual([false, false])
    const projects = (await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ projectId }) => projectId)
    expect(projects.sort()).toEqual([s.project.id, s.other.id].sort())
  })
})

describe('a price that no product has', () => {
  beforeEach(async () => {
    await adaSubscribes('price_nobody')
    expect((await s.deliverAll()).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('is kept as an unlisted sale, and gives nothing', async () => {
    const why = 'it sells no product of the catalogue, so it is kept as an unlisted sale'
    expect((await inbox()).slice(0, 2)).toEqual([
      [CREATED, 'IGNORED', why],
      ['invoice.paid', 'IGNORED', why],
    ])
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([])
  })

  test('gives access once the product is there and the event is replayed', async () => {
    const { products: p } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(p).set({ paymentId: 'price_nobody' }).where(eq(p.identifier, 'lifetime')))
    s.ctx.state.projects.forget(s.project.id)
    const statuses = []
    for (const id of await listForReplay(s.ctx, { store: 'PAYMENT', status: 'IGNORED' }))
      statuses.push((await replayStoreEvent(s.ctx, id))?.status)
    expect(statuses.toSorted()).toEqual(['IGNORED', 'PROCESSED', 'PROCESSED'])
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toHaveLength(1)
  })
})

test('replaying everything, twice, changes nothing', async () => {
  const { id } = await adaSubscribes()
  s.ctx.clock.set(Date.UTC(2026, 11, 20, 8))
  renew(s.world, id)
  await s.deliverAll()
  const before = await everything(s)
  for (let round = 0; round < 2; round++)
    for (const event of await listForReplay(s.ctx, {})) await replayStoreEvent(s.ctx, event)
  expect(await everything(s)).toEqual(before)
})
