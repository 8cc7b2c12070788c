import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { vendorRequests } from '../../src/outward/vendor-format/service'
import { complaintsAbout } from '../../src/outward/vendor-format/vendor-schema.fixtures'
import { listEventsOf } from '../../src/people/events/queries'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { damage, give, identify, refund, renew, rowOf } from '../support/facts'
import { staff } from '../support/staff'
import { notifyNew, on, sweep } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
})
afterEach(() => s.close())

type Told = Record<string, unknown> & { type: string; id: string }
type EventRow = Awaited<ReturnType<typeof listEventsOf>>[number]

const deliveryOf = (event: EventRow | null, isTest = false) => ({
  id: 'whd_01m5wynsm0e35rw9hmckwyqppc',
  projectId: s.project.id,
  isTest,
  event,
})

/** What a receiver gets of one event. Every body is in the published form. */
async function tell(event: EventRow): Promise<Told[]> {
  await new Promise(setImmediate) // A read sees the commits of other connections from the next turn on.
  const requests = await vendorRequests(s.ctx, deliveryOf(event), null)
  return requests.map((request) => {
    const body = JSON.parse(request.body)
    expect(complaintsAbout(body)).toEqual([])
    expect(body.event.type).toBe(request.type)
    return body.event
  })
}

/** Everything that a receiver gets about the person with this device key, in its order. */
async function told(device: string): Promise<Told[]> {
  const bodies: Told[] = []
  for (const event of await listEventsOf(s.ctx, (await rowOf(s, device)).id)) {
    bodies.push(...(await tell(event)))
  }
  return bodies
}

/** Returns what a device's person was told of since the last call. */
function follow(device: string): () => Promise<Told[]> {
  let seen = 0
  return async () => {
    const all = await told(device)
    const fresh = all.slice(seen)
    seen = all.length
    return fresh
  }
}

const OFF = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'] as const
const GRACE = ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'] as const
const GRACE_END = Date.parse('2027-01-13T08:00:00.000Z')
const secret = () => ({ key: s.project.secretKey })

