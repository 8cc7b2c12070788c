import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { createIds } from '../../src/base/lib/ids'
import { createContext } from '../../src/create-context'
import { catchUpWithStores } from '../../src/intake/catch-up/catch-up'
import { notificationCron } from '../../src/intake/catch-up/jobs'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { simulatePurchase } from '../../src/test-store/driver/simulate'
import { termsOf, USUAL_PRICE } from '../../src/test-store/driver/terms'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { MONTHLY } from '../support/cast'
import { access, eventTypes, everything, listenTo, money, refund, renew, rowOf } from '../support/facts'
import { type IosApiStage, iosApiStage, saveKey } from '../support/ios-api'
import { deliver, notificationBody, storeEvents } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
  s.server.facts.isSpanKept = true
})
afterEach(() => s.close())

const ADA = 'svc_ada'

/** A signed notification that the store has in its history. The test decides whether it is delivered. */
function notificationOf(
  kind: NotificationKind,
  transaction: TransactionPayload,
  options = {},
): { signedPayload: string } {
  const body = notificationBody(s, kind, transaction, options)
  s.server.facts.notifications.push({ ...body, sendAttempts: [] })
  return body
}

async function adaBuys(): Promise<TransactionPayload> {
  const bought = s.buy(MONTHLY)
  await s.receipt(ADA, bought)
  return bought
}

/** Runs the catch-up one hour later, when all notifications are old enough. */
async function catchUp(): Promise<number> {
  s.ctx.clock.advance(HOUR)
  return catchUpWithStores(s.ctx)
}

const historyRequests = () =>
  s.server.requests
    .filter(({ path }) => path.endsWith('/notifications/history'))
    .map(({ body }) => body as { startDate: number; endDate: number })
const adasMoney = async () => money(s, (await rowOf(s, ADA)).id)
const warnings = () => s.ctx.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')

describe('what was lost is made good', () => {
  test('a refund of an earlier period, of which the state of today tells nothing', async () => {
    const first = await adaBuys()
    await catchUp()
    s.ctx.clock.advance(31 * DAY)
    const second = renew(s, first, MONTHLY)
    await deliver(s, notificationOf(['DID_RENEW', null], second))
    const news = listenTo(s, ADA)
    await news()
    notificationOf(['REFUND', null], refund(s, first), { renewal: { autoRenewStatus: 1 } })
    expect(await catchUp()).toBe(1)
    expect(await news()).toEqual(['purchase.refunded'])
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
    expect(await adasMoney()).toContainEqual(['REFUND', -9_990_000])
    expect(await s.ctx.metrics.text()).toContain('svc_store_catchups_total{store="IOS_STORE"} 1\n')
    const about = { store: 'IOS_STORE', projectId: s.project.id, missing: 1 }
    expect(warnings()).toEqual([expect.objectContaining(about)])
  })

  test('two renewals in a row, each with its money', async () => {
    const first = await adaBuys()
    await catchUp()
    s.ctx.clock.advance(30 * DAY)
    const second = renew(s, first, MONTHLY)
    notificationOf(['DID_RENEW', null], second)
    s.ctx.clock.advance(29 * DAY)
    const third = renew(s, second, MONTHLY)
    notificationOf(['DID_RENEW', null], third)
    s.server.facts.notifications.reverse()
    expect(await catchUp()).toBe(2)
    const renewal = ['RENEWAL', 9_990_000]
    expect(await adasMoney()).toEqual([['INITIAL', 9_990_000], renewal, renewal] as never)
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
  })

  test('a refund that was taken back', async () => {
    const bought = await adaBuys()
    s.ctx.clock.advance(DAY)
    await deliver(s, notificationOf(['REFUND', null], refund(s, bought)))
    expect(await catchUp()).toBe(0)
    expect(await access(s, ADA)).toEqual({})
    notificationOf(['REFUND_REVERSED', null], bought)
    expect(await catchUp()).toBe(1)
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
    expect((await adasMoney()).reduce((sum, [, amount]) => sum + (amount ?? 0), 0)).toBe(9_990_000)
  })
})

describe('nothing twice', () => {
  test('when the webhook brings its own copy later', async () => {
    const bought = await adaBuys()
    const late = notificationOf(['REFUND', null], refund(s, bought))
    await catchUp()
    const before = await everything(s)
    expect((await deliver(s, late)).body).toEqual({ data: { received: true, duplicate: true } })
    expect(await everything(s)).toEqual(before)
  })

  test('when both come at once, from several sides', async () => {
    const bought = await adaBuys()
    const both = notificationOf(['REFUND', null], refund(s, bought))
    s.ctx.clock.advance(HOUR)
    const [one, two] = await Promise.all([
      catchUpWithStores(s.ctx),
      catchUpWithStores(s.ctx),
      deliver(s, both).catch(() => null),
    ])
    expect(one + two).toBeLessThanOrEqual(1)
    expect(await storeEvents(s)).toHaveLength(1)
    const types = await eventTypes(s, (await rowOf(s, ADA)).id)
    expect(types.filter((type) => type === 'purchase.refunded')).toHaveLength(1)
  })

  test('and what came is read again for two hours without a trace', async () => {
    const bought = await adaBuys()
    await deliver(s, notificationOf(['REFUND', null], refund(s, bought)))
    await catchUp()
    const inbox = await storeEvents(s)
    expect([await catchUp(), await catchUp(), await storeEvents(s)]).toEqual([0, 0, inbox])
    expect(warnings()).toEqual([])
  })

  test('and what was told within the last minutes is on its way, not missing', async () => {
    await catchUp()
    notificationOf(['REFUND', null], refund(s, await adaBuys()))
    s.ctx.clock.advance(9 * MINUTE)
    expect(await catchUpWithStores(s.ctx)).toBe(0)
    s.ctx.clock.advance(MINUTE)
    expect(await catchUpWithStores(s.ctx)).toBe(1)
  })
})

