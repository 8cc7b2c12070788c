import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { CLI_ORIGIN } from '../../src/commerce/actions/actor'
import { refundPurchase } from '../../src/commerce/actions/refunds'
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