test('a life from the trial to the refund and the transfer', async () => {
  const next = follow('svc_ada')
  await identify(s, 'svc_ada', 'ada')
  const trial = s.buy(MONTHLY, { withTrial: true })
  await s.receipt('svc_ada', trial)
  expect(await next()).toMatchObject([
    {
      type: 'INITIAL_PURCHASE',
      period_type: 'TRIAL',
      app_id: s.project.id,
      ...{ app_user_id: 'ada', original_app_user_id: 'svc_ada', aliases: ['svc_ada', 'ada'] },
      ...{ store: 'APP_STORE', environment: 'SANDBOX', product_id: MONTHLY.productId, entitlement_ids: ['pro'] },
      ...{ price: 0, price_in_purchased_currency: 0, currency: 'USD', renewal_number: 1 },
      ...{ purchased_at_ms: Date.parse('2026-11-20T08:00:00Z'), expiration_at_ms: Date.parse('2026-11-27T08:00:00Z') },
      ...{ commission_percentage: 0.3, takehome_percentage: 0.7, is_family_share: false },
      event_timestamp_ms: s.ctx.clock.now(),
    },
  ])

  on(s, '2026-11-27')
  const paid = renew(s, trial, MONTHLY)
  await s.receipt('svc_ada', paid)
  expect(await next()).toMatchObject([
    { type: 'RENEWAL', is_trial_conversion: true, period_type: 'NORMAL', price: 9.99, renewal_number: 2 },
  ])

  on(s, '2026-12-01')
  await notifyNew(s, [...OFF], paid)
  expect(await next()).toMatchObject([{ type: 'CANCELLATION', cancel_reason: 'UNSUBSCRIBE', price: 0 }])
  await notifyNew(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'], paid)
  expect(await next()).toMatchObject([{ type: 'UNCANCELLATION' }])

  on(s, '2026-12-28')
  await notifyNew(s, [...GRACE], paid, { renewal: { gracePeriodExpiresDate: GRACE_END } })
  expect(await next()).toMatchObject([
    { type: 'BILLING_ISSUE', grace_period_expiration_at_ms: GRACE_END },
    { type: 'CANCELLATION', cancel_reason: 'BILLING_ERROR', price: 0 },
  ])

  on(s, '2026-12-30')
  const recovered = renew(s, paid, MONTHLY)
  await notifyNew(s, ['DID_RENEW', 'BILLING_RECOVERY'], recovered)
  expect(await next()).toMatchObject([{ type: 'RENEWAL', is_trial_conversion: false, price: 9.99, renewal_number: 3 }])

  on(s, '2027-01-02')
  await s.receipt('svc_ada', refund(s, recovered))
  expect(await next()).toMatchObject([
    { type: 'CANCELLATION', cancel_reason: 'CUSTOMER_SUPPORT', price: -9.99 },
    {
      ...{ type: 'EXPIRATION', expiration_reason: 'CUSTOMER_SUPPORT', price: 0 },
      expiration_at_ms: Date.parse('2027-01-02T08:00:00Z'),
    },
  ])

  const transfer = { fromAppUserId: 'ada', toAppUserId: 'bo' }
  await identify(s, 'svc_bo', 'bo')
  expect((await s.post('/v1/subscribers/transfer', transfer, secret())).status).toBe(200)
  expect(await next()).toEqual([]) // Only the receiving side is told.
  expect(await told('svc_bo')).toMatchObject([
    {
      ...{ type: 'TRANSFER', store: 'APP_STORE', environment: 'SANDBOX' },
      ...{ transferred_from: ['svc_ada', 'ada'], transferred_to: ['svc_bo', 'bo'] },
    },
  ])
})

test('a refund of an earlier period is not told', async () => {
  const first = s.buy(MONTHLY)
  await s.receipt('svc_bo', first)
  on(s, '2026-12-20')
  await s.receipt('svc_bo', renew(s, first, MONTHLY))
  on(s, '2026-12-21')
  await s.receipt('svc_bo', refund(s, first))
  const types = (await s.events((await rowOf(s, 'svc_bo')).id)).map(({ type }) => type)
  expect(types).toContain('purchase.refunded')
  expect((await told('svc_bo')).map(({ type }) => type)).toEqual(['INITIAL_PURCHASE', 'RENEWAL'])
})

test('a failed charge without a grace period, and its end', async () => {
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_cy', bought)
  on(s, '2026-12-20')
  await notifyNew(s, ['DID_FAIL_TO_RENEW', null], bought)
  await sweep(s)
  s.ctx.clock.advance(61 * DAY)
  await sweep(s)
  expect((await told('svc_cy')).slice(1)).toMatchObject([
    { type: 'BILLING_ISSUE', grace_period_expiration_at_ms: null },
    { type: 'CANCELLATION', cancel_reason: 'BILLING_ERROR' },
    { type: 'EXPIRATION', expiration_reason: 'BILLING_ERROR' },
  ])
})

test('the end of a grace period is told once', async () => {
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_cy', bought)
  on(s, '2026-12-20')
  await notifyNew(s, [...GRACE], bought, { renewal: { gracePeriodExpiresDate: s.ctx.clock.now() + 16 * DAY } })
  s.ctx.clock.advance(16 * DAY)
  await sweep(s)
  s.ctx.clock.advance(61 * DAY)
  await sweep(s)
  const ends = (await told('svc_cy')).slice(1).map(({ type, expiration_reason }) => [type, expiration_reason])
  expect(ends).toEqual([
    ['BILLING_ISSUE', undefined],
    ['CANCELLATION', undefined],
    ['EXPIRATION', 'BILLING_ERROR'],
  ])
})

test('an upgrade is told as a change and as the renewal that was paid', async () => {
  const month = s.buy(MONTHLY)
  await s.receipt('svc_di', month)
  on(s, '2026-11-30')
  await s.receipt('svc_di', s.buy(YEARLY, { previous: month }))
  const [, ...bodies] = await told('svc_di')
  expect(bodies).toMatchObject([
    { type: 'PRODUCT_CHANGE', product_id: MONTHLY.productId, new_product_id: YEARLY.productId, price: 0 },
    {
      ...{ type: 'RENEWAL', product_id: YEARLY.productId, price: 79.99, is_trial_conversion: false },
      expiration_at_ms: Date.parse('2027-11-30T08:00:00Z'),
    },
  ])
})

describe('virtual currency', () => {
  test('of a purchase names the purchase, and its ledger entry', async () => {
    const bought = s.buy(COINS)
    await s.receipt('svc_ed', bought)
    const entries = await s.ctx.db.select().from(s.ctx.tables.ledger)
    expect((await told('svc_ed'))[1]).toMatchObject({
      ...{ type: 'VIRTUAL_CURRENCY_TRANSACTION', source: 'in_app_purchase', store: 'APP_STORE' },
      ...{ product_id: COINS.productId, product_display_name: 'coins_100', transaction_id: bought.transactionId },
      adjustments: [{ amount: 100, currency: { code: 'coins', name: 'Coins', description: null } }],
      virtual_currency_transaction_id: entries[0]?.id,
    })
  })

  test('booked by a server is not told, booked by a person is', async () => {
    await identify(s, 'svc_ed', 'ed')
    await give(s, 'ed', 5, 'by-server')
    const { id } = await rowOf(s, 'svc_ed')
    const body = { code: 'gems', amount: 7, idempotencyKey: 'by-hand', description: 'sorry' }
    const answer = await staff(s).as('ADMIN').post(`/subscribers/${id}/credits`, body)
    expect([answer.status, (await told('svc_ed')).length]).toEqual([200, 1])
    expect((await told('svc_ed'))[0]).toMatchObject({
      ...{ source: 'admin_api', store: 'PROMOTIONAL', product_id: null, transaction_id: null },
      adjustments: [{ amount: 7, currency: { code: 'gems' } }],
    })
  })
})

test('a grant by hand, and taking it back, belong to no app', async () => {
  await identify(s, 'svc_fay', 'fay')
  const team = staff(s)
  const granted = await team.as('ADMIN').post('/subscribers/fay/grants', { accessIds: ['pro', 'coach'] })
  expect(granted.status).toBe(201)
  const [grant] = await told('svc_fay')
  expect(grant).toMatchObject({
    ...{ type: 'NON_RENEWING_PURCHASE', store: 'PROMOTIONAL', period_type: 'PROMOTIONAL', environment: 'PRODUCTION' },
    ...{ entitlement_ids: ['pro', 'coach'], price: 0, expiration_at_ms: null },
  })
  expect(grant).not.toHaveProperty('app_id')
})

describe('people', () => {
  test('without a label are named by their device', async () => {
    await s.receipt('svc_gus', s.buy(MONTHLY))
    const ids = { app_user_id: 'svc_gus', original_app_user_id: 'svc_gus', aliases: ['svc_gus'] }
    expect(await told('svc_gus')).toMatchObject([ids])
  })

  test('who were merged are found under all their ids', async () => {
    await s.receipt('svc_hal', s.buy(MONTHLY))
    await identify(s, 'svc_hal', 'hal')
    s.ctx.clock.advance(1000)
    await identify(s, 'svc_hal_2', 'hal')
    const [first] = await told('svc_hal')
    expect(first).toMatchObject({
      ...{ app_user_id: 'svc_hal', original_app_user_id: 'svc_hal', aliases: ['svc_hal', 'svc_hal_2', 'hal'] },
    })
  })

  test('who left their device keep their label, and the next owner of the device gets no other alias', async () => {
    await s.receipt('svc_ida', s.buy(MONTHLY))
    await identify(s, 'svc_ida', 'ida')
    const left = await rowOf(s, 'svc_ida')
    await identify(s, 'svc_ida', 'joe')
    const events = await listEventsOf(s.ctx, left.id)
    const [first] = await tell(events[0] as EventRow)
    expect(first).toMatchObject({ app_user_id: 'ida', original_app_user_id: 'ida', aliases: ['ida'] })
    await s.receipt('svc_ida', s.buy(COINS))
    expect((await told('svc_ida'))[0]).toMatchObject({ app_user_id: 'joe', aliases: ['svc_ida', 'joe'] })
  })

  test('who were erased are named by our id only', async () => {
    await s.receipt('svc_kim', s.buy(MONTHLY))
    await identify(s, 'svc_kim', 'kim')
    const { id } = await rowOf(s, 'svc_kim')
    await damage(s, id, { erasedAt: s.ctx.clock.now(), appUserId: null, attributes: {} })
    const [body] = await told('svc_kim')
    expect(body).toMatchObject({ app_user_id: id, original_app_user_id: id, aliases: [id], subscriber_attributes: {} })
    expect(JSON.stringify(body)).not.toContain('svc_kim')
  })

  test('have attributes with the time of their last change', async () => {
    const headers = { 'x-svc-app-user-id': 'svc_lou' }
    await s.post('/v1/me/attributes', { attributes: { plan: 'gold' } }, { headers })
    const changedAt = s.ctx.clock.now()
    s.ctx.clock.advance(DAY)
    await s.receipt('svc_lou', s.buy(MONTHLY))
    expect((await told('svc_lou'))[0]?.subscriber_attributes as unknown).toEqual({
      plan: { value: 'gold', updated_at_ms: changedAt },
    })
  })
})

describe('transfers', () => {
  test('name the ids of each side as they were, however they merged before and after', async () => {
    await s.receipt('svc_a1', s.buy(MONTHLY))
    await identify(s, 'svc_a1', 'al')
    await identify(s, 'svc_a2', 'al')
    await identify(s, 'svc_b1', 'bea')
    await identify(s, 'svc_b2', 'bea')
    s.ctx.clock.advance(1000)
    await s.post('/v1/subscribers/transfer', { fromAppUserId: 'al', toAppUserId: 'bea' }, secret())
    s.ctx.clock.advance(1000)
    await identify(s, 'svc_b3', 'bea')
    const rows = await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)
    const told = await Promise.all(
      rows.filter(({ type, cause }) => type === 'subscriber.transferred' && cause.kind === 'TRANSFER').map(tell),
    )
    const [transfer, ...more] = told.flat()
    expect([transfer?.transferred_from, transfer?.transferred_to, more]).toEqual([
      ['svc_a1', 'svc_a2', 'al'],
      ['svc_b1', 'svc_b2', 'bea'],
      [],
    ])
  })

  test('that are undone are told to the side that gets its purchases back', async () => {
    await s.receipt('svc_a1', s.buy(MONTHLY))
    await identify(s, 'svc_a1', 'al')
    await identify(s, 'svc_b1', 'bea')
    const { body } = await s.post('/v1/subscribers/transfer', { fromAppUserId: 'al', toAppUserId: 'bea' }, secret())
    await s.post(`/v1/subscribers/transfer/${body.data.transferId}/undo`, {}, secret())
    expect((await told('svc_a1')).at(-1)).toMatchObject({
      ...{ type: 'TRANSFER', transferred_from: ['svc_b1', 'bea'], transferred_to: ['svc_a1', 'al'] },
    })
  })

  test('without a purchase are not told', async () => {
    await identify(s, 'svc_m1', 'moe')
    await give(s, 'moe', 5, 'gift')
    await identify(s, 'svc_m2', 'moe')
    for (const device of ['svc_m1', 'svc_m2']) expect(await told(device)).toEqual([])
  })
})

