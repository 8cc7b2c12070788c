import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ProjectSettings } from '../../src/core/project/schema'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  changeSettings,
  damage,
  eventTypes,
  everything,
  expectRefused,
  identify,
  lastEvent,
  listenTo,
  money,
  renew,
  rowOf,
} from '../support/facts'
import { notify } from '../support/notify'

const ADA = '7e3fb20b-4cdb-47cc-936d-99d65f608138'
const BO = '0f8fad5b-d9cb-469f-a165-70867728950e'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const transfers = () => s.ctx.db.select().from(s.ctx.tables.transfers)
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
const setting = (purchaseTransfer: ProjectSettings['purchaseTransfer']) => changeSettings(s, { purchaseTransfer })
const SETTINGS = ['whenAnonymous', 'always', 'never'] as const

/** Ada buys on her own device; she has a label unless `label` is null. */
async function adaBuys(options: Parameters<Stage['buy']>[1] = {}, label: string | null = 'ada') {
  const payload = s.buy(MONTHLY, options)
  await s.receipt('svc_ada', payload)
  if (label !== null) await identify(s, 'svc_ada', label)
  return payload
}

const expectInUse = (call: () => ReturnType<Stage['receipt']>) => expectRefused(s, call, 409, 'RECEIPT_IN_USE')

async function expectMoved(device: string) {
  expect(Object.keys(await access(s, device))).toEqual(['pro'])
  expect(await access(s, 'svc_ada')).toEqual({})
  const { id } = await rowOf(s, device)
  expect((await purchases()).filter(({ subscriberId }) => subscriberId === id).length).toBeGreaterThan(0)
}

describe('a receipt of one account unlocking another', () => {
  test('is refused with 409, and nothing but the row of the device that shows it is written', async () => {
    const payload = await adaBuys()
    await expectInUse(() => s.receipt('svc_mallory', payload))
    expect(await access(s, 'svc_mallory')).toEqual({})
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })

  test('is refused whoever shows it: a known device, another label, a renewal, a refund, a secret key', async () => {
    const payload = await adaBuys({ appAccountToken: ADA })
    await s.receipt('svc_bo', s.buy(COINS))
    await identify(s, 'svc_bo', 'bo')
    const renewed = renew(s, payload, MONTHLY)
    for (const submitted of [payload, renewed, { ...payload, revocationDate: s.ctx.clock.now() }]) {
      await expectInUse(() => s.receipt('svc_bo', submitted))
      await expectInUse(() => s.receipt('svc_bo', submitted, { key: s.project.secretKey }))
    }
    // Ada's own device may still post it.
    expect((await s.receipt('svc_ada', renewed)).status).toBe(200)
  })

  test('is refused for one-time products as well', async () => {
    const [lifetime, coins] = [s.buy(LIFETIME), s.buy(COINS)]
    await s.receipt('svc_ada', lifetime)
    await s.receipt('svc_ada', coins)
    await identify(s, 'svc_ada', 'ada')
    for (const payload of [lifetime, coins]) await expectInUse(() => s.receipt('svc_mallory', payload))
  })

  test('is refused under every body value that a public key may claim', async () => {
    const payload = await adaBuys({ appAccountToken: ADA })
    const body = { receipt: s.sign(payload), appUserId: 'svc_mallory', productId: payload.productId }
    for (const claims of [
      { appAccountToken: ADA },
      { obfuscatedAccountId: ADA },
      { obfuscatedProfileId: ADA },
      { presentedContext: { appAccountToken: ADA, appUserId: 'ada' } },
      { deviceKey: 'svc_ada', subscriberId: 'svc_ada' },
    ])
      await expectInUse(() => s.post('/v1/receipts/ios', { ...body, ...claims }))
  })

  test("is refused although the same receipt has an Idempotency-Key of Ada's device", async () => {
    const payload = await adaBuys()
    const options = { headers: { 'idempotency-key': 'same' } }
    expect((await s.receipt('svc_ada', payload, options)).status).toBe(200)
    await expectInUse(() => s.receipt('svc_mallory', payload, options))
  })
})

