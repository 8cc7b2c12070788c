import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { storeEventsCommand } from '../../src/intake/catch-up/command'
import type { HistoryOrder } from '../../src/intake/inbox/history-span'
import { fetchIosHistory } from '../../src/intake/ios/history'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { BUNDLE, COINS, LIFETIME, MONTHLY, YEARLY } from '../support/cast'
import { runBeside } from '../support/command'
import { everything, refund, renew } from '../support/facts'
import { type IosApiStage, iosApiStage, saveKey } from '../support/ios-api'
import { deliver, notificationBody, purchaseOf, storeEvents } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

/** A notification that the store could not deliver. */
function missed(
  kind: NotificationKind,
  transaction: TransactionPayload | null,
  telling = {},
): { signedPayload: string } {
  const body = notificationBody(s, kind, transaction, telling)
  const sendAttempts = [{ attemptDate: s.ctx.clock.now(), sendAttemptResult: 'TIMED_OUT' }]
  s.server.facts.notifications.push({ ...body, sendAttempts })
  return body
}

/** A customer's first month and the next, with a refund that is reversed: seven notifications. */
function missMonths() {
  const month = s.buy(MONTHLY)
  missed(['SUBSCRIBED', 'INITIAL_BUY'], month)
  missed(['ONE_TIME_CHARGE', null], s.buy(COINS))
  missed(['ONE_TIME_CHARGE', null], s.buy(LIFETIME))
  s.ctx.clock.advance(30 * DAY)
  const second = renew(s, month, MONTHLY)
  missed(['DID_RENEW', null], second)
  s.ctx.clock.advance(DAY)
  missed(['REFUND', null], refund(s, second))
  s.ctx.clock.advance(DAY)
  missed(['REFUND_REVERSED', null], second)
  missed(['TEST', null], null)
  return second
}

const fetchAll = (order: Partial<HistoryOrder> = {}) =>
  project().then((it) => fetchIosHistory(s.ctx, it, { environment: 'SANDBOX', ...order }))
const project = () => s.ctx.state.projects.get(s.project.id)
const pages = () => s.server.requests.filter(({ path }) => path.endsWith('/notifications/history'))
const NOTHING = { new: 0, known: 0, failed: 0, reasons: [], stopped: null }

test('what was missed is taken in by the way of the webhook, page by page', async () => {
  const second = missMonths()
  s.server.facts.pageSize = 3
  expect(await fetchAll()).toMatchObject({ ...NOTHING, new: 7 })
  expect(pages().map(({ query }) => query.paginationToken)).toEqual([undefined, '3', '6'])
  expect((await storeEvents(s)).map(({ status }) => status).sort()).toEqual(
    [...Array(6).fill('PROCESSED'), 'IGNORED'].sort(),
  )
  expect((await purchaseOf(s, second)).status).toBe('ACTIVE')
})

test('fetched again, and beside what was delivered, it changes nothing', async () => {
  missMonths()
  const [first] = s.server.facts.notifications
  await deliver(s, { signedPayload: first?.signedPayload })
  expect(await fetchAll()).toMatchObject({ ...NOTHING, new: 6, known: 1 })
  const before = await everything(s)
  expect(await fetchAll()).toMatchObject({ ...NOTHING, known: 7 })
  expect(await everything(s)).toEqual(before)
  expect(new Set((await storeEvents(s)).map(({ attempts }) => attempts))).toEqual(new Set([1]))
})

test('the newest first leads to the same', async () => {
  const second = missMonths()
  s.server.facts.notifications.reverse()
  expect(await fetchAll()).toMatchObject({ ...NOTHING, new: 7 })
  const { status, fold } = await purchaseOf(s, second)
  expect([status, fold.expiresAt]).toEqual(['ACTIVE', second.expiresDate ?? 0])
})

test('two fetches at once take each in once', async () => {
  missMonths()
  const both = await Promise.all([fetchAll(), fetchAll()])
  expect(both.map((one) => one.failed)).toEqual([0, 0])
  expect(both.map((one) => one.new).reduce((a, b) => a + b)).toBe(7)
  expect((await storeEvents(s)).length).toBe(7)
})