describe('a request', () => {
  test('has the value of Authorization as it was saved, and no other word', async () => {
    await s.receipt('svc_ned', s.buy(MONTHLY))
    const [event = null] = await listEventsOf(s.ctx, (await rowOf(s, 'svc_ned')).id)
    const [request] = await vendorRequests(s.ctx, deliveryOf(event), 'my secret word')
    const headers = { 'Content-Type': 'application/json', Authorization: 'my secret word' }
    expect(request?.headers).toEqual(headers)
    expect((await vendorRequests(s.ctx, deliveryOf(event), null))[0]?.headers).toEqual({
      'Content-Type': 'application/json',
    })
  })

  test('is the same at a later attempt', async () => {
    await s.receipt('svc_ned', s.buy(MONTHLY))
    const [event = null] = await listEventsOf(s.ctx, (await rowOf(s, 'svc_ned')).id)
    const first = await vendorRequests(s.ctx, deliveryOf(event), null)
    s.ctx.clock.advance(DAY)
    expect(await vendorRequests(s.ctx, deliveryOf(event), null)).toEqual(first)
  })

  test('is not made of an event without an equivalent, of none, and of a project that is gone', async () => {
    await s.receipt('svc_ned', s.buy(MONTHLY))
    const [bought, granted = null] = await listEventsOf(s.ctx, (await rowOf(s, 'svc_ned')).id)
    expect(granted?.type).toBe('entitlement.granted')
    const gone = bought ? { ...bought, projectId: 'prj_00000000000000000000000009' } : null
    for (const event of [granted, null, gone])
      expect(await vendorRequests(s.ctx, deliveryOf(event), 'word')).toEqual([])
  })

  test('of a test is TEST, whatever the project has', async () => {
    const [request] = await vendorRequests(s.ctx, deliveryOf(null, true), 'word')
    const body = JSON.parse(request?.body ?? '{}')
    expect(complaintsAbout(body)).toEqual([])
    expect([body.event.type, request?.headers.Authorization]).toEqual(['TEST', 'word'])
  })
})

