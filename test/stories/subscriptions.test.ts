import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { balances, lastEvent, money, refund, renew, rowOf } from '../support/facts'
import { follow, on } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
})
afterEach(() => s.close())

const sweep = () => sweepPurchases(s.ctx)
const kinds = async (device: string) => (await money(s, (await rowOf(s, device)).id)).map(([kind]) => kind)

test('Ada on trial becomes a paying subscriber', async () => {
  const step = follow(s, 'svc_ada')
  const trial = s.buy(MONTHLY, { withTrial: true })
  await s.receipt('svc_ada', trial)
  await step({ events: ['purchase.trial_started', 'entitlement.granted'], access: { pro: '2026-11-27' }, net: 0 })

  on(s, '2026-11-26')
  await sweep()
  await step({ events: [], access: { pro: '2026-11-27' }, net: 0 })

  const first = renew(s, trial, MONTHLY)
  await s.receipt('svc_ada', first)
  await step({ events: ['purchase.trial_converted'], access: { pro: '2026-12-27' }, net: 9_990_000 })

  on(s, '2026-12-27')
  const second = renew(s, first, MONTHLY)
  await s.receipt('svc_ada', second)
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-27' }, net: 19_980_000 })

  await sweep()
  await step({ events: [], access: { pro: '2027-01-27' }, net: 19_980_000 })
  expect(await kinds('svc_ada')).toEqual(['TRIAL', 'TRIAL_CONVERSION', 'RENEWAL'])
})

test('Bo on monthly lapses, and comes back in spring', async () => {
  const step = follow(s, 'svc_bo')
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_bo', bought)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  await step({ events: [], access: {}, net: 9_990_000 })
  await sweep()
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })

  on(s, '2027-03-01')
  await sweep()
  await s.receipt('svc_bo', bought) // The app starts and posts its history.
  await step({ events: [], access: {}, net: 9_990_000 })

  const again = s.buy(MONTHLY, { previous: bought })
  await s.receipt('svc_bo', again)
  await step({ events: ['purchase.renewed', 'entitlement.granted'], access: { pro: '2027-04-01' }, net: 19_980_000 })
  expect((await lastEvent(s, 'svc_bo', 'purchase.renewed')).data).toMatchObject({ reactivation: true, late: false })
  expect(await kinds('svc_bo')).toEqual(['INITIAL', 'REACTIVATION'])
})

test('Cy refunded loses access at once, and buys again', async () => {
  const step = follow(s, 'svc_cy')
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_cy', bought)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-11-23')
  await s.receipt('svc_cy', refund(s, bought))
  await step({ events: ['purchase.refunded', 'entitlement.revoked'], access: {}, net: 0 })

  await s.receipt('svc_cy', bought) // The old receipt, from a backup of the device.
  await step({ events: [], access: {}, net: 0 })

  on(s, '2026-12-01')
  await s.receipt('svc_cy', s.buy(MONTHLY, { previous: bought }))
  await step({ events: ['purchase.renewed', 'entitlement.granted'], access: { pro: '2027-01-01' }, net: 9_990_000 })

  on(s, '2027-01-01')
  await sweep()
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect(await kinds('svc_cy')).toEqual(['INITIAL', 'REFUND', 'REACTIVATION'])
})

test('Di upgrades to the year, and the year is refunded', async () => {
  const step = follow(s, 'svc_di')
  const month = s.buy(MONTHLY)
  await s.receipt('svc_di', month)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-11-30')
  const year = s.buy(YEARLY, { previous: month })
  await s.receipt('svc_di', year)
  const both = { coach: '2027-11-30', pro: '2027-11-30' }
  await step({ events: ['purchase.product_changed', 'entitlement.granted'], access: both, net: 89_980_000 })

  on(s, '2026-12-20') // The replaced month ends without any effect.
  await sweep()
  await step({ events: [], access: both, net: 89_980_000 })

  on(s, '2026-12-24')
  await s.receipt('svc_di', refund(s, year))
  await step({
    events: ['purchase.refunded', 'entitlement.revoked', 'entitlement.revoked'],
    access: {},
    net: 9_990_000,
  })
  expect(await kinds('svc_di')).toEqual(['INITIAL', 'PRODUCT_CHANGE', 'REFUND'])
})

test('Ed never pays after his trial, and buys the year much later', async () => {
  const step = follow(s, 'svc_ed')
  const trial = s.buy(MONTHLY, { withTrial: true })
  await s.receipt('svc_ed', trial)
  await step({ events: ['purchase.trial_started', 'entitlement.granted'], access: { pro: '2026-11-27' }, net: 0 })

  on(s, '2026-11-27')
  await step({ events: [], access: {}, net: 0 })
  await sweep()
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 0 })

  on(s, '2027-06-01')
  await s.receipt('svc_ed', s.buy(YEARLY))
  await step({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted'],
    access: { coach: '2028-06-01', pro: '2028-06-01' },
    net: 79_990_000,
  })
  expect(await balances(s, 'svc_ed')).toEqual({ coins: 500 })
  expect(await kinds('svc_ed')).toEqual(['TRIAL', 'INITIAL'])
})

test('Fay buys for life while she subscribes, and notices nothing when the subscription ends', async () => {
  const step = follow(s, 'svc_fay')
  await s.receipt('svc_fay', s.buy(MONTHLY))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-01')
  const forever = s.buy(LIFETIME)
  await s.receipt('svc_fay', forever)
  await step({ events: ['purchase.non_renewing'], access: { pro: null }, net: 209_980_000 })

  on(s, '2026-12-20')
  await sweep()
  await step({ events: ['purchase.expired'], access: { pro: null }, net: 209_980_000 })

  on(s, '2027-02-01')
  await s.receipt('svc_fay', refund(s, forever))
  await step({ events: ['purchase.refunded', 'entitlement.revoked'], access: {}, net: 9_990_000 })
})

test('Gus was offline for months, and posts his whole life at once, backwards', async () => {
  const step = follow(s, 'svc_gus')
  const trial = s.buy(MONTHLY, { withTrial: true })
  const history = [trial]
  for (const day of ['2026-11-27', '2026-12-27', '2027-01-27', '2027-02-27']) {
    on(s, day)
    history.push(renew(s, history.at(-1) ?? trial, MONTHLY))
  }
  on(s, '2027-03-01')
  const [newest, ...older] = history.toReversed()
  if (newest) await s.receipt('svc_gus', newest)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2027-03-27' }, net: 9_990_000 })
  for (const payload of older) await s.receipt('svc_gus', payload)
  await step({ events: [], access: { pro: '2027-03-27' }, net: 39_960_000 })
  expect(await kinds('svc_gus')).toEqual(['TRIAL', 'TRIAL_CONVERSION', 'RENEWAL', 'RENEWAL', 'RENEWAL'])
})

test('Hal renews a moment too late, and is never told to have left', async () => {
  const step = follow(s, 'svc_hal')
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_hal', bought)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-12-20')
  s.ctx.clock.advance(30_000) // The store is late, and the sweep has not run yet.
  await step({ events: [], access: {}, net: 9_990_000 })
  await s.receipt('svc_hal', { ...renew(s, bought, MONTHLY), purchaseDate: bought.expiresDate ?? 0 })
  await sweep()
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
})
