import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { simulatedCopy } from '../../src/test-store/stores/ios'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  balances,
  changeSettings,
  eventTypes,
  everything,
  expectRefused,
  identify,
  money,
  refund,
  rowOf,
} from '../support/facts'
import { notify } from '../support/notify'

const NOBODY = '00000000-0000-0000-0000-000000000000'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

/** The same sale on another device, one second later. */
function copyOf(payload: TransactionPayload, transactionId: string, purchaseDate?: number): TransactionPayload {
  s.ctx.clock.advance(1000)
  const now = s.ctx.clock.now()
  return simulatedCopy(payload, { transactionId, now, ...(purchaseDate === undefined ? {} : { purchaseDate }) })
}

/** A year as the real store signs it: with the line item of its order. */
const yearWithItem = (): TransactionPayload => ({ ...s.buy(YEARLY), webOrderLineItemId: '700000000000001' })

const moneyOf = async (device: string) => money(s, (await rowOf(s, device)).id)
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
const aliases = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.purchaseAliases)).map(({ alias }) => alias).sort()

describe('a purchase that was restored', () => {
  test('is one purchase, charged once, whatever copy came first', async () => {
    for (const [device, isCopyFirst] of [
      ['svc_ada', false],
      ['svc_bo', true],
    ] as const) {
      const life = s.buy(LIFETIME)
      const copy = copyOf(life, `3${life.transactionId}`)
      for (const one of isCopyFirst ? [copy, life, copy] : [life, copy, life])
        expect((await s.receipt(device, one)).status).toBe(200)
      expect(await moneyOf(device)).toEqual([['NON_RENEWING_PURCHASE', 199_990_000]])
      expect(await eventTypes(s, (await rowOf(s, device)).id)).toEqual(['purchase.non_renewing', 'entitlement.granted'])
    }
    expect(await purchases()).toHaveLength(2)
  })

  test('of a period gives its currency once and renews nothing', async () => {
    const year = yearWithItem()
    await s.receipt('svc_ada', year)
    await s.receipt('svc_ada', copyOf(year, '3000000000000001'))
    await notify(s, ['DID_RENEW', null], copyOf(year, '3000000000000002'))
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    expect(await moneyOf('svc_ada')).toEqual([['INITIAL', 79_990_000]])
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).not.toContain('purchase.renewed')
    expect(await aliases()).toEqual(['3000000000000001', '3000000000000002'])
  })

  test('stays with its owner: a stranger with another copy is refused, and gets nothing', async () => {
    for (const bought of [s.buy(LIFETIME), yearWithItem()]) {
      await s.receipt('svc_ada', bought)
      await identify(s, 'svc_ada', 'ada')
      const copy = copyOf(bought, `3${bought.transactionId}`)
      await expectRefused(s, () => s.receipt('svc_mallory', copy), 409, 'RECEIPT_IN_USE')
      expect(await access(s, 'svc_mallory')).toEqual({})
    }
  })

  test('is refused in a restore too', async () => {
    const life = s.buy(LIFETIME)
    await s.receipt('svc_ada', life)
    await identify(s, 'svc_ada', 'ada')
    await s.get('/v1/me', 'svc_mallory')
    const copy = copyOf(life, '3000000000000001')
    const receipt = { store: 'IOS_STORE', receipt: s.sign(copy), productId: copy.productId }
    const restore = () => s.post('/v1/subscribers/svc_mallory/restore', { receipts: [receipt] })
    await expectRefused(s, restore, 409, 'RECEIPT_IN_USE')
    expect(await access(s, 'svc_mallory')).toEqual({})
    expect(await moneyOf('svc_ada')).toHaveLength(1)
  })

  test('posted by two devices at once has one owner and one charge', async () => {
    const life = s.buy(LIFETIME)
    const copy = copyOf(life, '3000000000000001')
    for (const device of ['svc_ada', 'svc_bo']) {
      await s.get('/v1/me', device)
      await identify(s, device, `user-${device}`)
    }
    const answers = await Promise.all([s.receipt('svc_ada', life), s.receipt('svc_bo', copy)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect([...(await moneyOf('svc_ada')), ...(await moneyOf('svc_bo'))]).toHaveLength(1)
    expect(await purchases()).toHaveLength(1)
  })

  for (const named of ['the first', 'the copy'] as const)
    for (const order of ['before', 'after'] as const)
      test(`is refunded when the refund names ${named}, ${order} the copy is known`, async () => {
        const life = s.buy(LIFETIME)
        await s.receipt('svc_ada', life)
        const copy = copyOf(life, '3000000000000001')
        const told = refund(s, named === 'the first' ? life : copy)
        const steps = [() => notify(s, ['REFUND', null], told), () => s.receipt('svc_ada', copy)]
        for (const step of order === 'before' ? steps : steps.reverse()) expect((await step()).status).toBe(200)
        expect(await access(s, 'svc_ada')).toEqual({})
        expect(await moneyOf('svc_ada')).toEqual([
          ['NON_RENEWING_PURCHASE', 199_990_000],
          ['REFUND', -199_990_000],
        ])
      })

  test('of coins is a sale of its own: consumables have no copies', async () => {
    const coins = s.buy(COINS)
    await s.receipt('svc_ada', coins)
    await s.receipt('svc_ada', { ...coins, transactionId: '3000000000000001' })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 200 })
  })

  test('and a family share of the same sale are two purchases, and only one has money', async () => {
    const life = s.buy(LIFETIME)
    await s.receipt('svc_ada', life)
    const share = { ...life, transactionId: '3000000000000001', inAppOwnershipType: 'FAMILY_SHARED' }
    await s.receipt('svc_kay', share)
    await s.receipt('svc_kay', { ...share, transactionId: '3000000000000002', signedDate: share.signedDate + 1 })
    expect([await moneyOf('svc_kay'), (await moneyOf('svc_ada')).length]).toEqual([[], 1])
    s.ctx.clock.advance(1000)
    await notify(s, ['REVOKE', null], { ...share, revocationDate: s.ctx.clock.now() })
    expect([await access(s, 'svc_kay'), Object.keys(await access(s, 'svc_ada'))]).toEqual([{}, ['pro']])
  })
})