describe('the span', () => {
  test('is all that the store remembers', async () => {
    await fetchAll()
    await fetchAll({ environment: 'PRODUCTION' })
    const days = pages().map(({ body }) => {
      const { startDate, endDate } = body as { startDate: number; endDate: number }
      return Math.round((endDate - startDate) / DAY)
    })
    expect(days).toEqual([30, 180])
  })

  test('is the one asked for, on every page', async () => {
    missMonths()
    s.server.facts.pageSize = 4
    const span = { from: s.ctx.clock.now() - DAY, to: s.ctx.clock.now() - HOUR }
    expect(await fetchAll(span)).toMatchObject(span)
    expect(pages().map(({ body }) => body)).toEqual([
      { startDate: span.from, endDate: span.to },
      { startDate: span.from, endDate: span.to },
    ])
  })

  test('that the store cannot answer is refused before it is asked', async () => {
    const now = s.ctx.clock.now()
    for (const order of [{ from: now - 31 * DAY }, { from: now }, { from: now - 1, to: now - 2 }])
      await expect(fetchAll(order)).rejects.toMatchObject({ refusal: 'VALIDATION_ERROR' })
    expect(s.server.requests).toEqual([])
  })
})

describe('what is not the store’s, or not ours', () => {
  test('is refused, and the rest is taken in', async () => {
    missMonths()
    const [first] = s.server.facts.notifications
    const [head = '', body = '', signature = ''] = (first?.signedPayload ?? '').split('.')
    const forged = Buffer.from(body, 'base64url').toString().replace('INITIAL_BUY', 'RESUBSCRIBE')
    s.server.facts.notifications.push(
      { signedPayload: [head, Buffer.from(forged).toString('base64url'), signature].join('.'), sendAttempts: [] },
      { signedPayload: 'no token', sendAttempts: [] },
    )
    const other = { bundleId: 'com.other' }
    missed(['SUBSCRIBED', 'INITIAL_BUY'], { ...s.buy(YEARLY), ...other }, other)
    const fetched = await fetchAll()
    expect(fetched).toMatchObject({ new: 7, known: 0, failed: 3, stopped: null })
    expect(fetched.reasons.map(({ count }) => count)).toEqual([1, 1, 1])
    expect(fetched.reasons.map(({ reason }) => reason).join()).toContain('another app')
    const { purchases } = s.ctx.tables
    expect((await s.ctx.db.select().from(purchases)).length).toBe(3)
    // The forged one has the id of one that is recorded by now, so it is skipped.
    expect(await fetchAll()).toMatchObject({ new: 0, known: 8, failed: 2 })
  })

  test('and a product that the catalogue lacks is counted with its reason', async () => {
    missed(['ONE_TIME_CHARGE', null], s.buy({ ...COINS, productId: 'com.x.unknown' }))
    const { failed, reasons } = await fetchAll()
    expect([failed, reasons[0]?.reason]).toEqual([1, expect.stringContaining('com.x.unknown')])
  })
})

describe('a store that goes away in the middle', () => {
  test('leaves what was taken in, says where it stopped, and the next run completes', async () => {
    missMonths()
    s.server.facts.pageSize = 3
    expect(await fetchAll({ page: '6' })).toMatchObject({ new: 1 })
    s.server.facts.notifications.splice(6)
    s.server.trouble = { status: 500 }
    const none = await fetchAll()
    expect(none).toMatchObject({ new: 0, stopped: { page: null, reason: expect.stringContaining('does not answer') } })
    s.server.trouble = null
    const { fetch } = globalThis
    let calls = 0
    globalThis.fetch = ((...args: Parameters<typeof fetch>) =>
      ++calls === 2 ? Promise.reject(new Error('gone')) : fetch(...args)) as typeof fetch
    const half = await fetchAll().finally(() => {
      globalThis.fetch = fetch
    })
    expect(half).toMatchObject({ new: 3, stopped: { page: '3' } })
    const { from, to, stopped } = half
    expect(await fetchAll({ from, to, page: stopped?.page ?? undefined })).toMatchObject({ ...NOTHING, new: 3 })
    expect(await fetchAll()).toMatchObject({ ...NOTHING, known: 6 })
  })

  test('and forgets its pages, says to begin again', async () => {
    expect(await fetchAll({ page: 'forgotten' })).toMatchObject({
      stopped: { reason: expect.stringContaining('from the beginning') },
    })
  })

  test('and says that there is more, but gives the same page again, is not asked for ever', async () => {
    missMonths()
    s.server.trouble = { body: JSON.stringify({ hasMore: true, paginationToken: 'x', notificationHistory: [] }) }
    expect(await fetchAll()).toMatchObject({ stopped: { reason: expect.stringContaining('not where') } })
    s.server.trouble = { body: JSON.stringify({ hasMore: true, notificationHistory: [] }) }
    expect(await fetchAll()).toMatchObject({ stopped: { reason: expect.stringContaining('not where') } })
    expect(pages().length).toBe(3)
  })

  test('and refuses the key says so', async () => {
    s.server.trouble = { status: 401 }
    expect(await fetchAll()).toMatchObject({ stopped: { reason: expect.stringContaining('inAppPurchaseKey') } })
  })
})