describe('row 1, the setting always', () => {
  test("moves even a labelled person's purchase", async () => {
    await setting('always')
    const payload = await adaBuys()
    await s.receipt('svc_new', payload)
    await expectMoved('svc_new')
    // It moves back again, each time it is posted.
    expect(Object.keys((await s.receipt('svc_ada', payload)).body.data.access)).toEqual(['pro'])
    expect(await access(s, 'svc_new')).toEqual({})
    expect(await transfers()).toHaveLength(2)
  })
})

describe('row 2, a synthetic owner', () => {
  /** The row that a store notification leaves: its key can belong to no device. */
  async function synthetic(...payloads: ReturnType<Stage['buy']>[]) {
    for (const payload of payloads) await s.receipt('svc_ada', payload)
    const { id } = await rowOf(s, 'svc_ada')
    await damage(s, id, { deviceKey: `ios:${payloads[0]?.originalTransactionId}`, isSynthetic: true })
    return id
  }

  for (const name of SETTINGS)
    test(`is merged into whoever shows the receipt, with the setting ${name}`, async () => {
      await setting(name)
      const payload = s.buy(YEARLY)
      const id = await synthetic(payload)
      const { status, body } = await s.receipt('svc_new', payload)
      expect([status, Object.keys(body.data.access).sort()]).toEqual([200, ['coach', 'pro']])
      expect(body.data.virtualCurrencyBalances).toEqual({ coins: 500 })
      const merged = await rowOf(s, `ios:${payload.originalTransactionId}`)
      expect(merged.mergedInto).toBe((await rowOf(s, 'svc_new')).id)
      const [transfer] = await transfers()
      expect(transfer).toMatchObject({ cause: 'RECEIPT', fromSubscriberId: id, moved: { isMerge: true, label: null } })
      expect(await eventTypes(s, (await rowOf(s, 'svc_new')).id)).toEqual([
        'currency.transaction',
        'entitlement.granted',
        'entitlement.granted',
        'subscriber.transferred',
      ])
    })

  test('with another purchase beside gives the one and lives on with the other', async () => {
    await setting('never')
    const [month, forever] = [s.buy(MONTHLY), s.buy(LIFETIME)]
    const id = await synthetic(month, forever)
    await s.receipt('svc_new', month)
    expect(await rowOf(s, `ios:${month.originalTransactionId}`)).toMatchObject({ id, mergedInto: null })
    const owned = (await purchases()).filter(({ subscriberId }) => subscriberId === id)
    expect(owned.map(({ originalTransactionId }) => originalTransactionId)).toEqual([forever.originalTransactionId])
    expect((await transfers())[0]?.moved).toMatchObject({ isMerge: false })
  })

  test("that an import made counts as labelled: its purchase is somebody's", async () => {
    const payload = s.buy(MONTHLY)
    const id = await synthetic(payload)
    await damage(s, id, { deviceKey: 'import:ada', appUserId: 'ada' })
    for (const name of ['whenAnonymous', 'never'] as const) {
      await setting(name)
      await expectInUse(() => s.receipt('svc_mallory', payload))
    }
    // A device that identifies as this person joins it; with the setting `always` the label stays at its row.
    await setting('always')
    await s.receipt('svc_new', payload)
    expect(await rowOf(s, 'import:ada')).toMatchObject({ appUserId: 'ada', mergedInto: null })
    expect((await identify(s, 'svc_ada', 'ada')).body.data.transferred).toBe(true)
  })
})

