import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  balances,
  changeSettings,
  eventTypes,
  everything,
  give,
  identify,
  money,
  refund,
  rowOf,
} from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const PRO_YEAR = { coach: '2027-11-20T08:00:00.000Z', pro: '2027-11-20T08:00:00.000Z' }

const transfers = () => s.ctx.db.select().from(s.ctx.tables.transfers)

/** Ada on two devices: the old one has her label and everything she bought, the new one is anonymous. */
async function ada() {
  const { body } = await s.receipt('svc_old', s.buy(YEARLY))
  await identify(s, 'svc_old', 'ada')
  await give(s, 'ada', 42, 'gift')
  await s.get('/v1/me', 'svc_new')
  return { oldId: body.data.subscriber.id as string, newId: (await rowOf(s, 'svc_new')).id }
}

type Assignment = Stage['ctx']['tables']['assignments']['$inferInsert']

const assign = (subscriberId: string, experimentId: string, variantId: string, more: Partial<Assignment> = {}) =>
  s.ctx.write(async (tx) => {
    const row = { experimentId, subscriberId, projectId: s.project.id, variantId, hashVersion: 1, assignedAt: 1 }
    await tx.db.insert(tx.tables.assignments).values({ ...row, ...more })
  })

async function assignments(subscriberId: string) {
  const { assignments: t } = s.ctx.tables
  const rows = await s.ctx.db.select().from(t).where(eq(t.subscriberId, subscriberId))
  return rows.map(({ experimentId, variantId }) => [experimentId, variantId]).sort()
}

