import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { storeEventsCommand } from '../../src/intake/catch-up/command'
import { fetchPaymentHistory } from '../../src/intake/payment/history'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { chargeOfInvoice, refundCharge } from '../../src/test-store/stores/payment-returns'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { runBeside } from '../support/command'
import { access } from '../support/facts'
import { type PaymentStage, paymentStage, stopSelling } from '../support/payment'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage()
})
afterEach(() => s.close())

/** Ada buys and the events are delivered. Then the purchase is refunded, and that event is not delivered. */
async function adaIsRefunded() {
  const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
  const { latest_invoice } = subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: id } })
  await s.deliverAll()
  refundCharge(s.world, chargeOfInvoice(s.world, String(latest_invoice)))
}

const lists = () => s.server.requests.filter(({ path }) => path === '/v1/events')

test('the span is one that the provider remembers, or it is not asked', async () => {
  const now = s.ctx.clock.now()
  const project = await s.ctx.state.projects.get(s.project.id)
  for (const order of [{ from: now - 31 * DAY }, { from: now }, { from: now - 1, to: now - 2 }])
    await expect(fetchPaymentHistory(s.ctx, project, order)).rejects.toMatchObject({ refusal: 'VALIDATION_ERROR' })
  expect(lists()).toEqual([])
  await adaIsRefunded()
  const none = await fetchPaymentHistory(s.ctx, project, { from: now - 2 * DAY, to: now - DAY })
  expect(none).toMatchObject({ new: 0, known: 0, failed: 0, missing: 0, stopped: null })
})

test('a refused key says what to save', async () => {
  const project = await s.ctx.state.projects.get(s.project.id)
  s.server.faults = { ...NO_FAULTS, status: 401 }
  const reason = expect.stringContaining('stores.payment')
  expect(await fetchPaymentHistory(s.ctx, project, {})).toMatchObject({ stopped: { page: null, reason } })
})

describe('svc store-events fetch --store payment', () => {
  const run = (...args: string[]) =>
    runBeside(s, storeEventsCommand, 'fetch', '--project', 'project-1', '--store', 'payment', ...args)

  test('takes in what is missing and counts it', async () => {
    await adaIsRefunded()
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('1 new, 3 known, 0 failed.') })
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(JSON.parse((await run('--json')).out)).toMatchObject({ new: 0, known: 4, missing: 0, stopped: null })
  })

  test('says how to go on, and what to save', async () => {
    s.server.faults = { ...NO_FAULTS, status: 503 }
    const { code, out } = await run()
    expect([code, out]).toEqual([1, expect.stringContaining('fetch --project project-1 --store payment --from 20')])
    await stopSelling(s, s.project)
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('Save stores.payment') })
  })

  test('refuses what it cannot mean', async () => {
    for (const args of [
      ['--environment', 'sandbox'],
      ['--store', 'android'],
    ])
      expect((await run(...args)).code).toBe(2)
    const tested = await runBeside(s, storeEventsCommand, 'test', '--store', 'payment')
    expect(tested.code).toBe(2)
    expect(lists()).toEqual([])
  })
})
