import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sweepActions } from '../../src/commerce/actions/sweep'
import { recordEvents } from '../../src/people/events/service'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { identify, refund, renew, rowOf } from '../support/facts'
import { dataOf } from '../support/operator'
import { staff } from '../support/staff'
import { deliverAll, expectSubmitted, notifyNew, on, sweep } from '../support/story'
import { startVendorReceiver, type VendorReceiver } from '../support/vendor-receiver'

const AUTHORIZATION = 'Bearer receiver-4711'
const ENV = { SVC_ALLOW_PRIVATE_TARGETS: '1' }
const PATH = '/webhook-endpoints'

let receiver: VendorReceiver
let open: Stage | null = null
beforeEach(() => {
  receiver = startVendorReceiver(AUTHORIZATION)
})
afterEach(async () => {
  await open?.close()
  await receiver.close()
})

async function connect<S extends Stage>(s: S): Promise<S> {
  open = s
  const format = { format: 'revenuecat', authorization: AUTHORIZATION, ordered: true }
  await dataOf(
    staff(s)
      .as('DEVELOPER')
      .post(PATH, { name: 'theirs', url: receiver.url, eventTypes: ['*'], ...format }),
  )
  return s
}

async function oursOf(s: Stage, id: string): Promise<string[]> {
  const answer = await s.get(`/v1/subscribers/${id}/access`, undefined, { key: s.project.secretKey })
  if (answer.status === 404) return [] // A label that nobody has.
  expect(answer.status).toBe(200)
  return Object.keys(answer.body.data.access).sort()
}

/** Sends what is due, and expects that the receiver and we agree on everybody's access. Returns what it got. */
async function agree(s: Stage, access: Record<string, string[]>): Promise<string[]> {
  await sweep(s)
  const before = receiver.log.length
  await s.ctx.state.dispatcher.runDue()
  if (receiver.log.at(-1)?.endsWith(' 500')) {
    s.ctx.clock.advance(MINUTE)
    await s.ctx.state.dispatcher.runDue()
  }
  await new Promise(setImmediate)
  for (const [id, expected] of Object.entries(access)) {
    expect([id, await oursOf(s, id)]).toEqual([id, expected])
    expect([id, receiver.accessOf(id, s.ctx.clock.now())]).toEqual([id, expected])
  }
  return receiver.log.slice(before)
}

const deliveries = (s: Stage) =>
  s.ctx.db.select().from(s.ctx.tables.deliveries).orderBy(s.ctx.tables.deliveries.position)

test('a life at the App Store: the receiver has our view after each step, and after each failure', async () => {
  const s = await connect(await stage({ env: ENV }))
  await identify(s, 'svc_ada', 'ada')
  await identify(s, 'svc_bo', 'bo')
  const trial = s.buy(MONTHLY, { withTrial: true })
  await s.receipt('svc_ada', trial)
  expect(await agree(s, { ada: ['pro'], bo: [] })).toEqual(['INITIAL_PURCHASE'])

  on(s, '2026-11-27')
  const paid = renew(s, trial, MONTHLY)
  await s.receipt('svc_ada', paid)
  receiver.failNext = 'RENEWAL'
  expect(await agree(s, { ada: ['pro'] })).toEqual(['RENEWAL 500', 'RENEWAL'])

  on(s, '2026-12-01')
  await notifyNew(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], paid)
  expect(await agree(s, { ada: ['pro'] })).toEqual(['CANCELLATION'])
  await notifyNew(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'], paid)
  expect(await agree(s, { ada: ['pro'] })).toEqual(['UNCANCELLATION'])

  on(s, '2026-12-27')
  const renewal = { gracePeriodExpiresDate: s.ctx.clock.now() + 16 * DAY }
  await notifyNew(s, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], paid, { renewal })
  receiver.failNext = 'CANCELLATION'
  expect(await agree(s, { ada: ['pro'] })).toEqual([
    ...['BILLING_ISSUE', 'CANCELLATION 500'],
    ...['BILLING_ISSUE', 'CANCELLATION'],
  ])
  s.ctx.clock.advance(16 * DAY)
  expect(await agree(s, { ada: [] })).toEqual(['EXPIRATION'])

  s.ctx.clock.advance(DAY)
  const recovered = renew(s, paid, MONTHLY)
  await notifyNew(s, ['DID_RENEW', 'BILLING_RECOVERY'], recovered)
  expect(await agree(s, { ada: ['pro'] })).toEqual(['RENEWAL'])

  s.ctx.clock.advance(DAY)
  const yearly = s.buy(YEARLY, { previous: recovered })
  await s.receipt('svc_ada', yearly)
  const changed = await agree(s, { ada: await oursOf(s, 'ada') })
  expect(changed).toEqual(['PRODUCT_CHANGE', 'RENEWAL'])
  s.ctx.clock.advance(100 * DAY) // Past the end of the month, within the year.
  const whole = await oursOf(s, 'ada')
  expect(whole).toContain('pro')
  expect(await agree(s, { ada: whole })).toEqual([])

  await s.post('/v1/subscribers/transfer', { fromAppUserId: 'ada', toAppUserId: 'bo' }, { key: s.project.secretKey })
  expect(await agree(s, { ada: [], bo: whole, svc_bo: whole })).toEqual(['TRANSFER'])

  await s.receipt('svc_bo', refund(s, yearly))
  receiver.failNext = 'EXPIRATION'
  const first = receiver.ids.length
  expect(await agree(s, { ada: [], bo: [] })).toEqual([
    ...['CANCELLATION', 'EXPIRATION 500'],
    ...['CANCELLATION', 'EXPIRATION'],
  ])
  const [cancelled, expired, ...again] = receiver.ids.slice(first)
  expect(again).toEqual([cancelled ?? '', expired ?? ''])
  expect(cancelled).not.toBe(expired ?? '')
})