describe('row 3, a proven account', () => {
  test('moves to whoever has bought with that account token before, even with the setting never', async () => {
    await setting('never')
    const payload = await adaBuys({ appAccountToken: ADA })
    await s.receipt('svc_new', s.buy(COINS, { appAccountToken: ADA.toUpperCase() }))
    await s.receipt('svc_new', payload)
    await expectMoved('svc_new')
  })

  test('moves by a secret key whose appAccountToken is the one that the store signed, in either case of letters', async () => {
    await setting('never')
    const payload = await adaBuys({ appAccountToken: ADA })
    const body = { receipt: s.sign(payload), appUserId: 'svc_new', productId: payload.productId }
    const secret = { key: s.project.secretKey }
    await expectInUse(() => s.post('/v1/receipts/ios', { ...body, appAccountToken: BO }, secret))
    await expectInUse(() => s.post('/v1/receipts/ios', body, secret))
    await expectInUse(() => s.post('/v1/receipts/ios', { ...body, appAccountToken: ADA }))
    const moved = await s.post('/v1/receipts/ios', { ...body, appAccountToken: ADA.toUpperCase() }, secret)
    expect(moved.status).toBe(200)
    await expectMoved('svc_new')
  })

  test('is not proven by another token, by none, or by one of another project', async () => {
    const payload = await adaBuys({ appAccountToken: ADA })
    await s.receipt('svc_bo', s.buy(COINS, { appAccountToken: BO }))
    await s.receipt('svc_cy', s.buy(COINS))
    await s.receipt('svc_di', s.buy(COINS, { appAccountToken: ADA }), { key: s.other.publicKey })
    for (const device of ['svc_bo', 'svc_cy', 'svc_di']) await expectInUse(() => s.receipt(device, payload))
  })

  test('is not proven by a sandbox purchase for one that was paid', async () => {
    const payload = await adaBuys({ appAccountToken: ADA })
    const { purchases: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ environment: 'PRODUCTION' }))
    await s.receipt('svc_mallory', s.buy(COINS, { appAccountToken: ADA }))
    await expectInUse(() => s.receipt('svc_mallory', payload))
  })

  test('is not proven for a purchase without a token, whatever the claimant has', async () => {
    const payload = await adaBuys()
    await s.receipt('svc_new', s.buy(COINS, { appAccountToken: ADA }))
    await expectInUse(() => s.receipt('svc_new', payload))
    const body = { receipt: s.sign(payload), appUserId: 'svc_new', productId: payload.productId }
    await expectInUse(() => s.post('/v1/receipts/ios', { ...body, appAccountToken: ADA }, { key: s.project.secretKey }))
  })
})

describe('row 4, an owner without a label', () => {
  test('gives the purchase to whoever shows the receipt: a reinstall', async () => {
    const payload = await adaBuys({}, null)
    await s.receipt('svc_new', payload)
    await expectMoved('svc_new')
  })

  test('gives it with the setting always, and not with never', async () => {
    const payload = await adaBuys({}, null)
    await setting('never')
    await expectInUse(() => s.receipt('svc_new', payload))
    await setting('always')
    await s.receipt('svc_new', payload)
    await expectMoved('svc_new')
  })
})

