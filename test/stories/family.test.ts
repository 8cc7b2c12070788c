import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { balances, refund, renew } from '../support/facts'
import { expectSubmitted, follow, notifyNew, on } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
})
afterEach(() => s.close())

let count = 0

/** A transaction as the store copies it for a member of the buyer's family. */
const sharedBy = (bought: TransactionPayload): TransactionPayload => ({
  ...bought,
  transactionId: String(2800000000000000 + ++count),
  inAppOwnershipType: 'FAMILY_SHARED',
})
const BOUGHT = ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted']
const JOINED = ['purchase.initial', 'entitlement.granted', 'entitlement.granted']
const LEFT = ['purchase.revoked', 'entitlement.revoked', 'entitlement.revoked']
const REVOKE = ['REVOKE', null] as const
const YEAR = { coach: '2027-11-20', pro: '2027-11-20' }

test('Jan shares her year with Kay, stops, and shares again', async () => {
  const [jan, kay] = [follow(s, 'svc_jan'), follow(s, 'svc_kay')]
  const year = s.buy(YEARLY)
  await expectSubmitted(s.receipt('svc_jan', year))
  await jan({ events: BOUGHT, access: YEAR, net: 79_990_000 })
  const share = sharedBy(year)
  await expectSubmitted(s.receipt('svc_kay', share))
  await kay({ events: JOINED, access: YEAR, net: 0 })

  on(s, '2027-02-01')
  await notifyNew(s, REVOKE, refund(s, share), { renewal: { autoRenewStatus: 1 } })
  await kay({ events: LEFT, access: {}, net: 0 })
  await expectSubmitted(s.receipt('svc_kay', share)) // From a backup of the device.
  await kay({ events: [], access: {}, net: 0 })
  await jan({ events: [], access: YEAR, net: 79_990_000 })

  on(s, '2027-03-01')
  const again = { ...sharedBy(year), purchaseDate: s.ctx.clock.now(), signedDate: s.ctx.clock.now() }
  await expectSubmitted(s.receipt('svc_kay', again))
  await kay({
    events: ['purchase.refund_reversed', 'entitlement.granted', 'entitlement.granted'],
    access: YEAR,
    net: 0,
  })
  await jan({ events: [], access: YEAR, net: 79_990_000 })
  // Only the buyer has the coins.
  expect([await balances(s, 'svc_jan'), await balances(s, 'svc_kay')]).toEqual([{ coins: 500 }, {}])
})

test('Lou loses the share of the year, and falls back on the month that he pays himself', async () => {
  const lou = follow(s, 'svc_lou')
  await expectSubmitted(s.receipt('svc_lou', s.buy(MONTHLY)))
  const share = sharedBy(s.buy(YEARLY))
  await expectSubmitted(s.receipt('svc_lou', share))
  await lou({
    events: ['purchase.initial', 'entitlement.granted', 'purchase.initial', 'entitlement.granted'],
    access: YEAR,
    net: 9_990_000,
  })
  on(s, '2026-12-01')
  await notifyNew(s, REVOKE, refund(s, share), { renewal: { autoRenewStatus: 1 } })
  await lou({ events: ['purchase.revoked', 'entitlement.revoked'], access: { pro: '2026-12-20' }, net: 9_990_000 })
})

test('Mia is refunded, and with her goes what Ned had of it', async () => {
  const [mia, ned] = [follow(s, 'svc_mia'), follow(s, 'svc_ned')]
  const year = s.buy(YEARLY)
  const share = sharedBy(year)
  await expectSubmitted(s.receipt('svc_ned', share)) // His phone submits it first.
  await expectSubmitted(s.receipt('svc_mia', year))
  await ned({ events: JOINED, access: YEAR, net: 0 })
  await mia({ events: BOUGHT, access: YEAR, net: 79_990_000 })

  on(s, '2026-11-25')
  await notifyNew(s, ['REFUND', null], refund(s, year), { renewal: { autoRenewStatus: 1 } })
  await mia({
    events: ['purchase.refunded', 'entitlement.revoked', 'entitlement.revoked'],
    access: {},
    net: 0,
  })
  await ned({ events: [], access: YEAR, net: 0 })
  await notifyNew(s, REVOKE, refund(s, share), { renewal: { autoRenewStatus: 1 } })
  await ned({ events: LEFT, access: {}, net: 0 })
  await mia({ events: [], access: {}, net: 0 })
})

test("Orla's shared year is renewed by whoever pays it, told to her and charged to nobody twice", async () => {
  const orla = follow(s, 'svc_orla')
  const share = sharedBy(s.buy(YEARLY))
  await notifyNew(s, ['SUBSCRIBED', 'INITIAL_BUY'], share) // No device has submitted it yet.
  await expectSubmitted(s.receipt('svc_orla', share))
  await orla({
    events: ['entitlement.granted', 'entitlement.granted', 'subscriber.transferred'],
    access: YEAR,
    net: 0,
  })
  on(s, '2027-11-19')
  await notifyNew(s, ['DID_RENEW', null], renew(s, share, YEARLY))
  await orla({ events: ['purchase.renewed'], access: { coach: '2028-11-20', pro: '2028-11-20' }, net: 0 })
  expect(await balances(s, 'svc_orla')).toEqual({})
})
