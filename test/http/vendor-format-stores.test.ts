import { afterEach, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { vendorRequests } from '../../src/outward/vendor-format/service'
import { complaintsAbout } from '../../src/outward/vendor-format/vendor-schema.fixtures'
import { listEventsOf } from '../../src/people/events/queries'
import * as turns from '../../src/test-store/stores/payment-turns'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import type { Stage } from '../support/cast'
import { rowOf } from '../support/facts'
import { paymentStage } from '../support/payment'
import { deliverAll, expectSubmitted, on, sweep } from '../support/story'
import { changeAndDeliver, subscribeOnWeb } from '../support/web'

let open: Stage | null = null
afterEach(() => open?.close())

type Told = Record<string, unknown> & { type: string }

/** Everything that a receiver gets about a device's person. Every body is in the published form. */
async function told(s: Stage, device: string): Promise<Told[]> {
  await new Promise(setImmediate)
  const bodies: Told[] = []
  for (const event of await listEventsOf(s.ctx, (await rowOf(s, device)).id)) {
    const id = 'whd_01m5wynsm0e35rw9hmckwyqppc'
    for (const { body } of await vendorRequests(s.ctx, { id, projectId: s.project.id, isTest: false, event }, null)) {
      expect(complaintsAbout(JSON.parse(body))).toEqual([])
      bodies.push(JSON.parse(body).event)
    }
  }
  return bodies
}

const summary = ({ type, cancel_reason, expiration_reason }: Told) =>
  [type, cancel_reason ?? expiration_reason].filter((word) => word !== undefined).join(' ')

test('a life at Google: orders are named without their number, and no token leaves the server', async () => {
  const s = await androidStage()
  open = s
  const { store } = s.server
  const token = store.subscribe(ANDROID_MONTHLY, { withTrial: true })
  await expectSubmitted(s.token('svc_ola', token, 'pro_monthly'))
  await deliverAll(s)
  on(s, '2026-11-27')
  store.renew(token)
  await deliverAll(s)
  on(s, '2026-12-27')
  store.failPayment(token)
  await deliverAll(s)
  on(s, '2027-01-03')
  store.hold(token)
  await deliverAll(s)
  on(s, '2027-01-05')
  store.renew(token)
  await deliverAll(s)
  store.cancel(token)
  await deliverAll(s)
  on(s, '2027-02-05')
  store.expire(token)
  await deliverAll(s)
  const bodies = await told(s, 'svc_ola')
  expect(bodies.map(summary)).toEqual([
    'INITIAL_PURCHASE',
    'RENEWAL',
    'BILLING_ISSUE',
    'CANCELLATION BILLING_ERROR',
    'EXPIRATION BILLING_ERROR',
    'RENEWAL',
    'CANCELLATION UNSUBSCRIBE',
    'EXPIRATION UNSUBSCRIBE',
  ])
  const [first, second] = bodies
  expect([first?.store, first?.offer_code, first?.transaction_id]).toEqual([
    'PLAY_STORE',
    null,
    first?.original_transaction_id,
  ])
  expect(second).toMatchObject({ is_trial_conversion: true, original_transaction_id: first?.transaction_id ?? '' })
  expect(second?.transaction_id).toBe(`${first?.transaction_id}..0`)
  expect(new Set(bodies.map((one) => one.commission_percentage))).toEqual(new Set([0.15]))
  expect(JSON.stringify(bodies)).not.toContain(token)
})

test('on hold until Google gives up: the end is told once, when access ends', async () => {
  const s = await androidStage()
  open = s
  const { store } = s.server
  const token = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_rex', token, 'pro_monthly'))
  await deliverAll(s)
  on(s, '2026-12-20')
  store.failPayment(token)
  await deliverAll(s)
  expect((await told(s, 'svc_rex')).map(summary)).toEqual([
    'INITIAL_PURCHASE',
    'BILLING_ISSUE',
    'CANCELLATION BILLING_ERROR',
  ])
  on(s, '2026-12-27')
  store.hold(token)
  await deliverAll(s)
  expect((await told(s, 'svc_rex')).map(summary).at(-1)).toBe('EXPIRATION BILLING_ERROR')
  s.ctx.clock.advance(61 * DAY)
  await sweep(s)
  const types = (await told(s, 'svc_rex')).map(summary)
  expect(types.filter((type) => type.startsWith('EXPIRATION'))).toEqual(['EXPIRATION BILLING_ERROR'])
})

test('a life on the web', async () => {
  const s = await paymentStage()
  open = s
  const month = await subscribeOnWeb(s, 'svc_abe', { trialDays: 7 })
  await deliverAll(s)
  on(s, '2026-11-27')
  await changeAndDeliver(s, () => turns.renew(s.world, month))
  const bodies = await told(s, 'svc_abe')
  expect(bodies).toMatchObject([
    { type: 'INITIAL_PURCHASE', period_type: 'TRIAL', store: 'STRIPE', price: 0, commission_percentage: 0 },
    { type: 'RENEWAL', is_trial_conversion: true, store: 'STRIPE', price: 9.99, takehome_percentage: 1 },
  ])
})