describe('a purchase that moves', () => {
  test('recomputes access for both, moves its money lines and records a transfer', async () => {
    const payload = await adaBuys({}, null)
    const adaEvents = listenTo(s, 'svc_ada')
    await adaEvents()
    const answer = await s.receipt('svc_new', payload)
    const [from, to] = [await rowOf(s, 'svc_ada'), await rowOf(s, 'svc_new')]
    const [purchase] = await purchases()
    expect(await adaEvents()).toEqual(['entitlement.revoked', 'subscriber.transferred'])
    expect(await eventTypes(s, to.id)).toEqual(['entitlement.granted', 'subscriber.transferred'])
    expect(await money(s, from.id)).toEqual([])
    expect(await money(s, to.id)).toEqual([['INITIAL', 9_990_000]])
    const [transfer, ...others] = await transfers()
    expect(others).toEqual([])
    expect(transfer).toMatchObject({
      cause: 'RECEIPT',
      fromSubscriberId: from.id,
      toSubscriberId: to.id,
      undoneAt: null,
      moved: { isMerge: false, label: null, labelGiven: false, purchaseIds: [purchase?.id], credits: {} },
    })
    const sides = { transferId: transfer?.id, fromSubscriberId: from.id, toSubscriberId: to.id }
    for (const [device, role] of [
      ['svc_ada', 'FROM'],
      ['svc_new', 'TO'],
    ] as const) {
      const event = await lastEvent(s, device, 'subscriber.transferred')
      expect(event.data).toEqual({ ...sides, purchaseIds: [purchase?.id], credits: {}, role })
      expect(event).toMatchObject({ cause: { kind: 'RECEIPT', ref: answer.headers.get('x-request-id') } })
    }
    expect([(await rowOf(s, 'svc_ada')).toldAccess, Object.keys(to.toldAccess)]).toEqual([{}, ['pro']])
  })

  test('shown again by its new owner writes nothing; shown by the old one it moves back', async () => {
    const payload = await adaBuys({}, null)
    await s.receipt('svc_new', payload)
    const before = await everything(s)
    expect((await s.receipt('svc_new', payload)).status).toBe(200)
    expect(await everything(s)).toEqual(before)
    await s.receipt('svc_ada', payload)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })

  test('moves alone: what else the owner has stays, and access that it still gives is not revoked', async () => {
    await s.receipt('svc_ada', s.buy(YEARLY))
    const payload = await adaBuys({}, null)
    const adaEvents = listenTo(s, 'svc_ada')
    await adaEvents()
    await s.receipt('svc_new', payload)
    expect(Object.keys(await access(s, 'svc_ada')).sort()).toEqual(['coach', 'pro'])
    expect(Object.keys(await access(s, 'svc_new'))).toEqual(['pro'])
    expect(await adaEvents()).toEqual(['subscriber.transferred'])
  })

  test('by its renewal is told as moved first, then as renewed', async () => {
    const payload = await adaBuys({}, null)
    s.ctx.clock.set((payload.expiresDate ?? 0) - 1)
    await s.receipt('svc_new', renew(s, payload, MONTHLY))
    expect(await eventTypes(s, (await rowOf(s, 'svc_new')).id)).toEqual([
      'entitlement.granted',
      'subscriber.transferred',
      'purchase.renewed',
    ])
    expect(await money(s, (await rowOf(s, 'svc_new')).id)).toHaveLength(2)
  })

  test('keeps its place in the events: numbers of both have no gap after many moves', async () => {
    const payload = await adaBuys({}, null)
    for (const device of ['svc_b', 'svc_c', 'svc_ada', 'svc_b']) await s.receipt(device, payload)
    for (const device of ['svc_ada', 'svc_b', 'svc_c']) await eventTypes(s, (await rowOf(s, device)).id)
    expect(await transfers()).toHaveLength(4)
  })
})

test('a synthetic owner whom a device was merged into is somebody', async () => {
  await changeSettings(s, { purchaseTransfer: 'never' })
  const unowned = s.buy(YEARLY)
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], unowned)
  const own = s.buy(MONTHLY)
  await s.receipt('svc_ada', own)
  const sides = { fromAppUserId: 'svc_ada', toAppUserId: `ios:${unowned.originalTransactionId}` }
  const { body } = await s.post('/v1/subscribers/transfer', sides, { key: s.project.secretKey })
  for (const one of [own, unowned]) {
    const taken = await s.receipt('svc_mallory', one)
    expect([taken.status, taken.body.error?.code]).toEqual([409, 'RECEIPT_IN_USE'])
  }
  expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['coach', 'pro'])
  const undo = `/v1/subscribers/transfer/${body.data.transferId}/undo`
  expect((await s.post(undo, {}, { key: s.project.secretKey })).status).toBe(200)
  expect((await s.receipt('svc_bo', unowned)).status).toBe(200)
})