describe('a label on another row', () => {
  test('brings purchases, money lines and balances to this device', async () => {
    const { oldId, newId } = await ada()
    const { body } = await identify(s, 'svc_new', 'ada')
    expect(body.data).toEqual({ subscriberId: newId, appUserId: 'ada', transferred: true })
    expect(await access(s, 'svc_new')).toEqual(PRO_YEAR)
    expect(await balances(s, 'svc_new')).toEqual({ coins: 500, gems: 42 })
    expect(await money(s, newId)).toEqual([['INITIAL', 79_990_000]])
    expect(await money(s, oldId)).toEqual([])
    // Both devices are one subscriber now.
    expect((await s.get('/v1/me', 'svc_old')).body).toEqual((await s.get('/v1/me', 'svc_new')).body)
    const merged = await rowOf(s, 'svc_old')
    expect(merged).toMatchObject({ mergedInto: newId, appUserId: null })
  })

  test('is told to both with one transfer id, in order, and recorded', async () => {
    const { oldId, newId } = await ada()
    const known = (await s.events(oldId)).length
    const answer = await identify(s, 'svc_new', 'ada')
    const [from, to] = [(await s.events(oldId)).slice(known), await s.events(newId)]
    expect(from.map(({ type }) => type)).toEqual([
      'currency.transaction',
      'currency.transaction',
      'entitlement.revoked',
      'entitlement.revoked',
      'subscriber.transferred',
    ])
    expect(to.map(({ type }) => type)).toEqual([
      'currency.transaction',
      'currency.transaction',
      'entitlement.granted',
      'entitlement.granted',
      'subscriber.transferred',
      'subscriber.identified',
    ])
    await eventTypes(s, oldId)
    await eventTypes(s, newId)
    const [transfer, ...others] = await transfers()
    expect(others).toEqual([])
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const sides = { transferId: transfer?.id, fromSubscriberId: oldId, toSubscriberId: newId }
    const data = { ...sides, purchaseIds: [purchase?.id], credits: { coins: 500, gems: 42 } }
    expect(from.at(-1)?.data).toEqual({ ...data, role: 'FROM' })
    expect(to.at(-2)?.data).toEqual({ ...data, role: 'TO' })
    for (const event of [...from, ...to])
      expect(event).toMatchObject({ cause: { kind: 'IDENTIFY', ref: answer.headers.get('x-request-id') } })
    expect(transfer).toMatchObject({
      projectId: s.project.id,
      cause: 'IDENTIFY',
      fromSubscriberId: oldId,
      toSubscriberId: newId,
      undoneAt: null,
      moved: { isMerge: true, label: 'ada', labelGiven: true, purchaseIds: [purchase?.id], attributeKeys: [] },
    })
  })

  test('moves each balance by one TRANSFER_OUT and one TRANSFER_IN that name the transfer', async () => {
    const { oldId, newId } = await ada()
    await identify(s, 'svc_new', 'ada')
    const [transfer] = await transfers()
    const rows = await s.ctx.db.select().from(s.ctx.tables.ledger)
    const moved = rows.filter(({ type }) => type.startsWith('TRANSFER'))
    const facts = moved.map(({ subscriberId, type, amount, balance }) => [
      subscriberId,
      type,
      Number(amount),
      Number(balance),
    ])
    expect(facts.sort()).toEqual(
      [
        [oldId, 'TRANSFER_OUT', -500, 0],
        [oldId, 'TRANSFER_OUT', -42, 0],
        [newId, 'TRANSFER_IN', 500, 500],
        [newId, 'TRANSFER_IN', 42, 42],
      ].sort(),
    )
    expect(moved.map(({ referenceType, referenceId }) => `${referenceType} ${referenceId}`)).toEqual(
      moved.map(() => `transfer ${transfer?.id}`),
    )
    expect(await balances(s, 'svc_old')).toEqual({ coins: 500, gems: 42 })
  })

  test('a merge that forgets to recompute access', async () => {
    const { oldId, newId } = await ada()
    const known = (await s.events(oldId)).length
    await identify(s, 'svc_new', 'ada')
    const from = (await s.events(oldId)).slice(known)
    const to = await s.events(newId)
    const entry = (store: string) => ({
      isActive: true,
      expiresDate: PRO_YEAR.pro,
      store,
      productIdentifier: 'pro_yearly',
    })
    const held = { coach: entry('IOS_STORE'), pro: entry('IOS_STORE') }
    for (const event of from)
      expect(event).toMatchObject({ before: { access: held }, after: { access: {}, balances: { coins: 0, gems: 0 } } })
    for (const event of to.slice(0, 5)) {
      expect(event.before).toEqual({ access: {}, balances: {} })
      expect(event.after).toEqual({ access: held, balances: { coins: 500, gems: 42 } })
    }
    expect(to[5]?.before).toEqual(to[5]?.after)
    const [merged, survivor] = [await rowOf(s, 'svc_old'), await rowOf(s, 'svc_new')]
    expect([merged.toldAccess, survivor.toldAccess]).toEqual([{}, held] as never)
    // The next change of the purchase is recorded only for the surviving subscriber.
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(purchase?.subscriberId).toBe(newId)
  })

  test('a merge that crashes on equal rows', async () => {
    const { oldId, newId } = await ada()
    await s.receipt('svc_new', s.buy(MONTHLY))
    await give(s, 'svc_new', 5, 'gift') // The same key as Ada's gift, on the other subscriber.
    await assign(oldId, 'exp_both', 'a', { exposedAt: 5 })
    await assign(newId, 'exp_both', 'b')
    await assign(oldId, 'exp_old', 'a')
    await assign(newId, 'exp_new', 'b')
    // Both get the same product at the same price and the same instant.
    await s.receipt('svc_new', s.buy(YEARLY))
    await s.receipt('svc_old', s.buy(COINS))
    await s.receipt('svc_new', s.buy(COINS))
    const attributes = { plan: 'gold', mood: 'good' }
    for (const device of ['svc_old', 'svc_new'])
      await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } })

    const { status, body } = await identify(s, 'svc_new', 'ada')
    expect([status, body.data.transferred]).toEqual([200, true])
    expect(await assignments(newId)).toEqual([
      ['exp_both', 'b'],
      ['exp_new', 'b'],
      ['exp_old', 'a'],
    ])
    expect(await assignments(oldId)).toEqual([])
    const [transfer] = await transfers()
    expect(transfer?.moved).toMatchObject({
      experimentIds: ['exp_old'],
      experimentsDropped: [{ experimentId: 'exp_both', variantId: 'a' }],
    })
    expect(await balances(s, 'svc_new')).toEqual({ coins: 1200, gems: 47 })
    expect(await access(s, 'svc_new')).toEqual(PRO_YEAR)
    expect((await money(s, newId)).map(([kind]) => kind).sort()).toEqual([
      'CREDIT_PURCHASE',
      'CREDIT_PURCHASE',
      'INITIAL',
      'INITIAL',
      'INITIAL',
    ])
    // The key of the gift stays used, whichever subscriber it was used for.
    const again = await give(s, 'ada', 42, 'gift')
    expect(again.body.data).toMatchObject({ replayed: true, balance: 42 })
    expect(await balances(s, 'svc_new')).toEqual({ coins: 1200, gems: 47 })
    await eventTypes(s, oldId)
    await eventTypes(s, newId)
  })

  test('copies the attributes that this device lacks, and keeps its own', async () => {
    await ada()
    const set = (device: string, attributes: object) =>
      s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } })
    await set('svc_old', { plan: 'gold', mood: 'good', $email: 'ada@example.com' })
    await set('svc_new', { plan: 'silver' })
    await identify(s, 'svc_new', 'ada')
    const { subscriber } = (await s.get('/v1/me', 'svc_new')).body.data
    expect(subscriber.attributes).toEqual({ plan: 'silver', mood: 'good', $email: 'ada@example.com' })
    const [transfer] = await transfers()
    expect(transfer?.moved.attributeKeys.toSorted()).toEqual(['$email', 'mood'])
  })

  test('with nothing on either row writes the label, two transfers of nothing, and no more', async () => {
    await identify(s, 'svc_old', 'ada')
    const { oldId, newId } = await (async () => {
      await s.get('/v1/me', 'svc_new')
      return { oldId: (await rowOf(s, 'svc_old')).id, newId: (await rowOf(s, 'svc_new')).id }
    })()
    await identify(s, 'svc_new', 'ada')
    expect(await eventTypes(s, oldId)).toEqual(['subscriber.identified', 'subscriber.transferred'])
    expect(await eventTypes(s, newId)).toEqual(['subscriber.transferred', 'subscriber.identified'])
  })

  test('said again by either device writes nothing', async () => {
    await ada()
    const first = await identify(s, 'svc_new', 'ada')
    const before = await everything(s)
    for (const device of ['svc_new', 'svc_old'])
      expect((await identify(s, device, 'ada')).body.data).toEqual({ ...first.body.data, transferred: false })
    expect(await everything(s)).toEqual(before)
  })
})

