import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { CLI_ORIGIN } from '../../src/commerce/actions/actor'
import type { RefundReference } from '../../src/commerce/actions/refundable'
import { previewRefund, refundPurchase } from '../../src/commerce/actions/refunds'
import { statusAt } from '../../src/people/purchases/status'
import {
  allRows,
  disconnect,
  grant,
  lineOf,
  onlyPurchase,
  type Refusal,
  refundAt,
  refusalOf,
  refusedUnchanged,
} from '../support/actions'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { MONTHLY } from '../support/cast'
import { access, balances, damage, lastEvent, listenTo, money, rowOf } from '../support/facts'

let s: AndroidStage
let token: string
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await androidStage()
  token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro_monthly')
  await s.deliverAll()
  newEvents = listenTo(s, 'svc_ada')
  await newEvents()
})
afterEach(() => s.close())

const moneyOfAda = async () => money(s, (await rowOf(s, 'svc_ada')).id)
const refunds = () => s.server.requests.filter(({ path }) => path.endsWith(':refund'))

async function renewed(): Promise<void> {
  s.ctx.clock.set((await onlyPurchase(s)).effectiveEnd ?? 0)
  s.server.store.renew(token)
  await s.deliverAll()
  await newEvents()
}

describe('a refund', () => {
  test('of a purchase gives the current order back, at once', async () => {
    const { id } = await onlyPurchase(s)
    s.ctx.clock.advance(DAY)
    const { purchase, transaction } = await refundAt(s, { purchaseId: id }, 'asked nicely')
    expect(purchase).toMatchObject({ id, status: 'REFUNDED' })
    expect(transaction).toMatchObject({ kind: 'REFUND', amountMicros: -9_990_000, occurredAt: s.ctx.clock.now() })
    expect(refunds().map(({ query }) => query)).toEqual(['?revoke=true'])
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await moneyOfAda()).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.refunded')).toMatchObject({
      cause: { kind: 'CLI', ref: null, store: 'ANDROID_STORE', detail: 'asked nicely' },
      data: {
        current: true,
        refund: { amountMicros: 9_990_000, currency: 'USD' },
        transaction: { id: transaction.id },
      },
    })
    const path = '/v1/subscribers/svc_ada/access/pro/explain'
    const { body } = await s.get(path, undefined, { key: s.project.secretKey })
    expect(body.data).toMatchObject({ isActive: false, decidedBy: { rule: 'REFUNDED' } })
    const [audit] = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    expect(audit).toMatchObject({ action: 'purchase.refund', target: { id }, after: { transactionId: transaction.id } })
  })

  test('is not counted again when the store tells of it, in any order and twice', async () => {
    await refundAt(s, { purchaseId: (await onlyPurchase(s)).id })
    await newEvents()
    const lines = await moneyOfAda()
    s.server.faults = { isDoubled: true, isReordered: true }
    const answers = await s.deliverAll()
    expect(answers.length).toBeGreaterThan(0)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await moneyOfAda()).toEqual(lines)
    expect(await newEvents()).not.toContain('purchase.refunded')
    expect(await onlyPurchase(s)).toMatchObject({ status: 'REFUNDED' })
  })

  test('that the store told first is refused, and not sent', async () => {
    s.server.store.refund(token)
    await s.deliverAll()
    const { id } = await onlyPurchase(s)
    const before = await allRows(s)
    const refused = await refusalOf(() => refundAt(s, { purchaseId: id }))
    expect(refused).toEqual([409, 'REFUND_NOT_POSSIBLE', { reason: 'already_refunded' }])
    expect([refunds(), await allRows(s)]).toEqual([[], before])
  })

  test('of an earlier period keeps the access, the renewal and what follows', async () => {
    await renewed()
    const earlier = await lineOf(s, 'INITIAL')
    const held = await access(s, 'svc_ada')
    const { purchase, transaction } = await refundAt(s, { transactionId: earlier.id })
    expect(purchase).toMatchObject({ status: 'ACTIVE', fold: { refundedAt: null, autoRenews: true } })
    expect(transaction).toMatchObject({ kind: 'REFUND', storeTransactionId: earlier.storeTransactionId })
    expect(refunds().map(({ query }) => query)).toEqual(['?revoke=false'])
    expect(await access(s, 'svc_ada')).toEqual(held)
    expect(await newEvents()).toEqual(['purchase.refunded'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.refunded')).toMatchObject({
      data: { current: false, refundedTransactionId: earlier.id },
    })
    await renewed()
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })

  test('is named by the line of the refund as well as by the charge', async () => {
    const charge = await lineOf(s, 'INITIAL')
    const { transaction } = await refundAt(s, { transactionId: charge.id })
    for (const { id } of [charge, transaction])
      expect(await refusalOf(() => refundAt(s, { transactionId: id }))).toMatchObject([409, 'REFUND_NOT_POSSIBLE', {}])
    expect(refunds()).toHaveLength(1)
  })

  test('by two at once is one refund', async () => {
    const { id } = await onlyPurchase(s)
    const both = await Promise.allSettled([refundAt(s, { purchaseId: id }), refundAt(s, { purchaseId: id })])
    expect(both.map(({ status }) => status)).toContain('fulfilled')
    expect(await moneyOfAda()).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    expect(await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)).toHaveLength(1)
  })

  test('that died between the store and the record is made good by repeating it', async () => {
    const { id } = await onlyPurchase(s)
    const { write } = s.ctx
    const died = new Error('killed')
    Object.assign(s.ctx, { write: () => Promise.reject(died) })
    expect(await refundAt(s, { purchaseId: id }).catch((error) => error)).toBe(died)
    Object.assign(s.ctx, { write })
    expect([refunds().length, (await onlyPurchase(s)).status]).toEqual([1, 'ACTIVE'])
    // The test store refuses a second refund of an order, as Google may.
    expect((await refundAt(s, { purchaseId: id })).purchase.status).toBe('REFUNDED')
    expect(await moneyOfAda()).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
  })

  test('of coins takes them back where the project says so', async () => {
    const { virtualCurrencies: v } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(v).set({ clawback: 'available' }).where(eq(v.projectId, s.project.id)))
    s.ctx.state.projects.forget(s.project.id)
    await s.token('svc_ada', s.server.store.buy('coins.100'), 'coins_100')
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 100 })
    await refundAt(s, { transactionId: (await lineOf(s, 'CREDIT_PURCHASE')).id })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 0 })
  })
})

