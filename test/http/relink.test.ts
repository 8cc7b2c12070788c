import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, isNull, sql } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { FIRST_LOOK_MS } from '../../src/intake/relink/jobs'
import { relinkProject } from '../../src/intake/relink/relink'
import { purchasesCommand } from '../../src/intake/repair/purchases-command'
import { commitBatch } from '../../src/moving/imports/commit/commit-batch'
import { applyCommand } from '../../src/moving/project-file/apply-command'
import { causeOf } from '../../src/people/events/model'
import { work } from '../support/accounts'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { runBeside } from '../support/command'
import { NOW } from '../support/context'
import { everything, renew, rowOf } from '../support/facts'
import { importJob, importRow, importRows } from '../support/imports'
import { notify, purchaseOf } from '../support/notify'
import { changes, dataOf, refused } from '../support/operator'
import { accessId, addLater, bothAnswers, LATER, laterProduct, linkNow, settle } from '../support/relink'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
beforeEach(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
})
afterEach(() => s.close())

const PRO = { pro: { expiresDate: expect.any(String), productIdentifier: 'later' } }

/** A purchase of a missing product, as the store reports it. */
async function tellBought(product = LATER, projectId = s.project.id) {
  const payload = s.buy(product)
  const kind = product.type === 'Auto-Renewable Subscription' ? (['SUBSCRIBED', 'INITIAL_BUY'] as const) : ONE_TIME
  expect((await notify(s, kind, payload, { projectId })).status).toBe(200)
  const { subscriberId, id } = await purchaseOf(s, payload)
  return { payload, subscriberId, id }
}

const ONE_TIME = ['ONE_TIME_CHARGE', null] as const

/** The access of a person. Explain must say the same. */
async function agreed(reference: string) {
  const { access, explained } = await bothAnswers(s, reference)
  expect(explained).toEqual(access)
  return access
}

const grantsOf = async (subscriberId: string) =>
  (await s.events(subscriberId)).filter(({ type }) => type === 'entitlement.granted')
const lines = () => s.ctx.db.select().from(s.ctx.tables.transactions)
const ledger = () => s.ctx.db.select().from(s.ctx.tables.ledger)
const dump = () => everything(s)

/** What the figures of a product sum up to, without what was taken back. */
async function figures() {
  const sums = new Map<string, number>()
  for (const { product, gross } of await s.ctx.db.select().from(s.ctx.tables.figureEntries))
    sums.set(product, (sums.get(product) ?? 0) + gross)
  return Object.fromEntries([...sums].filter(([, gross]) => gross !== 0))
}

const GOLD = { ...COINS, productId: 'com.x.gold' }
/** A consumable with its grant, in one edit. */
const GOLD_FILE = `
version: 1
products:
  gold:
    type: CONSUMABLE
    displayName: Gold
    storeIds: { ios: ${GOLD.productId} }
    grants: [{ currency: coins, amount: 100, on: PURCHASE }]
`
const currencyId = async () => (await dataOf(dev.get('/virtual-currencies'))).items.find(isCoins).id
const isCoins = ({ code }: { code: string }) => code === 'coins'
const applied = (file: string) => dataOf(staff(s).as('OWNER').post('/project-file/apply', { file }))

/** A row of an import that waits for the missing product. */
const waitingRow = (index: number) =>
  importRow({
    ...{ subscriberExternalId: `user_${index}`, productIdentifier: LATER.productId },
    ...{ originalTransactionId: `${7000 + index}`, storeTransactionId: `${7000 + index}` },
    ...{ purchaseDate: NOW - DAY, expiresDate: NOW + 29 * DAY, price: { amountMicros: 9_990_000, currency: 'USD' } },
  })

