import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { chargeOfInvoice, refundCharge } from '../../src/test-store/stores/payment-returns'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { renew } from '../../src/test-store/stores/payment-turns'
import { allRows, disconnect, grant, lineOf, onlyPurchase } from '../support/actions'
import { type Answer, MONTHLY } from '../support/cast'
import { access, lastEvent, listenTo, money, rowOf } from '../support/facts'
import { type PaymentStage, paymentStage, WEB_MONTHLY } from '../support/payment-sale'
import { type Staff, staff } from '../support/staff'

let s: PaymentStage
let team: Staff
let subscription: string
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await paymentStage()
  team = staff(s)
  subscription = subscribe(s.world, { priceId: WEB_MONTHLY }).id
  await s.deliverAll()
  newEvents = listenTo(s, 'svc_ada')
  await newEvents()
})
afterEach(() => s.close())

const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
const refund = (purchaseId: string, body: object = {}) =>
  team.as('ADMIN').post(`/subscriptions/${purchaseId}/refund`, body)
const refundLine = (id: string, body: object = {}) => team.as('ADMIN').post(`/transactions/${id}/refund`, body)

async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = await allRows(s)
  const { status, body } = await call()
  expect(await allRows(s)).toEqual(before)
  return [status, body.error.code, ...(body.error.details === undefined ? [] : [body.error.details])]
}

const notPossible = (status: number, reason: string) => [status, 'REFUND_NOT_POSSIBLE', { reason }]

async function renewed(): Promise<void> {
  s.ctx.clock.set((await onlyPurchase(s)).effectiveEnd ?? 0)
  renew(s.world, subscription)
  await s.deliverAll()
  await newEvents()
}

describe('a refund', () => {
  test('of a purchase ends its access, and names who made it', async () => {
    const { id } = await onlyPurchase(s)
    s.ctx.clock.advance(DAY)
    const { status, headers, body } = await refund(id, { reason: 'asked nicely' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      purchase: { id, status: 'REFUNDED' },
      transaction: { kind: 'REFUND', price: { amountMicros: -9_990_000, currency: 'USD' } },
    })
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.refunded')).toMatchObject({
      cause: { kind: 'DASHBOARD', ref: headers.get('x-request-id'), detail: 'asked nicely' },
    })
    const rows = await auditRows()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      actor: { kind: 'USER', id: 'usr_admin' },
      action: 'purchase.refund',
      target: { type: 'purchase', id },
      after: { transactionId: body.data.transaction.id, reason: 'asked nicely' },
    })
  })

  test('of an earlier charge keeps the access', async () => {
    const first = await lineOf(s, 'INITIAL')
    await renewed()
    const held = await access(s, 'svc_ada')
    const { body } = await refundLine(first.id)
    expect(body.data.purchase.status).toBe('ACTIVE')
    expect(body.data.transaction.storeTransactionId).toBe(first.storeTransactionId)
    expect(await access(s, 'svc_ada')).toEqual(held)
    expect(await newEvents()).toEqual(['purchase.refunded'])
  })

  test('by two at once is one refund at the provider', async () => {
    const { id } = await onlyPurchase(s)
    const answers = await Promise.all([refund(id), refundLine((await lineOf(s, 'INITIAL')).id)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(s.world.refunds.size).toBe(1)
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toHaveLength(2)
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    expect(await auditRows()).toHaveLength(1)
  })

  test('with a key again is answered as before, without the provider', async () => {
    const path = `/subscriptions/${(await onlyPurchase(s)).id}/refund`
    const headers = { 'idempotency-key': 'once' }
    const first = await team.as('ADMIN').post(path, {}, { headers })
    const asked = s.server.requests.length
    const again = await team.as('ADMIN').post(path, {}, { headers })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(s.server.requests).toHaveLength(asked)
  })
})

