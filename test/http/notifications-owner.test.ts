import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import type { SimulatedProduct } from '../../src/test-store/stores/ios'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  balances,
  damage,
  eventTypes,
  everything,
  identify,
  money,
  refund,
  renew,
  rowOf,
} from '../support/facts'
import { lastStoreEvent, notify, purchaseOf } from '../support/notify'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const BOUGHT = ['SUBSCRIBED', 'INITIAL_BUY'] as const
const ADA_TOKEN = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'

describe('a purchase that nobody has submitted', () => {
  test('belongs to a synthetic subscriber, who is merged into the first to show it', async () => {
    const one = s.buy(COINS)
    await notify(s, ['ONE_TIME_CHARGE', null], one)
    const synthetic = await rowOf(s, `ios:${one.originalTransactionId}`)
    expect(synthetic).toMatchObject({ isSynthetic: true, appUserId: null, mergedInto: null })
    expect((await s.receipt('svc_ada', one)).body.data.virtualCurrencyBalances).toEqual({ coins: 100 })
    const ada = await rowOf(s, 'svc_ada')
    expect((await rowOf(s, `ios:${one.originalTransactionId}`)).mergedInto).toBe(ada.id)
    expect(ada.isSynthetic).toBe(false)
    expect(await eventTypes(s, synthetic.id)).toEqual([
      'purchase.non_renewing',
      'currency.transaction',
      'currency.transaction',
      'subscriber.transferred',
    ])
    expect(await eventTypes(s, ada.id)).toEqual(['currency.transaction', 'subscriber.transferred'])
    expect(await money(s, ada.id)).toEqual([['CREDIT_PURCHASE', 990000]])
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 100 })
  })

  test('moves to whoever shows it under every setting, and then stays with them', async () => {
    await s.close()
    s = await stage({ settings: { purchaseTransfer: 'never' } })
    const one = s.buy(MONTHLY)
    await notify(s, BOUGHT, one)
    expect((await s.receipt('svc_ada', one)).status).toBe(200)
    await identify(s, 'svc_ada', 'ada')
    const taken = await s.receipt('svc_mallory', one)
    expect([taken.status, taken.body.error.code]).toEqual([409, 'RECEIPT_IN_USE'])
    s.ctx.clock.advance(29 * DAY)
    await notify(s, ['DID_RENEW', null], renew(s, one, MONTHLY))
    expect((await purchaseOf(s, one)).subscriberId).toBe((await rowOf(s, 'svc_ada')).id)
  })

  test('no device can speak for it', async () => {
    const one = s.buy(MONTHLY)
    await notify(s, BOUGHT, one)
    expect((await s.get('/v1/me', `ios:${one.originalTransactionId}`)).status).toBe(400)
  })

  test('belongs to whom the store signed the same account token for last', async () => {
    const first = s.buy(MONTHLY, { appAccountToken: ADA_TOKEN })
    await s.receipt('svc_ada', first)
    await s.receipt('svc_bo', s.buy(MONTHLY))
    s.ctx.clock.advance(DAY)
    const later = s.buy(COINS, { appAccountToken: ADA_TOKEN.toUpperCase() })
    await notify(s, ['ONE_TIME_CHARGE', null], later)
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 100 })
    expect((await purchaseOf(s, later)).subscriberId).toBe((await rowOf(s, 'svc_ada')).id)
    s.ctx.clock.advance(DAY)
    await s.receipt('svc_cy', s.buy(MONTHLY, { appAccountToken: ADA_TOKEN }))
    const last = s.buy(COINS, { appAccountToken: ADA_TOKEN })
    await notify(s, ['ONE_TIME_CHARGE', null], last)
    expect((await purchaseOf(s, last)).subscriberId).toBe((await rowOf(s, 'svc_cy')).id)
  })

  test('of an account whose rows were merged belongs to the survivor', async () => {
    await identify(s, 'svc_old', 'ada')
    await s.receipt('svc_old', s.buy(MONTHLY, { appAccountToken: ADA_TOKEN }))
    await identify(s, 'svc_new', 'ada')
    const one = s.buy(COINS, { appAccountToken: ADA_TOKEN })
    await notify(s, ['ONE_TIME_CHARGE', null], one)
    expect((await purchaseOf(s, one)).subscriberId).toBe((await rowOf(s, 'svc_new')).id)
  })
})

