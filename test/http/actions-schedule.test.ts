import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { actionCron } from '../../src/commerce/actions/jobs'
import { sweepActions } from '../../src/commerce/actions/sweep'
import { toActionView } from '../../src/commerce/actions/wire'
import {
  callOff,
  grant,
  lastAction,
  listScheduled,
  onlyPurchase,
  type Refusal,
  refusedUnchanged,
  schedule,
} from '../support/actions'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { access, damage, everything, identify, lastEvent, listenTo, rowOf } from '../support/facts'

let s: Stage
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await stage()
  await s.get('/v1/me', 'svc_ada')
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

const sweep = () => sweepActions(s.ctx)
const conflict = (reason: string): Refusal => [409, 'SCHEDULED_ACTION_CONFLICT', { reason }]

describe('a cancellation of granted access', () => {
  test('changes nothing before its time, then switches the renewal off and keeps the access', async () => {
    const { id } = await grant(s, { productId: 'pro_monthly', expiresAt: s.ctx.clock.now() + 30 * DAY })
    const held = await access(s, 'svc_ada')
    await newEvents()
    const before = await everything(s)
    const action = await schedule(s, id)
    expect(toActionView(action)).toEqual({
      id: expect.stringMatching(/^act_/),
      purchaseId: id,
      action: 'CANCEL',
      dueAt: new Date(s.ctx.clock.now() + DAY).toISOString(),
      status: 'PENDING',
      error: null,
    })
    s.ctx.clock.advance(DAY - 1)
    expect(await sweep()).toBe(0)
    expect(await everything(s)).toEqual(before)
    s.ctx.clock.advance(1)
    expect(await sweep()).toBe(1)
    expect(await lastAction(s)).toMatchObject({ id: action.id, status: 'EXECUTED', error: null })
    expect(await access(s, 'svc_ada')).toEqual(held)
    expect(await newEvents()).toEqual(['purchase.cancelled'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.cancelled')).toMatchObject({
      cause: { kind: 'SCHEDULE', ref: action.id, store: 'MANUAL' },
      data: { endsAt: held.pro },
      after: { purchase: { autoRenews: false, cancelledAt: new Date(s.ctx.clock.now()).toISOString() } },
    })
  })

  test('with revokeImmediately takes it at that time, for good', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    const action = await schedule(s, id, { revokeImmediately: true })
    await newEvents()
    s.ctx.clock.advance(DAY)
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
    await sweep()
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await newEvents()).toEqual(['purchase.revoked', 'entitlement.revoked'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.revoked')).toMatchObject({
      cause: { kind: 'SCHEDULE', ref: action.id },
      data: { reason: 'DEVELOPER', transaction: null },
    })
    const path = '/v1/subscribers/svc_ada/access/pro/explain'
    const { body } = await s.get(path, undefined, { key: s.project.secretKey })
    expect(body.data).toMatchObject({ isActive: false, decidedBy: { purchaseId: id, rule: 'REVOKED' } })
    // No money was charged, so none is refunded.
    expect((await s.ctx.db.select().from(s.ctx.tables.transactions)).map(({ kind }) => kind)).toEqual(['GRANT'])
    expect(await refusedUnchanged(s, () => schedule(s, id))).toEqual(conflict('terminal'))
  })

  test('is carried out by the job every 15 seconds', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    await schedule(s, id, { revokeImmediately: true, dueAt: s.ctx.clock.now() + MINUTE })
    const worker = new Worker(s.ctx, createRegistry([], actionCron))
    await worker.runDue()
    expect(await lastAction(s)).toMatchObject({ status: 'PENDING' })
    s.ctx.clock.advance(MINUTE - 15 * SECOND)
    expect(await worker.runDue()).toBe(1)
    expect(await lastAction(s)).toMatchObject({ status: 'PENDING' })
    s.ctx.clock.advance(15 * SECOND)
    expect(await worker.runDue()).toBe(1)
    expect(await lastAction(s)).toMatchObject({ status: 'EXECUTED' })
  })

  test('is carried out once by two at once, and by another sweep not again', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    await schedule(s, id, { revokeImmediately: true })
    await newEvents()
    s.ctx.clock.advance(DAY)
    expect((await Promise.all([sweep(), sweep(), sweep()])).toSorted()).toEqual([0, 0, 1])
    const rows = await everything(s)
    s.ctx.clock.advance(DAY)
    expect(await sweep()).toBe(0)
    expect(await everything(s)).toEqual(rows)
    expect(await newEvents()).toEqual(['purchase.revoked', 'entitlement.revoked'])
  })

  test('of many leaves none out', async () => {
    for (let count = 0; count < 12; count++) {
      const { id } = await grant(s, { accessIds: ['pro'] })
      await schedule(s, id, { dueAt: s.ctx.clock.now() + DAY + count })
    }
    s.ctx.clock.advance(DAY + 5)
    expect(await sweep()).toBe(6)
    s.ctx.clock.advance(DAY)
    expect(await sweep()).toBe(6)
  })

  test('goes on after an error of ours, and what failed is tried again', async () => {
    const { observations: o } = s.ctx.tables
    const broken = await grant(s, { accessIds: ['pro'] })
    await schedule(s, broken.id, { revokeImmediately: true })
    s.ctx.clock.advance(1)
    await schedule(s, (await grant(s, { accessIds: ['coach'] })).id, { revokeImmediately: true })
    const [kept] = await s.ctx.db.select().from(o).where(eq(o.purchaseId, broken.id))
    const setPayload = (payload: unknown) =>
      s.ctx.write((tx) =>
        tx.db
          .update(o)
          .set({ payload: payload as NonNullable<typeof kept>['payload'] })
          .where(eq(o.purchaseId, broken.id)),
      )
    await setPayload({ ...kept?.payload, transaction: { purchaseDate: 'never' } })
    s.ctx.clock.advance(DAY)
    await expect(sweep()).rejects.toThrow()
    await setPayload(kept?.payload)
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
    expect(await sweep()).toBe(0)
    s.ctx.clock.advance(MINUTE)
    expect(await sweep()).toBe(1)
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('follows the purchase over a merge and a transfer', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    await schedule(s, id, { revokeImmediately: true })
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_bo', 'ada')
    expect(await access(s, 'svc_bo')).toEqual({ pro: null })
    s.ctx.clock.advance(DAY)
    expect(await sweep()).toBe(1)
    expect(await access(s, 'svc_bo')).toEqual({})
    expect(await lastEvent(s, 'svc_bo', 'purchase.revoked')).toMatchObject({ cause: { kind: 'SCHEDULE' } })
  })

  test('of a grant that ended before comes to nothing', async () => {
    const { id } = await grant(s, { accessIds: ['pro'], expiresAt: s.ctx.clock.now() + DAY })
    await schedule(s, id, { dueAt: s.ctx.clock.now() + DAY })
    s.ctx.clock.advance(DAY)
    const before = await everything(s)
    expect(await sweep()).toBe(1)
    const error = 'the purchase had ended before (EXPIRED)'
    expect(await lastAction(s)).toMatchObject({ status: 'CANCELLED', error })
    expect(await everything(s)).toEqual(before)
  })

  test('of somebody who was erased touches nobody', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    await schedule(s, id)
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: s.ctx.clock.now() })
    const before = await everything(s)
    s.ctx.clock.advance(DAY)
    await sweep()
    expect(await everything(s)).toEqual(before)
    expect(await lastAction(s)).toMatchObject({ status: 'CANCELLED', error: 'its owner was erased' })
  })
})

