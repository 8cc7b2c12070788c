import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import type { SubscriberRow } from '../../src/people/subscribers/service'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { access, balances, eventTypes, everything, money } from '../support/facts'
import {
  anchor,
  anchorsOf,
  counted,
  importedPerson,
  importedPurchase,
  jobOf,
  purchasesOf,
  verifiedJob,
  verify,
} from '../support/import-verification'

const ADA = 'svc_ada'

let s: AndroidStage
let job: ImportJobRow
let ada: SubscriberRow
beforeEach(async () => {
  s = await androidStage()
  job = await verifiedJob(s)
  ada = await importedPerson(s, 'ada', ADA)
})
afterEach(() => s.close())

const tokenOf = (token: string, product: string | null = 'pro', isSubscription: boolean | null = null) =>
  ({ kind: 'PURCHASE_TOKEN', token, product, isSubscription }) as const

const orderOf = (token: string) =>
  s.server.store.subscriptions.get(token)?.resource.lineItems?.[0]?.latestSuccessfulOrderId ?? token

/** The purchase of a token as a file with product and dates records it. */
const imported = (token: string, from = s.ctx.clock.now(), days = 30) =>
  importedPurchase(s, job, ada, {
    store: 'ANDROID_STORE',
    chainKey: token,
    originalTransactionId: orderOf(token),
    transactions: [
      {
        id: orderOf(token),
        product: 'pro:monthly',
        from,
        to: from + days * DAY,
      },
    ],
  })

describe('a purchase token that Google knows', () => {
  test('makes the purchase of its person when the file had nothing else', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token))
    expect(await verify(s, job)).toEqual({ outcome: 'COMPLETED', waits: [] })
    const [purchase, ...others] = await purchasesOf(s, ada.id)
    expect(others).toEqual([])
    expect(purchase).toMatchObject({ chainKey: token, status: 'ACTIVE', subscriberId: ada.id })
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'VERIFIED', error: null, purchaseId: purchase?.id }])
    const remembered = await s.ctx.db.select().from(s.ctx.tables.importPurchases)
    expect(remembered).toMatchObject([{ jobId: job.id, purchaseId: purchase?.id, isNew: true }])
    expect(await counted(s, job)).toEqual([1, 0, 0])
    expect(s.calls()).toBe(1)
  })

  test('brings the access, and no event of a purchase', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token))
    await verify(s, job)
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
    expect(await eventTypes(s, ada.id)).toEqual(['entitlement.granted'])
  })

  test('grants no currency for what was charged before', async () => {
    const token = s.server.store.buy('coins.100')
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token, 'coins.100'))
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await money(s, ada.id)).toHaveLength(1)
    expect(await balances(s, ADA)).toEqual({})
    await s.token('svc_bo', s.server.store.buy('coins.100'), 'coins.100')
    expect(Object.values(await balances(s, 'svc_bo'))).toEqual([100])
  })

  test('confirms what the file said without a second charge or purchase', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const purchase = await imported(token)
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token), purchase.id)
    const before = await eventTypes(s, ada.id)
    await verify(s, job)
    expect((await purchasesOf(s, ada.id)).map(({ id }) => id)).toEqual([purchase.id])
    expect(await money(s, ada.id)).toHaveLength(1)
    expect(await eventTypes(s, ada.id)).toEqual(before)
  })

  test('tells of a renewal after the export, without an event', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const purchase = await imported(token)
    s.ctx.clock.advance(30 * DAY)
    s.server.store.renew(token)
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token), purchase.id)
    await verify(s, job)
    expect(await money(s, ada.id)).toHaveLength(2)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ status: 'ACTIVE' }])
    expect((await eventTypes(s, ada.id)).filter((type) => type.startsWith('purchase.'))).toEqual([])
  })

  test('ends what was revoked since, and says only that the access is gone', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const purchase = await imported(token)
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
    s.ctx.clock.advance(DAY)
    s.server.store.revoke(token)
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token), purchase.id)
    await verify(s, job)
    expect(await access(s, ADA)).toEqual({})
    expect((await eventTypes(s, ada.id)).slice(-1)).toEqual(['entitlement.revoked'])
    expect((await eventTypes(s, ada.id)).filter((type) => type.startsWith('purchase.'))).toEqual([])
    expect(await counted(s, job)).toEqual([1, 0, 0])
  })

  test('repairs a live purchase as the reconciler does, with its events', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token(ADA, token, 'pro_monthly')
    const owner = (await s.get('/v1/me', ADA)).body.data.subscriber.id
    s.ctx.clock.advance(30 * DAY)
    s.server.store.renew(token)
    await anchor(s, job, { id: owner }, 'ANDROID_STORE', tokenOf(token))
    await verify(s, job)
    expect((await eventTypes(s, owner)).filter((type) => type === 'purchase.renewed')).toHaveLength(1)
    expect(await money(s, owner)).toHaveLength(2)
  })
})