test('a charge that fails without a grace period ends the access at once', async () => {
  const s = await connect(await stage({ env: ENV }))
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_cy', bought)
  await s.receipt('svc_di', s.buy(MONTHLY))
  expect(await agree(s, { svc_cy: ['pro'], svc_di: ['pro'] })).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE'])
  on(s, '2026-12-20')
  await notifyNew(s, ['DID_FAIL_TO_RENEW', null], bought)
  const told = await agree(s, { svc_cy: [], svc_di: [] })
  expect(told.sort()).toEqual(['BILLING_ISSUE', 'CANCELLATION', 'EXPIRATION', 'EXPIRATION'])
  on(s, '2026-12-22')
  await notifyNew(s, ['DID_RENEW', 'BILLING_RECOVERY'], renew(s, bought, MONTHLY))
  expect(await agree(s, { svc_cy: ['pro'], svc_di: [] })).toEqual(['RENEWAL'])
})

test('a grant by hand and a one-time product are taken back; a refund of coins ends nothing', async () => {
  const s = await connect(await stage({ env: ENV }))
  await identify(s, 'svc_fay', 'fay')
  const team = staff(s)
  const grant = await dataOf(team.as('ADMIN').post('/subscribers/fay/grants', { accessIds: ['coach'] }))
  const [bought, coins] = [s.buy(LIFETIME), s.buy(COINS)]
  await s.receipt('svc_fay', bought)
  await s.receipt('svc_fay', coins)
  await agree(s, { fay: ['coach', 'pro'] })
  s.ctx.clock.advance(DAY)
  await s.receipt('svc_fay', refund(s, bought))
  expect(await agree(s, { fay: ['coach'] })).toEqual(['CANCELLATION', 'EXPIRATION'])
  await s.receipt('svc_fay', refund(s, coins))
  expect(await agree(s, { fay: ['coach'] })).toEqual(['CANCELLATION'])
  const order = { action: 'CANCEL', dueAt: new Date(s.ctx.clock.now() + DAY).toISOString(), revokeImmediately: true }
  await dataOf(team.as('ADMIN').post(`/subscriptions/${grant.id}/schedule`, order))
  s.ctx.clock.advance(DAY)
  await sweepActions(s.ctx)
  expect(await agree(s, { fay: [] })).toEqual(['CANCELLATION', 'EXPIRATION'])
})