describe('of several products', () => {
  const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
  const COACH = { productId: 'coach', basePlanId: 'monthly', period: 'P1M', price: usd(4_990_000) }
  const calls = () =>
    s.server.requests.filter(({ path }) => /:(refund|revoke)$/.test(path)).map(({ path }) => path.replace(/.*:/, ''))
  const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
  const of = async (name: string, chainKey = token) => {
    const row = (await purchases()).find((one) => one.chainKey === chainKey && one.lineKey === name)
    if (!row) throw new Error(`no line ${name}`)
    return row
  }
  const states = async () =>
    (await purchases())
      .filter(({ chainKey }) => chainKey === token)
      .map(({ lineKey, fold }) => [lineKey, statusAt(fold, s.ctx.clock.now()).status])
      .sort()
  const returned = async () =>
    (await s.ctx.db.select().from(s.ctx.tables.transactions))
      .filter(({ kind }) => kind === 'REFUND')
      .map(({ storeProductId, amountMicros }) => [storeProductId?.split(':')[0], amountMicros])
      .sort()
  const preview = async (reference: RefundReference) => {
    const order = { ...reference, reason: null, origin: CLI_ORIGIN }
    return previewRefund(s.ctx, await s.ctx.state.projects.get(s.project.id), order)
  }
  /** The same, after everything that the store reports it, told twice. */
  async function expectStill(lines: unknown, held: string[]): Promise<void> {
    for (const round of [1, 2]) {
      const found: unknown = { round, lines: await returned(), held: Object.keys(await access(s, 'svc_cy')).sort() }
      expect(found).toEqual({ round, lines, held })
      s.server.faults = { isDoubled: true }
      await s.deliverAll()
    }
  }

  beforeEach(async () => {
    const { products: p } = s.ctx.tables
    const sold = { androidId: 'coach', androidBasePlanId: 'monthly' }
    await s.ctx.write((tx) => tx.db.update(p).set(sold).where(eq(p.identifier, 'pro_yearly')))
    s.ctx.state.projects.forget(s.project.id)
    token = s.server.store.subscribe(ANDROID_MONTHLY, { addons: [COACH] })
    await s.token('svc_cy', token, 'pro_monthly')
    await s.deliverAll()
    s.ctx.clock.advance(DAY)
  })

  test('a subscription loses the product of the purchase, and the other goes on', async () => {
    const { id } = await of('coach')
    const tried = await preview({ purchaseId: id })
    expect([tried.result.purchaseIds, Object.keys(tried.access.after)]).toEqual([[id], ['pro']])
    expect(calls()).toEqual([])
    const { purchase, transaction, purchaseIds } = await refundAt(s, { purchaseId: id })
    expect([purchase.status, transaction.amountMicros, purchaseIds]).toEqual(['REFUNDED', -4_990_000, [id]])
    expect(calls()).toEqual(['revoke'])
    await expectStill([['coach', -4_990_000]], ['pro'])
    expect(await states()).toEqual([
      ['coach', 'REFUNDED'],
      ['pro', 'ACTIVE'],
    ])
  })

  test('the store is asked once for one product, also when the record of it failed the first time', async () => {
    const { id } = await of('coach')
    const { write } = s.ctx
    Object.assign(s.ctx, { write: () => Promise.reject(new Error('killed')) })
    await refundAt(s, { purchaseId: id }).catch(() => {})
    Object.assign(s.ctx, { write })
    expect((await refundAt(s, { purchaseId: id })).purchase.status).toBe('REFUNDED')
    await expectStill([['coach', -4_990_000]], ['pro'])
  })

  test('two products at once are both refunded, each once', async () => {
    const [pro, coach] = [await of('pro'), await of('coach')]
    const both = await Promise.all([refundAt(s, { purchaseId: pro.id }), refundAt(s, { purchaseId: coach.id })])
    expect(both.map(({ purchase, purchaseIds }) => [purchase.status, purchaseIds])).toEqual([
      ['REFUNDED', [pro.id]],
      ['REFUNDED', [coach.id]],
    ])
    const lines = [
      ['coach', -4_990_000],
      ['pro', -9_990_000],
    ]
    await expectStill(lines, [])
  })

  test('a product that was added later, with an order of its own, is refunded alone too', async () => {
    s.server.store.addItem(token, { ...COACH, productId: 'more' })
    await s.deliverAll()
    const { id } = await of('more')
    expect((await refundAt(s, { purchaseId: id })).purchaseIds).toEqual([id])
    expect(calls()).toEqual(['revoke'])
    expect(await states()).toEqual([
      ['coach', 'ACTIVE'],
      ['more', 'REFUNDED'],
      ['pro', 'ACTIVE'],
    ])
  })

  test('all of them are refunded when the whole order is meant', async () => {
    const [pro, coach] = [await of('pro'), await of('coach')]
    const order = { purchaseId: coach.id, wholeOrder: true }
    const tried = await preview(order)
    expect([tried.result.purchaseIds, tried.access.after]).toEqual([[coach.id, pro.id], {}])
    const { purchaseIds } = await refundAt(s, order)
    expect([purchaseIds, calls()]).toEqual([[coach.id, pro.id], ['refund']])
    const lines = [
      ['coach', -4_990_000],
      ['pro', -9_990_000],
    ]
    await expectStill(lines, [])
    expect(await refusalOf(() => refundAt(s, { purchaseId: pro.id }))).toMatchObject([409, 'REFUND_NOT_POSSIBLE', {}])
  })

  test('an earlier period is refunded only as a whole order, and keeps the access', async () => {
    const [pro, coach] = [await of('pro'), await of('coach')]
    s.ctx.clock.set(pro.effectiveEnd ?? 0)
    s.server.store.renew(token)
    await s.deliverAll()
    const rows = await s.ctx.db.select().from(s.ctx.tables.transactions)
    const { id: transactionId = '' } = rows.find((one) => one.purchaseId === coach.id && one.kind === 'INITIAL') ?? {}
    const refused = await refusedUnchanged(s, () => refundAt(s, { transactionId }))
    expect(refused).toEqual([422, 'REFUND_NOT_POSSIBLE', { reason: 'whole_order' }])
    const message = await refundAt(s, { transactionId }).catch((error) => error.message)
    expect([message.includes(pro.id), calls()]).toEqual([true, []])
    expect((await refundAt(s, { transactionId, wholeOrder: true })).purchaseIds).toEqual([coach.id, pro.id])
    const lines = [
      ['coach', -4_990_000],
      ['pro', -9_990_000],
    ]
    await expectStill(lines, ['coach', 'pro'])
  })

  test('a one-time order is refunded only as a whole, and says which lines it has', async () => {
    const chain = s.server.store.buy('lifetime.android', { others: ['coins.100'] })
    await s.token('svc_cy', chain, 'coins_100')
    const lines = (await purchases()).filter(({ chainKey }) => chainKey === chain)
    const [coins] = lines.filter(({ lineKey }) => lineKey === 'coins.100')
    const refuse = () => refundAt(s, { purchaseId: coins?.id ?? '' })
    expect(await refusedUnchanged(s, refuse)).toMatchObject([422, 'REFUND_NOT_POSSIBLE', { reason: 'whole_order' }])
    expect(await refusalOf(() => preview({ purchaseId: coins?.id ?? '' }))).toMatchObject([
      422,
      'REFUND_NOT_POSSIBLE',
      {},
    ])
    expect(calls()).toEqual([])
    const { purchaseIds } = await refundAt(s, { purchaseId: coins?.id ?? '', wholeOrder: true })
    expect(purchaseIds.toSorted()).toEqual(lines.map(({ id }) => id).sort())
    expect(calls()).toEqual(['refund'])
    for (const { id } of lines)
      expect((await purchases()).find((one) => one.id === id)?.fold).toMatchObject({ refundedAt: s.ctx.clock.now() })
  })
})

