import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { replayStoreEvent } from '../../src/intake/catch-up/replay'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { access, rowOf } from '../support/facts'
import { isReplay } from '../support/probe'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const restore = (device: string, tokens?: [token: string, productId: string][]) =>
  s.post(`/v1/subscribers/${device}/restore`, {
    ...(tokens && { receipts: tokens.map(([receipt, productId]) => ({ store: 'ANDROID_STORE', receipt, productId })) }),
  })

test('tokens are restored one by one', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  const pending = s.server.store.buyPending('coins.100')
  const { status, body } = await restore('svc_ada', [
    [token, 'pro'],
    [pending, 'coins_100'],
    ['made-up', 'pro'],
  ])
  expect([status, Object.keys(body.data.access)]).toEqual([200, ['pro']])
  expect(body.data.results.map(({ code }: { code: string | null }) => code)).toEqual([
    null,
    'purchase_not_paid',
    'RECEIPT_INVALID',
  ])
  const events = await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)
  expect(new Set(events.map(({ cause }) => cause.kind))).toEqual(new Set(['RESTORE']))
})

test('what was refused at first is refused for the same reason when the answer is repeated', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  const pending = s.server.store.buyPending('coins.100')
  const tokens = [token, pending, 'made-up'].map((receipt) => ({ store: 'ANDROID_STORE', receipt, productId: 'pro' }))
  const receipts = tokens.map((one) => (one.receipt === pending ? { ...one, productId: 'coins_100' } : one))
  const headers = { 'idempotency-key': 'once' }
  const first = await s.post('/v1/subscribers/svc_ada/restore', { receipts }, { headers })
  const calls = s.calls()
  const again = await s.post('/v1/subscribers/svc_ada/restore', { receipts }, { headers })
  expect([isReplay(again), again.body, s.calls()]).toEqual([true, first.body, calls])
})

test('an outage fails the whole answer', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  s.server.faults = { status: 503 }
  const { status, body } = await restore('svc_ada', [[token, 'pro']])
  expect([status, body.error.code]).toEqual([503, 'STORE_UNAVAILABLE'])
})

test('without receipts what ends within a day is asked for again, and nothing else', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro')
  const calls = s.calls()
  s.ctx.clock.advance(10 * MINUTE)
  expect((await restore('svc_ada')).status).toBe(200)
  expect(s.calls()).toBe(calls)
  s.ctx.clock.advance(30 * DAY)
  s.server.store.renew(token)
  expect(await access(s, 'svc_ada')).toEqual({})
  expect(Object.keys((await restore('svc_ada')).body.data.access)).toEqual(['pro'])
})

test('a stored push is processed again', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY, { accountId: 'a' })
  await s.token('svc_ada', token, 'pro')
  s.ctx.clock.advance(MINUTE)
  s.server.store.cancel(token)
  s.server.faults = { status: 503 }
  await s.deliverAll()
  s.server.faults = {}
  s.ctx.clock.advance(MINUTE)
  for (const { id } of await s.ctx.db.select().from(s.ctx.tables.storeEvents)) {
    expect((await replayStoreEvent(s.ctx, id))?.status).toBe('PROCESSED')
    expect((await replayStoreEvent(s.ctx, id))?.status).toBe('PROCESSED')
  }
  const types = (await s.events((await rowOf(s, 'svc_ada')).id)).map(({ type }) => type)
  expect(types.filter((type) => type === 'purchase.cancelled')).toHaveLength(1)
})