test('Xcode numbers every transaction 0: each device has its own purchases, and each day', async () => {
  await changeSettings(s, { allowLocalStoreTesting: true })
  const local = { ...s.buy(COINS), transactionId: '0', originalTransactionId: '0', environment: 'Xcode' as const }
  for (const device of ['svc_ada', 'svc_bo']) {
    expect((await s.receipt(device, local)).status).toBe(200)
    expect((await s.receipt(device, local)).status).toBe(200)
  }
  s.ctx.clock.advance(1000)
  const later = { ...local, purchaseDate: s.ctx.clock.now(), signedDate: s.ctx.clock.now() }
  await s.receipt('svc_bo', later)
  expect([await balances(s, 'svc_ada'), await balances(s, 'svc_bo')]).toEqual([{ coins: 100 }, { coins: 200 }])
})

test('the account token of zeros proves nothing', async () => {
  await s.receipt('svc_ada', s.buy(MONTHLY, { appAccountToken: NOBODY }))
  await identify(s, 'svc_ada', 'ada')
  const bos = s.buy(YEARLY, { appAccountToken: NOBODY })
  await s.receipt('svc_bo', bos)
  await identify(s, 'svc_bo', 'bo')
  await expectRefused(s, () => s.receipt('svc_ada', bos), 409, 'RECEIPT_IN_USE')
  const vouched = { receipt: s.sign(bos), appUserId: 'svc_ada', productId: bos.productId, appAccountToken: NOBODY }
  const { status } = await s.post('/v1/receipts/ios', vouched, { key: s.project.secretKey })
  expect(status).toBe(409)
  const before = await everything(s)
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY, { appAccountToken: NOBODY }))
  expect(before.length).toBeGreaterThan(0)
  expect([await moneyOf('svc_ada'), await moneyOf('svc_bo')].map(({ length }) => length)).toEqual([1, 1])
  expect((await purchases()).map(({ accountToken }) => accountToken)).toEqual([null, null, null])
})

describe('a subscription that never renews', () => {
  const PASS = { ...MONTHLY, type: 'Non-Renewing Subscription' as const }
  const pass = () => s.buy(PASS)

  test('ends one period of the catalogue after it was bought, without renewing', async () => {
    const bought = pass()
    await s.receipt('svc_ada', bought)
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    const [row] = await purchases()
    expect(row?.fold).toMatchObject({ autoRenews: false, productType: 'NON_CONSUMABLE' })
    await s.receipt('svc_ada', { ...bought, signedDate: bought.signedDate + 5 })
    s.ctx.clock.advance(31 * 86_400_000)
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('is a purchase for each date, and a copy of one date is none', async () => {
    const first = pass()
    await s.receipt('svc_ada', first)
    await s.receipt('svc_ada', copyOf(first, '3000000000000001'))
    s.ctx.clock.advance(86_400_000)
    const again = { ...first, transactionId: '3000000000000002', purchaseDate: s.ctx.clock.now() }
    await s.receipt('svc_ada', { ...again, signedDate: s.ctx.clock.now() })
    expect((await moneyOf('svc_ada')).map(([kind]) => kind)).toEqual(['NON_RENEWING_PURCHASE', 'NON_RENEWING_PURCHASE'])
    expect((await purchases()).length).toBe(2)
  })
})

test('a price is divided by the months of its offer, and no period is read from the dates of the sandbox', async () => {
  const mrr = async () =>
    (await s.ctx.db.select().from(s.ctx.tables.figureEntries)).reduce((sum, row) => sum + row.mrrNew, 0)
  const offer = { offerType: 2, offerIdentifier: 'spring', offerPeriod: 'P3M' }
  await s.receipt('svc_ada', { ...s.buy(MONTHLY), ...offer })
  expect(await mrr()).toBe(3_330_000)
  await s.ctx.write((tx) => tx.db.update(tx.tables.products).set({ period: null }))
  s.ctx.state.projects.forget(s.project.id)
  await s.receipt('svc_bo', s.buy(MONTHLY))
  expect(await mrr()).toBe(3_330_000)
})
