import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { endCommit } from '../../src/moving/imports/commit/end-commit'
import type { ImportRow } from '../../src/moving/imports/row'
import { undoImport } from '../../src/moving/imports/undo/undo-import'
import * as subscribers from '../../src/people/subscribers/service'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { erase } from '../support/erased'
import { digestOf, figuresOf, holdingsOf, importJob, importRow, importRows, NOW } from '../support/imports'
import { buyLive } from '../support/live-purchases'

let s: Stage
const open: Stage[] = []
beforeEach(async () => {
  s = await stage()
  open.push(s)
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const usd = (amount: number) => ({ amountMicros: amount * 1_000_000, currency: 'USD' })

/** Months of a subscription that runs until 10 days from now. */
function months(count: number, members: Partial<ImportRow> = {}, chain = '1000'): ImportRow[] {
  return Array.from({ length: count }, (_, index) => {
    const purchaseDate = NOW - 20 * DAY - (count - 1 - index) * 30 * DAY
    return importRow({
      line: index + 2,
      productIdentifier: MONTHLY.productId,
      purchaseDate,
      expiresDate: purchaseDate + 30 * DAY,
      originalTransactionId: chain,
      storeTransactionId: String(Number(chain) + index),
      autoRenews: true,
      price: usd(9.99),
      renewalNumber: index + 1,
      updatedAt: purchaseDate,
      ...members,
    })
  })
}

describe('a history', () => {
  test('is one purchase with its charges, and gives access at once', async () => {
    const result = await importRows(s, await importJob(s), months(3))
    expect(result).toMatchObject({ subscribersNew: 1, purchasesNew: 1, purchasesUpdated: 0, skipped: 0 })
    const held = await holdingsOf(s, 'user_1')
    expect(held?.owner).toMatchObject({ deviceKey: 'import:user_1', isSynthetic: true })
    expect(held?.purchases.map(({ state }) => state)).toMatchObject([
      { status: 'ACTIVE', expiresAt: NOW + 10 * DAY, storeTransactionId: '1002', originalPurchaseDate: NOW - 80 * DAY },
    ])
    expect(held?.lines.map(({ kind, usdMicros }) => [kind, usdMicros])).toEqual([
      ['INITIAL', 9_990_000],
      ['RENEWAL', 9_990_000],
      ['RENEWAL', 9_990_000],
    ])
    expect(held?.access).toHaveProperty('pro')
    expect(held?.owner.toldAccess).toEqual(held?.access ?? {})
  })

  test('gives no purchase event, no currency and no event when time goes by within the period', async () => {
    await importRows(s, await importJob(s), [
      ...months(2, { productIdentifier: YEARLY.productId }),
      importRow({
        productIdentifier: COINS.productId,
        purchaseDate: NOW - DAY,
        storeTransactionId: '77',
        price: usd(1),
      }),
    ])
    expect(await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)).toEqual([])
    expect(await s.ctx.db.select().from(s.ctx.tables.ledger)).toEqual([])
    s.ctx.clock.advance(DAY)
    expect(await sweepPurchases(s.ctx)).toBe(0)
  })

  test('ends with one event', async () => {
    const job = await importJob(s)
    const project = await s.ctx.state.projects.get(s.project.id)
    await s.ctx.write((tx) => endCommit(tx, project, { ...job, counters: { ...job.counters, rows: 61 } }))
    const events = await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)
    expect(events).toMatchObject([
      { type: 'import.committed', subscriberId: null, seq: null, data: { jobId: job.id, rows: 61 } },
    ])
  })

  test('that has ended long ago does not expire again', async () => {
    const rows = months(2).map((row) => ({
      ...row,
      purchaseDate: (row.purchaseDate ?? 0) - 400 * DAY,
      expiresDate: (row.expiresDate ?? 0) - 400 * DAY,
      updatedAt: (row.updatedAt ?? 0) - 400 * DAY,
    }))
    await importRows(s, await importJob(s), rows)
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(purchase).toMatchObject({ status: 'EXPIRED', sweepAt: null, recheckAt: null })
  })
})