test('a forged notification is refused, and the rest is taken in', async () => {
  const bought = await adaBuys()
  const { signedPayload } = notificationBody(s, ['REVOKE', null], refund(s, bought))
  const forged = `${signedPayload.slice(0, -6)}AAAAAA`
  s.server.facts.notifications.push({ signedPayload: forged, sendAttempts: [] })
  notificationOf(['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], bought)
  expect(await catchUp()).toBe(1)
  expect((await storeEvents(s)).map(({ type }) => type)).toEqual(['DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED'])
  expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
})

describe('the position', () => {
  test('begins 30 days back, survives a restart, and overlaps by two hours', async () => {
    await catchUp()
    const first = historyRequests()
    const now = s.ctx.clock.now()
    // The app of the stage has its id saved, so both environments are asked, day by day.
    expect(Math.min(...first.map(({ startDate }) => startDate))).toBe(now - 30 * DAY + HOUR)
    expect(Math.max(...first.map(({ endDate }) => endDate))).toBe(now - 10 * MINUTE)
    s.server.requests.length = 0
    s.ctx.clock.advance(HOUR)
    const { clock, log } = s.ctx
    const restarted = await createContext(s.ctx.config, { clock, log, ids: createIds(() => clock.now()) })
    await catchUpWithStores(restarted).finally(() => restarted.close())
    const span = { startDate: now - 10 * MINUTE - 2 * HOUR, endDate: now + 50 * MINUTE }
    expect(historyRequests()).toEqual([span, span])
  })

  test('stays where the store went away, while what was read before is kept; the next run goes on', async () => {
    const bought = await adaBuys()
    await catchUp()
    notificationOf(['REFUND', null], refund(s, bought))
    s.ctx.clock.advance(2 * DAY)
    notificationOf(['REFUND_REVERSED', null], bought)
    const { requests } = s.server
    const start = requests.length
    // There are two environments with three days each. Only the first two requests are answered.
    Object.defineProperty(s.server, 'trouble', {
      configurable: true,
      get: () => (requests.length > start + 2 ? { status: 503 } : null),
    })
    expect(await catchUp()).toBe(1)
    expect(warnings().map(({ msg, message }) => msg ?? message)).toHaveLength(3)
    Object.defineProperty(s.server, 'trouble', { configurable: true, writable: true, value: null })
    s.ctx.clock.advance(5 * DAY)
    requests.length = 0
    expect(await catchUp()).toBe(1)
    expect(historyRequests()[0]?.endDate).toBeLessThan(s.ctx.clock.now() - 5 * DAY)
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
  })

  test('of one project stays while another goes on', async () => {
    await saveKey(s, 'no key', s.other.id)
    notificationOf(['REFUND', null], refund(s, await adaBuys()))
    expect(await catchUp()).toBe(1)
    const rows = await s.ctx.db.select().from(s.ctx.tables.storeCatchups)
    expect(new Set(rows.map(({ projectId }) => projectId))).toEqual(new Set([s.project.id]))
  })
})

test('without credentials, or with purchases of the test store only, nobody is asked', async () => {
  await saveKey(s, null)
  const project = await s.ctx.state.projects.get(s.project.id)
  const terms = termsOf(project, 'ios', 'pro_monthly', USUAL_PRICE)
  if (!terms) throw new Error('the cast sells no pro_monthly')
  await simulatePurchase(s.ctx, project, { deviceKey: ADA, store: 'ios', terms, withTrial: false })
  expect(await catchUp()).toBe(0)
  expect(s.server.requests).toEqual([])
  expect(await s.ctx.db.$count(s.ctx.tables.storeCatchups)).toBe(0)
})

test('a process that is stopping leaves the rest', async () => {
  notificationOf(['REFUND', null], refund(s, await adaBuys()))
  s.ctx.clock.advance(HOUR)
  expect(await catchUpWithStores(s.ctx, () => true)).toBe(0)
  expect(historyRequests()).toEqual([])
})

test('the hourly job does it, and two processes share it', async () => {
  notificationOf(['REFUND', null], refund(s, await adaBuys()))
  s.ctx.clock.advance(HOUR)
  const workers = [0, 1].map(() => new Worker(s.ctx, createRegistry([], notificationCron)))
  await Promise.all(workers.map((worker) => worker.runDue()))
  expect(await access(s, ADA)).toEqual({})
  expect(historyRequests()).toHaveLength(2 * 30)
})