describe('an action called off', () => {
  test('is not carried out, and another can be scheduled', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    const first = await schedule(s, id, { revokeImmediately: true })
    expect(await refusedUnchanged(s, () => schedule(s, id))).toEqual(conflict('pending'))
    expect(await callOff(s, id)).toMatchObject({ id: first.id, status: 'CANCELLED', error: null })
    expect(await refusedUnchanged(s, () => callOff(s, id))).toEqual(conflict('not_pending'))
    s.ctx.clock.advance(SECOND)
    const second = await schedule(s, id, { dueAt: s.ctx.clock.now() + 2 * DAY, revokeImmediately: true })
    s.ctx.clock.advance(DAY)
    expect(await sweep()).toBe(0)
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
    s.ctx.clock.advance(DAY)
    expect(await sweep()).toBe(1)
    expect(await lastAction(s)).toMatchObject({ id: second.id, status: 'EXECUTED' })
    expect(await refusedUnchanged(s, () => callOff(s, id))).toEqual(conflict('not_pending'))
    const audit = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    expect(audit.map(({ action }) => action)).toEqual([
      'subscriber.grant',
      'purchase.schedule',
      'purchase.unschedule',
      'purchase.schedule',
    ])
  })

  test('by whom it does not concern is not found', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    await schedule(s, id)
    const notFound: Refusal = [404, 'NOT_FOUND', undefined]
    expect(await refusedUnchanged(s, () => callOff(s, id, s.other))).toEqual(notFound)
    expect(await refusedUnchanged(s, () => schedule(s, id, {}, s.other))).toEqual(notFound)
    expect((await listScheduled(s, s.other.id, { limit: 10 })).items).toEqual([])
    s.ctx.clock.advance(DAY)
    expect(await sweep()).toBe(1)
  })
})

