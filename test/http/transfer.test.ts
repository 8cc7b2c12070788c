import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../src/base/lib/clock'
import { type Answer, COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  balances,
  changeSettings,
  damage,
  eventTypes,
  everything,
  expectRefused,
  give,
  identify,
  lastEvent,
  rowOf,
} from '../support/facts'
import { moreInRelease } from '../support/release'
import { configure } from '../support/remote'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const secret = () => ({ key: s.project.secretKey })
const transfer = (fromAppUserId: string, toAppUserId: string, more: object = {}, options: object = secret()) =>
  s.post('/v1/subscribers/transfer', { fromAppUserId, toAppUserId, ...more }, options)
const undo = (id: string, body: unknown = {}, options: object = secret()) =>
  s.post(`/v1/subscribers/transfer/${id}/undo`, body, options)

const PRO = { pro: '2026-12-20T08:00:00.000Z' }
const ENTRY = {
  isActive: true,
  expiresDate: PRO.pro,
  store: 'IOS_STORE',
  productIdentifier: 'pro_monthly',
}

/** Ada has a month, 42 gems and a label; Bo is new. */
async function adaAndBo() {
  const { body } = await s.receipt('svc_ada', s.buy(MONTHLY))
  await identify(s, 'svc_ada', 'ada')
  await give(s, 'ada', 42, 'gift')
  await identify(s, 'svc_bo', 'bo')
  const purchases = await s.ctx.db.select().from(s.ctx.tables.purchases)
  return { adaId: body.data.subscriber.id as string, boId: (await rowOf(s, 'svc_bo')).id, purchaseId: purchases[0]?.id }
}

type Assignment = Stage['ctx']['tables']['assignments']['$inferInsert']
const assign = (subscriberId: string, experimentId: string, variantId: string, more: Partial<Assignment> = {}) =>
  s.ctx.write(async (tx) => {
    const row = { experimentId, subscriberId, projectId: s.project.id, variantId, hashVersion: 1, assignedAt: 1 }
    await tx.db.insert(tx.tables.assignments).values({ ...row, ...more })
  })

