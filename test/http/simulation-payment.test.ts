import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { foldObservations } from '../../src/people/purchases/fold'
import { transactionLines } from '../../src/people/purchases/lines'
import { statusAt } from '../../src/people/purchases/status'
import { testStoreClient } from '../../src/projects/connections/payment-store'
import type { Observation } from '../../src/stores/observation'
import { decodePayment } from '../../src/stores/payment/decode'
import { readEvent } from '../../src/stores/payment/event'
import { gatherFacts } from '../../src/stores/payment/gather'
import { newsOf } from '../../src/stores/payment/news'
import { add } from '../../src/stores/payment/world.fixtures'
import type { SimulatedNews, SimulatedTerms, Turn } from '../../src/test-store/stores/life'
import { dueOf, turnLife } from '../../src/test-store/stores/lives'
import { buyAtPayment } from '../../src/test-store/stores/payment-life'
import { providerInProcess } from '../../src/test-store/stores/provider'
import { changeWorld, NO_TROUBLE, readLife, readLives, saveLife } from '../../src/test-store/stores/world'
import { type Stage, stage } from '../support/cast'

let s: Stage
let known: Observation[] = []
let gapMs = 0
beforeEach(async () => {
  s = await stage()
  known = []
  gapMs = 1000
})
afterEach(() => s.close())

const terms: SimulatedTerms = {
  identifier: 'pro_monthly',
  productId: 'price_monthly',
  basePlanId: 'base',
  type: 'SUBSCRIPTION',
  period: 'P1M',
  price: { amountMicros: 9_990_000, currency: 'USD' },
  trialPeriod: 'P1W',
}
const yearly = { ...terms, identifier: 'pro_yearly', productId: 'price_yearly', period: 'P1Y' }

const world = <Result>(work: Parameters<typeof changeWorld<Result>>[2]) => changeWorld(s.ctx, s.project.id, work)

async function buy(more: Partial<SimulatedTerms> = {}, withTrial = false): Promise<string> {
  const order = { deviceKey: 'ada', seed: s.ctx.ids.uuid(), now: s.ctx.clock.now(), withTrial, metadata: {} }
  const bought = buyAtPayment({ ...order, terms: { ...terms, ...more } })
  if (!bought.ok) throw new Error(bought.why)
  await world((open) => saveLife(open, bought.life))
  await deliverAll(bought.told)
  return bought.life.id
}

async function take(id: string, turn: Turn, more: { amountMicros?: number } = {}): Promise<void> {
  s.ctx.clock.advance(gapMs)
  const events = await world(async (open) => {
    const life = await readLife(open.tx, s.project.id, id)
    const order = { turn, now: s.ctx.clock.now(), nextSeed: () => s.ctx.ids.uuid(), to: yearly, ...more }
    const turned = life && turnLife(life, order)
    if (!turned?.ok) throw new Error(turned?.why ?? 'no life')
    for (const one of turned.lives) await saveLife(open, one)
    return turned.told
  })
  await deliverAll(events)
}

/** The client of a project's test store. */
const clientOf = (projectId: string, isOn: boolean) => testStoreClient(s.ctx, providerInProcess(s.ctx, projectId, isOn))

/** All that a server does with an event, but for the database: what it is about is asked of the test store. */
async function deliverAll(told: readonly SimulatedNews[]): Promise<void> {
  const client = clientOf(s.project.id, true)
  for (const one of told) {
    const event = one.store === 'payment' ? readEvent(one.word) : null
    if (!event) throw new Error('not an event')
    if (!event.subject) continue
    const gathered = await gatherFacts(client, event.subject)
    if (!gathered.ok) throw new Error(JSON.stringify(gathered))
    const settings = { providerGraceDays: 7, pausedCollection: 'noAccess' } as const
    const sight = { fetchedAt: s.ctx.clock.now(), eventAt: event.createdAt, ...settings }
    const decoded = gathered.facts && decodePayment(gathered.facts, sight)
    if (!decoded?.ok) continue
    const fetched = decoded.purchase.lines.flatMap(({ observations }) => observations)
    add(known, newsOf(fetched, known, Number.POSITIVE_INFINITY))
  }
}

function status(type: 'SUBSCRIPTION' | 'CONSUMABLE' = 'SUBSCRIPTION', inMs = 0) {
  const fold = foldObservations(known, type)
  return fold && statusAt(fold, s.ctx.clock.now() + inMs).status
}

const amounts = () => transactionLines(known, 'SUBSCRIPTION').map(({ kind, price }) => [kind, price?.amountMicros])

