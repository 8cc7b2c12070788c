import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sweepActions } from '../../src/commerce/actions/sweep'
import { allRows, grant as grantInside, lastAction, onlyPurchase } from '../support/actions'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { access, lastEvent } from '../support/facts'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeEach(async () => {
  s = await stage()
  team = staff(s)
  await s.get('/v1/me', 'svc_ada')
})
afterEach(() => s.close())

const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
const isoIn = (ms: number) => new Date(s.ctx.clock.now() + ms).toISOString()
const support = () => team.as('CUSTOMER_SUPPORT')
const schedule = (purchaseId: string, body: object = {}) =>
  support().post(`/subscriptions/${purchaseId}/schedule`, { action: 'CANCEL', dueAt: isoIn(DAY), ...body })
const callOff = (purchaseId: string) => support().delete(`/subscriptions/${purchaseId}/schedule`)

async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = await allRows(s)
  const { status, body } = await call()
  expect(await allRows(s)).toEqual(before)
  return [status, body.error.code, ...(body.error.details === undefined ? [] : [body.error.details])]
}

const conflict = (reason: string) => [409, 'SCHEDULED_ACTION_CONFLICT', { reason }]
const granted = async () => (await grantInside(s, { accessIds: ['pro'] })).id

describe('a scheduled cancellation', () => {
  test('waits, is listed, is carried out at its time, and names who scheduled it', async () => {
    const id = await granted()
    const { status, body } = await schedule(id, { revokeImmediately: true })
    expect(status).toBe(201)
    const now = new Date(s.ctx.clock.now()).toISOString()
    const action = { purchaseId: id, action: 'CANCEL', dueAt: isoIn(DAY), revokeImmediately: true }
    const state = { status: 'PENDING', error: null }
    const stamps = { createdAt: now, updatedAt: now }
    expect(body.data).toEqual({ id: expect.stringMatching(/^act_/), ...action, ...state, ...stamps })
    expect((await support().get('/subscriptions/scheduled')).body.data).toEqual({
      items: [body.data],
      nextCursor: null,
    })
    expect((await auditRows()).at(-1)).toMatchObject({
      actor: { kind: 'USER', id: 'usr_customer_support' },
      action: 'purchase.schedule',
      target: { type: 'purchase', id },
    })
    s.ctx.clock.advance(DAY)
    await sweepActions(s.ctx)
    expect(await access(s, 'svc_ada')).toEqual({})
    const listed = await support().get('/subscriptions/scheduled?status=EXECUTED')
    expect(listed.body.data.items).toMatchObject([{ id: body.data.id, status: 'EXECUTED' }])
    expect(await lastEvent(s, 'svc_ada', 'purchase.revoked')).toMatchObject({ cause: { ref: body.data.id } })
  })

  test('is called off once', async () => {
    const id = await granted()
    await schedule(id)
    const { status, body } = await callOff(id)
    expect([status, body]).toEqual([200, { data: { deleted: true } }])
    expect((await lastAction(s)).status).toBe('CANCELLED')
    expect((await auditRows()).filter(({ action }) => action === 'purchase.unschedule')).toHaveLength(1)
    expect(await refused(() => callOff(id))).toEqual(conflict('not_pending'))
    s.ctx.clock.advance(DAY)
    await sweepActions(s.ctx)
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
  })

  test('by two at once is one', async () => {
    const id = await granted()
    const answers = await Promise.all([schedule(id), schedule(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await support().get('/subscriptions/scheduled')).body.data.items).toHaveLength(1)
  })

  test('is called off by two at once only once', async () => {
    const id = await granted()
    await schedule(id)
    const answers = await Promise.all([callOff(id), callOff(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('a dry run', () => {
  test('shows what the cancellation would take, and writes nothing', async () => {
    const id = await granted()
    const before = await allRows(s)
    const { status, body } = await schedule(id, { revokeImmediately: true, dryRun: true })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      dryRun: true,
      result: { purchaseId: id, status: 'PENDING', dueAt: isoIn(DAY) },
      access: { before: { pro: { store: 'MANUAL' } }, after: {} },
      eventTypes: ['purchase.revoked', 'entitlement.revoked'],
    })
    expect(body.data.access.after).toEqual({})
    expect(await allRows(s)).toEqual(before)
  })

  test('without revokeImmediately keeps the access', async () => {
    const { id } = await grantInside(s, { productId: 'pro_monthly', expiresAt: s.ctx.clock.now() + 30 * DAY })
    const { access: sides, eventTypes } = (await schedule(id, { dryRun: true })).body.data
    expect(sides.after).toEqual(sides.before)
    expect(Object.keys(sides.after)).toEqual(['pro'])
    expect(eventTypes).toEqual(['purchase.cancelled'])
  })

  test('is refused for what the real one is refused for', async () => {
    const id = await granted()
    await schedule(id)
    expect(await refused(() => schedule(id, { dryRun: true }))).toEqual(conflict('pending'))
  })
})

describe('refused', () => {
  test('of a purchase that has ended', async () => {
    const { id } = await grantInside(s, { accessIds: ['pro'], expiresAt: s.ctx.clock.now() + DAY })
    s.ctx.clock.advance(2 * DAY)
    expect(await refused(() => schedule(id))).toEqual(conflict('terminal'))
  })

  test('while another one waits', async () => {
    const id = await granted()
    await schedule(id)
    expect(await refused(() => schedule(id))).toEqual(conflict('pending'))
  })

  test('calling off what nobody scheduled', async () => {
    const id = await granted()
    expect(await refused(() => callOff(id))).toEqual(conflict('not_pending'))
  })

  test('of an iOS purchase, and revoking it at once', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const { id } = await onlyPurchase(s)
    expect(await refused(() => schedule(id))).toEqual([409, 'STORE_CANCEL_UNSUPPORTED'])
    expect(await refused(() => schedule(id, { dryRun: true }))).toEqual([409, 'STORE_CANCEL_UNSUPPORTED'])
    expect(await refused(() => schedule(id, { revokeImmediately: true }))).toEqual([
      400,
      'REVOKE_IMMEDIATELY_UNSUPPORTED',
    ])
  })

  test.each<[name: string, body: () => object]>([
    ['too early', () => ({ dueAt: isoIn(MINUTE - 1) })],
    ['too late', () => ({ dueAt: isoIn(800 * DAY) })],
    ['at no instant', () => ({ dueAt: 'tomorrow, maybe' })],
    ['with another action', () => ({ action: 'PAUSE' })],
    ['with a member that does not exist', () => ({ note: 'x' })],
    ['with a text in place of a switch', () => ({ revokeImmediately: 'yes' })],
  ])('%s', async (_name, body) => {
    const id = await granted()
    expect((await refused(() => schedule(id, body()))).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('of a purchase of another project, or of none', async () => {
    await s.receipt('svc_bo', s.buy(MONTHLY), { key: s.other.publicKey })
    const { id } = await onlyPurchase(s)
    for (const one of [id, 'pur_0', 'x'.repeat(64)]) {
      expect(await refused(() => schedule(one))).toEqual([404, 'NOT_FOUND'])
      expect(await refused(() => callOff(one))).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('for who may not write subscribers', async () => {
    const id = await granted()
    const path = `/subscriptions/${id}/schedule`
    const body = { action: 'CANCEL', dueAt: isoIn(DAY) }
    const code = [403, 'CAPABILITY_REQUIRED', { role: 'GROWTH', capability: 'subscribers:write' }]
    expect(await refused(() => team.as('GROWTH').post(path, body))).toEqual(code)
    expect(await refused(() => team.as('GROWTH').delete(path))).toEqual(code)
    expect(await refused(() => team.as('GROWTH').get('/subscriptions/scheduled'))).toEqual(code)
  })
})

describe('the list', () => {
  test('has pages, newest first, of one status', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      ids.unshift((await schedule(await granted())).body.data.id)
      s.ctx.clock.advance(1)
    }
    const read = async (query: string) => (await support().get(`/subscriptions/scheduled${query}`)).body.data
    const first = await read('?limit=2')
    const second = await read(`?limit=2&cursor=${first.nextCursor}`)
    const third = await read(`?limit=2&cursor=${second.nextCursor}`)
    const pages = [first, second, third]
    expect(pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id))).toEqual(ids)
    expect(third.nextCursor).toBeNull()
    const foreign = await support().get(`/subscriptions/scheduled?status=PENDING&cursor=${first.nextCursor}`)
    expect([foreign.status, foreign.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    for (const query of ['?status=OPEN', '?limit=0', '?limit=201', '?cursor=x', '?other=1'])
      expect((await support().get(`/subscriptions/scheduled${query}`)).status).toBe(400)
  })
})