describe('a product that comes after its purchase', () => {
  test('brings in name, access, events, figures and filters', async () => {
    const { subscriberId, id, payload } = await tellBought()
    expect(await agreed(subscriberId)).toEqual({})
    expect(await figures()).toEqual({ [LATER.productId]: 9_990_000 })
    const product = await addLater(s, dev)
    expect(product.waitingPurchases).toBe(1)
    expect(await agreed(subscriberId)).toEqual({})
    await linkNow(s)
    expect(await agreed(subscriberId)).toEqual(PRO)
    expect(await purchaseOf(s, payload)).toMatchObject({ productId: product.id, storeProductId: LATER.productId })
    expect(await lines()).toMatchObject([{ productId: product.id, storeProductId: LATER.productId }])
    expect(await figures()).toEqual({ later: 9_990_000 })
    expect(await grantsOf(subscriberId)).toMatchObject([
      {
        cause: { kind: 'DASHBOARD' },
        data: { access: 'pro', purchaseId: id, linked: true },
        before: { access: {} },
        after: { access: { pro: { productIdentifier: 'later' } } },
      },
    ])
    for (const list of ['subscriptions', 'transactions'])
      expect((await dataOf(dev.get(`/${list}?productId=${product.id}&environment=SANDBOX`))).items).toHaveLength(1)
  })

  test('brings a subscription that never renews its end, and keeps it a one-time purchase', async () => {
    const payload = s.buy({ ...LATER, type: 'Non-Renewing Subscription' as const })
    expect((await notify(s, ONE_TIME, payload)).status).toBe(200)
    const { subscriberId } = await purchaseOf(s, payload)
    await addLater(s, dev)
    await settle(s)
    expect(await agreed(subscriberId)).toEqual({
      pro: { expiresDate: '2026-12-20T08:00:00.000Z', productIdentifier: 'later' },
    })
    expect((await purchaseOf(s, payload)).fold).toMatchObject({ productType: 'NON_CONSUMABLE', autoRenews: false })
    expect(await figures()).toEqual({ later: 9_990_000 })
    s.ctx.clock.advance(31 * DAY)
    expect(await agreed(subscriberId)).toEqual({})
  })

  test('by a store id that is added to it', async () => {
    const { subscriberId } = await tellBought()
    const product = await addLater(s, dev, { storeIds: {} })
    expect(product.waitingPurchases).toBe(0)
    await settle(s)
    expect(await agreed(subscriberId)).toEqual({})
    const edited = await dataOf(dev.patch(`/products/${product.id}`, { storeIds: { ios: LATER.productId } }))
    expect(edited.waitingPurchases).toBe(1)
    await linkNow(s)
    expect(await agreed(subscriberId)).toEqual(PRO)
  })

  test('by the identifier that is its store id', async () => {
    const { subscriberId } = await tellBought()
    const product = await addLater(s, dev, { identifier: LATER.productId, storeIds: {} })
    expect(product.waitingPurchases).toBe(1)
    await linkNow(s)
    expect(await agreed(subscriberId)).toEqual({
      pro: { expiresDate: expect.any(String), productIdentifier: LATER.productId },
    })
  })

  test('by a project file, which gives its grants once', async () => {
    const { payload, subscriberId } = await tellBought(GOLD)
    expect((await applied(GOLD_FILE)).waitingPurchases).toBe(1)
    await settle(s)
    // It was recorded as of another type, because nothing told that it can be bought again.
    expect((await purchaseOf(s, payload)).fold.productType).toBe('CONSUMABLE')
    expect(await ledger()).toMatchObject([
      { subscriberId, amount: 100n, grantReference: `txn:${payload.transactionId}` },
    ])
    expect((await s.events(subscriberId)).at(-1)).toMatchObject({
      type: 'currency.transaction',
      cause: { kind: 'DASHBOARD' },
    })
    expect((await notify(s, ONE_TIME, payload)).status).toBe(200)
    await s.receipt('svc_ada', payload) // Ada gets the purchase with what it granted.
    await settle(s)
    const ada = await rowOf(s, 'svc_ada')
    const sums = new Map<string, bigint>()
    for (const one of await ledger()) sums.set(one.subscriberId, (sums.get(one.subscriberId) ?? 0n) + one.amount)
    expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([[ada.id, 100n]])
  })

  test('gives the grants that are set in the call after it, as the console does', async () => {
    const { payload, subscriberId } = await tellBought(GOLD)
    const product = { identifier: 'gold', type: 'CONSUMABLE', displayName: 'Gold', storeIds: { ios: GOLD.productId } }
    const { id } = await dataOf(dev.post('/products', product))
    const grants = [{ currencyId: await currencyId(), amount: 100, grantOn: 'PURCHASE' }]
    await work(s)
    await dataOf(dev.put(`/products/${id}/currency-grants`, { grants }))
    await settle(s)
    expect(await ledger()).toMatchObject([
      { subscriberId, amount: 100n, grantReference: `txn:${payload.transactionId}` },
    ])
    await dataOf(dev.put(`/products/${id}/currency-grants`, { grants: [{ ...grants[0], amount: 200 }] }))
    await settle(s)
    expect(await ledger()).toHaveLength(1)
  })

  test('gives the grants once when the store tells the purchase again before the job', async () => {
    const { payload } = await tellBought(GOLD)
    await applied(GOLD_FILE)
    await notify(s, ONE_TIME, payload)
    await settle(s)
    expect(await ledger()).toMatchObject([{ amount: 100n }])
  })

  test('gives no grants for charges of products that the catalogue knew', async () => {
    const first = s.buy(MONTHLY)
    await s.receipt('svc_ada', first)
    const { id } = await rowOf(s, 'svc_ada')
    await applied(`
version: 1
products:
  pro_monthly: { type: SUBSCRIPTION, displayName: M, period: P1M, storeIds: { ios: ${MONTHLY.productId} }, access: [pro], grants: [{ currency: coins, amount: 7, on: BOTH }] }
`)
    const upgraded = s.buy(LATER, { previous: first })
    await notify(s, ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], upgraded)
    expect(await agreed(id)).toEqual({})
    await addLater(s, dev)
    await settle(s)
    expect(await agreed(id)).toEqual(PRO)
    expect(await ledger()).toEqual([])
  })

  test('has the cause of the edit: a token is API, the command line is CLI', async () => {
    const { subscriberId } = await tellBought()
    await dataOf(dev.post('/access', { identifier: 'extra', displayName: 'Extra' })) // The stage's version 1 is not counted.
    const file = `
version: 1
products:
  later: { type: SUBSCRIPTION, displayName: L, period: P1M, storeIds: { ios: ${LATER.productId} }, access: [pro] }
`
    const path = join(mkdtempSync(join(tmpdir(), 'svc-relink-')), 'svc.yaml')
    writeFileSync(path, file)
    const ran = await runBeside(s, applyCommand, '-f', path, '--project', s.project.id, '--yes')
    expect(ran.out).toContain('1 purchase was recorded before its product')
    await settle(s)
    expect(await grantsOf(subscriberId)).toMatchObject([{ cause: { kind: 'CLI' }, data: { linked: true } }])
  })

  test('is found by a money line of a purchase that has another product now', async () => {
    const { payload, subscriberId } = await tellBought()
    const upgraded = s.buy(YEARLY, { previous: payload })
    await notify(s, ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], upgraded)
    const before = await s.events(subscriberId)
    const { id } = await addLater(s, dev)
    await settle(s)
    const byProduct = new Map((await lines()).map((line) => [line.storeProductId, line.productId]))
    expect(byProduct.get(LATER.productId)).toBe(id)
    expect(await figures()).toEqual({ later: 9_990_000, pro_yearly: 79_990_000 })
    expect(await s.events(subscriberId)).toEqual(before)
  })

  test('changes nothing when it is edited or linked again', async () => {
    await tellBought()
    await tellBought(GOLD)
    await applied(GOLD_FILE)
    const product = await addLater(s, dev)
    await settle(s)
    const before = await dump()
    await dataOf(dev.patch(`/products/${product.id}`, { displayName: 'Other' }))
    await dataOf(dev.patch(`/products/${product.id}`, { storeIds: { ios: null } }))
    const again = await dataOf(dev.patch(`/products/${product.id}`, { storeIds: { ios: LATER.productId } }))
    expect(again.waitingPurchases).toBe(0)
    await settle(s)
    const ran = await runBeside(s, purchasesCommand, 'relink', '--json')
    expect([ran.code, JSON.parse(ran.out)]).toEqual([0, { linked: 0, failed: 0 }])
    expect(await dump()).toEqual(before)
  })

  test('brings in nothing of another project', async () => {
    const theirs = await tellBought(LATER, s.other.id)
    const ours = await tellBought()
    await addLater(s, dev)
    await settle(s)
    expect(await agreed(ours.subscriberId)).toEqual(PRO)
    expect(await purchaseOf(s, theirs.payload)).toMatchObject({ projectId: s.other.id, productId: null })
    expect(await grantsOf(theirs.subscriberId)).toEqual([])
  })

  test('is told once where its owner has several of them, in an order without gaps', async () => {
    const bought = [await tellBought(), await tellBought(), await tellBought(GOLD)]
    const { purchases: p, transactions: t } = s.ctx.tables
    const [{ subscriberId } = { subscriberId: '' }] = bought
    for (const table of [p, t]) await s.ctx.write((tx) => tx.db.update(table).set({ subscriberId }))
    await addLater(s, dev)
    await applied(GOLD_FILE)
    await settle(s)
    expect(await agreed(subscriberId)).toEqual(PRO)
    expect(await grantsOf(subscriberId)).toMatchObject([{ data: { access: 'pro', linked: true } }])
    expect(await ledger()).toMatchObject([{ subscriberId, amount: 100n }])
    const seqs = (await s.events(subscriberId)).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    expect((await lines()).every(({ productId }) => productId !== null)).toBe(true)
  })

  test('is linked although another one of the same batch cannot be', async () => {
    const [first, broken, last] = [await tellBought(), await tellBought(), await tellBought()]
    const { observations: o, purchases: p } = s.ctx.tables
    const payload = sql`'null'`
    await s.ctx.write((tx) => tx.db.update(o).set({ payload }).where(eq(o.purchaseId, broken.id)))
    await addLater(s, dev)
    await settle(s)
    for (const { subscriberId } of [first, last]) {
      expect(await agreed(subscriberId)).toEqual(PRO)
      expect(await grantsOf(subscriberId)).toHaveLength(1)
    }
    const waiting = await s.ctx.db.select({ id: p.id }).from(p).where(isNull(p.productId))
    expect(waiting).toEqual([{ id: broken.id }])
    const warned = s.ctx.lines.filter((line) => line.includes('could not get its product'))
    expect(warned.length).toBeGreaterThan(0)
    for (const line of warned) expect(line).toContain(broken.id)
  })

  test('is linked without a rest up to 1,000 of them, and then in half of the time, also while the process is busy', async () => {
    await importRows(
      s,
      await importJob(s),
      Array.from({ length: 1150 }, (_, index) => waitingRow(index)),
    )
    await addLater(s, dev)
    const sleep = spyOn(Bun, 'sleep')
    // A rebuild of figures and the work for callers both use the processor.
    let busyMicros = 0
    const usage = spyOn(process, 'cpuUsage').mockImplementation(() => {
      busyMicros += 1e6
      return { user: busyMicros, system: 0 }
    })
    try {
      const startedAtMs = performance.now()
      const order = { projectId: s.project.id, productIds: null, cause: causeOf('SWEEP', null), isGentle: true }
      expect(await relinkProject(s.ctx, order)).toEqual({ linked: 1150, failed: 0, isComplete: true })
      const rested = sleep.mock.calls.reduce((sum, [ms]) => sum + Number(ms), 0)
      expect(rested).toBeGreaterThan(0)
      // Batches have at least 16 purchases.
      expect(sleep.mock.calls.length).toBeLessThanOrEqual(Math.ceil(150 / 16) + 1)
      expect(rested).toBeLessThan((performance.now() - startedAtMs) / 2)
    } finally {
      for (const spy of [sleep, usage]) spy.mockRestore()
    }
  }, 600_000)

  test('gives an erased owner nothing, and figures their name', async () => {
    const { subscriberId, payload } = await tellBought()
    const { subscribers: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ erasedAt: NOW }).where(eq(t.id, subscriberId)))
    const { id } = await addLater(s, dev)
    await settle(s)
    expect(await purchaseOf(s, payload)).toMatchObject({ productId: id })
    expect(await figures()).toEqual({ later: 9_990_000 })
    expect(await grantsOf(subscriberId)).toEqual([])
  })

  test('gives no access when the purchase has ended, and none to a sandbox that does not count', async () => {
    const { subscriberId } = await tellBought()
    s.ctx.clock.advance(40 * DAY)
    await addLater(s, dev)
    await settle(s)
    expect(await agreed(subscriberId)).toEqual({})
    expect(await grantsOf(subscriberId)).toEqual([])
  })
})

