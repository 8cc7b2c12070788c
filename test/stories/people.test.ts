import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, balances, changeSettings, expectRefused, give, identify, refund, renew, rowOf } from '../support/facts'
import { follow, on } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
})
afterEach(() => s.close())

test('Ida reinstalls: the new install takes the purchase over, the old one is left with nothing', async () => {
  const [old, fresh] = [follow(s, 'svc_ida'), follow(s, 'svc_ida_2')]
  const bought = s.buy(YEARLY)
  await s.receipt('svc_ida', bought)
  await old({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted'],
    access: { coach: '2027-11-20', pro: '2027-11-20' },
    net: 79_990_000,
  })
  on(s, '2027-01-05')
  await s.receipt('svc_ida_2', bought)
  await fresh({
    events: ['entitlement.granted', 'entitlement.granted', 'subscriber.transferred'],
    access: { coach: '2027-11-20', pro: '2027-11-20' },
    net: 79_990_000,
  })
  await old({
    events: ['entitlement.revoked', 'entitlement.revoked', 'subscriber.transferred'],
    access: {},
    net: 0,
  })
  // The coins of the purchase were granted once, and stay with the subscriber who got them.
  expect([await balances(s, 'svc_ida'), await balances(s, 'svc_ida_2')]).toEqual([{ coins: 500 }, {}])
})

