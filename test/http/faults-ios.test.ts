import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { AppError } from '../../src/base/errors'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { listStoreEvents } from '../../src/intake/catch-up/replay'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { RenewalPayload } from '../../src/stores/ios/renewal'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { signTransaction } from '../../src/test-store/stores/ios'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { access, eventTypes, everything, expectRefused, money, renew, rowOf } from '../support/facts'
import { deliver, lastStoreEvent, notificationBody, notify, purchaseOf, storeEvents } from '../support/notify'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const BOUGHT: NotificationKind = ['SUBSCRIBED', 'INITIAL_BUY']
const OFF: NotificationKind = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']
const DONE = { data: { received: true, duplicate: false } }
const REPEATED = { data: { received: true, duplicate: true } }

const open = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('a stale notification', () => {
  test('that comes a year late is taken, and changes nothing that was told since', async () => {
    const one = s.buy(MONTHLY)
    const late = notificationBody(s, OFF, one)
    s.ctx.clock.advance(29 * DAY)
    const second = renew(s, one, MONTHLY)
    await notify(s, ['DID_RENEW', null], second)
    await s.receipt('svc_ada', second)
    s.ctx.clock.advance(365 * DAY)
    await sweepPurchases(s.ctx)
    const types = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
    const answer = await deliver(s, late)
    expect([answer.status, answer.body]).toEqual([200, DONE])
    await sweepPurchases(s.ctx)
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual(types)
    expect(await access(s, 'svc_ada')).toEqual({})
    expect((await purchaseOf(s, one)).fold.autoRenews).toBe(true)
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toHaveLength(2) // The first month is recorded now.
  })

  test('signed before or after the life of its certificates is 401, and nothing is kept', async () => {
    for (const signedDate of [0, s.ctx.clock.now() - 30 * DAY, s.ctx.clock.now() + 11 * 365 * DAY]) {
      const { signedPayload } = notificationBody(s, BOUGHT, s.buy(MONTHLY))
      const body = { signedPayload: signTransaction(s.keys, { ...open(signedPayload), signedDate }) }
      await expectRefused(s, () => deliver(s, body), 401, 'UNAUTHORIZED')
    }
    expect(await storeEvents(s)).toEqual([])
  })
})

describe('a replayed notification', () => {
  test('under its own id is a duplicate, whatever else the body holds', async () => {
    const body = notificationBody(s, BOUGHT, s.buy(MONTHLY))
    expect((await deliver(s, body)).body).toEqual(DONE)
    const before = await everything(s)
    expect((await deliver(s, { ...body, extra: 1 })).body).toEqual(REPEATED)
    expect(await everything(s)).toEqual(before)
  })

  test('with its parts in an envelope that somebody else made is 401', async () => {
    const { signedPayload } = notificationBody(s, BOUGHT, s.buy(MONTHLY))
    const [head = '', , tail = ''] = signedPayload.split('.')
    const forged = { ...open(signedPayload), notificationUUID: 'another' }
    const payload = Buffer.from(JSON.stringify(forged)).toString('base64url')
    const body = { signedPayload: `${head}.${payload}.${tail}` }
    await expectRefused(s, () => deliver(s, body), 401, 'UNAUTHORIZED')
  })
})

describe('a notification at the address of another project', () => {
  const setBundle = async (bundleId: string) => {
    const { storeSettings: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ config: { bundleId } }).where(eq(t.projectId, s.other.id)))
    s.ctx.state.projects.forget(s.other.id)
  }

  test('of another app is 401 there, kept there alone, and still new where it belongs', async () => {
    await setBundle('com.example.other')
    const one = s.buy(MONTHLY)
    const id = 'of-another-app'
    const keys = await simulatorKeys(s.ctx, s.other.id)
    const astray = notificationBody(s, BOUGHT, one, { id, keys })
    await expectRefused(s, () => deliver(s, astray, s.other.id), 401, 'UNAUTHORIZED')
    expect((await storeEvents(s)).map(({ projectId, status }) => [projectId, status])).toEqual([[s.other.id, 'FAILED']])
    expect((await deliver(s, notificationBody(s, BOUGHT, one, { id }))).body).toEqual(DONE)
    expect(await listStoreEvents(s.ctx, { projectId: s.project.id }, 9)).toHaveLength(1)
  })

  test('of the same app makes a purchase of its own there, and touches nothing here', async () => {
    const one = s.buy(MONTHLY)
    await s.receipt('svc_ada', one)
    const before = await rowOf(s, 'svc_ada')
    s.ctx.clock.advance(DAY)
    expect((await notify(s, ['EXPIRED', 'VOLUNTARY'], one, { projectId: s.other.id })).body).toEqual(DONE)
    expect(await rowOf(s, 'svc_ada')).toEqual(before)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    const purchases = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(purchases.map(({ projectId }) => projectId).sort()).toEqual([s.project.id, s.other.id].sort())
  })
})