describe('imported history', () => {
  const row = (more = {}) =>
    importRow({
      ...{ productIdentifier: LATER.productId, purchaseDate: NOW - DAY, expiresDate: NOW + 29 * DAY },
      ...{
        originalTransactionId: '1000',
        storeTransactionId: '1000',
        price: { amountMicros: 9_990_000, currency: 'USD' },
      },
      ...more,
    })
  const FILE = `
version: 1
products:
  later:
    type: SUBSCRIPTION
    displayName: L
    period: P1M
    storeIds: { ios: ${LATER.productId} }
    access: [pro]
    grants: [{ currency: coins, amount: 100, on: BOTH }]
`

  test('gives access and figures, and tells nothing and grants nothing', async () => {
    await importRows(s, await importJob(s), [row()])
    const [owner] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    const events = await s.events(owner?.id ?? '')
    expect((await applied(FILE)).waitingPurchases).toBe(1)
    await settle(s)
    expect(await agreed('user_1')).toEqual(PRO)
    expect(await figures()).toEqual({ later: 9_990_000 })
    expect(await ledger()).toEqual([])
    expect(await s.events(owner?.id ?? '')).toEqual(events)
    expect((await s.ctx.db.select().from(s.ctx.tables.subscribers))[0]?.toldAccess).toHaveProperty('pro')
    s.ctx.clock.advance(40 * DAY)
    await sweepPurchases(s.ctx)
    expect((await s.events(owner?.id ?? '')).map(({ type }) => type)).toEqual([
      'purchase.expired',
      'entitlement.revoked',
    ])
  })

  test('with a renewal that the store told grants for the renewal only', async () => {
    const first = s.buy(LATER)
    const { originalTransactionId, transactionId } = first
    const options = { skipSandbox: false }
    const imported = row({ originalTransactionId, storeTransactionId: transactionId, isSandbox: true })
    await importRows(s, await importJob(s, options), [imported])
    const renewed = renew(s, first, LATER)
    await notify(s, ['DID_RENEW', null], renewed)
    await applied(FILE)
    await settle(s)
    expect(await ledger()).toMatchObject([{ amount: 100n, grantReference: `renewal:${renewed.transactionId}` }])
    expect(await grantsOf((await purchaseOf(s, first)).subscriberId)).toMatchObject([{ data: { linked: true } }])
  })

  test('that is imported again after the edit leaves grants and events to the job', async () => {
    const { payload, subscriberId } = await tellBought()
    await applied(FILE)
    const { originalTransactionId, transactionId } = payload
    const again = row({ originalTransactionId, storeTransactionId: transactionId, isSandbox: true })
    await importRows(s, await importJob(s, { skipSandbox: false }), [again])
    expect(await agreed(subscriberId)).toEqual({})
    await settle(s)
    expect(await agreed(subscriberId)).toEqual(PRO)
    expect(await ledger()).toMatchObject([{ amount: 100n }])
    const { subscriberId: survivor } = await purchaseOf(s, payload)
    expect(await grantsOf(survivor)).toMatchObject([{ data: { linked: true } }])
  })

  test('of a batch that began before the edit is linked at the second look', async () => {
    const project = await s.ctx.state.projects.get(s.project.id)
    const job = await importJob(s)
    expect((await applied(FILE)).waitingPurchases).toBe(0)
    await work(s)
    await s.ctx.write((tx) => commitBatch(tx, project, job, [row()]))
    expect(await agreed('user_1')).toEqual({})
    await settle(s)
    expect(await agreed('user_1')).toEqual(PRO)
  })
})