describe('family sharing', () => {
  const shared = () => s.buy(YEARLY, { ownershipType: 'FAMILY_SHARED', appAccountToken: ADA_TOKEN })
  const REVOKE = ['REVOKE', null] as const

  test('a revocation ends the share of every holder of the chain, and nobody else', async () => {
    const one = shared()
    await s.receipt('svc_ada', s.buy(MONTHLY))
    for (const device of ['svc_bo', 'svc_cy', 'svc_di']) await s.receipt(device, one)
    s.ctx.clock.advance(DAY)
    const renewing = { renewal: { autoRenewStatus: 1 } }
    expect((await notify(s, REVOKE, refund(s, one), renewing)).status).toBe(200)
    for (const device of ['svc_bo', 'svc_cy', 'svc_di']) {
      expect(await access(s, device)).toEqual({})
      expect((await eventTypes(s, (await rowOf(s, device)).id)).filter((type) => type.startsWith('purchase.'))).toEqual(
        ['purchase.initial', 'purchase.revoked'],
      )
    }
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })

  test('a share that nobody has submitted goes over to the first who does, and never by the token of the buyer', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY, { appAccountToken: ADA_TOKEN }))
    const one = shared()
    await notify(s, BOUGHT, one)
    expect((await purchaseOf(s, one)).subscriberId).toBe((await rowOf(s, `ios:${one.transactionId}`)).id)
    expect((await s.receipt('svc_bo', one)).status).toBe(200)
    expect((await purchaseOf(s, one)).subscriberId).toBe((await rowOf(s, 'svc_bo')).id)
    expect(Object.keys(await access(s, 'svc_bo'))).toEqual(['coach', 'pro'])
  })

  /** A year as the buyer has it, and the store's copy of it for a family member. */
  const yearWithCopy = (options: Parameters<Stage['buy']>[1] = {}) => {
    const bought = s.buy(YEARLY, options)
    return { bought, copy: { ...bought, transactionId: '2800000000000001', inAppOwnershipType: 'FAMILY_SHARED' } }
  }

  test('a copy with the buyer’s token makes nobody the buyer', async () => {
    const { bought, copy } = yearWithCopy({ appAccountToken: ADA_TOKEN })
    await s.receipt('svc_ada', bought)
    await identify(s, 'svc_ada', 'ada')
    s.ctx.clock.advance(DAY)
    await s.receipt('svc_kid', { ...copy, signedDate: s.ctx.clock.now() })
    expect((await s.receipt('svc_kid', bought)).status).toBe(409)
    const coins = s.buy(COINS, { appAccountToken: ADA_TOKEN })
    await notify(s, ['ONE_TIME_CHARGE', null], coins)
    expect([await balances(s, 'svc_ada'), await balances(s, 'svc_kid')]).toEqual([{ coins: 600 }, {}])
  })

  test('told before the buyer, a share does not take the buyer’s purchase along to the member who shows it', async () => {
    const { bought, copy } = yearWithCopy()
    await notify(s, BOUGHT, copy)
    await s.receipt('svc_kid', copy)
    await identify(s, 'svc_kid', 'kid')
    await notify(s, BOUGHT, bought)
    expect((await s.receipt('svc_mum', bought)).status).toBe(200)
    expect([await balances(s, 'svc_mum'), await balances(s, 'svc_kid')]).toEqual([{ coins: 500 }, {}])
    for (const device of ['svc_mum', 'svc_kid']) expect(Object.keys(await access(s, device))).toEqual(['coach', 'pro'])
  })

  test('told after the buyer, a share is not the buyer’s, whose refund ends all that is theirs', async () => {
    const { bought, copy } = yearWithCopy()
    await notify(s, BOUGHT, bought)
    await s.receipt('svc_mum', bought)
    await notify(s, BOUGHT, copy)
    s.ctx.clock.advance(DAY)
    await notify(s, ['REFUND', null], refund(s, bought))
    expect(await access(s, 'svc_mum')).toEqual({})
    await s.receipt('svc_kid', copy)
    expect(Object.keys(await access(s, 'svc_kid'))).toEqual(['coach', 'pro'])
    const { purchases } = s.ctx.tables
    expect(await s.ctx.db.$count(purchases)).toBe(2)
  })

  test('what was told of the chain holds for whoever joins later with an older receipt', async () => {
    const one = shared()
    await s.receipt('svc_bo', one)
    s.ctx.clock.advance(DAY)
    await notify(s, REVOKE, refund(s, one))
    await s.receipt('svc_cy', one)
    expect(await access(s, 'svc_cy')).toEqual({})
  })

  test('six hold it, the one who takes the share of nobody over included', async () => {
    const one = shared()
    await notify(s, BOUGHT, one)
    for (let n = 1; n <= 6; n++) expect((await s.receipt(`svc_${n}`, one)).status).toBe(200)
    expect((await s.receipt('svc_7', one)).status).toBe(409)
  })
})

