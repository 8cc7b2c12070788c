import { afterEach, beforeEach, expect, test } from 'bun:test'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, balances, changeSettings, eventTypes, identify, money, refund, renew, rowOf } from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const many = <Result>(count: number, call: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)

/** Expects that the event numbers of every subscriber have no gap. */
async function expectGapless() {
  for (const { id } of await s.ctx.db.select().from(s.ctx.tables.subscribers)) await eventTypes(s, id)
}

test('100 simultaneous duplicates of one receipt have one effect, and all are 200', async () => {
  const payload = s.buy(YEARLY)
  const answers = await many(100, () => s.receipt('svc_ada', payload))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  const { id } = await rowOf(s, 'svc_ada')
  expect(await eventTypes(s, id)).toEqual([
    'purchase.initial',
    'currency.transaction',
    'entitlement.granted',
    'entitlement.granted',
  ])
  expect(await money(s, id)).toEqual([['INITIAL', 79_990_000]])
  expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  expect(await purchases()).toHaveLength(1)
  expect(await s.ctx.db.select().from(s.ctx.tables.observations)).toHaveLength(1)
  expect(await s.ctx.db.select().from(s.ctx.tables.ledger)).toHaveLength(1)
})

test('20 simultaneous duplicates under one Idempotency-Key have one effect, and all are 200', async () => {
  const body = { receipt: s.sign(s.buy(YEARLY)), appUserId: 'svc_ada', productId: 'pro_yearly' }
  const options = { headers: { 'idempotency-key': 'k' } }
  const answers = await many(20, () => s.post('/v1/receipts/ios', body, options))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await purchases()).toHaveLength(1)
  expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
})

test('50 devices that show one receipt at once leave exactly one owner under the setting never', async () => {
  await changeSettings(s, { purchaseTransfer: 'never' })
  const payload = s.buy(YEARLY)
  const answers = await many(50, (index) => s.receipt(`svc_${index}`, payload))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(49)
  const [purchase, ...others] = await purchases()
  expect(others).toEqual([])
  const winner = `svc_${statuses.indexOf(200)}`
  expect(purchase?.subscriberId).toBe((await rowOf(s, winner)).id)
  // The refused requests have kept their device (wire 2.7), and have written nothing else.
  expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toHaveLength(50)
  const events = await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)
  expect(new Set(events.map(({ subscriberId }) => subscriberId))).toEqual(new Set([purchase?.subscriberId ?? null]))
  expect(await balances(s, winner)).toEqual({ coins: 500 })
  expect(await s.ctx.db.select().from(s.ctx.tables.transfers)).toEqual([])
})

test('50 devices that show one receipt at once hand it on, and one of them has it in the end', async () => {
  const payload = s.buy(YEARLY)
  const answers = await many(50, (index) => s.receipt(`svc_${index}`, payload))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const holders = []
  for (let index = 0; index < 50; index++)
    if (Object.keys(await access(s, `svc_${index}`)).length > 0) holders.push(index)
  expect(holders).toHaveLength(1)
  // The coins were granted once, to the first device.
  expect(await s.ctx.db.select().from(s.ctx.tables.ledger)).toHaveLength(1)
  expect(await s.ctx.db.select().from(s.ctx.tables.transfers)).toHaveLength(49)
  expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
  await expectGapless()
})

test('10 members of a family at once: six are in', async () => {
  const payload = s.buy(MONTHLY, { ownershipType: 'FAMILY_SHARED' })
  const answers = await many(10, (index) => s.receipt(`svc_${index}`, payload))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 409, 409, 409, 409])
  expect(await purchases()).toHaveLength(6)
})

test('many receipts of one subscriber at once keep its numbers without a gap and lose nothing', async () => {
  const start = s.buy(MONTHLY)
  const renewed = renew(s, start, MONTHLY)
  const coins = Array.from({ length: 20 }, () => s.buy(COINS))
  const payloads = [start, renewed, refund(s, renewed), s.buy(YEARLY), ...coins]
  const answers = await many(payloads.length * 2, (index) => {
    const payload = payloads[index % payloads.length]
    return payload ? s.receipt('svc_ada', payload) : Promise.reject(new Error('no payload'))
  })
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const { id } = await rowOf(s, 'svc_ada')
  await eventTypes(s, id)
  expect(await balances(s, 'svc_ada')).toEqual({ coins: 2500 })
  const kinds = (await money(s, id)).map(([kind]) => kind)
  expect(Map.groupBy(kinds, (kind) => kind).get('CREDIT_PURCHASE')).toHaveLength(20)
  expect(kinds.filter((kind) => kind !== 'CREDIT_PURCHASE').sort()).toEqual(['INITIAL', 'INITIAL', 'REFUND', 'RENEWAL'])
  expect(Object.keys(await access(s, 'svc_ada')).sort()).toEqual(['coach', 'pro'])
})

test("two people who claim each other's purchase at once both end with what they claimed", async () => {
  for (let round = 0; round < 5; round++) {
    const [ada, bo] = [`svc_ada${round}`, `svc_bo${round}`]
    const [adas, bos] = [s.buy(YEARLY), s.buy(MONTHLY)]
    await s.receipt(ada, adas)
    await s.receipt(bo, bos)
    const answers = await Promise.all([s.receipt(ada, bos), s.receipt(bo, adas)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(Object.keys(await access(s, ada))).toEqual(['pro'])
    expect(Object.keys(await access(s, bo)).sort()).toEqual(['coach', 'pro'])
  }
  await expectGapless()
})

test('a purchase that moves while its owner identifies is with one of them, and told so', async () => {
  for (let round = 0; round < 5; round++) {
    const [old, fresh] = [`svc_old${round}`, `svc_new${round}`]
    const payload = s.buy(MONTHLY)
    await s.receipt(old, payload)
    const [moved, identified] = await Promise.all([s.receipt(fresh, payload), identify(s, old, `ada${round}`)])
    expect(identified.status).toBe(200)
    expect([200, 409]).toContain(moved.status)
    const [holder, other] = moved.status === 200 ? [fresh, old] : [old, fresh]
    expect(Object.keys(await access(s, holder))).toEqual(['pro'])
    expect(await access(s, other)).toEqual({})
    expect(Object.keys((await rowOf(s, holder)).toldAccess)).toEqual(['pro'])
  }
  await expectGapless()
})
