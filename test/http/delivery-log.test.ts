import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { closeTarget, openTarget } from '../../src/outward/deliveries/targets'
import { type Answer, type Stage, stage } from '../support/cast'
import { delivered, deliveryOf, deliveryRows, deviceOwner, endpoint, happen } from '../support/deliveries'
import { auditRows, changes, dataOf } from '../support/operator'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
let target: string
let ada: string
beforeEach(async () => {
  s = await stage()
  target = await endpoint(s)
  ada = await deviceOwner(s, 'svc_ada')
  team = staff(s)
})
afterEach(() => s.close())

const PATH = '/webhook-deliveries'
const list = (query = '') => dataOf(team.as('CUSTOMER_SUPPORT').get(`${PATH}${query}`))
const idsOf = async (query = '') => (await list(query)).items.map(({ id }: { id: string }) => id)
const act = (id: string, action: string, by = team) => by.as('DEVELOPER').post(`${PATH}/${id}/${action}`)
const oneEvent = async (type?: string): Promise<string> => {
  const [id = ''] = await happen(s, ada, [type === undefined ? {} : { type }])
  return id
}

/** Expects a refusal after which neither a delivery nor the audit log has changed. Returns the error. */
async function refused(call: () => Promise<Answer>, status: number, code: string) {
  const before = [await deliveryRows(s), await auditRows(s)]
  const { body, ...answer } = await call()
  expect([answer.status, body?.error?.code]).toEqual([status, code])
  expect([await deliveryRows(s), await auditRows(s)]).toEqual(before)
  return body.error
}

const endpointOff = () => dataOf(team.as('DEVELOPER').patch(`/webhook-endpoints/${target}`, { isEnabled: false }))