describe('two at once', () => {
  test('schedule one action', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    const both = await Promise.allSettled([schedule(s, id), schedule(s, id), schedule(s, id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect((await listScheduled(s, s.project.id, { limit: 10 })).items).toHaveLength(1)
  })

  test('carry out and call off: one of them', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await grant(s, { accessIds: ['coach'] })
      await schedule(s, id, { revokeImmediately: true })
      s.ctx.clock.advance(DAY)
      const [swept, off] = await Promise.allSettled([sweep(), callOff(s, id)])
      const isOff = off.status === 'fulfilled'
      expect(swept).toMatchObject({ status: 'fulfilled', value: isOff ? 0 : 1 })
      expect(await lastAction(s)).toMatchObject({ status: isOff ? 'CANCELLED' : 'EXECUTED' })
      const row = (await s.ctx.db.select().from(s.ctx.tables.purchases)).find((one) => one.id === id)
      expect(row?.status).toBe(isOff ? 'ACTIVE' : 'REVOKED')
    }
  })
})

test('actions are listed the newest first, page by page, by status', async () => {
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    s.ctx.clock.advance(SECOND)
    ids.unshift((await schedule(s, (await grant(s, { accessIds: ['pro'] })).id)).id)
  }
  const [last] = (await listScheduled(s, s.project.id, { limit: 1 })).items
  await callOff(s, last?.purchaseId ?? '')
  const first = await listScheduled(s, s.project.id, { limit: 3 })
  expect([first.items.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 3), true])
  const rest = await listScheduled(s, s.project.id, { limit: 3, beforeId: ids[2] })
  expect([rest.items.map(({ id }) => id), rest.hasMore]).toEqual([ids.slice(3), false])
  const pending = await listScheduled(s, s.project.id, { limit: 10, status: 'PENDING' })
  expect(pending.items.map(({ id }) => id)).toEqual(ids.slice(1))
})

describe('nothing is scheduled', () => {
  test('for a purchase of the iOS store', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const { id } = await onlyPurchase(s)
    const refusals = [
      await refusedUnchanged(s, () => schedule(s, id)),
      await refusedUnchanged(s, () => schedule(s, id, { revokeImmediately: true })),
    ]
    expect(refusals).toEqual([
      [409, 'STORE_CANCEL_UNSUPPORTED', undefined],
      [400, 'REVOKE_IMMEDIATELY_UNSUPPORTED', undefined],
    ])
  })

  test('too soon, too late, or of what does not renew', async () => {
    const { id } = await grant(s, { accessIds: ['pro'] })
    const once = await grant(s, { productId: 'lifetime' })
    const invalid: Refusal = [400, 'VALIDATION_ERROR', undefined]
    for (const ms of [-DAY, 0, MINUTE - 1, 800 * DAY])
      expect(await refusedUnchanged(s, () => schedule(s, id, { dueAt: s.ctx.clock.now() + ms }))).toEqual(invalid)
    expect(await refusedUnchanged(s, () => schedule(s, once.id))).toEqual(invalid)
    await schedule(s, once.id, { revokeImmediately: true })
  })

  test('for a purchase that nobody made', async () => {
    for (const id of ['pur_none', ''])
      expect(await refusedUnchanged(s, () => schedule(s, id))).toEqual([404, 'NOT_FOUND', undefined])
  })

  test('for what has expired, told or not', async () => {
    const { id } = await grant(s, { accessIds: ['pro'], expiresAt: s.ctx.clock.now() + DAY })
    s.ctx.clock.advance(DAY)
    expect(await refusedUnchanged(s, () => schedule(s, id))).toEqual(conflict('terminal'))
  })
})
