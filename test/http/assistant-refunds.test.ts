import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { chargeOfInvoice, refundCharge } from '../../src/test-store/stores/payment-returns'
import { lineOf, onlyPurchase } from '../support/actions'
import { access, listenTo } from '../support/facts'
import { type Approving, approver, decide, execute, proposed, type Shown } from '../support/intents'
import { callTool } from '../support/mcp'
import { dataOf } from '../support/operator'
import { type PaymentStage, paymentStage, WEB_MONTHLY } from '../support/payment-sale'
import { everyRow, unnamedRows, writtenRows } from '../support/tried-state'

let s: PaymentStage
let a: Approving
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await paymentStage()
  a = await approver(s)
  subscribe(s.world, { priceId: WEB_MONTHLY })
  await s.deliverAll()
  newEvents = listenTo(s, 'svc_ada')
  await newEvents()
  s.ctx.clock.advance(MINUTE)
})
afterEach(() => s.close())

const refund = async (): Promise<Shown> => proposed(a, 'refund', { purchaseId: (await onlyPurchase(s)).id })
const statusOf = async ({ id }: Shown) =>
  (await dataOf(a.person.browser.get(`${a.path}/assistant/intents/${id}`))).status
const rowsVia = async ({ id }: Shown) =>
  (await s.ctx.db.select().from(s.ctx.tables.auditLog)).filter(({ via }) => via?.intentId === id)

describe('a refund', () => {
  test('is shown before and made when it is approved', async () => {
    const before = await access(s, 'svc_ada')
    const state = await everyRow(s)
    const intent = await refund()
    const change = { given: intent.arguments, intentId: intent.id }
    expect(writtenRows(state, await everyRow(s), change)).toEqual([])
    expect([s.world.refunds.size, await access(s, 'svc_ada')]).toEqual([0, before])
    const { id } = await onlyPurchase(s)
    const [name = ''] = Object.keys(before)
    expect(intent).toMatchObject({
      risk: 'high',
      capability: 'refunds:write',
      base: [{ type: 'purchase', id }, { type: 'subscriber.events' }],
    })
    expect(intent.preview).toMatchObject({
      changes: [{ path: `purchase/${id}/refunded`, before: false, after: true }],
      effects: { people: 1, accessGained: [], accessLost: [{ access: name, people: 1 }] },
    })
    expect(intent.preview.effects.money).toEqual({ amountMicros: -9_990_000, currency: 'USD' })
    const done = await execute(a, intent)
    expect([done.status, done.body.data?.status]).toEqual([200, 'EXECUTED'])
    expect(await newEvents()).toEqual(intent.preview.effects.events)
    expect([s.world.refunds.size, await access(s, 'svc_ada')]).toEqual([1, {}])
    expect(await rowsVia(intent)).toMatchObject([{ action: 'purchase.refund', actor: { id: a.person.id } }])
    const named = new Set<string>(intent.base.map((one: Shown) => one.id))
    expect(unnamedRows(state, await everyRow(s), change, named)).toEqual([])
    expect((await execute(a, intent)).body.error).toMatchObject({ code: 'COPILOT_INTENT_SETTLED' })
  })

  test('that two approve at once is one', async () => {
    const intent = await refund()
    const answers = await Promise.all([execute(a, intent), execute(a, intent)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(s.world.refunds.size).toBe(1)
    expect(await rowsVia(intent)).toHaveLength(1)
    expect(await statusOf(intent)).toBe('EXECUTED')
  })

  test('of what was refunded in part meanwhile is stale', async () => {
    const intent = await refund()
    refundCharge(s.world, chargeOfInvoice(s.world, (await lineOf(s, 'INITIAL')).storeTransactionId), 300)
    await s.deliverAll()
    const { status, body } = await execute(a, intent)
    expect([status, body.error.code, body.error.details?.reason]).toEqual([409, 'CONFLICT', 'stale'])
    expect(await statusOf(intent)).toBe('FAILED')
    expect(await rowsVia(intent)).toEqual([])
  })

  test('that the store does not answer stays open', async () => {
    const intent = await refund()
    s.server.faults = { ...s.server.faults, status: 500 } as typeof s.server.faults
    const { status } = await execute(a, intent)
    expect(status).toBeGreaterThanOrEqual(500)
    expect(await statusOf(intent)).toBe('PENDING')
    expect(await rowsVia(intent)).toEqual([])
  })

  test('with another digest asks no store', async () => {
    const intent = await refund()
    expect((await decide(a, intent.id, 'execute', { digest: 'x' })).status).toBe(400)
    expect([s.world.refunds.size, await statusOf(intent)]).toEqual([0, 'PENDING'])
  })

  test('of a purchase that is not there is none', async () => {
    expect((await callTool(a.agent, 'propose_refund', { purchaseId: 'pur_unknown' })).isError).toBe(true)
  })
})