describe('the list', () => {
  test('has every member of a delivery, newest first', async () => {
    const event = await oneEvent()
    const dead = await delivered(s, { targetId: target, event, lastError: 'timeout' })
    s.ctx.clock.advance(MINUTE)
    const dueAt = s.ctx.clock.now() + HOUR
    const waiting = await delivered(s, {
      ...{ targetId: target, event, status: 'FAILED', attempts: 1, dueAt, openOrder: 1, endedAt: null },
    })
    const { items, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    const iso = (at: number) => new Date(at).toISOString()
    expect(items).toEqual([
      {
        id: waiting.id,
        ...{ endpointId: target, eventId: event, type: 'purchase.renewed', seq: 1, subscriberId: ada },
        ...{ environment: 'PRODUCTION', person: expect.objectContaining({ deviceKey: 'svc_ada' }) },
        ...{ status: 'FAILED', attempts: 1, nextAttemptAt: iso(dueAt), lastStatusCode: 500, lastError: null },
        ...{ skipReason: null, isTest: false, createdAt: iso(waiting.createdAt) },
        updatedAt: iso(waiting.createdAt + 12),
      },
      expect.objectContaining({
        ...{ id: dead.id, status: 'DEAD', attempts: 10, nextAttemptAt: null, lastError: 'timeout' },
        updatedAt: iso(dead.createdAt + 12),
      }),
    ])
  })

  test('is filtered by the environment of the events; a test is in both', async () => {
    const event = await oneEvent()
    await delivered(s, { targetId: target, event })
    await delivered(s, { targetId: target, isTest: true })
    expect(await idsOf('?environment=PRODUCTION')).toHaveLength(2)
    expect((await list('?environment=SANDBOX')).items).toMatchObject([{ environment: null }])
  })

  test('shows no next attempt of one that is being sent or waits for an earlier one', async () => {
    const now = s.ctx.clock.now()
    await delivered(s, { targetId: target, status: 'DELIVERING', dueAt: now + MINUTE, openOrder: 1, endedAt: null })
    await delivered(s, { targetId: target, status: 'PENDING', dueAt: null, openOrder: 2, endedAt: null })
    expect((await list()).items.map((item: { nextAttemptAt: unknown }) => item.nextAttemptAt)).toEqual([null, null])
  })

  test('is filtered by each member, alone and together', async () => {
    const other = await endpoint(s)
    const bo = await deviceOwner(s, 'svc_bo')
    const statuses = ['PENDING', 'DELIVERING', 'SUCCEEDED', 'FAILED', 'DEAD', 'DISMISSED', 'SKIPPED'] as const
    const rows = []
    for (const status of statuses)
      for (const targetId of [target, other])
        for (const subscriberId of [ada, bo, null])
          for (const type of ['purchase.renewed', 'purchase.expired'])
            rows.push(await delivered(s, { status, targetId, subscriberId, type }))
    const newestFirst = rows.toReversed()
    const filters = {
      endpointId: [target, other],
      subscriberId: [ada, bo],
      status: statuses,
      type: ['purchase.expired'],
    }
    const asked = [{}, ...combinations(Object.entries(filters))]
    expect(asked.length).toBe(3 * 3 * 8 * 2)
    for (const one of asked) {
      const wanted = newestFirst.filter(
        (row) =>
          (one.endpointId ?? row.targetId) === row.targetId &&
          (one.subscriberId ?? row.subscriberId) === row.subscriberId &&
          (one.status ?? row.status) === row.status &&
          (one.type ?? row.type) === row.type,
      )
      expect([one, await idsOf(`?limit=200&${new URLSearchParams(one)}`)]).toEqual([one, wanted.map(({ id }) => id)])
    }
  })

  test('is read page by page without a gap or a repetition while new deliveries come', async () => {
    for (let index = 0; index < 7; index++)
      await delivered(s, { targetId: target, status: index % 2 ? 'DEAD' : 'SUCCEEDED' })
    const all = await idsOf('?status=SUCCEEDED')
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await list(`?status=SUCCEEDED&limit=1${cursor}`)
      seen.push(...page.items.map(({ id }: { id: string }) => id))
      await delivered(s, { targetId: target, status: 'SUCCEEDED' })
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(seen).toEqual(all)
  })

  test('has neither deliveries of another project nor those of integrations and forwards', async () => {
    await delivered(s, { targetId: target, projectId: s.other.id, subscriberId: ada })
    await delivered(s, { targetId: target, kind: 'INTEGRATION', subscriberId: ada })
    await delivered(s, { targetId: target, kind: 'FORWARD', subscriberId: ada })
    for (const query of ['', `?endpointId=${target}`, `?subscriberId=${ada}`, '?status=DEAD'])
      expect([query, await idsOf(query)]).toEqual([query, []])
    for (const { id } of await deliveryRows(s)) {
      await refused(() => team.as('OWNER').get(`${PATH}/${id}`), 404, 'NOT_FOUND')
      for (const action of ['retry', 'dismiss', 'redeliver']) await refused(() => act(id, action), 404, 'NOT_FOUND')
    }
  })

  test('refuses a filter or a cursor that it does not know', async () => {
    const { nextCursor } = await (async () => {
      for (let index = 0; index < 2; index++) await delivered(s, { targetId: target })
      return list('?limit=1')
    })()
    const wrong = ['?status=dead', '?status=', '?limit=0', '?limit=201', '?cursor=x', '?kind=FORWARD', '?endpointId=']
    for (const query of [...wrong, `?status=DEAD&cursor=${nextCursor}`, `?type=${'x'.repeat(65)}`])
      await refused(() => team.as('OWNER').get(`${PATH}${query}`), 400, 'VALIDATION_ERROR')
  })
})

function combinations(entries: (readonly [string, readonly string[]])[]): Record<string, string>[] {
  const [first, ...rest] = entries
  if (!first) return []
  const others = combinations(rest)
  const own = first[1].map((value) => ({ [first[0]]: value }))
  return [...own, ...others, ...own.flatMap((one) => others.map((other) => ({ ...one, ...other })))]
}

describe('one delivery', () => {
  test('is told with its attempts and the body that an attempt would send', async () => {
    const event = await oneEvent()
    const { id } = await delivered(s, { targetId: target, event })
    const { attemptsLog, body, ...rest } = await dataOf(team.as('CUSTOMER_SUPPORT').get(`${PATH}/${id}`))
    const [{ person, environment, ...listed }] = (await list()).items
    expect([rest, person.deviceKey, environment]).toEqual([listed, 'svc_ada', 'PRODUCTION'])
    const at = new Date(s.ctx.clock.now()).toISOString()
    expect(attemptsLog).toEqual([{ at, statusCode: 500, error: null, durationMs: 12, responseSnippet: 'no' }])
    expect(JSON.parse(body)).toMatchObject({ id: event, type: 'purchase.renewed', subscriberId: ada })
  })

  test('has no body when its event is no longer kept', async () => {
    const event = await oneEvent()
    const { id } = await delivered(s, { targetId: target, event })
    await s.ctx.write((tx) => tx.db.delete(tx.tables.events))
    expect(await dataOf(team.as('OWNER').get(`${PATH}/${id}`))).toMatchObject({ eventId: event, body: null })
  })

  test('that does not exist is 404', async () => {
    for (const id of ['whd_00000000000000000000000099', 'x', `whd_${'0'.repeat(60)}`, '%20', '..%2f'])
      expect((await team.as('OWNER').get(`${PATH}/${id}`)).status).toBeOneOf([400, 404])
    await refused(() => team.as('OWNER').get(`${PATH}/whd_00000000000000000000000099`), 404, 'NOT_FOUND')
  })
})

describe('retry', () => {
  test('gives a dead delivery all its attempts again under its id', async () => {
    const event = await oneEvent()
    const dead = await delivered(s, { targetId: target, event, lastError: 'timeout' })
    s.ctx.clock.advance(HOUR)
    const data = await changes(s, () => act(dead.id, 'retry'), ['webhookDelivery.retry'])
    const now = new Date(s.ctx.clock.now()).toISOString()
    expect(data).toMatchObject({
      ...{ id: dead.id, eventId: event, status: 'PENDING', attempts: 0, nextAttemptAt: now, updatedAt: now },
      ...{ lastStatusCode: null, lastError: null },
    })
    const after = await deliveryOf(s, dead.id)
    expect(after).toMatchObject({
      dueAt: s.ctx.clock.now(),
      openOrder: dead.eventPosition,
      endedAt: null,
      leaseId: null,
    })
    expect(after.log).toEqual(dead.log)
    const [row] = (await auditRows(s)).slice(-1)
    expect(row).toMatchObject({
      target: { type: 'webhookDelivery', id: dead.id },
      before: { endpointId: target, status: 'DEAD', attempts: 10 },
      after: { endpointId: target, status: 'PENDING', attempts: 0 },
    })
    await expectTargetDue()
  })

  test('of any status but DEAD is refused, and names the status', async () => {
    for (const status of ['PENDING', 'DELIVERING', 'SUCCEEDED', 'FAILED', 'DISMISSED', 'SKIPPED'] as const) {
      const { id } = await delivered(s, { targetId: target, status })
      for (const action of ['retry', 'dismiss'])
        expect((await refused(() => act(id, action), 400, 'WEBHOOK_STATE')).details).toEqual({ action, status })
    }
  })

  test('by two people at once: one wins', async () => {
    const { id } = await delivered(s, { targetId: target, event: await oneEvent() })
    const answers = await Promise.all([act(id, 'retry'), act(id, 'retry'), act(id, 'retry')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const lost = answers.find(({ status }) => status === 400)
    expect(lost?.body.error).toMatchObject({ code: 'WEBHOOK_STATE', details: { action: 'retry', status: 'PENDING' } })
    expect((await auditRows(s)).filter(({ action }) => action === 'webhookDelivery.retry')).toHaveLength(1)
  })

  test('and dismiss at once: one wins', async () => {
    const { id } = await delivered(s, { targetId: target, event: await oneEvent() })
    const answers = await Promise.all([act(id, 'retry'), act(id, 'dismiss')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const wanted = answers[0]?.status === 200 ? 'PENDING' : 'DISMISSED'
    expect((await deliveryOf(s, id)).status).toBe(wanted)
  })

  test('is refused while the endpoint is switched off, and after it was deleted', async () => {
    const { id } = await delivered(s, { targetId: target, event: await oneEvent() })
    await endpointOff()
    const off = await refused(() => act(id, 'retry'), 409, 'CONFLICT')
    expect(off.message).toContain('switch it on')
    await refused(() => act(id, 'redeliver'), 409, 'CONFLICT')
    await dataOf(team.as('DEVELOPER').delete(`/webhook-endpoints/${target}`))
    await refused(() => act(id, 'retry'), 409, 'CONFLICT')
    await refused(() => act(id, 'redeliver'), 409, 'CONFLICT')
    // It can still be dismissed.
    expect(await dataOf(act(id, 'dismiss'))).toMatchObject({ status: 'DISMISSED' })
  })

  test('needs the right to write webhooks', async () => {
    const { id } = await delivered(s, { targetId: target })
    for (const role of ['GROWTH', 'CUSTOMER_SUPPORT'] as const)
      for (const path of [`/${id}/retry`, `/${id}/dismiss`, `/${id}/redeliver`, '/replay'])
        await refused(() => team.as(role).post(`${PATH}${path}`), 403, 'CAPABILITY_REQUIRED')
    await refused(() => team.as('DEVELOPER').post(`${PATH}/${id}/retry`, { force: true }), 400, 'VALIDATION_ERROR')
  })
})

async function expectTargetDue(): Promise<void> {
  const { deliveryTargets: t } = s.ctx.tables
  const [row] = await s.ctx.db.select().from(t).where(eq(t.targetId, target))
  expect(row?.dueAt).toBe(s.ctx.clock.now())
}

test('dismiss ends a dead delivery for good', async () => {
  const { id } = await delivered(s, { targetId: target })
  s.ctx.clock.advance(MINUTE)
  const data = await changes(s, () => act(id, 'dismiss'), ['webhookDelivery.dismiss'])
  expect(data).toMatchObject({ id, status: 'DISMISSED', attempts: 10, nextAttemptAt: null })
  expect(await deliveryOf(s, id)).toMatchObject({ openOrder: null, dueAt: null, endedAt: s.ctx.clock.now() })
  expect((await refused(() => act(id, 'dismiss'), 400, 'WEBHOOK_STATE')).details.status).toBe('DISMISSED')
})

describe('redeliver', () => {
  test('makes a new delivery of the same event, whatever has become of the old one', async () => {
    const event = await oneEvent()
    for (const status of ['SUCCEEDED', 'DEAD', 'DISMISSED', 'PENDING'] as const) {
      const old = await delivered(s, { targetId: target, event, status })
      const data = await changes(s, () => act(old.id, 'redeliver'), ['webhookDelivery.redeliver'])
      expect(data).toMatchObject({ eventId: event, endpointId: target, status: 'PENDING', attempts: 0, seq: 1 })
      expect(data.id).not.toBe(old.id)
      expect(await deliveryOf(s, old.id)).toEqual(old)
      expect((await auditRows(s)).at(-1)).toMatchObject({ before: null, after: { redeliveryOf: old.id } })
    }
    expect(await deliveryRows(s)).toHaveLength(8)
    await expectTargetDue()
  })

  test('of a test, a pruned event and a retired type is refused', async () => {
    const event = await oneEvent()
    const tested = await delivered(s, { targetId: target, isTest: true, type: 'webhook.test', payload: '{}' })
    await refused(() => act(tested.id, 'redeliver'), 409, 'TEST_DELIVERY_NOT_REDELIVERABLE')
    const retired = await delivered(s, { targetId: target, event: await oneEvent('purchase.gifted') })
    await refused(() => act(retired.id, 'redeliver'), 422, 'WEBHOOK_EVENT_UNMAPPABLE')
    const pruned = await delivered(s, { targetId: target, event })
    await s.ctx.write((tx) => tx.db.delete(tx.tables.events).where(eq(tx.tables.events.id, event)))
    await refused(() => act(pruned.id, 'redeliver'), 410, 'WEBHOOK_EVENT_EXPIRED')
    const bare = await delivered(s, { targetId: target })
    await refused(() => act(bare.id, 'redeliver'), 410, 'WEBHOOK_EVENT_EXPIRED')
  })

  test('is 503 when the database does not take it', async () => {
    const { id } = await delivered(s, { targetId: target, event: await oneEvent() })
    const write = spyOn(s.ctx, 'write').mockImplementation(async () => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
    })
    const answer = await act(id, 'redeliver')
    write.mockRestore()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.body.error).toMatchObject({ code: 'QUEUE_UNAVAILABLE', details: { queue: 'webhook' } })
    expect(await deliveryRows(s)).toHaveLength(1)
  })
})

describe('on an ordered endpoint', () => {
  beforeEach(async () => {
    await dataOf(team.as('DEVELOPER').patch(`/webhook-endpoints/${target}`, { ordered: true }))
  })

  test('a retried delivery waits while one of its subscriber is open, in its place', async () => {
    const [first = '', second = ''] = await happen(s, ada, [{}, {}])
    const dead = await delivered(s, { targetId: target, event: first })
    const { eventPosition } = dead
    const open = { status: 'FAILED', dueAt: s.ctx.clock.now() + HOUR, endedAt: null } as const
    await delivered(s, { targetId: target, event: second, ...open, openOrder: (eventPosition ?? 0) + 1 })
    const data = await dataOf(act(dead.id, 'retry'))
    expect(data).toMatchObject({ status: 'PENDING', nextAttemptAt: null })
    expect(await deliveryOf(s, dead.id)).toMatchObject({ dueAt: null, openOrder: eventPosition })
  })

  test('a redelivered one waits too, and so does the second of two', async () => {
    const old = await delivered(s, { targetId: target, event: await oneEvent() })
    const first = await dataOf(act(old.id, 'redeliver'))
    const second = await dataOf(act(old.id, 'redeliver'))
    expect([first.nextAttemptAt === null, second.nextAttemptAt === null]).toEqual([false, true])
  })

  test('another subscriber and another endpoint do not keep it waiting', async () => {
    const bo = await deviceOwner(s, 'svc_bo')
    const open = { status: 'FAILED', dueAt: s.ctx.clock.now() + HOUR, endedAt: null, openOrder: 1 } as const
    await delivered(s, { targetId: target, subscriberId: bo, ...open })
    await delivered(s, { targetId: 'whe_other', subscriberId: ada, ...open })
    const dead = await delivered(s, { targetId: target, event: await oneEvent() })
    expect((await dataOf(act(dead.id, 'retry'))).nextAttemptAt).not.toBeNull()
  })
})

test('what a closed target left behind is listed with the reason', async () => {
  const order = { targetId: 'whe_gone', kind: 'WEBHOOK', projectId: s.project.id } as const
  await s.ctx.write((tx) => openTarget(tx, { ...order, isOrdered: false }))
  await delivered(s, { targetId: 'whe_gone', status: 'PENDING', dueAt: 1, openOrder: 1, endedAt: null })
  await s.ctx.write((tx) => closeTarget(tx, order, 'endpoint_deleted'))
  expect((await list()).items).toMatchObject([{ status: 'DEAD', lastError: 'endpoint_deleted', nextAttemptAt: null }])
})