test('a life at Google: grace, hold, recovery, pause, and the end', async () => {
  const s = await connect(await androidStage({ env: ENV }))
  const { store } = s.server
  const token = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_ola', token, 'pro_monthly'))
  await deliverAll(s)
  expect(await agree(s, { svc_ola: ['pro'] })).toEqual(['INITIAL_PURCHASE'])
  on(s, '2026-12-20')
  store.failPayment(token)
  await deliverAll(s)
  expect(await agree(s, { svc_ola: ['pro'] })).toEqual(['BILLING_ISSUE', 'CANCELLATION'])
  on(s, '2026-12-27')
  store.hold(token)
  await deliverAll(s)
  expect(await agree(s, { svc_ola: [] })).toEqual(['EXPIRATION'])
  on(s, '2026-12-29')
  store.renew(token)
  await deliverAll(s)
  expect(await agree(s, { svc_ola: ['pro'] })).toEqual(['RENEWAL'])
  on(s, '2027-01-29')
  store.pause(token)
  await deliverAll(s)
  expect(await agree(s, { svc_ola: [] })).toEqual(['EXPIRATION'])
  on(s, '2027-02-10')
  store.resume(token)
  await deliverAll(s)
  expect(await agree(s, { svc_ola: ['pro'] })).toEqual(['RENEWAL'])
  store.cancel(token)
  await deliverAll(s)
  expect(await agree(s, { svc_ola: ['pro'] })).toEqual(['CANCELLATION'])
  on(s, '2027-03-11')
  store.expire(token)
  await deliverAll(s)
  expect(await agree(s, { svc_ola: [] })).toEqual(['EXPIRATION'])
})

describe('an event that is nothing for the vendor after all', () => {
  test('ends as SKIPPED, counts neither as an attempt nor as a failure, and holds up nothing', async () => {
    const s = await connect(await stage({ env: ENV }))
    await identify(s, 'svc_eve', 'eve')
    const { id } = await rowOf(s, 'svc_eve')
    const image = { access: {}, balances: {} }
    const change = {
      subject: { id, projectId: s.project.id, appUserId: 'eve' },
      cause: { kind: 'API' as const, ref: null, store: null, detail: null },
      before: image,
      after: image,
    }
    const data = { transferId: 'trf_0', role: 'TO', fromSubscriberId: id, toSubscriberId: id, purchaseIds: ['pur_0'] }
    const draft = { type: 'subscriber.transferred', occurredAt: s.ctx.clock.now(), environment: 'PRODUCTION' as const }
    await s.ctx.write((tx) => recordEvents(tx, change, Array(60).fill({ ...draft, data })))
    s.ctx.clock.advance(6 * DAY)
    await s.ctx.state.dispatcher.runDue()
    expect(receiver.log).toEqual([])
    const rows = await deliveries(s)
    expect(rows).toHaveLength(60)
    for (const row of rows) expect(row).toMatchObject({ status: 'SKIPPED', skipReason: 'no_mapping', attempts: 0 })
    const { items } = await dataOf(staff(s).as('DEVELOPER').get(PATH))
    expect(items).toMatchObject([{ isEnabled: true, disabledReason: null, successRate24h: null }])
    const targets = await s.ctx.db.select().from(s.ctx.tables.deliveryTargets)
    expect(targets).toMatchObject([{ deadCount: 0 }])
    await s.receipt('svc_eve', s.buy(MONTHLY))
    expect(await agree(s, { eve: ['pro'] })).toEqual(['INITIAL_PURCHASE'])
  })
})

test('the log shows all bodies of a delivery, and the first answer that was no 2xx', async () => {
  const s = await connect(await stage({ env: ENV }))
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_gus', bought)
  await s.ctx.state.dispatcher.runDue()
  s.ctx.clock.advance(DAY)
  await s.receipt('svc_gus', refund(s, bought))
  receiver.failNext = 'CANCELLATION'
  await s.ctx.state.dispatcher.runDue()
  expect(receiver.log).toEqual(['INITIAL_PURCHASE', 'CANCELLATION 500'])
  const rows = await deliveries(s)
  const row = rows.at(-1)
  expect(row).toMatchObject({ status: 'FAILED', lastStatusCode: 500, attempts: 1 })
  const bodies = await Promise.all(
    rows.map(async ({ id }) =>
      JSON.parse((await dataOf(staff(s).as('DEVELOPER').get(`/webhook-deliveries/${id}`))).body),
    ),
  )
  expect(bodies).toMatchObject([
    { event: { type: 'INITIAL_PURCHASE' } },
    [{ event: { type: 'CANCELLATION' } }, { event: { type: 'EXPIRATION' } }],
  ])
})
