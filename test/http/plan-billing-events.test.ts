import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { canonicalJson } from '../../src/base/lib/hash'
import { type BillingEvent, foldLife, standingAt } from '../../src/projects/billing/life'
import { NOW } from '../support/context'
import { dataOf } from '../support/operator'
import { type BillingStage, billingStage, DETAILS, emptyBilling, signed } from '../support/plan-billing'

let b: BillingStage
let self: BillingStage
beforeAll(async () => {
  b = await billingStage()
  self = await billingStage({ SVC_CLOUD: '0' })
})
beforeEach(async () => {
  b.s.ctx.clock.set(NOW)
  await emptyBilling(b.s)
})
afterAll(async () => {
  await b.close()
  await self.close()
})

const CUSTOMER = 'cus_life'
const seconds = (instant: number) => Math.floor(instant / SECOND)

interface Told {
  id: string
  type?: string
  at?: number
  status?: string
  tier?: string
  customer?: string
  periodEnd?: number
  cancelAt?: number | null
}

function eventText({ id, type = 'updated', at = NOW, tier = 'INDIE', ...rest }: Told): string {
  const { status = 'active', customer = CUSTOMER, periodEnd = NOW + 30 * DAY, cancelAt = null } = rest
  const item = { price: { id: `price_test_${tier}` }, current_period_end: seconds(periodEnd) }
  const object = {
    ...{ id: 'sub_life', object: 'subscription', customer, status, created: seconds(NOW - 90 * DAY) },
    ...{ cancel_at: cancelAt === null ? null : seconds(cancelAt), items: { data: [item] }, metadata: {} },
  }
  const envelope = { id, object: 'event', type: `customer.subscription.${type}`, created: seconds(at), livemode: false }
  return JSON.stringify({ ...envelope, data: { object } })
}

const deliver = (text: string, at = NOW, stage = b) =>
  stage.s.call('POST', '/billing/webhook', { key: null, raw: text, headers: signed(text, seconds(at)) })

const isCustomer = () =>
  b.s.ctx.write(async ({ db, tables }) => {
    await db
      .insert(tables.billingCustomers)
      .values({ id: CUSTOMER, projectId: b.s.project.id, ownerId: '', createdAt: NOW })
  })

const account = async () => (await b.s.ctx.db.select().from(b.s.ctx.tables.billingAccounts))[0]
const events = () => b.s.ctx.db.select().from(b.s.ctx.tables.billingEvents)

describe('an event is refused', () => {
  const text = eventText({ id: 'evt_1' })

  test.each([
    ['without a signature', {}],
    ['with the signature of another secret', signed(text, seconds(NOW), 'whsec_other')],
    ['with the signature of another body', signed(`${text} `, seconds(NOW))],
    ['signed more than five minutes ago', signed(text, seconds(NOW - 5 * MINUTE) - 1)],
    ['signed more than five minutes ahead', signed(text, seconds(NOW + 5 * MINUTE) + 1)],
    ['with two times', { 'stripe-signature': `t=1,${signed(text, seconds(NOW))['stripe-signature']}` }],
    ['with no time', { 'stripe-signature': 'v1=00' }],
  ])('%s', async (_, headers) => {
    await isCustomer()
    const { status, body } = await b.s.call('POST', '/billing/webhook', { key: null, raw: text, headers })
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(await events()).toEqual([])
  })

  test('where projects are not billed', async () => {
    const { status, body } = await deliver(text, NOW, self)
    expect([status, body.error.details]).toEqual([503, { feature: 'billing' }])
  })

  test.each(['{}', 'null', '[]', '{"id":"evt_1","object":"event"}', 'no json'])('that is %s', async (raw) => {
    expect((await deliver(raw)).status).toBe(400)
  })
})

describe('an event is acknowledged without an effect', () => {
  test('of an unknown customer, and of a price that is no plan', async () => {
    await isCustomer()
    for (const told of [
      { id: 'evt_1', customer: 'cus_other' },
      { id: 'evt_2', tier: 'GOLD' },
      { id: 'evt_3', status: 'dancing' },
    ])
      expect((await deliver(eventText(told))).body).toEqual({ data: { received: true, duplicate: false } })
    expect(await events()).toEqual([])
    expect(await b.billing()).toMatchObject({ state: 'FREE' })
  })

  test('that came before', async () => {
    await isCustomer()
    expect((await deliver(eventText({ id: 'evt_1' }))).body.data.duplicate).toBe(false)
    expect((await deliver(eventText({ id: 'evt_1' }))).body.data.duplicate).toBe(true)
    expect(await events()).toHaveLength(1)
  })

  test('that is older than what is known', async () => {
    await isCustomer()
    await deliver(eventText({ id: 'evt_2', status: 'past_due', at: NOW - MINUTE }))
    await deliver(eventText({ id: 'evt_1', status: 'active', at: NOW - 2 * MINUTE }))
    expect(await b.billing()).toMatchObject({ state: 'PAST_DUE', tier: 'INDIE' })
  })
})

test('a payment within the tolerance ahead is taken', async () => {
  await isCustomer()
  const text = eventText({ id: 'evt_1' })
  expect((await deliver(text, NOW + 5 * MINUTE)).status).toBe(200)
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE' })
})