describe('a value that the store adds later', () => {
  interface Novelty {
    kind?: NotificationKind
    transaction?: Record<string, unknown>
    renewal?: Record<string, unknown>
  }
  const novelties: [name: string, novelty: Novelty][] = [
    ['a subtype', { kind: ['DID_RENEW', 'BY_MAGIC'] }],
    ['a subtype of a change', { kind: ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_PONDERED'] }],
    ['a kind of offer', { transaction: { offerType: 77, offerDiscountType: 'BARTER' } }],
    ['a reason', { transaction: { transactionReason: 'WHIM' } }],
    ['an ownership', { transaction: { inAppOwnershipType: 'RENTED' } }],
    ['a renewal status', { renewal: { autoRenewStatus: 9 } }],
    ['a consent', { renewal: { priceIncreaseStatus: 9 } }],
    ['an intent', { renewal: { expirationIntent: 99 } }],
    ['a member', { transaction: { novelty: { of: 2031 } }, renewal: { novelty: true } }],
  ]
  for (const [name, { kind = BOUGHT, transaction = {}, renewal = {} }] of novelties)
    test(`${name} is taken, and the purchase gives what it gives`, async () => {
      const one = { ...s.buy(MONTHLY), ...transaction } as TransactionPayload
      const answer = await notify(s, kind, one, { renewal: renewal as Partial<RenewalPayload> })
      expect([answer.status, answer.body]).toEqual([200, DONE])
      expect((await lastStoreEvent(s)).status).toBe('PROCESSED')
      expect((await s.receipt('svc_ada', one)).status).toBe(200)
      expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
      expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([['INITIAL', 9_990_000]])
    })

  test('a type is taken as the report of the transaction that it carries, once', async () => {
    const one = s.buy(MONTHLY)
    const body = notificationBody(s, ['SUBSCRIPTION_GIFTED', 'TO_A_FRIEND'], one)
    expect((await deliver(s, body)).body).toEqual(DONE)
    const before = await everything(s)
    expect((await deliver(s, body)).body).toEqual(REPEATED)
    expect(await everything(s)).toEqual(before)
    expect((await s.receipt('svc_ada', one)).status).toBe(200)
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([['INITIAL', 9_990_000]])
  })

  test('a type that carries no transaction is acknowledged, kept as it came, and visible', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const before = await everything(s)
    const body = notificationBody(s, ['SUBSCRIPTION_GIFTED', 'TO_A_FRIEND'], null)
    expect((await deliver(s, body)).body).toEqual(DONE)
    expect((await deliver(s, body)).body).toEqual(REPEATED)
    expect(await everything(s)).toEqual(before)
    const [row, ...others] = await listStoreEvents(s.ctx, { projectId: s.project.id, status: 'IGNORED' }, 9)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      type: 'SUBSCRIPTION_GIFTED/TO_A_FRIEND',
      body: JSON.stringify(body),
      error: 'its type is not known to this release',
    })
  })
})

describe('faults of our own', () => {
  /** Lets writes succeed until `count` of them have begun. */
  function breakAfter(count: number): () => void {
    const { write } = s.ctx
    let begun = 0
    const broken: typeof write = (work) =>
      ++begun > count ? Promise.reject(new AppError('DATABASE_UNAVAILABLE')) : write(work)
    Object.assign(s.ctx, { write: broken })
    return () => Object.assign(s.ctx, { write })
  }
  const expectUnavailable = async (body: unknown) => {
    const { status, body: types, headers } = await deliver(s, body)
    expect([status, types.error.code, headers.get('retry-after')]).toEqual([503, 'DATABASE_UNAVAILABLE', '5'])
  }

  test('before the notification is kept is 503, and the next delivery does it', async () => {
    const one = s.buy(MONTHLY)
    const body = notificationBody(s, BOUGHT, one)
    const mend = breakAfter(0)
    await expectUnavailable(body)
    mend()
    expect(await storeEvents(s)).toEqual([])
    expect((await deliver(s, body)).body).toEqual(DONE)
    expect((await purchaseOf(s, one)).status).toBe('ACTIVE')
  })

  /** The transactions that keep and apply a notification at once: one where there is one writer. */
  const stepsAtOnce = () => (s.ctx.storage.driver === 'postgres' ? 0 : 1)

  /** Where there is one writer, the transaction that keeps and applies a notification fails at its end, once. */
  function failAtOnce(): void {
    const { write } = s.ctx
    let isLeft = stepsAtOnce() > 0
    const failing: typeof write = (work, options) => {
      if (!isLeft) return write(work, options)
      isLeft = false
      return write(async (tx) => {
        await work(tx)
        throw new Error('a fault at the end')
      }, options)
    }
    Object.assign(s.ctx, { write: failing })
  }

  test('while it is kept and applied at once undoes both, and it is kept and applied in two steps', async () => {
    const one = s.buy(MONTHLY)
    failAtOnce()
    expect((await deliver(s, notificationBody(s, BOUGHT, one))).body).toEqual(DONE)
    expect((await purchaseOf(s, one)).status).toBe('ACTIVE')
    expect(await storeEvents(s)).toMatchObject([{ status: 'PROCESSED', attempts: 1, error: null }])
    expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
  })

  test('after it is kept is 503 as well; it can be seen, and a delivery a minute later does it', async () => {
    const one = s.buy(MONTHLY)
    const body = notificationBody(s, BOUGHT, one)
    failAtOnce()
    const mend = breakAfter(stepsAtOnce() + 1)
    await expectUnavailable(body)
    mend()
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSING', body: JSON.stringify(body) })
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toEqual([])
    expect((await deliver(s, body)).body.error.code).toBe('WEBHOOK_IN_PROGRESS')
    s.ctx.clock.advance(MINUTE)
    expect((await deliver(s, body)).body).toEqual(DONE)
    expect((await purchaseOf(s, one)).status).toBe('ACTIVE')
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', attempts: 2 })
  })
})