describe('the same rows', () => {
  test('in batches of any size, in any order and again, make the same', async () => {
    const rows = [
      ...months(4),
      ...months(2, { subscriberExternalId: 'user_2', email: 'b@example.com', attributes: { tier: 'gold' } }, '2000'),
      ...months(1, { subscriberExternalId: 'user_3', refundedAt: NOW - DAY, updatedAt: NOW - DAY }, '3000'),
    ]
    await importRows(s, await importJob(s), rows)
    const whole = await digestOf(s)
    const other = await stage()
    open.push(other)
    const job = await importJob(other)
    await importRows(other, job, rows.toReversed(), 1)
    await importRows(other, job, rows, 3)
    expect(await digestOf(other)).toEqual(whole)
  })

  test('of another job change nothing', async () => {
    await importRows(s, await importJob(s), months(3))
    const before = await digestOf(s)
    const again = await importRows(s, await importJob(s), months(3))
    expect(again).toMatchObject({ subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0 })
    expect(await digestOf(s)).toEqual(before)
  })

  test('in a newer export count as they are there', async () => {
    await importRows(s, await importJob(s), months(2, { refundedAt: null }))
    const refunded = months(2).map((row, index) =>
      index === 0 ? { ...row, refundedAt: NOW - 2 * DAY, updatedAt: NOW - 2 * DAY } : row,
    )
    const cancelled = refunded.map((row, index) =>
      index === 1 ? { ...row, autoRenews: false, cancelledAt: NOW - DAY, updatedAt: NOW - DAY } : row,
    )
    expect(await importRows(s, await importJob(s), cancelled)).toMatchObject({ purchasesNew: 0, purchasesUpdated: 1 })
    const held = await holdingsOf(s, 'user_1')
    expect(held?.purchases[0]?.state).toMatchObject({ status: 'ACTIVE', autoRenews: false, cancelledAt: NOW - DAY })
    expect(held?.lines.map(({ amountMicros }) => amountMicros)).toEqual([9_990_000, 9_990_000, -9_990_000])
    await importRows(s, await importJob(s), months(2)) // The older export again.
    expect((await holdingsOf(s, 'user_1'))?.purchases[0]?.state).toMatchObject({ autoRenews: false })
  })

  test('of which the newer no longer says that it was refunded give the access back', async () => {
    const [row] = months(1)
    if (!row) throw new Error('no row')
    await importRows(s, await importJob(s), [{ ...row, refundedAt: NOW - 3 * DAY, updatedAt: NOW - 3 * DAY }])
    expect((await holdingsOf(s, 'user_1'))?.access).toEqual({})
    await importRows(s, await importJob(s), [{ ...row, updatedAt: NOW - DAY }])
    expect((await holdingsOf(s, 'user_1'))?.access).toHaveProperty('pro')
  })
})

describe('figures', () => {
  test('equal those of the rows one by one', async () => {
    const rows = [...months(5), ...months(2, { subscriberExternalId: 'user_2', isTrial: true }, '2000')]
    await importRows(s, await importJob(s), rows)
    const other = await stage()
    open.push(other)
    await importRows(other, await importJob(other), rows, 1)
    expect((await figuresOf(s)).length).toBeGreaterThan(0)
    expect(await figuresOf(other)).toEqual(await figuresOf(s))
  })
})

describe('people', () => {
  test('a live subscriber with the label or the device key is used', async () => {
    await s.post('/v1/identify', { appUserId: 'user_1', svcId: 'device-1' })
    await s.post('/v1/identify', { appUserId: 'other', svcId: 'device-2' })
    const result = await importRows(s, await importJob(s), [
      ...months(1),
      ...months(1, { subscriberExternalId: 'user_2', deviceKey: 'device-2' }, '2000'),
    ])
    expect(result).toMatchObject({ subscribersNew: 0, purchasesNew: 2 })
    const access = await s.get('/v1/me/entitlements', 'device-1')
    expect(access.body.data.entitlements).toHaveProperty('pro')
    expect((await s.get('/v1/me/entitlements', 'device-2')).body.data.entitlements).toHaveProperty('pro')
  })

  test('an identify call joins the imported person, with their purchases', async () => {
    await importRows(s, await importJob(s), months(2))
    expect((await s.get('/v1/me/entitlements', 'device-1')).body.data.entitlements).toEqual({})
    await s.post('/v1/identify', { appUserId: 'user_1', svcId: 'device-1' })
    expect((await s.get('/v1/me/entitlements', 'device-1')).body.data.entitlements).toHaveProperty('pro')
    const again = await importRows(s, await importJob(s), months(3))
    expect(again).toMatchObject({ subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 1 })
    expect((await holdingsOf(s, 'user_1'))?.purchases).toHaveLength(1)
  })

  test('an erased person is skipped', async () => {
    await importRows(s, await importJob(s), months(1))
    await s.ctx.write(async (tx) => {
      const { subscribers } = tx.tables
      await tx.db.update(subscribers).set({ erasedAt: NOW })
    })
    const result = await importRows(s, await importJob(s), months(2, { email: 'a@example.com' }))
    expect(result).toMatchObject({ subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0, skipped: 2 })
    const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    expect(row?.attributes).toEqual({})
  })

  test('nobody comes back whose data was erased: not by their label, and not by a device key that they had', async () => {
    await importRows(s, await importJob(s), months(1))
    await s.post('/v1/identify', { appUserId: 'user_1', svcId: 'device-1' })
    const id = (await s.get('/v1/me', 'device-1')).body.data.subscriber.id
    await erase(s, id)
    const before = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    const byLabel = await importRows(s, await importJob(s), months(2))
    const others = months(2).map((row) => ({ ...row, subscriberExternalId: 'user_other', deviceKey: 'device-1' }))
    const byDevice = await importRows(s, await importJob(s), others)
    for (const result of [byLabel, byDevice])
      expect(result).toMatchObject({ subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0, skipped: 2 })
    expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toEqual(before)
  })

  test('attributes that were set later here stay, and bad ones cost only themselves', async () => {
    const late = NOW + DAY
    await importRows(s, await importJob(s), months(1, { attributes: { tier: 'gold', 'bad key': 'x' } }))
    await s.ctx.write(async (tx) => {
      const { subscribers } = tx.tables
      await tx.db.update(subscribers).set({ attributes: { tier: { value: 'live', source: 'sdk', updatedAt: late } } })
    })
    const rows = months(1, { attributes: { tier: 'silver' }, email: 'a@example.com', displayName: 'Ada' })
    await importRows(s, await importJob(s), rows)
    const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    expect(Object.fromEntries(Object.entries(row?.attributes ?? {}).map(([key, { value }]) => [key, value]))).toEqual({
      tier: 'live',
      $email: 'a@example.com',
      $displayName: 'Ada',
    })
  })
})