describe('an erased owner', () => {
  test('hears nothing more, and the notification is kept as ignored', async () => {
    const one = s.buy(MONTHLY)
    await s.receipt('svc_ada', one)
    const { id } = await rowOf(s, 'svc_ada')
    await damage(s, id, { erasedAt: 1 })
    const before = await everything(s)
    s.ctx.clock.advance(29 * DAY)
    const renewed = renew(s, one, MONTHLY)
    for (const [kind, renewing] of [
      ['DID_RENEW', renewed],
      ['REFUND', refund(s, renewed)],
      ['EXPIRED', renewed],
    ] as const) {
      expect((await notify(s, [kind, null], renewing)).body.data).toEqual({ received: true, duplicate: false })
      expect(await lastStoreEvent(s)).toMatchObject({ status: 'IGNORED', error: 'its owner was erased' })
      s.ctx.clock.advance(1)
    }
    expect(await everything(s)).toEqual(before)
  })

  test('of a family share does not keep the others from hearing of its end', async () => {
    const one = s.buy(YEARLY, { ownershipType: 'FAMILY_SHARED' })
    for (const device of ['svc_ada', 'svc_bo']) await s.receipt(device, one)
    const { id } = await rowOf(s, 'svc_ada')
    await damage(s, id, { erasedAt: 1 })
    const types = await eventTypes(s, id)
    s.ctx.clock.advance(DAY)
    await notify(s, ['REVOKE', null], refund(s, one), { renewal: { autoRenewStatus: 1 } })
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null })
    expect([await access(s, 'svc_bo'), await eventTypes(s, id)]).toEqual([{}, types])
  })
})

describe('a product that the catalogue lacks', () => {
  const GOLD: SimulatedProduct = { ...MONTHLY, productId: 'com.x.gold' }

  async function addGold(): Promise<void> {
    const { products: t } = s.ctx.tables
    const isMonthly = and(eq(t.projectId, s.project.id), eq(t.iosId, MONTHLY.productId))
    const [monthly] = await s.ctx.db.select().from(t).where(isMonthly)
    if (!monthly) throw new Error('no product')
    const gold = {
      ...monthly,
      projectId: s.project.id,
      id: `prd_${'7'.repeat(26)}`,
      identifier: 'gold',
      iosId: GOLD.productId,
    }
    await s.ctx.write((tx) => tx.db.insert(t).values(gold))
    s.ctx.state.projects.forget(s.project.id)
  }

  test('its purchase is kept without access, and the notification says what to do', async () => {
    const one = s.buy(GOLD)
    const answer = await notify(s, BOUGHT, one)
    expect([answer.status, answer.body.data]).toEqual([200, { received: true, duplicate: false }])
    const { status, error } = await lastStoreEvent(s)
    expect([status, error]).toEqual(['FAILED', expect.stringContaining('com.x.gold')])
    expect(await purchaseOf(s, one)).toMatchObject({ productId: null, status: 'ACTIVE' })
    expect(await money(s, (await purchaseOf(s, one)).subscriberId)).toEqual([['INITIAL', 9990000]])
  })

  test('once it is there the same notification gives the access, with one event and no second charge', async () => {
    const one = s.buy(GOLD)
    await notify(s, BOUGHT, one, { id: 'gold' })
    await addGold()
    expect((await notify(s, BOUGHT, one, { id: 'gold' })).body.data.duplicate).toBe(false)
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null })
    const { subscriberId } = await purchaseOf(s, one)
    expect(await eventTypes(s, subscriberId)).toEqual(['purchase.initial', 'entitlement.granted'])
    expect(await money(s, subscriberId)).toEqual([['INITIAL', 9990000]])
    await s.receipt('svc_ada', one)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })
})

test('a purchase stays in its environment: the notification is kept as failed and changes nothing', async () => {
  const one = s.buy(MONTHLY)
  await s.receipt('svc_ada', one)
  const { purchases: t } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(t).set({ environment: 'PRODUCTION' }))
  expect((await notify(s, ['REFUND', null], refund(s, one))).status).toBe(200)
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED', error: 'the purchase is of another environment' })
  expect((await purchaseOf(s, one)).status).toBe('ACTIVE')
})