describe('a transfer', () => {
  test('moves everything, and says what', async () => {
    const { adaId, boId, purchaseId } = await adaAndBo()
    const experiments = [
      { id: 'exp_both', key: 'checkout_test' },
      { id: 'exp_one', key: 'colour_test' },
    ]
    await configure(s, { experiments })
    for (const id of ['exp_both', 'exp_one']) await assign(adaId, id, 'a')
    await assign(boId, 'exp_both', 'b')
    const { status, body } = await transfer('ada', 'svc_bo')
    expect([status, body]).toEqual([
      200,
      {
        data: {
          transferId: expect.stringMatching(/^trf_[0-9a-z]{26}$/),
          fromSubscriberId: adaId,
          toSubscriberId: boId,
          creditsTransferred: 42,
          dryRun: false,
          purchases: [{ id: purchaseId, productIdentifier: 'pro_monthly', store: 'IOS_STORE', status: 'ACTIVE' }],
          balances: { gems: 42 },
          experimentsDropped: ['checkout_test'],
          accessBefore: { from: { pro: ENTRY }, to: {} },
          accessAfter: { from: {}, to: { pro: ENTRY } },
          undoableUntil: '2026-12-20T08:00:00.000Z',
        },
      },
    ])
    expect([await access(s, 'svc_bo'), await balances(s, 'svc_bo')]).toEqual([PRO, { gems: 42 }])
    expect((await rowOf(s, 'svc_ada')).mergedInto).toBe(boId)
    expect((await rowOf(s, 'svc_bo')).appUserId).toBe('bo')
    expect((await lastEvent(s, 'svc_ada', 'subscriber.transferred')).data).toMatchObject({ role: 'FROM' })
    expect((await eventTypes(s, boId)).slice(-3)).toEqual([
      'currency.transaction',
      'entitlement.granted',
      'subscriber.transferred',
    ])
  })

  test('of single purchases leaves the source live', async () => {
    const { purchaseId } = await adaAndBo()
    await s.receipt('svc_ada', s.buy(LIFETIME))
    const { status, body } = await transfer('ada', 'bo', { purchaseIds: [purchaseId, purchaseId] })
    expect([status, body.data.purchases.length, body.data.balances]).toEqual([200, 1, {}])
    expect([await access(s, 'svc_ada'), await access(s, 'svc_bo')]).toEqual([{ pro: null }, PRO])
    expect([await balances(s, 'svc_ada'), await rowOf(s, 'svc_ada')]).toMatchObject([
      { gems: 42 },
      { mergedInto: null },
    ])
  })

  test('resolves a receipt that is in use', async () => {
    await adaAndBo()
    const payload = s.buy(YEARLY)
    await s.receipt('svc_ada', payload)
    expect((await s.receipt('svc_bo', payload)).status).toBe(409)
    await transfer('ada', 'bo')
    expect((await s.receipt('svc_bo', payload)).status).toBe(200)
  })

  test('with an Idempotency-Key runs once', async () => {
    await adaAndBo()
    const options = { ...secret(), headers: { 'idempotency-key': 'once' } }
    const first = await transfer('ada', 'bo', {}, options)
    const again = await transfer('ada', 'bo', {}, options)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotent-replay')).toBe('true')
  })

  const preview = async (more: object): Promise<void> => {
    await adaAndBo()
    const before = await everything(s)
    const { status, body } = await transfer('ada', 'bo', { dryRun: true, ...more })
    expect([status, body.data.transferId, body.data.undoableUntil, body.data.dryRun]).toEqual([200, null, null, true])
    expect(await everything(s)).toEqual(before)
    const done = await transfer('ada', 'bo', more)
    const { transferId: _id, undoableUntil: _until, dryRun: _dryRun, ...rest } = done.body.data
    expect(body.data).toMatchObject(rest)
  }
  test('tried as a dry run writes nothing and tells exactly what comes', () => preview({}))
  test('of single purchases can be tried as well', async () => {
    const { purchaseId } = await adaAndBo()
    const before = await everything(s)
    const { body } = await transfer('ada', 'bo', { dryRun: true, purchaseIds: [purchaseId] })
    expect([body.data.purchases.length, body.data.accessAfter]).toEqual([1, { from: {}, to: { pro: ENTRY } }])
    expect(await everything(s)).toEqual(before)
  })
})