describe('rows that are not recorded', () => {
  const cases: [name: string, rows: ImportRow[], options: object, skipped: number][] = [
    ['sandbox rows', months(2, { isSandbox: true }), {}, 2],
    [
      'rows without a proof, where they are not wanted',
      months(1, { originalTransactionId: null, storeTransactionId: null }),
      { importAnchorless: false },
      1,
    ],
  ]
  for (const [name, rows, options, skipped] of cases)
    test(name, async () => {
      expect(await importRows(s, await importJob(s, options), rows)).toMatchObject({ skipped, purchasesNew: 0 })
      expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toEqual([])
    })

  test('rows of another environment than the purchase', async () => {
    const options = { skipSandbox: false }
    await importRows(s, await importJob(s, options), months(1))
    const result = await importRows(s, await importJob(s, options), months(1, { isSandbox: true }))
    expect(result).toMatchObject({ skipped: 1, purchasesUpdated: 0 })
  })

  test('without a date leave only an anchor', async () => {
    const row = importRow({ store: 'PAYMENT', providerId: 'sub_1', originalTransactionId: 'sub_1' })
    expect(await importRows(s, await importJob(s), [row])).toMatchObject({ subscribersNew: 1, purchasesNew: 0 })
    expect(await s.ctx.db.select().from(s.ctx.tables.importAnchors)).toMatchObject([
      { store: 'PAYMENT', purchaseId: null, state: 'PENDING', proof: { kind: 'PROVIDER', id: 'sub_1' } },
    ])
  })

  test('unknown products are recorded without access and named once with their rows', async () => {
    const result = await importRows(s, await importJob(s), months(3, { productIdentifier: 'unknown.monthly' }))
    expect(result.unknownProducts).toEqual([{ store: 'IOS_STORE', identifier: 'unknown.monthly', rows: 3 }])
    const held = await holdingsOf(s, 'user_1')
    expect(held?.purchases[0]).toMatchObject({ row: { productId: null }, state: { status: 'ACTIVE' } })
    expect(held?.access).toEqual({})
  })
})

