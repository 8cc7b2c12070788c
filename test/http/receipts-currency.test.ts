import { afterEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import type { Clawback } from '../../src/core/project/settings'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, balances, eventTypes, identify, lastEvent, listenTo, refund, renew, rowOf } from '../support/facts'
import { notify } from '../support/notify'

let s: Stage
afterEach(() => s.close())

const open = async (clawback: Clawback) => {
  s = await stage({ settings: { clawback } })
}
const spend = (reference: string, amount: number) =>
  s.post(
    `/v1/virtual-currencies/${reference}/coins/transactions`,
    { amount: -amount, idempotencyKey: `spend-${amount}` },
    { key: s.project.secretKey },
  )

const settings: [clawback: Clawback, left: number, events: string[]][] = [
  ['none', 40, []],
  ['available', 0, ['currency.transaction']],
  ['full', -60, ['currency.transaction']],
]
for (const [clawback, left, events] of settings)
  test(`a refund of 100 coins of which 60 are spent leaves ${left} with clawback ${clawback}`, async () => {
    await open(clawback)
    const bought = s.buy(COINS)
    const newEvents = listenTo(s, 'svc_ada')
    await s.receipt('svc_ada', bought)
    await spend('svc_ada', 60)
    await newEvents()
    const { body } = await s.receipt('svc_ada', refund(s, bought))
    expect(body.data.virtualCurrencyBalances).toEqual({ coins: left })
    expect(await newEvents()).toEqual(['purchase.refunded', ...events])
    // The refund comes again with another signature: nothing more is taken.
    s.ctx.clock.advance(DAY)
    await s.receipt('svc_ada', { ...refund(s, bought), revocationDate: s.ctx.clock.now() - DAY })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: left })
    expect(await newEvents()).toEqual([])
  })

test("a currency's own word about clawback stands above the project's", async () => {
  await open('none')
  const { virtualCurrencies: t } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(t).set({ clawback: 'full' }).where(eq(t.code, 'coins')))
  s.ctx.state.projects.forget(s.project.id)
  const bought = s.buy(COINS, { quantity: 2 })
  await s.receipt('svc_ada', bought)
  await spend('svc_ada', 150)
  await s.receipt('svc_ada', refund(s, bought))
  expect(await balances(s, 'svc_ada')).toEqual({ coins: -150 })
  expect((await lastEvent(s, 'svc_ada', 'currency.transaction')).data).toMatchObject({
    amount: -200,
    balance: -150,
    ledgerType: 'REFUND',
  })
})