describe('no refund', () => {
  const notPossible = (reason: string): Refusal => [422, 'REFUND_NOT_POSSIBLE', { reason }]
  const FAILED: Refusal = [502, 'STORE_API_ERROR', undefined]

  for (const status of [400, 401, 403, 404, 429, 500, 503])
    test(`when Google answers ${status}; afterwards it goes through`, async () => {
      const { id } = await onlyPurchase(s)
      s.server.faults = { status }
      expect(await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))).toEqual(FAILED)
      s.server.faults = {}
      expect((await refundAt(s, { purchaseId: id })).purchase.status).toBe('REFUNDED')
    })

  test('while Google is away and the circuit is open', async () => {
    const { id } = await onlyPurchase(s)
    s.server.faults = { status: 503 }
    for (let count = 0; count < 7; count++)
      expect(await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))).toEqual(FAILED)
    expect(refunds()).toHaveLength(5)
  })

  test('of an iOS purchase', async () => {
    await s.receipt('svc_bo', s.buy(MONTHLY))
    const { purchaseId } =
      (await s.ctx.db.select().from(s.ctx.tables.transactions)).find(({ store }) => store === 'IOS_STORE') ?? {}
    const refusal = await refusedUnchanged(s, () => refundAt(s, { purchaseId: purchaseId ?? '' }))
    expect(refusal).toEqual(notPossible('ios_unsupported'))
  })

  test('of a grant, and of a trial', async () => {
    const granted = await grant(s, { accessIds: ['pro'] })
    expect(await refusedUnchanged(s, () => refundAt(s, { purchaseId: granted.id }))).toEqual(
      notPossible('missing_store_ref'),
    )
    await s.token('svc_bo', s.server.store.subscribe(ANDROID_MONTHLY, { withTrial: true }), 'pro_monthly')
    const trial = await lineOf(s, 'TRIAL')
    const refusal = await refusedUnchanged(s, () => refundAt(s, { transactionId: trial.id }))
    expect([refusal, refunds()]).toEqual([notPossible('missing_store_ref'), []])
  })

  test('of what another project sold, or nobody', async () => {
    const other = await s.ctx.state.projects.get(s.other.id)
    const { id } = await onlyPurchase(s)
    const line = await lineOf(s, 'INITIAL')
    for (const reference of [
      { purchaseId: id },
      { transactionId: line.id },
      { purchaseId: line.id },
      { transactionId: 'x' },
    ])
      expect(
        await refusalOf(() => refundPurchase(s.ctx, other, { ...reference, reason: null, origin: CLI_ORIGIN })),
      ).toEqual([404, 'NOT_FOUND', undefined])
    expect(refunds()).toEqual([])
  })

  test('of somebody who was erased', async () => {
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: s.ctx.clock.now() })
    const { id } = await onlyPurchase(s)
    const refusal = await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))
    expect([refusal, refunds()]).toEqual([[409, 'SUBSCRIBER_UNRESOLVABLE', undefined], []])
  })

  test('without credentials', async () => {
    await disconnect(s, 'android')
    const { id } = await onlyPurchase(s)
    expect(await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))).toEqual([
      400,
      'STORE_NOT_CONFIGURED',
      undefined,
    ])
  })
})
