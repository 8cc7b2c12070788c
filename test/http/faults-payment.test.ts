import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import type { SignedDelivery } from '../../src/test-store/stores/payment-events'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { closeDispute, openDispute, refundCharge } from '../../src/test-store/stores/payment-returns'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import * as turns from '../../src/test-store/stores/payment-turns'
import { getFrom } from '../../src/test-store/stores/payment-world'
import { access, everything, money, rowOf } from '../support/facts'
import { storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage } from '../support/payment'
import { deliverAll, on } from '../support/story'
import { bought, chargeOf, subscribeOnWeb } from '../support/web'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage() // It is 2026-11-20.
})
afterEach(() => s.close())

const NEXT_MONTH = { pro: '2027-01-20T08:00:00.000Z' }
const signed = (event: object): Promise<SignedDelivery> =>
  signEvent(event, { secret: s.secret, now: s.ctx.clock.now() })
const deliveryOutcomes = async () => {
  const statuses: string[] = []
  for (const event of s.world.events) {
    const { status, body } = await s.deliver(await signed(event))
    statuses.push(`${status} ${body.error?.code ?? body.data.duplicate}`)
  }
  return statuses
}
const statuses = async () => [...new Set((await storeEvents(s)).map(({ status }) => status))].sort()
const lines = async () => (await money(s, (await rowOf(s, 'svc_ada')).id)).map(([kind, micros]) => `${kind} ${micros}`)

describe('while the provider', () => {
  for (const [name, faults] of [
    ['is away', { status: 503 }],
    ['has too much to do', { status: 429 }],
    ['writes no JSON', { isMalformed: true }],
  ] as const)
    test(`${name}, a whole life is kept, and heals when it comes again`, async () => {
      const month = await subscribeOnWeb(s, 'svc_ada')
      on(s, '2026-12-20')
      turns.renew(s.world, month)
      const before = await everything(s)
      s.server.faults = { ...NO_FAULTS, ...faults }
      // More failures than open the circuit, and the same again when the provider repeats its deliveries.
      for (let round = 0; round < 2; round++) {
        expect(new Set(await deliveryOutcomes())).toEqual(new Set(['503 STORE_UNAVAILABLE']))
        expect([await statuses(), await everything(s)]).toEqual([['FAILED'], before])
      }
      s.server.faults = NO_FAULTS
      s.ctx.clock.advance(2 * MINUTE)
      expect(new Set(await deliveryOutcomes())).toEqual(new Set(['200 false']))
      expect(await access(s, 'svc_ada')).toEqual(NEXT_MONTH)
      expect(await lines()).toEqual(['INITIAL 9990000', 'RENEWAL 9990000'])
      expect(new Set(await deliveryOutcomes())).toEqual(new Set(['200 true']))
    })

  test('fails in the midst of the objects of one event, nothing of it is taken', async () => {
    await subscribeOnWeb(s, 'svc_ada')
    const before = await everything(s)
    for (const invoice of s.world.invoices.values()) Object.assign(invoice, { created: 'soon' })
    expect(new Set(await deliveryOutcomes())).toEqual(new Set(['200 false', '503 STORE_UNAVAILABLE']))
    expect(await everything(s)).toEqual(before)
  })
})

describe('a later version of the provider says', () => {
  /** The provider sends a change that our types do not contain. */
  async function emitChanged(
    object: { id: string; object: string },
    change: object,
    type = 'customer.subscription.updated',
  ) {
    Object.assign(object, change)
    s.world.emit(type as 'invoice.paid', object)
    await deliverAll(s)
  }

  test('an unknown status: what was paid stays, and a known one counts again', async () => {
    const sale = getFrom(s.world.subscriptions, await bought(s, 'svc_ada'))
    on(s, '2026-12-01')
    await emitChanged(sale, { status: 'under_review' })
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    on(s, '2026-12-20')
    expect(await access(s, 'svc_ada')).toEqual({})
    Object.assign(sale, { status: 'active' })
    turns.renew(s.world, sale.id)
    await deliverAll(s)
    expect([await access(s, 'svc_ada'), await statuses()]).toEqual([NEXT_MONTH, ['IGNORED', 'PROCESSED']])
  })

  test('an unknown status of a subscription that nobody has seen, which gives nothing unpaid', async () => {
    const sale = getFrom(s.world.subscriptions, await subscribeOnWeb(s, 'svc_ada'))
    Object.assign(getFrom(s.world.invoices, String(sale.latest_invoice)), { status: 'open', amount_paid: 0 })
    const before = await everything(s)
    await emitChanged(sale, { status: 'under_review' })
    expect([await everything(s), await statuses()]).toEqual([before, ['IGNORED']])
  })

  test('other unknown words: of a bill, a pause, an end and a dispute', async () => {
    const month = await bought(s, 'svc_ada')
    const sale = getFrom(s.world.subscriptions, month)
    on(s, '2026-12-20')
    turns.renew(s.world, month)
    Object.assign(getFrom(s.world.invoices, String(sale.latest_invoice)), { billing_reason: 'subscription_gift' })
    await deliverAll(s)
    expect(await access(s, 'svc_ada')).toEqual(NEXT_MONTH)
    const { id } = openDispute(s.world, chargeOf(s, month))
    closeDispute(s.world, id, 'settled_outside' as 'lost')
    await deliverAll(s)
    expect(await access(s, 'svc_ada')).toEqual(NEXT_MONTH)
    await emitChanged(sale, { pause_collection: { behavior: 'defer', resumes_at: null } })
    expect(await access(s, 'svc_ada')).toEqual(NEXT_MONTH)
    await emitChanged(sale, { pause_collection: null })
    turns.endNow(s.world, month, 'moved_house' as 'payment_failed')
    await deliverAll(s)
    expect([await access(s, 'svc_ada'), await statuses()]).toEqual([{}, ['IGNORED', 'PROCESSED']])
  })

  test('a refund of an unknown status, which takes no money until it is known', async () => {
    const month = await bought(s, 'svc_ada')
    const refund = refundCharge(s.world, chargeOf(s, month), 300)
    Object.assign(refund, { status: 'awaiting_review' })
    await deliverAll(s)
    expect(await lines()).toEqual(['INITIAL 9990000'])
    await emitChanged(refund, { status: 'succeeded' }, 'charge.refund.updated')
    expect(await lines()).toEqual(['INITIAL 9990000', 'REFUND -3000000'])
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })

  const TYPES = ['charge.reconsidered', 'invoice.gifted', 'v3.subscription.moved']
  test('unknown types of event: acknowledged, kept to be seen as ignored, and told again without an effect', async () => {
    await bought(s, 'svc_ada')
    const before = await everything(s)
    const asked = s.server.requests.length
    const charge = s.world.charges.values().next().value ?? { id: 'ch_1', object: 'charge' }
    for (const type of TYPES) s.world.emit(type as 'invoice.paid', charge)
    await deliverAll(s)
    expect(await everything(s)).toEqual(before)
    const unknown = (await storeEvents(s)).filter(({ type }) => TYPES.includes(type))
    const news = unknown.map(({ type, status, error }) => [type, status, error])
    const why = 'it says nothing of a purchase'
    expect(news.sort()).toEqual(TYPES.map((type) => [type, 'IGNORED', why]))
    expect(new Set(await deliveryOutcomes())).toEqual(new Set(['200 true']))
    expect(s.server.requests).toHaveLength(asked)
  })
})