test('a fault of the database ends it, and what is there stays', async () => {
  missMonths()
  const { write } = s.ctx
  let writes = 0
  // Where there is one writer, a notification is kept and applied in one transaction.
  const ofTwo = s.ctx.storage.driver === 'postgres' ? 4 : 2
  const failing = ((work) => (++writes > ofTwo ? Promise.reject(outOfReach()) : write(work))) as typeof write
  const fetched = await fetchIosHistory({ ...s.ctx, write: failing }, await project(), { environment: 'SANDBOX' })
  expect(fetched).toMatchObject({ new: 2, failed: 0, stopped: { page: null } })
  expect(await fetchAll()).toMatchObject({ ...NOTHING, new: 5, known: 2 })
})

const outOfReach = () => Object.assign(new Error('database'), { code: 'SQLITE_FULL' })

test('an interruption ends it after the notification at hand', async () => {
  missMonths()
  const controller = new AbortController()
  const order = { environment: 'SANDBOX' } as const
  const options = { signal: controller.signal, onCount: () => controller.abort() }
  expect(await fetchIosHistory(s.ctx, await project(), order, options)).toMatchObject({
    new: 1,
    stopped: { page: null },
  })
  expect((await storeEvents(s)).length).toBe(1)
})

describe('a project that is not ready', () => {
  test('without a key, without an app, or without the app id for production', async () => {
    await saveKey(s, null)
    await expect(fetchAll()).rejects.toMatchObject({ refusal: 'STORE_KEY_MISSING', details: { key: 'inAppPurchase' } })
    const { storeSettings: t } = s.ctx.tables
    await saveKey(s)
    await s.ctx.write((tx) => tx.db.update(t).set({ config: { bundleId: BUNDLE, inAppPurchaseKey: KEY } }))
    s.ctx.state.projects.forget(s.project.id)
    await expect(fetchAll({ environment: 'PRODUCTION' })).rejects.toMatchObject({ refusal: 'IOS_APP_ID_MISSING' })
    await s.ctx.write((tx) => tx.db.delete(t))
    s.ctx.state.projects.forget(s.project.id)
    await expect(fetchAll()).rejects.toMatchObject({ refusal: 'STORE_NOT_CONFIGURED' })
    expect(s.server.requests).toEqual([])
  })
})

const KEY = { keyId: 'ABC123DEF4', issuerId: '7e3fb20b-4cdb-47cc-936d-99d65f608138' }

describe('svc store-events fetch', () => {
  const run = (...args: string[]) => runBeside(s, storeEventsCommand, 'fetch', '--project', 'project-1', ...args)

  test('counts, shows how far it is, and ends with 0', async () => {
    missMonths()
    const { code, out, progress } = await run('--environment', 'sandbox')
    expect([code, out]).toEqual([0, expect.stringContaining('7 new, 0 known, 0 failed.')])
    expect(progress.at(-1)).toBe('Fetching notifications: 7 new, 0 known, 0 failed')
    expect(JSON.parse((await run('--environment', 'sandbox', '--json')).out)).toMatchObject({ new: 0, known: 7 })
    expect((await storeEvents(s)).length).toBe(7)
  })

  test('tells how to go on when the store is away, and ends with 1', async () => {
    s.server.trouble = { status: 503 }
    const { code, out } = await run('--environment', 'sandbox', '--page', "it's 3")
    expect([code, out]).toEqual([1, expect.stringContaining('It stopped before the end')])
    expect(out).toContain('svc store-events fetch --project project-1 --environment sandbox --from 20')
    expect(out).toContain(`--page 'it'\\''s 3'`)
  })

  test('says what to save first', async () => {
    await saveKey(s, null)
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('Save stores.ios.inAppPurchaseKey') })
  })

  test('refuses what it cannot mean', async () => {
    const wrong = [['--environment', 'test'], ['--store', 'android'], ['--from', 'x'], ['more']]
    for (const args of wrong) expect((await run(...args)).code).toBe(2)
    expect(s.server.requests).toEqual([])
  })
})