describe('a purchase that has a product keeps it', () => {
  test('when the store id is removed or moves to another product, also when it renews', async () => {
    const { payload, subscriberId } = await tellBought()
    const product = await addLater(s, dev)
    await settle(s)
    await dataOf(dev.patch(`/products/${product.id}`, { storeIds: { ios: null } }))
    expect(await agreed(subscriberId)).toEqual(PRO)
    const coach = [await accessId(s, 'coach')]
    const next = laterProduct(coach, { identifier: 'other' })
    expect((await dataOf(dev.post('/products', next))).waitingPurchases).toBe(0)
    await settle(s)
    const renewed = renew(s, payload, LATER)
    await notify(s, ['DID_RENEW', null], renewed)
    expect(await agreed(subscriberId)).toEqual(PRO)
    expect(await purchaseOf(s, payload)).toMatchObject({ productId: product.id })
    const bought = await tellBought()
    expect(Object.keys(await agreed(bought.subscriberId))).toEqual(['coach'])
    const [first] = await lines()
    expect(first?.productId).toBe(product.id)
  })

  test('when the store id moves while others are still linked', async () => {
    const bought = []
    for (let count = 0; count < 20; count++) bought.push(await tellBought())
    const product = await addLater(s, dev)
    const path = `/products/${product.id}`
    const other = laterProduct([await accessId(s, 'coach')], { identifier: 'other' })
    s.ctx.clock.advance(FIRST_LOOK_MS)
    await Promise.all([
      work(s),
      dev.patch(path, { storeIds: { ios: null } }).then(() => dataOf(dev.post('/products', other))),
    ])
    await settle(s)
    const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(rows.every(({ productId }) => productId !== null)).toBe(true)
    for (const { subscriberId, id } of bought) {
      const row = rows.find((one) => one.id === id)
      expect(Object.keys(await agreed(subscriberId))).toEqual([row?.productId === product.id ? 'pro' : 'coach'])
      expect(await grantsOf(subscriberId)).toHaveLength(1)
    }
  })

  test('two edits at once link each purchase once', async () => {
    const gold = await tellBought(GOLD)
    const { subscriberId } = await tellBought()
    await Promise.all([applied(GOLD_FILE), addLater(s, dev)])
    s.ctx.clock.advance(FIRST_LOOK_MS)
    await Promise.all([work(s), work(s), runBeside(s, purchasesCommand, 'relink')])
    await settle(s)
    expect(await grantsOf(subscriberId)).toHaveLength(1)
    expect(await ledger()).toMatchObject([{ subscriberId: gold.subscriberId, amount: 100n }])
  })
})