describe('after a merge', () => {
  test('a receipt of the merged device counts for the survivor, and an old one changes nothing', async () => {
    const bought = s.buy(MONTHLY)
    await s.receipt('svc_old', bought)
    await identify(s, 'svc_old', 'ada')
    await identify(s, 'svc_new', 'ada')
    const { id } = await rowOf(s, 'svc_new')
    const before = await everything(s)
    for (const device of ['svc_old', 'svc_new']) {
      const { status, body } = await s.receipt(device, bought)
      expect([status, body.data.subscriber.id, body.data.subscriber.appUserId]).toEqual([200, id, 'ada'])
    }
    expect(await everything(s)).toEqual(before)
    await s.receipt('svc_old', s.buy(YEARLY))
    expect(await access(s, 'svc_new')).toEqual(PRO_YEAR)
  })

  test('a refund takes the access from the survivor', async () => {
    const bought = s.buy(MONTHLY)
    await s.receipt('svc_old', bought)
    await identify(s, 'svc_old', 'ada')
    await identify(s, 'svc_new', 'ada')
    const known = (await s.events((await rowOf(s, 'svc_new')).id)).length
    await s.receipt('svc_new', refund(s, bought))
    expect(await access(s, 'svc_old')).toEqual({})
    const types = await eventTypes(s, (await rowOf(s, 'svc_new')).id)
    expect(types.slice(known)).toEqual(['purchase.refunded', 'entitlement.revoked'])
  })

  test('a purchase that granted currency is not paid again', async () => {
    const bought = s.buy(YEARLY)
    await s.receipt('svc_old', bought)
    await identify(s, 'svc_old', 'ada')
    await identify(s, 'svc_new', 'ada')
    await s.receipt('svc_new', { ...bought, signedDate: bought.signedDate + 1 })
    expect(await balances(s, 'svc_new')).toEqual({ coins: 500 })
  })
})

test('a label on the list of sandbox testers unlocks at identify, and is told so', async () => {
  await changeSettings(s, { sandboxAccess: 'allowList', sandboxTesters: ['ada'] })
  await s.receipt('svc_1', s.buy(MONTHLY))
  expect(await access(s, 'svc_1')).toEqual({})
  await identify(s, 'svc_1', 'ada')
  expect(Object.keys(await access(s, 'svc_1'))).toEqual(['pro'])
  const events = await s.events((await rowOf(s, 'svc_1')).id)
  expect(events.map(({ type }) => type)).toEqual(['purchase.initial', 'entitlement.granted', 'subscriber.identified'])
  expect(events[2]).toMatchObject({ before: { access: {} }, after: { access: { pro: { isActive: true } } } })
})
