import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { AndroidStore } from '../../src/test-store/stores/android-store'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { MONTHLY } from '../support/cast'
import { lastEvent, renew } from '../support/facts'
import { deliverAll, expectSubmitted, follow, notifyNew, on, sweep } from '../support/story'

let s: AndroidStage
let store: AndroidStore
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
  store = s.server.store
})
afterEach(() => s.close())

const BOUGHT = ['purchase.initial', 'entitlement.granted']

/** The last millisecond before an instant. */
function justBefore(day: string): void {
  on(s, day)
  s.ctx.clock.advance(-1)
}

test('Nat has access to the last millisecond of the month, and of the grace period', async () => {
  const step = follow(s, 'svc_nat')
  const month = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_nat', month))
  await step({ events: BOUGHT, access: { pro: '2026-12-20' }, net: 9_990_000 })

  justBefore('2026-12-20')
  await sweep(s)
  await step({ events: [], access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-12-20')
  await step({ events: [], access: {}, net: 9_990_000 })
  await notifyNew(s, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], month)
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period'],
    access: { pro: '2027-01-05' },
    net: 9_990_000,
  })

  justBefore('2027-01-05')
  await sweep(s)
  await step({ events: [], access: { pro: '2027-01-05' }, net: 9_990_000 })
  on(s, '2027-01-05')
  await step({ events: [], access: {}, net: 9_990_000 })
  await sweep(s)
  await sweep(s)
  await step({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  const { data } = await lastEvent(s, 'svc_nat', 'purchase.billing_issue')
  expect(data).toMatchObject({ phase: 'RETRY' })
})

test('Obi is in grace to the last millisecond, and recovers in the first one after it', async () => {
  const step = follow(s, 'svc_obi')
  const token = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_obi', token, 'pro_monthly'))
  await deliverAll(s)
  await step({ events: BOUGHT, access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-12-20')
  await step({ events: [], access: {}, net: 9_990_000 }) // Google has not reported yet that it tries again.
  store.failPayment(token)
  await deliverAll(s)
  await step({
    events: ['purchase.billing_issue', 'purchase.grace_period'],
    access: { pro: '2026-12-27' },
    net: 9_990_000,
  })
  justBefore('2026-12-27')
  await step({ events: [], access: { pro: '2026-12-27' }, net: 9_990_000 })
  on(s, '2026-12-27')
  await step({ events: [], access: {}, net: 9_990_000 })
  store.renew(token)
  await deliverAll(s) // The sweep has not run, so no event says that his access ended.
  await sweep(s)
  await step({ events: ['purchase.recovered'], access: { pro: '2027-01-20' }, net: 19_980_000 })
})

test('Pau renews at the very instant at which his month ends', async () => {
  const step = follow(s, 'svc_pau')
  const month = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_pau', month))
  on(s, '2026-12-20')
  const second = renew(s, month, MONTHLY)
  await notifyNew(s, ['DID_RENEW', null], second)
  await sweep(s)
  await step({ events: [...BOUGHT, 'purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
  on(s, '2027-01-20')
  await sweep(s) // This time the sweep runs first, at the same instant.
  const third = renew(s, second, MONTHLY)
  await notifyNew(s, ['DID_RENEW', null], third)
  await step({
    events: ['purchase.expired', 'entitlement.revoked', 'purchase.renewed', 'entitlement.granted'],
    access: { pro: '2027-02-20' },
    net: 29_970_000,
  })
  expect((await lastEvent(s, 'svc_pau', 'purchase.renewed')).data).toMatchObject({ reactivation: true, late: true })
})

test('Rae changes her mind three times within one millisecond, and each change counts in its order', async () => {
  const step = follow(s, 'svc_rae')
  const token = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_rae', token, 'pro_monthly'))
  await deliverAll(s)
  store.cancel(token)
  await deliverAll(s)
  store.restart(token)
  await deliverAll(s)
  store.cancel(token)
  await deliverAll(s)
  await step({
    events: [...BOUGHT, 'purchase.cancelled', 'purchase.uncancelled', 'purchase.cancelled'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  store.revoke(token)
  store.refund(token)
  await deliverAll(s)
  await step({ events: ['purchase.revoked', 'entitlement.revoked'], access: {}, net: 0 })
})