test('the first year of a commission counts from the first paid charge, in webhooks as in charts', async () => {
  const next = follow('svc_ada')
  const trial = s.buy(MONTHLY, { withTrial: true })
  await s.receipt('svc_ada', trial)
  on(s, '2026-11-27')
  const paid = renew(s, trial, MONTHLY)
  await s.receipt('svc_ada', paid)
  await next()
  /** What the webhook of a charge at this time tells, and what the chart of its day adds up to. */
  const at = async (day: string) => {
    on(s, day)
    await s.receipt('svc_ada', renew(s, paid, MONTHLY))
    const [told] = await next()
    const query = `from=${day}&to=${toIso(s.ctx.clock.now() + 1)}&grain=total&environment=SANDBOX`
    const chart = await staff(s).as('CUSTOMER_SUPPORT').get(`/charts/commission?${query}`)
    return [told?.type, told?.commission_percentage, chart.body.data.totals.value]
  }
  expect(await at('2027-11-22')).toEqual(['RENEWAL', 0.3, 2_997_000]) // A year after the trial began.
  expect(await at('2027-11-28')).toEqual(['RENEWAL', 0.15, 1_498_500])
  await staff(s)
    .as('ADMIN')
    .put('/commission-rates', { rates: { IOS_STORE: 0.12 } })
  expect(await at('2027-12-28')).toEqual(['RENEWAL', 0.12, 1_198_800])
})