describe('a purchase that somebody else owns', () => {
  test('stays with them, and is named', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_bo', token, 'pro_monthly')
    const bo = (await s.get('/v1/me', 'svc_bo')).body.data.subscriber.id
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token))
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    const [purchase] = await purchasesOf(s, bo)
    expect(await purchasesOf(s, ada.id)).toEqual([])
    expect(await access(s, ADA)).toEqual({})
    const message = `purchase ${purchase?.id} belongs to ${bo} and stays there`
    expect((await jobOf(s, job.id)).findings.verification).toEqual({
      reasons: [],
      conflicts: 1,
      unrecognised: 0,
      notes: [{ subscriberId: ada.id, store: 'ANDROID_STORE', message }],
    })
    expect(await s.ctx.db.select().from(s.ctx.tables.importPurchases)).toEqual([])
    expect(await counted(s, job)).toEqual([1, 0, 0])
  })

  test('goes to the person of the import when only a notification had told of it', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.deliverAll()
    expect(await purchasesOf(s, ada.id)).toEqual([])
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token))
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ chainKey: token }])
    expect((await jobOf(s, job.id)).findings.verification).toMatchObject({ conflicts: 0 })
  })

  test('is that of the first of two people who bring the same token', async () => {
    const bo = await importedPerson(s, 'bo')
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token))
    await anchor(s, job, bo, 'ANDROID_STORE', tokenOf(token))
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toHaveLength(1)
    expect(await purchasesOf(s, bo.id)).toEqual([])
    expect((await jobOf(s, job.id)).findings.verification).toMatchObject({ conflicts: 1 })
  })
})

describe('a token that cannot be confirmed', () => {
  test('unknown to Google stays as history', async () => {
    const purchase = await imported('gone-token')
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf('gone-token', null, true), purchase.id)
    const before = await everything(s)
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await everything(s)).toEqual(before)
    expect(await anchorsOf(s, job)).toMatchObject([
      { state: 'UNRECOGNISED', error: 'Google Play does not know the purchase', purchaseId: purchase.id },
    ])
    expect(await counted(s, job)).toEqual([0, 1, 0])
  })

  test('of an unknown kind is asked for both kinds, and both calls count', async () => {
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf('gone-token', null))
    await verify(s, job, { maxCalls: 2 })
    expect(s.calls()).toBe(2)
    expect(await counted(s, job)).toEqual([0, 1, 0])
  })

  test('not paid yet makes no purchase', async () => {
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(s.server.store.subscribePending(ANDROID_MONTHLY)))
    await verify(s, job)
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'UNRECOGNISED', error: 'the purchase is not paid' }])
    expect(await purchasesOf(s, ada.id)).toEqual([])
  })

  test('of a test purchase is left out when the import leaves the sandbox out', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY, { isTest: true })
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token))
    await verify(s, job)
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'UNVERIFIABLE' }])
    expect(await purchasesOf(s, ada.id)).toEqual([])
  })

  test('of a person who was erased makes no call', async () => {
    await s.ctx.write((tx) => tx.db.update(tx.tables.subscribers).set({ erasedAt: tx.clock.now() }))
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(s.server.store.subscribe(ANDROID_MONTHLY)))
    await verify(s, job)
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'UNVERIFIABLE', error: 'the person was erased' }])
    expect(s.calls()).toBe(0)
  })
})

describe('an order without a token', () => {
  test('is not asked about, unless the job says so', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await anchor(s, job, ada, 'ANDROID_STORE', { kind: 'ORDER', id: orderOf(token) })
    await verify(s, job)
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'UNVERIFIABLE' }])
    expect(s.calls()).toBe(0)
  })

  test('leads to its token, which becomes the key of the imported chain', async () => {
    const asking = await verifiedJob(s, { enrichUngroupedChains: true })
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const id = orderOf(token)
    const from = s.ctx.clock.now()
    const purchase = await importedPurchase(s, asking, ada, {
      store: 'ANDROID_STORE',
      chainKey: id,
      transactions: [{ id, product: 'pro:monthly', from, to: from + 30 * DAY }],
    })
    await anchor(s, asking, ada, 'ANDROID_STORE', { kind: 'ORDER', id }, purchase.id)
    await verify(s, asking)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: token }])
    expect(await money(s, ada.id)).toHaveLength(1)
    expect(s.calls()).toBe(2)
  })

  test('that Google does not know stays as history', async () => {
    const asking = await verifiedJob(s, { enrichUngroupedChains: true })
    await anchor(s, asking, ada, 'ANDROID_STORE', { kind: 'ORDER', id: 'GPA.0000' })
    await verify(s, asking)
    expect(await counted(s, asking)).toEqual([0, 1, 0])
  })
})