for (const gap of [0, 1, 1000])
  test(`a life reported by events whose objects are fetched in this process, a change every ${gap} ms`, async () => {
    gapMs = gap
    const id = await buy({}, true)
    expect(status()).toBe('TRIAL')
    await take(id, 'renew')
    expect(status()).toBe('ACTIVE')
    await take(id, 'billing-issue')
    expect(status()).toBe('GRACE_PERIOD')
    await take(id, 'recover')
    expect(status()).toBe('ACTIVE')
    await take(id, 'pause')
    expect([status(), status('SUBSCRIPTION', 31 * DAY)]).toEqual(['ACTIVE', 'PAUSED'])
    await take(id, 'resume')
    await take(id, 'cancel')
    expect(status()).toBe('ACTIVE')
    await take(id, 'expire')
    expect(status()).toBe('EXPIRED')
    expect(amounts()).toEqual([
      ['TRIAL', 0],
      ['TRIAL_CONVERSION', 9_990_000],
      ['RENEWAL', 9_990_000],
    ])
    expect(dueOf((await readLives(s.ctx, s.project.id))[0] ?? expect.unreachable())).toBeNull()
  })

test('money goes back in parts, wholly, and comes again', async () => {
  const id = await buy()
  await take(id, 'refund', { amountMicros: 4_000_000 })
  expect(status()).toBe('ACTIVE')
  await take(id, 'refund')
  expect(status()).toBe('REFUNDED')
  expect(amounts().reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(0)
  await take(id, 'reverse-refund')
  expect(amounts().reduce((sum, [, amount]) => sum + Number(amount), 0)).toBeGreaterThan(0)
})

test('a price without cents, and what is bought once', async () => {
  const price = { amountMicros: 1_200_000_000, currency: 'JPY' }
  await buy({ type: 'CONSUMABLE', period: null, price })
  expect(status('CONSUMABLE')).toBe('ACTIVE')
  expect(transactionLines(known, 'CONSUMABLE')).toMatchObject([{ kind: 'CREDIT_PURCHASE', price }])
})

test('a server cancels and refunds, once for each idempotency key; other lives stay as they are', async () => {
  const [id, other] = [await buy(), await buy()]
  const client = clientOf(s.project.id, true)
  const before = await readLife(s.ctx, s.project.id, other)
  expect(await client.cancelAtPeriodEnd(id)).toMatchObject({ ok: true, value: { cancel_at_period_end: true } })
  const life = await readLife(s.ctx, s.project.id, id)
  const [intent = ''] = life?.store === 'payment' ? (life.world.objects.intents ?? []).map(([key]) => key) : []
  const order = { payment: { payment_intent: intent }, purchaseId: 'pur_1', transactionId: 'txn_1' }
  const first = await client.refundCharge(order)
  expect(first).toMatchObject({ ok: true, value: { status: 'succeeded' } })
  expect(await client.refundCharge(order)).toEqual(first)
  expect(await client.refundCharge({ ...order, purchaseId: 'pur_2' })).toMatchObject({
    ok: false,
    providerErrorCode: 'charge_already_refunded',
  })
  const { simulatorMessages: m } = s.ctx.tables
  const types = (await s.ctx.db.select().from(m).orderBy(m.seq)).map(({ type }) => type)
  expect(types).toEqual(['customer.subscription.updated', 'charge.refunded'])
  expect(await readLife(s.ctx, s.project.id, other)).toEqual(before)
})

test('nobody answers for ids of others, while the store is down, or when it is off', async () => {
  const id = await buy()
  const client = clientOf(s.project.id, true)
  const unknown = { ok: false, reason: 'rejected', status: 404 }
  expect(await client.getSubscription('sub_1Pxyz')).toMatchObject(unknown)
  expect(await client.getSubscription(id.slice(0, -1))).toMatchObject(unknown)
  expect(await clientOf(s.other.id, true).getSubscription(id)).toMatchObject(unknown)
  expect(await clientOf(s.project.id, false).getSubscription(id)).toMatchObject(unknown)
  await world(async ({ state }) => {
    state.trouble = { ...NO_TROUBLE, isStoreDown: true }
  })
  expect(await client.getSubscription(id)).toMatchObject({ ok: false, reason: 'unavailable' })
})

test('an advance brings the end of the period nearer', async () => {
  const id = await buy()
  const before = (await readLife(s.ctx, s.project.id, id)) ?? expect.unreachable()
  await world(async ({ state }) => {
    state.leadMs += 10 * DAY
  })
  const after = (await readLife(s.ctx, s.project.id, id)) ?? expect.unreachable()
  expect(dueOf(after)?.at).toBe((dueOf(before)?.at ?? 0) - 10 * DAY)
})