describe('a transfer is refused', () => {
  const refuse = async (call: () => Promise<Answer>, status: number, code: string) =>
    expectRefused(s, call, status, code)

  test('without a key, and with a public one', async () => {
    await adaAndBo()
    await refuse(() => transfer('ada', 'bo', {}, { key: null }), 401, 'BEARER_REQUIRED')
    const { body } = await refuse(() => transfer('ada', 'bo', {}, {}), 403, 'FORBIDDEN')
    expect(body.error.message).toBe('Secret API key required')
  })

  test('when either is unknown, or of another project', async () => {
    await adaAndBo()
    await refuse(() => transfer('ada', 'nobody'), 404, 'NOT_FOUND')
    await refuse(() => transfer('nobody', 'bo'), 404, 'NOT_FOUND')
    await refuse(() => transfer('ada', 'bo', {}, { key: s.other.secretKey }), 404, 'NOT_FOUND')
  })

  const bodies: [name: string, more: object][] = [
    ['an unknown member', { force: true }],
    ['a dryRun that is no boolean', { dryRun: 'true' }],
    ['no purchases', { purchaseIds: [] }],
    ['a purchase id that is none', { purchaseIds: ['x'] }],
    ['an empty reference', { toAppUserId: '' }],
    ['a reference that is no text', { toAppUserId: 5 }],
  ]
  for (const [name, more] of bodies)
    test(`with ${name}`, async () => {
      await adaAndBo()
      await refuse(() => transfer('ada', 'bo', more), 400, 'VALIDATION_ERROR')
    })

  test('to oneself, by whatever reference', async () => {
    const { adaId } = await adaAndBo()
    await refuse(() => transfer('ada', adaId), 400, 'VALIDATION_ERROR')
    await refuse(() => transfer('svc_ada', 'ada'), 400, 'VALIDATION_ERROR')
  })

  test('when the source was merged already: its survivor is not moved in its place', async () => {
    const { adaId } = await adaAndBo()
    await transfer('ada', 'bo')
    await identify(s, 'svc_cy', 'cy')
    await refuse(() => transfer(adaId, 'bo'), 400, 'VALIDATION_ERROR')
    await refuse(() => transfer(adaId, 'cy'), 400, 'VALIDATION_ERROR')
    await refuse(() => transfer('svc_ada', 'cy'), 400, 'VALIDATION_ERROR')
  })

  test('when the way of one is broken, or one is erased', async () => {
    const { adaId, boId } = await adaAndBo()
    await damage(s, boId, { erasedAt: 1 })
    await refuse(() => transfer('ada', boId), 409, 'SUBSCRIBER_UNRESOLVABLE')
    await damage(s, boId, { erasedAt: null, mergedInto: boId })
    await refuse(() => transfer(adaId, 'svc_bo'), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('when a purchase is not the source’s', async () => {
    const { purchaseId } = await adaAndBo()
    await refuse(() => transfer('bo', 'ada', { purchaseIds: [purchaseId] }), 409, 'CONFLICT')
    const unknown = `pur_${'0'.repeat(26)}`
    await refuse(() => transfer('ada', 'bo', { purchaseIds: [purchaseId, unknown] }), 409, 'CONFLICT')
  })
})

describe('an undo', () => {
  test('gives back what moved, and nothing else', async () => {
    const { adaId, purchaseId } = await adaAndBo()
    const { body: moved } = await transfer('ada', 'bo')
    await s.receipt('svc_bo', s.buy(LIFETIME))
    const { status, body } = await undo(moved.data.transferId)
    expect([status, body.data]).toEqual([
      200,
      {
        transferId: moved.data.transferId,
        undone: true,
        restoredSubscriberId: adaId,
        purchases: [{ id: purchaseId, productIdentifier: 'pro_monthly', store: 'IOS_STORE', status: 'ACTIVE' }],
        creditsReturned: 42,
        creditsShortfall: 0,
      },
    ])
    expect([await access(s, 'svc_ada'), await access(s, 'svc_bo')]).toEqual([PRO, { pro: null }])
    expect(await rowOf(s, 'svc_ada')).toMatchObject({ appUserId: 'ada', mergedInto: null })
    expect((await lastEvent(s, 'svc_ada', 'subscriber.transferred')).data).toMatchObject({ role: 'TO' })
    await eventTypes(s, adaId)
  })

  test('returns what is left of the credits, and tells the rest', async () => {
    await adaAndBo()
    const { body: moved } = await transfer('ada', 'bo')
    await give(s, 'bo', -30, 'spent')
    expect((await undo(moved.data.transferId)).body.data).toMatchObject({ creditsReturned: 12, creditsShortfall: 30 })
    expect([await balances(s, 'svc_ada'), await balances(s, 'svc_bo')]).toEqual([{ gems: 12 }, { gems: 0 }])
  })

  test('of an identify gives the label back to the row that had it', async () => {
    await s.receipt('svc_old', s.buy(MONTHLY))
    await identify(s, 'svc_old', 'ada')
    await identify(s, 'svc_new', 'ada')
    expect(await access(s, 'svc_new')).toEqual(PRO)
    const [row] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    expect((await undo(row?.id ?? '')).status).toBe(200)
    expect([(await rowOf(s, 'svc_old')).appUserId, (await rowOf(s, 'svc_new')).appUserId]).toEqual(['ada', null])
    expect([await access(s, 'svc_old'), await access(s, 'svc_new')]).toEqual([PRO, {}])
  })

  test('of a move by a receipt gives the purchase back', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_a', payload)
    await s.receipt('svc_b', payload)
    const [row] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    expect((await undo(row?.id ?? '')).status).toBe(200)
    expect([await access(s, 'svc_a'), await access(s, 'svc_b')]).toEqual([PRO, {}])
  })

  test('points the rows that were merged before to the source again', async () => {
    await adaAndBo()
    await s.receipt('svc_cy', s.buy(LIFETIME))
    await transfer('svc_cy', 'ada')
    const { body } = await transfer('ada', 'bo')
    await undo(body.data.transferId)
    expect(await access(s, 'svc_cy')).toEqual({ pro: null })
    expect((await rowOf(s, 'svc_cy')).mergedInto).toBe((await rowOf(s, 'svc_ada')).id)
  })

  test('leaves attributes that were changed since', async () => {
    await adaAndBo()
    const set = (device: string, attributes: object) =>
      s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } })
    await set('svc_ada', { plan: 'gold', team: 'a' })
    const { body } = await transfer('ada', 'bo')
    await set('svc_bo', { plan: 'silver' })
    await undo(body.data.transferId)
    const of = async (device: string) => (await s.get('/v1/me', device)).body.data.subscriber.attributes
    expect([await of('svc_ada'), await of('svc_bo')]).toEqual([{ plan: 'gold', team: 'a' }, { plan: 'silver' }])
  })
})