describe('rows of before', () => {
  test('without the names of their store products are linked by the job that looks at everything', async () => {
    const { payload, subscriberId } = await tellBought()
    const { purchases: p, transactions: t } = s.ctx.tables
    await s.ctx.write(async (tx) => {
      await tx.db.update(p).set({ storeProductId: null })
      await tx.db.update(t).set({ storeProductId: null })
    })
    const { id } = await addLater(s, dev)
    s.ctx.clock.advance(10 * MINUTE)
    await settle(s)
    expect(await purchaseOf(s, payload)).toMatchObject({ productId: id, storeProductId: LATER.productId })
    expect(await lines()).toMatchObject([{ productId: id, storeProductId: LATER.productId }])
    expect(await agreed(subscriberId)).toEqual(PRO)
    expect(await figures()).toEqual({ later: 9_990_000 })
  })
})

describe('by hand', () => {
  test('the command links what waits, and says how much', async () => {
    const { subscriberId } = await tellBought()
    await s.ctx.write(async (tx) => {
      const { products: p } = tx.tables
      await tx.db
        .update(p)
        .set({ iosId: LATER.productId })
        .where(eq(p.id, `prd_${'pro_monthly'.padStart(26, '0')}`))
    })
    await addLater(s, dev)
    const ran = await runBeside(s, purchasesCommand, 'relink', '--project', s.project.id)
    expect([ran.code, ran.out]).toEqual([0, 'Purchases linked: 1.'])
    expect(await agreed(subscriberId)).toEqual(PRO)
    expect(await grantsOf(subscriberId)).toMatchObject([{ cause: { kind: 'CLI' } }])
    expect((await runBeside(s, purchasesCommand, 'relink')).out).toBe('Purchases linked: 0.')
  })

  test('the command refuses what it does not know', async () => {
    for (const args of [[], ['link'], ['relink', 'x'], ['relink', '--prune']])
      expect((await runBeside(s, purchasesCommand, ...args)).code).toBe(2)
    expect((await runBeside(s, purchasesCommand, 'relink', '--project', 'nothing')).code).toBe(1)
  })

  test('the route queues a run, with an audit row, and tells how many are left', async () => {
    await tellBought()
    await addLater(s, dev)
    expect(await dataOf(dev.get('/purchases/relink'))).toEqual({ waiting: 1, withoutProduct: 0 })
    await changes(s, () => dev.post('/purchases/relink', {}), ['purchases.relink'])
    await changes(s, () => dev.post('/purchases/relink', {}), []) // One run waits already.
    await work(s)
    expect(await dataOf(dev.get('/purchases/relink'))).toEqual({ waiting: 0, withoutProduct: 0 })
  })

  test('the route is for those who may edit products; support may look', async () => {
    const team = staff(s)
    const { status, body } = await team.as('CUSTOMER_SUPPORT').post('/purchases/relink', {})
    expect([status, body.error?.code]).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect((await team.as('SUPPORT_READ').post('/purchases/relink', {})).status).toBe(403)
    expect((await team.as('STRANGER').post('/purchases/relink', {})).status).toBe(404)
    expect((await team.as('STRANGER').get('/purchases/relink')).status).toBe(404)
    expect((await team.as('CUSTOMER_SUPPORT').get('/purchases/relink')).status).toBe(200)
  })
})