describe('a family share', () => {
  const share = () => s.buy(MONTHLY, { ownershipType: 'FAMILY_SHARED' })
  const members = (count: number) => Array.from({ length: count }, (_, index) => `svc_member_${index}`)
  const revoked = (payload: ReturnType<Stage['buy']>) => ({
    ...payload,
    revocationDate: s.ctx.clock.now(),
    signedDate: payload.signedDate + 1,
  })

  for (const name of SETTINGS)
    test(`unlocks for six, the seventh is 409, and it never moves (setting ${name})`, async () => {
      await setting(name)
      const payload = share()
      for (const device of members(6)) {
        const { status, body } = await s.receipt(device, payload)
        expect([device, status, Object.keys(body.data.access)]).toEqual([device, 200, ['pro']])
      }
      await expectInUse(() => s.receipt('svc_seventh', payload))
      for (const device of members(6)) {
        expect((await s.receipt(device, payload)).status).toBe(200)
        expect(Object.keys(await access(s, device))).toEqual(['pro'])
      }
      expect(await transfers()).toEqual([])
      expect(await purchases()).toHaveLength(6)
      // No family member was charged.
      expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toEqual([])
    })

  test('ends for the member who leaves the family, and makes room for another', async () => {
    const payload = share()
    for (const device of members(6)) await s.receipt(device, payload)
    const newEvents = listenTo(s, 'svc_member_2')
    await newEvents()
    const { body } = await s.receipt('svc_member_2', revoked(payload))
    expect(body.data.access).toEqual({})
    expect(await newEvents()).toEqual(['purchase.revoked', 'entitlement.revoked'])
    for (const device of ['svc_member_1', 'svc_member_3']) expect(Object.keys(await access(s, device))).toEqual(['pro'])
    expect((await s.receipt('svc_seventh', payload)).status).toBe(200)
    await expectInUse(() => s.receipt('svc_eighth', payload))
  })

  test('told as revoked first takes no room and unlocks nothing', async () => {
    const payload = share()
    for (const device of members(6)) await s.receipt(device, payload)
    const { status, body } = await s.receipt('svc_seventh', revoked(payload))
    expect([status, body.data.access]).toEqual([200, {}])
  })

  test('beside the purchase of the one who paid are seven, and money once', async () => {
    const bought = s.buy(MONTHLY)
    await s.receipt('svc_buyer', bought)
    const shared = { ...bought, transactionId: '2700000000000001', inAppOwnershipType: 'FAMILY_SHARED' }
    for (const device of members(6)) expect((await s.receipt(device, shared)).status).toBe(200)
    expect(Object.keys(await access(s, 'svc_buyer'))).toEqual(['pro'])
    expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
  })

  test('of one person on two devices is one after they identify: no new event, and a revocation ends it', async () => {
    const payload = share()
    await s.receipt('svc_phone', payload)
    await s.receipt('svc_tablet', payload)
    await identify(s, 'svc_phone', 'ada')
    await identify(s, 'svc_tablet', 'ada')
    const before = await everything(s)
    for (const device of ['svc_phone', 'svc_tablet']) expect((await s.receipt(device, payload)).status).toBe(200)
    expect(await everything(s)).toEqual(before)
    await s.receipt('svc_phone', revoked(payload))
    expect(await access(s, 'svc_phone')).toEqual({})
    expect(await access(s, 'svc_tablet')).toEqual({})
  })

  test('of a member whose row was merged is known to the survivor, and takes one place', async () => {
    const payload = share()
    for (const device of members(6)) await s.receipt(device, payload)
    for (const device of members(2)) await identify(s, device, 'ada')
    const before = await everything(s)
    for (const device of members(2)) expect((await s.receipt(device, payload)).status).toBe(200)
    expect(await everything(s)).toEqual(before)
    expect((await s.receipt('svc_seventh', payload)).status).toBe(200)
    await expectInUse(() => s.receipt('svc_eighth', payload))
  })
})

test('a purchase whose owner was merged away belongs to the survivor, with its label', async () => {
  const payload = await adaBuys()
  await identify(s, 'svc_new', 'ada')
  await expectInUse(() => s.receipt('svc_mallory', payload))
  const { subscribers: t } = s.ctx.tables
  const [owner] = await s.ctx.db.select().from(t).where(eq(t.appUserId, 'ada'))
  expect((await purchases())[0]?.subscriberId).toBe(owner?.id ?? '')
})