/** A life: bought, renewed, failed, paid, cancelled, called off, unpaid, ended. Some events share their second. */
const START = NOW - 80 * DAY
const LIFE: Told[] = [
  { id: 'evt_a', type: 'created', status: 'incomplete', at: START },
  { id: 'evt_b', status: 'active', at: START },
  { id: 'evt_c', status: 'active', at: START + 30 * DAY, periodEnd: START + 60 * DAY },
  { id: 'evt_d', status: 'past_due', at: START + 31 * DAY },
  { id: 'evt_e', status: 'past_due', at: START + 34 * DAY },
  { id: 'evt_f', status: 'active', at: START + 35 * DAY },
  { id: 'evt_g', status: 'active', tier: 'STUDIO', at: START + 35 * DAY },
  { id: 'evt_h', status: 'active', tier: 'STUDIO', at: START + 36 * DAY, cancelAt: START + 60 * DAY },
  { id: 'evt_i', status: 'active', tier: 'STUDIO', at: START + 37 * DAY },
  { id: 'evt_j', status: 'past_due', tier: 'STUDIO', at: START + 40 * DAY },
  { id: 'evt_k', status: 'unpaid', tier: 'STUDIO', at: START + 61 * DAY },
  { id: 'evt_l', type: 'deleted', status: 'canceled', tier: 'STUDIO', at: START + 79 * DAY },
]

/** A generator with a seed, so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** All events of the life in a random order, with up to as many repetitions. */
function shuffled(seed: number): Told[] {
  const random = randomFrom(seed)
  const all = [...LIFE, ...Array.from({ length: random(LIFE.length) }, () => LIFE[random(LIFE.length)] ?? LIFE[0])]
  const order = all.flatMap((told) => (told ? [told] : []))
  for (let at = order.length - 1; at > 0; at--) {
    const other = random(at + 1)
    const [a, z] = [order[at], order[other]]
    if (a && z) [order[at], order[other]] = [z, a]
  }
  return order
}

test('500 orders of a life with repetitions give byte-equal state', async () => {
  const { recordEvents } = await import('../../src/operators/plan-billing/record')
  const { readSubscription } = await import('../../src/operators/plan-billing/subscription-object')
  const { cloud } = b.s.ctx.config
  if (!cloud) throw new Error('not billed')
  const toEvent = (told: Told): BillingEvent => {
    const { id, created, data } = JSON.parse(eventText(told))
    const report = readSubscription(cloud, data.object)
    if (!report) throw new Error(id)
    const rank = { created: 0, deleted: 3 }[told.type ?? ''] ?? 2
    return { id, at: created * SECOND, rank, report }
  }
  const first = canonicalJson(foldLife(LIFE.map(toEvent)))
  for (let seed = 1; seed <= 500; seed++) {
    expect([seed, canonicalJson(foldLife(shuffled(seed).map(toEvent)))]).toEqual([seed, first])
    if (seed % 10 !== 0) continue
    await emptyBilling(b.s)
    await isCustomer()
    for (const told of shuffled(seed)) await recordEvents(b.s.ctx, b.s.project.id, [toEvent(told)])
    expect([seed, canonicalJson((await account())?.life)]).toEqual([seed, first])
  }
}, 120_000)

test('signed requests in another order give the same state', async () => {
  const states: string[] = []
  for (const order of [LIFE, LIFE.toReversed(), shuffled(7)]) {
    await emptyBilling(b.s)
    await isCustomer()
    for (const told of order) expect((await deliver(eventText(told))).status).toBe(200)
    states.push(canonicalJson((await account())?.life))
  }
  expect(new Set(states).size).toBe(1)
})

const at = (days: number) => {
  const reports = LIFE.map((told) => ({
    ...{ id: told.id, at: told.at ?? NOW, rank: { created: 0, deleted: 3 }[told.type ?? ''] ?? 2 },
    report: {
      ...{ id: 'sub_life', customerId: CUSTOMER, startedAt: START, periodEnd: told.periodEnd ?? NOW },
      ...{ status: (told.status ?? 'active') as 'active', tier: (told.tier ?? 'INDIE') as 'INDIE' },
      ...{ cancelAt: told.cancelAt ?? null, paidTier: null, paidUntil: null },
    },
  }))
  const { state, tier } = standingAt(foldLife(reports), START + days * DAY)
  return [state, tier]
}

test.each([
  [-1, ['FREE', 'FREE']],
  [0, ['ACTIVE', 'INDIE']],
  [31, ['PAST_DUE', 'INDIE']],
  [34.5, ['PAST_DUE', 'INDIE']],
  [35, ['ACTIVE', 'STUDIO']],
  [40, ['PAST_DUE', 'STUDIO']],
  [60.9, ['PAST_DUE', 'STUDIO']],
  [61, ['PAUSED', 'FREE']],
  [78, ['PAUSED', 'FREE']],
  [79, ['FREE', 'FREE']],
] as const)('after %p days the life is %p', (days, expected) => {
  expect(at(days)).toEqual([...expected])
})

test('details are kept for the customer that is made later', async () => {
  await dataOf(b.admin().put('/billing/details', DETAILS))
  expect((await account())?.details).toEqual(DETAILS)
})