describe('a dry run of a refund', () => {
  test('shows what it would take, calls no provider and writes nothing', async () => {
    const { id } = await onlyPurchase(s)
    const asked = s.server.requests.length
    const before = await allRows(s)
    const { status, body } = await refund(id, { dryRun: true })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      dryRun: true,
      result: {
        purchase: { id, status: 'REFUNDED' },
        transaction: { kind: 'REFUND', price: { amountMicros: -9_990_000, currency: 'USD' } },
      },
      access: { before: { pro: { store: 'PAYMENT' } } },
      eventTypes: ['purchase.refunded', 'entitlement.revoked'],
    })
    expect(body.data.access.after).toEqual({})
    expect(await allRows(s)).toEqual(before)
    expect(s.server.requests).toHaveLength(asked)
    expect(s.world.refunds.size).toBe(0)
    const real = await refund(id)
    expect(real.body.data.purchase.status).toBe('REFUNDED')
  })

  test('of an earlier charge shows that the access stays', async () => {
    const first = await lineOf(s, 'INITIAL')
    await renewed()
    const { access: sides, eventTypes } = (await refundLine(first.id, { dryRun: true })).body.data
    expect(sides.after).toEqual(sides.before)
    expect(eventTypes).toEqual(['purchase.refunded'])
  })

  test('of what was refunded in part shows the rest', async () => {
    refundCharge(s.world, chargeOfInvoice(s.world, (await lineOf(s, 'INITIAL')).storeTransactionId), 300)
    await s.deliverAll()
    s.ctx.clock.advance(DAY)
    const { result } = (await refund((await onlyPurchase(s)).id, { dryRun: true })).body.data
    expect(result.transaction.price.amountMicros).toBe(-6_990_000)
  })

  test('is refused for what the real one is refused for', async () => {
    const { id } = await onlyPurchase(s)
    await disconnect(s, 'payment')
    expect(await refused(() => refund(id, { dryRun: true }))).toEqual([409, 'PAYMENT_NOT_CONNECTED'])
    expect(await refused(() => refund(id))).toEqual([409, 'PAYMENT_NOT_CONNECTED'])
    const manual = await grant(s, { accessIds: ['pro'] })
    expect(await refused(() => refund(manual.id, { dryRun: true }))).toEqual(notPossible(422, 'missing_store_ref'))
  })
})

describe('no refund', () => {
  test.each([400, 401, 429, 500])('while the provider answers %d; afterwards it goes through', async (status) => {
    const { id } = await onlyPurchase(s)
    s.server.faults = { ...NO_FAULTS, status }
    expect(await refused(() => refund(id))).toEqual([502, 'STORE_API_ERROR'])
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    s.server.faults = NO_FAULTS
    expect((await refund(id)).body.data.purchase.status).toBe('REFUNDED')
  })

  test('with the key of a refund that failed is a new try', async () => {
    const path = `/subscriptions/${(await onlyPurchase(s)).id}/refund`
    const headers = { 'idempotency-key': 'once' }
    s.server.faults = { ...NO_FAULTS, status: 500 }
    expect((await team.as('ADMIN').post(path, {}, { headers })).status).toBe(502)
    s.server.faults = NO_FAULTS
    expect((await team.as('ADMIN').post(path, {}, { headers })).status).toBe(200)
  })

  test('of an iOS purchase', async () => {
    await s.receipt('svc_bo', s.buy({ ...MONTHLY }))
    const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const ios = rows.find(({ store }) => store === 'IOS_STORE')
    expect(await refused(() => refund(ios?.id ?? ''))).toEqual(notPossible(422, 'ios_unsupported'))
    expect(await refused(() => refund(ios?.id ?? '', { dryRun: true }))).toEqual(notPossible(422, 'ios_unsupported'))
  })

  test('of a grant, which no store charged', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    expect(await refused(() => refund(id))).toEqual(notPossible(422, 'missing_store_ref'))
  })

  test('a second time', async () => {
    const { id } = await onlyPurchase(s)
    await refund(id)
    const line = (await lineOf(s, 'REFUND')).id
    for (const call of [() => refund(id), () => refundLine(line), () => refund(id, { dryRun: true })])
      expect(await refused(call)).toEqual(notPossible(409, 'already_refunded'))
    expect(s.world.refunds.size).toBe(1)
  })

  test('of an id of another project, or of none', async () => {
    const { id } = await onlyPurchase(s)
    const line = await lineOf(s, 'INITIAL')
    team.sessions.roles.set(`usr_admin ${s.other.id}`, 'ADMIN')
    const projectId = s.other.id
    const foreign = [`/subscriptions/${id}/refund`, `/transactions/${line.id}/refund`]
    for (const path of foreign)
      expect(await refused(() => team.as('ADMIN').post(path, {}, { projectId }))).toEqual([404, 'NOT_FOUND'])
    for (const path of [`/subscriptions/${line.id}/refund`, `/transactions/${id}/refund`, '/transactions/txn_0/refund'])
      expect(await refused(() => team.as('ADMIN').post(path))).toEqual([404, 'NOT_FOUND'])
  })

  test.each<[name: string, body: object]>([
    ['a reason that is no text', { reason: 5 }],
    ['a reason that is too long', { reason: 'a'.repeat(201) }],
    ['an amount, which it does not take', { amountMicros: 1 }],
  ])('with %s', async (_name, body) => {
    const { id } = await onlyPurchase(s)
    expect((await refused(() => refund(id, body))).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
    expect(s.world.refunds.size).toBe(0)
  })

  test.each(['DEVELOPER', 'GROWTH', 'CUSTOMER_SUPPORT'] as const)('by %s', async (role) => {
    const { id } = await onlyPurchase(s)
    const details = { role, capability: 'refunds:write' }
    for (const path of [`/subscriptions/${id}/refund`, `/transactions/${(await lineOf(s, 'INITIAL')).id}/refund`])
      expect(await refused(() => team.as(role).post(path))).toEqual([403, 'CAPABILITY_REQUIRED', details])
  })
})