describe('what a file knows only in part', () => {
  test('an end without a purchase date gives access until then, and is no charge', async () => {
    const row = importRow({ ...{ productIdentifier: MONTHLY.productId, originalTransactionId: '1000' } })
    await importRows(s, await importJob(s), [{ ...row, expiresDate: NOW + 5 * DAY }])
    const held = await holdingsOf(s, 'user_1')
    expect(held?.purchases[0]?.state).toMatchObject({ status: 'ACTIVE', expiresAt: NOW + 5 * DAY })
    expect(held?.access).toHaveProperty('pro')
    expect(held?.lines).toEqual([])
    await importRows(s, await importJob(s), months(2)) // A file with the transactions says it better.
    const known = await holdingsOf(s, 'user_1')
    expect(known?.purchases).toMatchObject([{ state: { expiresAt: NOW + 10 * DAY, storeTransactionId: '1001' } }])
    expect(known?.lines).toHaveLength(2)
  })

  test('a promotional row gives the accesses that it names', async () => {
    const grant = { store: 'MANUAL', productIdentifier: 'promo_month', purchaseDate: NOW - DAY } as const
    const rows = [
      importRow({ ...grant, originalTransactionId: 'g1', expiresDate: NOW + DAY, entitlements: ['coach', 'nothing'] }),
      importRow({ ...grant, originalTransactionId: 'g2', expiresDate: NOW - 1, entitlements: ['pro'] }),
    ]
    const job = await importJob(s)
    expect(await importRows(s, job, rows)).toMatchObject({ purchasesNew: 2, unknownProducts: [] })
    expect(await importRows(s, await importJob(s), rows)).toMatchObject({ purchasesNew: 0, purchasesUpdated: 0 })
    const held = await holdingsOf(s, 'user_1')
    expect(Object.keys(held?.access ?? {})).toEqual(['coach'])
    for (const { row } of held?.purchases ?? []) expect(row.chainKey).toBe(row.id)
    expect(await s.ctx.db.select().from(s.ctx.tables.importAnchors)).toEqual([])
  })

  test('a family share is a purchase of each member, without a charge', async () => {
    const shared = { ownershipType: 'FAMILY_SHARED', price: null } as const
    await importRows(s, await importJob(s), [
      ...months(1),
      ...months(1, { ...shared, subscriberExternalId: 'user_2', storeTransactionId: '1001' }),
      ...months(1, { ...shared, subscriberExternalId: 'user_3', storeTransactionId: '1002' }),
    ])
    for (const label of ['user_1', 'user_2', 'user_3'])
      expect((await holdingsOf(s, label))?.access).toHaveProperty('pro')
    expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
  })

  test('two people with one purchase: it has one owner, and no access is given twice', async () => {
    const rows = [...months(2), ...months(1, { subscriberExternalId: 'user_2' })]
    expect(await importRows(s, await importJob(s), rows)).toMatchObject({ subscribersNew: 2, purchasesNew: 1 })
    const both = await Promise.all(['user_1', 'user_2'].map((label) => holdingsOf(s, label)))
    expect(both.filter((held) => Object.keys(held?.access ?? {}).length > 0)).toHaveLength(1)
  })

  test('a purchase that nobody owned yet goes to the person of the file', async () => {
    const { ensureSynthetic } = subscribers
    const id = await buyLive(s, 'device-9', { chain: '1000' })
    await s.ctx.write(async (tx) => {
      const owner = await ensureSynthetic(tx, s.project.id, 'ios:1000')
      await tx.db.update(tx.tables.purchases).set({ subscriberId: owner.id })
      await tx.db.update(tx.tables.transactions).set({ subscriberId: owner.id })
    })
    await importRows(s, await importJob(s), months(1))
    const held = await holdingsOf(s, 'user_1')
    expect(held?.purchases.map(({ row }) => row.id)).toEqual([id])
    expect(held?.access).toHaveProperty('pro')
  })
})

describe('undo', () => {
  const undo = async (stageOf: Stage, job: Awaited<ReturnType<typeof importJob>>) =>
    undoImport(stageOf.ctx, await stageOf.ctx.state.projects.get(stageOf.project.id), job)

  test('of everything ends in the state before', async () => {
    const first = await importJob(s)
    await importRows(s, first, months(2))
    const before = await digestOf(s)
    const job = await importJob(s)
    const newer = months(3, { attributes: { tier: 'gold' }, firstSeenAt: NOW - 900 * DAY })
    await importRows(s, job, [...newer, ...months(2, { subscriberExternalId: 'user_2' }, '2000')])
    expect(await digestOf(s)).not.toEqual(before)
    expect(await undo(s, job)).toEqual({ purchasesRemoved: 1, purchasesChanged: 1, subscribersRemoved: 1 })
    expect(await digestOf(s)).toEqual(before)
    expect(await undo(s, first)).toEqual({ purchasesRemoved: 1, purchasesChanged: 0, subscribersRemoved: 1 })
    expect(await digestOf(s)).toMatchObject({ subscribers: [], purchases: [], transactions: [], figures: [] })
    expect(await s.ctx.db.select().from(s.ctx.tables.importAnchors)).toEqual([])
  })

  test('leaves rows that another import has read too', async () => {
    const first = await importJob(s)
    await importRows(s, first, months(2))
    const second = await importJob(s)
    await importRows(s, second, months(2))
    const both = await digestOf(s)
    expect(await undo(s, first)).toMatchObject({ purchasesRemoved: 0 })
    expect(await digestOf(s)).toEqual(both)
    expect(await undo(s, second)).toMatchObject({ purchasesRemoved: 1, subscribersRemoved: 1 })
    expect(await digestOf(s)).toMatchObject({ subscribers: [], purchases: [], transactions: [], figures: [] })
  })

  test('leaves a person who was changed since', async () => {
    const job = await importJob(s)
    await importRows(s, job, months(1))
    await s.ctx.write(async (tx) => {
      const { subscribers } = tx.tables
      await tx.db.update(subscribers).set({ attributes: { a: { value: 'b', source: 'api', updatedAt: NOW } } })
    })
    expect(await undo(s, job)).toEqual({ purchasesRemoved: 1, purchasesChanged: 0, subscribersRemoved: 0 })
    expect((await holdingsOf(s, 'user_1'))?.access).toEqual({})
  })
})