describe('what waits for a product', () => {
  const waiting = async (query = '') => (await dataOf(dev.get(`/products/waiting${query}`))).items
  const rowsOf = (store: string, id: string, query = '') =>
    dataOf(dev.get(`/products/waiting/purchases?store=${store}&storeProductId=${id}${query}`))
  const GOLD_NAME = { store: 'IOS_STORE', storeProductId: GOLD.productId }
  const LATER_NAME = { store: 'IOS_STORE', storeProductId: LATER.productId }

  test('is listed by store product, and opens to its purchases and their people', async () => {
    const first = await tellBought()
    s.ctx.clock.advance(DAY)
    const second = await tellBought()
    await tellBought(GOLD)
    await tellBought(MONTHLY)
    await tellBought(LATER, s.other.id)
    const items = await waiting()
    expect(items).toEqual([
      {
        ...{ ...GOLD_NAME, state: 'MISSING', type: 'NON_CONSUMABLE', period: null, purchases: 1, people: 1, sales: 0 },
        // What the sandbox sells is no money.
        ...{ usdMicros: 0, unconverted: 0, firstSeenAt: expect.any(String), lastSeenAt: expect.any(String) },
      },
      {
        ...{ ...LATER_NAME, state: 'MISSING', type: 'SUBSCRIPTION', period: 'P1M', purchases: 2, people: 2, sales: 0 },
        ...{ usdMicros: 0, unconverted: 0, firstSeenAt: new Date(NOW).toISOString() },
        lastSeenAt: new Date(NOW + DAY).toISOString(),
      },
    ])
    expect(await dataOf(dev.get('/purchases/relink'))).toEqual({ waiting: 0, withoutProduct: 3 })
    const page = await dataOf(dev.get('/products/waiting?limit=1'))
    expect(page.items).toEqual(items.slice(0, 1))
    expect(await waiting(`?limit=1&cursor=${page.nextCursor}`)).toEqual(items.slice(1))
    const rows = await rowsOf('IOS_STORE', LATER.productId)
    expect(rows).toMatchObject({ nextCursor: null, items: [{ id: second.id }, { id: first.id, productId: null }] })
    expect(rows.items[1]).toMatchObject({ subscriberId: first.subscriberId, status: 'ACTIVE', environment: 'SANDBOX' })
    const newest = await rowsOf('IOS_STORE', LATER.productId, '&limit=1')
    expect(await rowsOf('IOS_STORE', LATER.productId, `&cursor=${newest.nextCursor}`)).toMatchObject({
      items: [{ id: first.id }],
    })
    expect(await rowsOf('ANDROID_STORE', LATER.productId)).toEqual({ items: [], nextCursor: null })
  })

  test('has the dates of the purchases, not those of the import that recorded them', async () => {
    const row = { productIdentifier: LATER.productId, isSubscription: true }
    const dates = ['2025-03-04', '2026-02-03', '2025-12-24']
    const rows = dates.map((day, number) => {
      const purchaseDate = Date.parse(`${day}T10:00:00.000Z`)
      const ids = { originalTransactionId: `90${number}`, storeTransactionId: `90${number}` }
      return importRow({ ...row, ...ids, line: number + 2, subscriberExternalId: `past-${number}`, purchaseDate })
    })
    await importRows(s, await importJob(s), rows)
    const [one] = await waiting()
    expect([one.purchases, one.firstSeenAt, one.lastSeenAt]).toEqual([
      3,
      '2025-03-04T10:00:00.000Z',
      '2026-02-03T10:00:00.000Z',
    ])
    const { out } = await runBeside(s, purchasesCommand, 'waiting', '--project', s.project.id)
    expect(out).toMatch(/MISSING +3 +3 +0 +2025-03-04 +2026-02-03/)
  })

  test('counts the dollars of production, of each charge once, and the charges without them', async () => {
    await tellBought()
    await s.ctx.write(async (tx) => {
      const { transactions: t } = tx.tables
      await tx.db.update(t).set({ environment: 'PRODUCTION', usdMicros: 9_990_000 })
    })
    await tellBought()
    await s.ctx.write(async (tx) => {
      const { transactions: t } = tx.tables
      await tx.db.update(t).set({ environment: 'PRODUCTION' })
      await tx.db.update(t).set({ usdMicros: null }).where(sql`${t.usdMicros} <> 9990000`)
    })
    const before = (await lines()).filter(({ usdMicros }) => usdMicros === null).length
    expect(await waiting()).toMatchObject([{ usdMicros: (2 - before) * 9_990_000, unconverted: before, purchases: 2 }])
  })

  test('also of a purchase that has another product now', async () => {
    const { payload, id } = await tellBought()
    await dev.post('/products', laterProduct([await accessId(s)]))
    await settle(s)
    await s.ctx.write(async (tx) => {
      const { transactions: t } = tx.tables
      await tx.db.update(t).set({ productId: null, storeProductId: 'com.x.former' })
    })
    expect(payload).toBeDefined()
    const former = { store: 'IOS_STORE', storeProductId: 'com.x.former' }
    expect(await waiting()).toMatchObject([{ ...former, purchases: 1, people: 1, type: 'SUBSCRIPTION', period: null }])
    expect(await rowsOf('IOS_STORE', 'com.x.former')).toMatchObject({ items: [{ id, productId: expect.any(String) }] })
  })

  test('comes into the catalogue at once, after a dry run that writes nothing', async () => {
    const { subscriberId } = await tellBought()
    await tellBought(GOLD)
    const order = { accessIds: [await accessId(s)], products: [LATER_NAME] }
    const shown = await changes(s, () => dev.post('/products/waiting', { ...order, dryRun: true }), [])
    const later = {
      ...{ identifier: LATER.productId, type: 'SUBSCRIPTION', period: 'P1M', access: ['pro'], rows: 1 },
      storeIds: { ios: LATER.productId, android: null, payment: null },
    }
    expect(shown).toMatchObject({ isDryRun: true, products: [later], skipped: [], waitingPurchases: 0 })
    expect((await dev.post('/project-file/plan', { file: shown.catalog })).body.data.problems).toEqual([])
    const made = await changes(s, () => dev.post('/products/waiting', order), ['product.create'])
    expect(made).toMatchObject({ isDryRun: false, products: [later], waitingPurchases: 1 })
    expect((await waiting()).map(({ state }: { state: string }) => state)).toEqual(['MISSING', 'LINKING'])
    await linkNow(s)
    expect(await waiting()).toMatchObject([GOLD_NAME])
    expect(await agreed(subscriberId)).toEqual({ pro: { ...PRO.pro, productIdentifier: LATER.productId } })
    await changes(s, () => dev.post('/products/waiting', {}), ['product.create'])
    await settle(s)
    expect(await waiting()).toEqual([])
    expect((await dev.post('/products/waiting', {})).body.error.code).toBe('CONFLICT')
  })

  test('cannot be created by those who may not, for what nothing waits for, or with a foreign access', async () => {
    await tellBought()
    const team = staff(s)
    for (const [role, status] of [
      ['CUSTOMER_SUPPORT', 403],
      ['STRANGER', 404],
    ] as const)
      expect((await team.as(role).post('/products/waiting', {})).status).toBe(status)
    expect((await team.as('CUSTOMER_SUPPORT').get('/products/waiting')).status).toBe(200)
    expect((await team.as('STRANGER').get('/products/waiting')).status).toBe(404)
    expect((await team.as('STRANGER').get('/products/waiting/purchases?store=PAYMENT&storeProductId=x')).status).toBe(
      404,
    )
    const bodies = [
      [{ products: [{ ...LATER_NAME, storeProductId: 'com.x.none' }] }, 'VALIDATION_ERROR'],
      [{ accessIds: ['acc_none'] }, 'UNKNOWN_REFERENCES'],
    ] as const
    for (const [body, code] of bodies) await refused(s, () => dev.post('/products/waiting', body), 400, code)
  })

  test('is listed by the command, which says by its code that products are missing', async () => {
    expect((await runBeside(s, purchasesCommand, 'waiting')).out).toBe('No purchase waits for a product.')
    await tellBought()
    const listed = await runBeside(s, purchasesCommand, 'waiting', '--project', s.project.id, '--json')
    expect([listed.code, JSON.parse(listed.out).items]).toMatchObject([3, [{ ...LATER_NAME, purchases: 1 }]])
    expect((await runBeside(s, purchasesCommand, 'waiting')).out).toMatch(/IOS_STORE +com\.x\.later +MISSING +1 +1 +0/)
    await addLater(s, dev)
    expect((await runBeside(s, purchasesCommand, 'waiting')).code).toBe(0)
  })
})