describe('an upgrade', () => {
  test('brings the purchase that it replaced as well, and both are remembered', async () => {
    const first = s.server.store.subscribe(ANDROID_MONTHLY)
    s.ctx.clock.advance(DAY)
    const second = s.server.store.upgrade(first, ANDROID_YEARLY)
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(second))
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(first))
    await verify(s, job)
    const rows = await purchasesOf(s, ada.id)
    expect(rows.map(({ chainKey, status }) => [chainKey, status]).toSorted()).toEqual(
      [
        [first, 'EXPIRED'],
        [second, 'ACTIVE'],
      ].toSorted(),
    )
    const remembered = await s.ctx.db.select().from(s.ctx.tables.importPurchases)
    expect(remembered.map(({ isNew }) => isNew)).toEqual([true, true])
    expect((await eventTypes(s, ada.id)).filter((type) => type.startsWith('purchase.'))).toEqual([])
  })
})

describe('in whatever order a push, a receipt and the verification come', () => {
  const steps = ['push', 'receipt', 'verification'] as const
  type Step = (typeof steps)[number]
  const orders: Step[][] = steps.flatMap((a) => {
    const [b, c] = steps.filter((one) => one !== a)
    return b && c
      ? [
          [a, b, c],
          [a, c, b],
        ]
      : []
  })
  for (const order of orders)
    test(`${order.join(', ')}: the imported chain is one purchase with each charge once`, async () => {
      const token = s.server.store.subscribe(ANDROID_MONTHLY)
      const [first, from] = [orderOf(token), s.ctx.clock.now()]
      const purchase = await importedPurchase(s, job, ada, {
        store: 'ANDROID_STORE',
        chainKey: first,
        transactions: [{ id: first, product: 'pro:monthly', from, to: from + 30 * DAY }],
      })
      await s.pushes() // What Google told the old backend.
      s.ctx.clock.advance(30 * DAY)
      s.server.store.renew(token)
      await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token), purchase.id)
      for (const step of order) {
        s.ctx.clock.advance(1000)
        if (step === 'push') await s.deliverAll()
        else if (step === 'receipt') await s.token(ADA, token, 'pro_monthly')
        else await verify(s, job)
      }
      expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: token, status: 'ACTIVE' }])
      expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(1)
      expect((await money(s, ada.id)).map(([kind]) => kind)).toEqual(['INITIAL', 'RENEWAL'])
      expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
      expect(await counted(s, job)).toEqual([1, 0, 0])
    })
})

describe('live news about an imported purchase', () => {
  test('before the verification: nothing is doubled', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const purchase = await imported(token)
    await s.deliverAll()
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token), purchase.id)
    await verify(s, job)
    expect((await purchasesOf(s, ada.id)).map(({ id }) => id)).toEqual([purchase.id])
    expect(await money(s, ada.id)).toHaveLength(1)
  })

  test('while Google is asked: the later news stays', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const purchase = await imported(token)
    await s.deliverAll()
    await anchor(s, job, ada, 'ANDROID_STORE', tokenOf(token), purchase.id)
    const before = s.calls()
    const answered = Promise.withResolvers<void>()
    s.server.faults = { until: answered.promise }
    const running = verify(s, job)
    while (s.calls() === before) await new Promise(setImmediate)
    s.ctx.clock.advance(1000)
    s.server.store.revoke(token)
    s.server.faults = {}
    await s.deliverAll()
    answered.resolve()
    await running
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, status: 'REVOKED' }])
  })

  test('about a chain known by its order: the token continues it', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const id = orderOf(token)
    const from = s.ctx.clock.now()
    const purchase = await importedPurchase(s, job, ada, {
      store: 'ANDROID_STORE',
      chainKey: id,
      transactions: [{ id, product: 'pro:monthly', from, to: from + 30 * DAY }],
    })
    await s.deliverAll()
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: token }])
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(1)
  })
})