describe('an undo is refused', () => {
  const made = async () => {
    const cast = await adaAndBo()
    return { ...cast, id: (await transfer('ada', 'bo')).body.data.transferId as string }
  }

  test('without a secret key, of another project, unknown, or with members in its body', async () => {
    const { id } = await made()
    await expectRefused(s, () => undo(id, {}, { key: null }), 401, 'BEARER_REQUIRED')
    await expectRefused(s, () => undo(id, {}, {}), 403, 'FORBIDDEN')
    await expectRefused(s, () => undo(id, {}, { key: s.other.secretKey }), 404, 'NOT_FOUND')
    await expectRefused(s, () => undo('trf_none'), 404, 'NOT_FOUND')
    await expectRefused(s, () => undo(id, { force: true }), 400, 'VALIDATION_ERROR')
  })

  test('the second time', async () => {
    const { id } = await made()
    await undo(id)
    await expectRefused(s, () => undo(id), 409, 'CONFLICT')
  })

  test('after 30 days, and not a moment before', async () => {
    const { id } = await made()
    s.ctx.clock.advance(30 * DAY + 1)
    await expectRefused(s, () => undo(id), 409, 'CONFLICT')
    s.ctx.clock.advance(-1)
    expect((await undo(id)).status).toBe(200)
  })

  test('when a purchase has moved on', async () => {
    const { id, purchaseId } = await made()
    await identify(s, 'svc_cy', 'cy')
    const { body } = await transfer('bo', 'cy', { purchaseIds: [purchaseId] })
    await expectRefused(s, () => undo(id), 409, 'CONFLICT')
    await undo(body.data.transferId)
    expect((await undo(id)).status).toBe(200)
  })

  test('when the target was merged since', async () => {
    const { id } = await made()
    await identify(s, 'svc_cy', 'cy')
    await transfer('bo', 'cy')
    await expectRefused(s, () => undo(id), 409, 'CONFLICT')
  })

  test('when the label is somebody else’s by now', async () => {
    const { id } = await made()
    await identify(s, 'svc_cy', 'ada')
    await expectRefused(s, () => undo(id), 409, 'CONFLICT')
  })

  test('when the source of single purchases was merged since', async () => {
    const { purchaseId } = await adaAndBo()
    const { body } = await transfer('ada', 'bo', { purchaseIds: [purchaseId] })
    await identify(s, 'svc_cy', 'cy')
    await transfer('ada', 'cy')
    await expectRefused(s, () => undo(body.data.transferId), 409, 'CONFLICT')
  })

  test('when one of the two is erased', async () => {
    const { id, boId } = await made()
    await damage(s, boId, { erasedAt: 1 })
    await expectRefused(s, () => undo(id), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })
})

describe('at the same time', () => {
  test('two crossing transfers: one is done, the other finds them one', async () => {
    const { adaId, boId } = await adaAndBo()
    const answers = await Promise.all([transfer(adaId, boId), transfer(boId, adaId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('two undos: one is done', async () => {
    await adaAndBo()
    const { transferId } = (await transfer('ada', 'bo')).body.data
    const answers = await Promise.all([undo(transferId), undo(transferId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect([await balances(s, 'svc_ada'), await balances(s, 'svc_bo')]).toEqual([{ gems: 42 }, { gems: 0 }])
  })

  test('a receipt of the source and a transfer: the purchase is the target’s', async () => {
    const { adaId, boId } = await adaAndBo()
    const receipt = s.receipt('svc_ada', s.buy(LIFETIME))
    const answers = await Promise.all([receipt, transfer(adaId, boId)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await access(s, 'svc_bo')).toEqual({ pro: null })
  })
})

/** Everything that an undo must restore, as text; a balance of 0 is left out. */
async function holdings(subscribers: readonly string[]): Promise<string> {
  const t = s.ctx.tables
  const owned = (await s.ctx.db.select().from(t.purchases)).map(({ id, subscriberId }) => [id, subscriberId]).sort()
  const lines = (await s.ctx.db.select().from(t.transactions)).map(({ id, subscriberId }) => [id, subscriberId]).sort()
  const assigned = (await s.ctx.db.select().from(t.assignments)).map((row) =>
    JSON.stringify(row, Object.keys(row).sort()),
  )
  const rows = (await s.ctx.db.select().from(t.subscribers))
    .filter(({ projectId }) => projectId === s.project.id)
    .map(({ id, appUserId, mergedInto, attributes }) => [id, appUserId, mergedInto, Object.entries(attributes).sort()])
    .sort()
  const maps = []
  for (const id of subscribers) {
    const { access: held } = (await s.call('GET', `/v1/subscribers/${id}/access`, secret())).body.data
    const money = (await s.call('GET', `/v1/virtual-currencies/${id}`, secret())).body.data.balances
    maps.push([id, Object.entries(held).sort(), Object.entries(money).filter(([, amount]) => amount !== 0)])
  }
  return JSON.stringify({ owned, lines, assigned: assigned.sort(), rows, maps })
}

test('transfer and undo leave everything as it was, whoever held what', async () => {
  let run = 0
  const side = fc.record({
    buys: fc.subarray([MONTHLY, YEARLY, LIFETIME, COINS]),
    hasLabel: fc.boolean(),
    gems: fc.integer({ min: 0, max: 5 }),
    experiments: fc.subarray(['exp_a', 'exp_b']),
    attributes: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')),
  })
  await changeSettings(s, { purchaseTransfer: 'never' })
  const law = fc.asyncProperty(side, side, fc.boolean(), async (one, other, isSingle) => {
    run++
    const ids: string[] = []
    for (const [name, { buys, hasLabel, gems, experiments, attributes }] of Object.entries({ one, other })) {
      const device = `svc_${name}_${run}`
      const { id } = (await s.get('/v1/me', device)).body.data.subscriber
      for (const product of buys) await s.receipt(device, s.buy(product))
      if (hasLabel) await identify(s, device, `${name} ${run}`)
      if (gems > 0) await give(s, device, gems, `gift ${run}`)
      for (const experiment of experiments) await assign(id, experiment, name, { exposedAt: run })
      await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } })
      ids.push(id)
    }
    const before = await holdings(ids)
    const [from = '', to = ''] = ids
    const purchases = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const own = purchases.filter(({ subscriberId }) => subscriberId === from).map(({ id }) => id)
    const more = isSingle && own.length > 0 ? { purchaseIds: own.slice(0, 1) } : {}
    const { status, body } = await transfer(from, to, more)
    expect(status).toBe(200)
    expect((await undo(body.data.transferId)).status).toBe(200)
    expect(await holdings(ids)).toBe(before)
    for (const id of ids) await eventTypes(s, id)
  })
  await fc.assert(law, { numRuns: moreInRelease(10, 25), examples: [] })
}, 600_000)