describe('a subscription that grants on purchase and renewal', () => {
  test('grants at the start and at each renewal, once each', async () => {
    await open('none')
    let payload = s.buy(YEARLY)
    await s.receipt('svc_ada', payload)
    for (const coins of [1000, 1500]) {
      s.ctx.clock.set((payload.expiresDate ?? 0) - 1)
      payload = renew(s, payload, YEARLY)
      await s.receipt('svc_ada', payload)
      await s.receipt('svc_ada', payload)
      expect(await balances(s, 'svc_ada')).toEqual({ coins })
    }
  })

  test('grants for new charges only when the catalogue begins to grant', async () => {
    await open('none')
    const { currencyGrants: t } = s.ctx.tables
    const grants = await s.ctx.db.select().from(t)
    await s.ctx.write((tx) => tx.db.delete(t))
    s.ctx.state.projects.forget(s.project.id)
    const bought = s.buy(YEARLY)
    await s.receipt('svc_ada', bought)
    await s.ctx.write((tx) => tx.db.insert(t).values(grants))
    s.ctx.state.projects.forget(s.project.id)
    s.ctx.clock.set((bought.expiresDate ?? 0) - 1)
    await s.receipt('svc_ada', { ...bought, signedDate: s.ctx.clock.now() })
    expect(await balances(s, 'svc_ada')).toEqual({})
    await s.receipt('svc_ada', renew(s, bought, YEARLY))
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })

  test('keeps its grants when the catalogue ends or changes them', async () => {
    await open('full')
    const bought = s.buy(YEARLY)
    await s.receipt('svc_ada', bought)
    const { currencyGrants: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ amount: 7n }))
    s.ctx.state.projects.forget(s.project.id)
    await s.receipt('svc_ada', { ...bought, signedDate: bought.signedDate + 1 })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    await s.ctx.write((tx) => tx.db.delete(t))
    s.ctx.state.projects.forget(s.project.id)
    await s.receipt('svc_ada', { ...bought, signedDate: bought.signedDate + 2 })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })

  const edits: [what: string, edit: () => Promise<unknown>][] = [
    ['grants nothing any more', () => s.ctx.write((tx) => tx.db.delete(tx.tables.currencyGrants))],
    ['grants more', () => s.ctx.write((tx) => tx.db.update(tx.tables.currencyGrants).set({ amount: 900n }))],
    [
      'grants another currency',
      () => s.ctx.write((tx) => tx.db.update(tx.tables.currencyGrants).set({ currencyId: 'vcy_1gems' })),
    ],
    ['has another store id', () => s.ctx.write((tx) => tx.db.update(tx.tables.products).set({ iosId: sql`id` }))],
  ]
  for (const [what, edit] of edits)
    for (const [product, granted] of [
      [YEARLY, 500],
      [COINS, 100],
    ] as const)
      test(`a refund takes back what its charge granted, and a reversal gives that again: ${product.type}, whose product ${what}`, async () => {
        await open('full')
        const bought = s.buy(product)
        await s.receipt('svc_ada', bought)
        await edit()
        s.ctx.state.projects.forget(s.project.id)
        const newEvents = listenTo(s, 'svc_ada')
        await newEvents()
        s.ctx.clock.advance(DAY)
        await notify(s, ['REFUND', null], refund(s, bought))
        expect(await balances(s, 'svc_ada')).toEqual({ coins: 0 })
        expect(await newEvents()).toContain('currency.transaction')
        await notify(s, ['REFUND', null], refund(s, bought))
        expect(await balances(s, 'svc_ada')).toEqual({ coins: 0 })
        s.ctx.clock.advance(DAY)
        await notify(s, ['REFUND_REVERSED', null], { ...bought, signedDate: s.ctx.clock.now() })
        await notify(s, ['REFUND_REVERSED', null], { ...bought, signedDate: s.ctx.clock.now() })
        expect(await balances(s, 'svc_ada')).toEqual({ coins: granted })
      })

  test('takes back its share of what a consumable granted, also when the product grants nothing any more', async () => {
    await open('full')
    const bought = s.buy(COINS)
    await s.receipt('svc_ada', bought)
    await s.ctx.write((tx) => tx.db.delete(tx.tables.currencyGrants))
    s.ctx.state.projects.forget(s.project.id)
    s.ctx.clock.advance(DAY)
    const part = { revocationType: 'REFUND_PRORATED', revocationPercentage: 30_000 }
    for (const _ of [1, 2]) await notify(s, ['REFUND', null], { ...refund(s, bought), ...part })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 70 })
  })

  test('a reversal gives nothing again where the refund found nothing to take', async () => {
    await open('available')
    const bought = s.buy(COINS)
    await s.receipt('svc_ada', bought)
    await spend('svc_ada', 100)
    await s.ctx.write((tx) => tx.db.update(tx.tables.currencyGrants).set({ amount: 900n }))
    s.ctx.state.projects.forget(s.project.id)
    s.ctx.clock.advance(DAY)
    await notify(s, ['REFUND', null], refund(s, bought))
    s.ctx.clock.advance(DAY)
    await notify(s, ['REFUND_REVERSED', null], { ...bought, signedDate: s.ctx.clock.now() })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 0 })
  })

  test('grants nothing for a trial, and for its conversion what a purchase gives', async () => {
    await open('none')
    const product = { ...YEARLY, trialPeriod: 'P1W' }
    const trial = s.buy(product, { withTrial: true })
    await s.receipt('svc_ada', trial)
    expect(await balances(s, 'svc_ada')).toEqual({})
    s.ctx.clock.advance(7 * DAY - 1)
    await s.receipt('svc_ada', renew(s, trial, product))
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    const [entry, ...others] = await s.ctx.db.select().from(s.ctx.tables.ledger)
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect([entry?.grantReference, others]).toEqual([`purchase:${purchase?.id}`, []])
  })

  test('gives back only what the refunded charge had granted', async () => {
    await open('full')
    const bought = s.buy(YEARLY)
    await s.receipt('svc_ada', bought)
    s.ctx.clock.set((bought.expiresDate ?? 0) - 1)
    const renewed = renew(s, bought, YEARLY)
    await s.receipt('svc_ada', renewed)
    await s.receipt('svc_ada', refund(s, renewed))
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('a reversed refund returns nothing that the charge was granted by mistake, before an earlier one was known', async () => {
    await open('full')
    const first = s.buy(MONTHLY)
    s.ctx.clock.advance(60 * DAY)
    await s.receipt('svc_ada', { ...s.buy(YEARLY), originalTransactionId: first.transactionId })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    await s.receipt('svc_ada', first)
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    s.ctx.clock.advance(DAY)
    await notify(s, ['REFUND', null], refund(s, first))
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    s.ctx.clock.advance(DAY)
    await notify(s, ['REFUND_REVERSED', null], { ...first, signedDate: s.ctx.clock.now() })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })

  test('is not paid again to whoever takes the purchase over, and takes back from whoever had the coins', async () => {
    await open('full')
    const bought = s.buy(YEARLY)
    await s.receipt('svc_old', bought)
    const [oldTold, newTold] = [listenTo(s, 'svc_old'), listenTo(s, 'svc_new')]
    await oldTold()
    await s.receipt('svc_new', bought) // The purchase belongs to an anonymous subscriber, so it moves.
    expect([await balances(s, 'svc_old'), await balances(s, 'svc_new')]).toEqual([{ coins: 500 }, {}])
    await newTold()
    await oldTold()
    await s.receipt('svc_new', refund(s, bought))
    expect([await balances(s, 'svc_old'), await balances(s, 'svc_new')]).toEqual([{ coins: 0 }, {}])
    expect(await newTold()).toEqual(['purchase.refunded', 'entitlement.revoked', 'entitlement.revoked'])
    expect(await oldTold()).toEqual(['currency.transaction'])
    expect(await lastEvent(s, 'svc_old', 'currency.transaction')).toMatchObject({
      before: { balances: { coins: 500 } },
      after: { balances: { coins: 0 } },
    })
  })

  test('takes back from the survivor when the row that had the coins was merged', async () => {
    await open('full')
    const bought = s.buy(YEARLY)
    await s.receipt('svc_old', bought)
    await identify(s, 'svc_old', 'ada')
    await identify(s, 'svc_new', 'ada')
    await s.receipt('svc_new', refund(s, bought))
    expect(await balances(s, 'svc_new')).toEqual({ coins: 0 })
    await eventTypes(s, (await rowOf(s, 'svc_new')).id)
    await eventTypes(s, (await rowOf(s, 'svc_old')).id)
  })
})