test('Jo signs in on a second phone, and both show the same', async () => {
  const [phone, tablet] = [follow(s, 'svc_jo'), follow(s, 'svc_jo_2')]
  await s.receipt('svc_jo', s.buy(MONTHLY))
  await identify(s, 'svc_jo', 'jo')
  await give(s, 'jo', 42, 'welcome')
  await phone({
    events: ['purchase.initial', 'entitlement.granted', 'subscriber.identified', 'currency.transaction'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  await s.receipt('svc_jo_2', s.buy(YEARLY)) // Bought before signing in.
  await tablet({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted'],
    access: { coach: '2027-11-20', pro: '2027-11-20' },
    net: 79_990_000,
  })
  expect((await identify(s, 'svc_jo_2', 'jo')).body.data.transferred).toBe(true)
  await tablet({
    events: ['currency.transaction', 'subscriber.transferred', 'subscriber.identified'],
    access: { coach: '2027-11-20', pro: '2027-11-20' },
    net: 89_980_000,
  })
  await phone({
    events: ['currency.transaction', 'entitlement.revoked', 'subscriber.transferred'],
    access: { coach: '2027-11-20', pro: '2027-11-20' }, // The access of the surviving subscriber.
    net: 0,
  })
  for (const device of ['svc_jo', 'svc_jo_2']) expect(await balances(s, device)).toEqual({ coins: 500, gems: 42 })
})

test('Kim lends her tablet to Leo, and keeps what is hers', async () => {
  const tablet = follow(s, 'svc_tablet')
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_tablet', bought)
  await identify(s, 'svc_tablet', 'kim')
  await tablet({
    events: ['purchase.initial', 'entitlement.granted', 'subscriber.identified'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  await identify(s, 'svc_tablet', 'leo') // Without signing out.
  const leo = follow(s, 'svc_tablet')
  await leo({ events: ['subscriber.identified'], access: {}, net: 0 })
  await expectRefused(s, () => s.receipt('svc_tablet', bought), 409, 'RECEIPT_IN_USE')
  await s.receipt('svc_tablet', s.buy(YEARLY))
  await leo({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted'],
    access: { coach: '2027-11-20', pro: '2027-11-20' },
    net: 79_990_000,
  })
  // Kim signs in on her own phone.
  await identify(s, 'svc_phone', 'kim')
  await follow(
    s,
    'svc_phone',
  )({
    events: ['entitlement.granted', 'subscriber.transferred', 'subscriber.identified'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  await leo({ events: [], access: { coach: '2027-11-20', pro: '2027-11-20' }, net: 79_990_000 })
})

test('Max collects coins, spends some and gets one pack refunded', async () => {
  await changeSettings(s, { clawback: 'available' })
  const step = follow(s, 'svc_max')
  const pack = s.buy(COINS)
  await s.receipt('svc_max', pack)
  await s.receipt('svc_max', s.buy(COINS, { quantity: 2 }))
  await step({
    events: ['purchase.non_renewing', 'currency.transaction', 'purchase.non_renewing', 'currency.transaction'],
    access: {},
    net: 2_970_000,
  })
  expect(await balances(s, 'svc_max')).toEqual({ coins: 300 })
  const spend = { amount: -250, idempotencyKey: 'sword' }
  await s.post('/v1/virtual-currencies/svc_max/coins/transactions', spend, { key: s.project.secretKey })
  await step({ events: ['currency.transaction'], access: {}, net: 2_970_000 })
  await s.receipt('svc_max', refund(s, pack))
  await step({ events: ['purchase.refunded', 'currency.transaction'], access: {}, net: 1_980_000 })
  expect(await balances(s, 'svc_max')).toEqual({ coins: 0 })
})

test('Nia shares with Oz, who leaves the family', async () => {
  const [nia, oz] = [follow(s, 'svc_nia'), follow(s, 'svc_oz')]
  const bought = s.buy(YEARLY)
  await s.receipt('svc_nia', bought)
  const year = { coach: '2027-11-20', pro: '2027-11-20' }
  await nia({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted'],
    access: year,
    net: 79_990_000,
  })
  const shared = { ...bought, transactionId: '2800000000000001', inAppOwnershipType: 'FAMILY_SHARED' }
  await s.receipt('svc_oz', shared)
  await oz({
    events: ['purchase.initial', 'entitlement.granted', 'entitlement.granted'],
    access: year,
    net: 0, // Nia paid, so the coins are hers.
  })
  expect(await balances(s, 'svc_oz')).toEqual({})
  on(s, '2027-02-01')
  await s.receipt('svc_oz', { ...shared, revocationDate: s.ctx.clock.now(), signedDate: s.ctx.clock.now() })
  await oz({ events: ['purchase.revoked', 'entitlement.revoked', 'entitlement.revoked'], access: {}, net: 0 })
  await nia({ events: [], access: year, net: 79_990_000 })
})

test("Pat moves to a new phone through the customer's server, though Pat's purchase has a label", async () => {
  const token = '7e3fb20b-4cdb-47cc-936d-99d65f608138'
  const [old, fresh] = [follow(s, 'svc_pat'), follow(s, 'svc_pat_2')]
  const bought = s.buy(MONTHLY, { appAccountToken: token })
  await s.receipt('svc_pat', bought)
  await identify(s, 'svc_pat', 'pat')
  await old({
    events: ['purchase.initial', 'entitlement.granted', 'subscriber.identified'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  const body = { receipt: s.sign(bought), appUserId: 'svc_pat_2', productId: 'pro_monthly', appAccountToken: token }
  await expectRefused(s, () => s.post('/v1/receipts/ios', body), 409, 'RECEIPT_IN_USE')
  expect((await s.post('/v1/receipts/ios', body, { key: s.project.secretKey })).status).toBe(200)
  await fresh({
    events: ['entitlement.granted', 'subscriber.transferred'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  await old({ events: ['entitlement.revoked', 'subscriber.transferred'], access: {}, net: 0 })
  // The next renewal belongs to the new phone, although the old one posts it too.
  on(s, '2026-12-19')
  const renewed = renew(s, bought, MONTHLY)
  await s.receipt('svc_pat_2', renewed)
  await fresh({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
})

test('Quin tests in the sandbox of a project that lets only testers in', async () => {
  await changeSettings(s, { sandboxAccess: 'allowList', sandboxTesters: ['quin@example.com'] })
  const step = follow(s, 'svc_quin')
  await s.receipt('svc_quin', s.buy(MONTHLY))
  await step({ events: ['purchase.initial'], access: {}, net: 9_990_000 })
  await identify(s, 'svc_quin', 'quin@example.com')
  await step({
    events: ['entitlement.granted', 'subscriber.identified'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })
  on(s, '2026-12-20')
  await sweepPurchases(s.ctx)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
})

test('Ria has a month on one device and a year on the other; when the year is refunded the month is left', async () => {
  await s.receipt('svc_ria', s.buy(MONTHLY))
  await identify(s, 'svc_ria', 'ria')
  const year = s.buy(YEARLY)
  await s.receipt('svc_ria_2', year)
  await identify(s, 'svc_ria_2', 'ria')
  const step = follow(s, 'svc_ria_2')
  await step({
    events: [
      'purchase.initial',
      'currency.transaction',
      'entitlement.granted',
      'entitlement.granted',
      'subscriber.transferred',
      'subscriber.identified',
    ],
    access: { coach: '2027-11-20', pro: '2027-11-20' },
    net: 89_980_000,
  })
  on(s, '2026-12-01')
  await s.receipt('svc_ria', refund(s, year)) // The other device submits it.
  await step({ events: ['purchase.refunded', 'entitlement.revoked'], access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-12-20')
  await sweepPurchases(s.ctx)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  expect(await access(s, 'svc_ria')).toEqual({})
  expect((await rowOf(s, 'svc_ria')).mergedInto).toBe((await rowOf(s, 'svc_ria_2')).id)
})
