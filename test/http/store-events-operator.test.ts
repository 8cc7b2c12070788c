import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { AppError } from '../../src/base/errors'
import { writeCursor } from '../../src/base/http/list'
import { MINUTE } from '../../src/base/lib/clock'
import { takeIn } from '../../src/intake/inbox/inbox'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { everything } from '../support/facts'
import { lastStoreEvent, notify, purchaseOf, storeEvents } from '../support/notify'
import { recordStatements } from '../support/plans'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeEach(async () => {
  s = await stage()
  team = staff(s)
})
afterEach(() => s.close())

const BOUGHT = ['SUBSCRIBED', 'INITIAL_BUY'] as const
const UNSOLD = { ...MONTHLY, productId: 'com.x.unsold' }
const developer = () => team.as('DEVELOPER')
const list = async (query = '') => (await developer().get(`/store-events${query}`)).body.data
const reprocess = (id: string) => developer().post(`/store-events/${id}/reprocess`)
const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)

/** The product that a notification named, added after it had failed. */
async function addProduct(iosId: string): Promise<void> {
  const { products, projects } = s.ctx.tables
  const now = s.ctx.clock.now()
  await s.ctx.write(async (tx) => {
    const [like] = await tx.db.select().from(products).where(eq(products.projectId, s.project.id)).limit(1)
    if (!like) throw new Error('the catalogue is empty')
    const own = { id: 'prd_late'.padEnd(30, '0'), identifier: 'late', iosId, androidId: null, paymentId: null }
    await tx.db.insert(products).values({ ...like, ...own, type: 'SUBSCRIPTION', createdAt: now, updatedAt: now })
    await tx.db.update(projects).set({ configVersion: 500 })
  })
  s.ctx.state.projects.forget(s.project.id)
}

describe('the inbox', () => {
  test('one notification is read with its body, in its own project alone', async () => {
    await notify(s, BOUGHT, s.buy(MONTHLY), { id: 'n-1' })
    const { id, body } = await lastStoreEvent(s)
    const { body: answer } = await developer().get(`/store-events/${id}`)
    expect(answer.data).toMatchObject({ id, notificationId: 'n-1', status: 'PROCESSED', body })
    expect((await developer().get('/store-events/sev_none')).status).toBe(404)
    await notify(s, ['ONE_TIME_CHARGE', null], s.buy(COINS), { projectId: s.other.id, id: 'n-2' })
    const foreign = await lastStoreEvent(s)
    expect(foreign.projectId).toBe(s.other.id)
    expect((await developer().get(`/store-events/${foreign.id}`)).status).toBe(404)
  })

  test('is listed newest first, with the reason of a failure and without the body', async () => {
    await notify(s, BOUGHT, s.buy(MONTHLY), { id: 'n-1' })
    s.ctx.clock.advance(MINUTE)
    await notify(s, BOUGHT, s.buy(UNSOLD), { id: 'n-2' })
    const { items, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    const now = new Date(s.ctx.clock.now()).toISOString()
    expect(items[0]).toEqual({
      id: (await lastStoreEvent(s)).id,
      store: 'IOS_STORE',
      type: 'SUBSCRIBED/INITIAL_BUY',
      notificationId: 'n-2',
      environment: 'SANDBOX',
      status: 'FAILED',
      attempts: 1,
      eventAt: expect.any(String),
      receivedAt: now,
      processedAt: now,
      error: expect.stringContaining('com.x.unsold'),
      createdAt: now,
      updatedAt: now,
    })
    expect(items[1]).toMatchObject({ notificationId: 'n-1', status: 'PROCESSED', error: null })
    expect(items).toHaveLength(2)
  })

  test('is filtered by store and status', async () => {
    await notify(s, BOUGHT, s.buy(MONTHLY), { id: 'n-1' })
    await notify(s, BOUGHT, s.buy(UNSOLD), { id: 'n-2' })
    const ids = async (query: string) =>
      (await list(query)).items.map(({ notificationId }: { notificationId: string }) => notificationId)
    expect(await ids('?status=FAILED')).toEqual(['n-2'])
    expect(await ids('?store=IOS_STORE&status=PROCESSED')).toEqual(['n-1'])
    expect(await ids('?store=PAYMENT')).toEqual([])
    expect(await ids('?status=IGNORED')).toEqual([])
  })

  test('has pages, also of notifications of one instant, and its cursors belong to their filter', async () => {
    for (let index = 0; index < 5; index++) await notify(s, BOUGHT, s.buy(MONTHLY))
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page = await list(`?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
      found.push(...page.items.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor
      if (cursor !== null)
        expect((await developer().get(`/store-events?store=PAYMENT&cursor=${cursor}`)).status).toBe(400)
    } while (cursor !== null)
    const ids = (await storeEvents(s)).map(({ id }) => id)
    expect(found).toEqual(ids.toReversed())
  })

  test.each(['?store=MANUAL', '?store=ios', '?status=DONE', '?status=failed', '?limit=0', '?cursor=%20', '?type=x'])(
    'is not listed with %s',
    async (query) => {
      const { status, body } = await developer().get(`/store-events${query}`)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  test.each(['GROWTH', 'CUSTOMER_SUPPORT'] as const)('is closed to %s', async (role) => {
    await notify(s, BOUGHT, s.buy(MONTHLY))
    const { id, attempts } = await lastStoreEvent(s)
    for (const { status, body } of [
      await team.as(role).get('/store-events'),
      await team.as(role).post(`/store-events/${id}/reprocess`),
    ])
      expect([status, body.error.code, body.error.details]).toEqual([
        403,
        'ROLE_REQUIRED',
        { role, requiredRole: 'DEVELOPER' },
      ])
    expect((await lastStoreEvent(s)).attempts).toBe(attempts)
  })
})

test('the failed ones and those that died are one list, in pages, the newest first', async () => {
  const arrival = {
    projectId: s.project.id,
    store: 'IOS_STORE' as const,
    type: 'T',
    environment: null,
    eventAt: null,
    body: '{}',
  }
  for (const notificationId of ['died-1', 'died-2']) {
    await notify(s, BOUGHT, s.buy(UNSOLD), { id: `before-${notificationId}` })
    s.ctx.clock.advance(1)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    void takeIn(s.ctx, { ...arrival, notificationId }, () => {
      begin()
      return new Promise(() => {})
    })
    await begun
    s.ctx.clock.advance(1)
  }
  s.ctx.clock.advance(MINUTE)
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const { items, nextCursor } = await list(`?status=FAILED&limit=1${cursor}`)
    found.push(...items.map(({ notificationId }: { notificationId: string }) => notificationId))
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  expect(found).toEqual(['died-2', 'before-died-2', 'died-1', 'before-died-1'])
})

test('the rare ones are found by their status, and all others by their project', async () => {
  if (s.ctx.storage.driver === 'postgres') return
  const detailsOf = async (query: string) => {
    const record = recordStatements()
    await list(query)
    record.stop()
    const statements = [...record.statements].filter((one) => /from "store_events".*limit/.test(one))
    const plans = statements.map((one) =>
      s.ctx.db.values<[number, number, number, string]>(sql.raw(`EXPLAIN QUERY PLAN ${one}`)),
    )
    return (await Promise.all(plans)).map(([step]) => step?.[3])
  }
  const byStatus = expect.stringContaining('USING INDEX store_events_status (status=?')
  const byProject = expect.stringMatching(/USING INDEX store_events_\w+ \(project_id=\?/)
  for (const store of ['', '&store=IOS_STORE']) {
    expect(await detailsOf(`?status=FAILED${store}`)).toEqual([byStatus, byStatus])
    expect(await detailsOf(`?status=IGNORED${store}`)).toEqual([byStatus])
    expect(await detailsOf(`?status=PROCESSED${store}`)).toEqual([byProject])
    expect(await detailsOf(`?limit=50${store}`)).toEqual([byProject])
  }
})

describe('processing again', () => {
  test('succeeds once the cause of the failure is gone, and is in the audit log', async () => {
    const one = s.buy(UNSOLD)
    await notify(s, BOUGHT, one)
    const { id } = await lastStoreEvent(s)
    expect((await reprocess(id)).body.data).toMatchObject({ id, status: 'FAILED' })
    await addProduct('com.x.unsold')
    const { status, body } = await reprocess(id)
    expect([status, body.data]).toMatchObject([200, { id, status: 'PROCESSED', error: null }])
    expect((await purchaseOf(s, one)).productId).toStartWith('prd_late')
    const rows = await auditRows()
    expect(rows).toHaveLength(2)
    expect(rows[1]).toMatchObject({
      actor: { kind: 'USER', id: 'usr_developer' },
      action: 'storeEvent.reprocess',
      target: { type: 'storeEvent', id },
      before: { status: 'FAILED' },
      after: { status: 'PROCESSING', attempts: 3, error: null },
    })
  })

  test('of what was processed records nothing twice', async () => {
    await notify(s, BOUGHT, s.buy(MONTHLY))
    const before = await everything(s)
    expect((await reprocess((await lastStoreEvent(s)).id)).body.data.status).toBe('PROCESSED')
    expect(await everything(s)).toEqual(before)
  })

  test.each([0, 1, 2, 3])(
    'is in the audit log when it has begun, also when the database fails after %i writes',
    async (count) => {
      await notify(s, BOUGHT, s.buy(UNSOLD))
      const { id, attempts } = await lastStoreEvent(s)
      const { write } = s.ctx
      let begun = 0
      const broken = (work: never) =>
        ++begun > count ? Promise.reject(new AppError('DATABASE_UNAVAILABLE')) : write(work)
      Object.assign(s.ctx, { write: broken })
      const { status } = await reprocess(id)
      Object.assign(s.ctx, { write })
      expect(status).toBe(count < 2 ? 503 : 200)
      expect(await auditRows()).toHaveLength((await lastStoreEvent(s)).attempts - attempts)
      expect(await auditRows()).toHaveLength(count === 0 ? 0 : 1)
    },
  )

  test('leaves what is being processed alone; what died counts as failed and is taken over', async () => {
    const arrival = { projectId: s.project.id, store: 'IOS_STORE' as const, notificationId: 'n', type: 'T' }
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    void takeIn(s.ctx, { ...arrival, environment: null, eventAt: null, body: '{}' }, () => {
      begin()
      return new Promise(() => {})
    })
    await begun
    const { id } = await lastStoreEvent(s)
    expect((await reprocess(id)).body.data.status).toBe('PROCESSING')
    expect(await auditRows()).toEqual([])
    s.ctx.clock.advance(MINUTE + 1)
    expect((await list('?status=FAILED')).items).toMatchObject([{ id, status: 'FAILED' }])
    expect((await reprocess(id)).body.data.status).toBe('FAILED')
    expect((await lastStoreEvent(s)).status).toBe('FAILED')
  })

  test('of an id of another project, or of none, is 404 and processes nothing', async () => {
    await notify(s, ['ONE_TIME_CHARGE', null], s.buy(COINS), { projectId: s.other.id })
    const { id, projectId, attempts } = await lastStoreEvent(s)
    expect(projectId).toBe(s.other.id)
    for (const one of [id, 'sev_0', 'x'.repeat(64), `${id}%00`]) {
      const { status, body } = await reprocess(one)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await lastStoreEvent(s)).attempts).toBe(attempts)
    expect((await list()).items).toEqual([])
    expect((await developer().post(`/store-events/${id}/reprocess`, { force: true })).status).toBe(400)
  })
})

test('a cursor that a client wrote by itself is refused', async () => {
  for (const position of [
    ['x', 'a'],
    [1.5, 'a'],
    ['1', 'a'],
    [1, 'a\0'],
    [1e300, 'a'],
  ]) {
    const cursor = writeCursor(position, ['store-events', s.project.id, undefined, undefined, undefined])
    const { status, body } = await developer().get(`/store-events?cursor=${cursor}`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  }
})

test('a list of a span has both ends, in any zone', async () => {
  await notify(s, BOUGHT, s.buy(MONTHLY), { id: 'n-1' })
  const at = s.ctx.clock.now()
  s.ctx.clock.advance(MINUTE)
  await notify(s, BOUGHT, s.buy(UNSOLD), { id: 'n-2' })
  const idsOf = async (query: string) =>
    (await developer().get(`/store-events?${query}`)).body.data.items.map(
      ({ notificationId }: { notificationId: string }) => notificationId,
    )
  const iso = new Date(at).toISOString()
  const east = new Date(at + 60 * MINUTE).toISOString().replace('Z', '+01:00')
  expect(await idsOf(`to=${iso}`)).toEqual(['n-1'])
  expect(await idsOf(`from=${encodeURIComponent(east)}&to=${east}`)).toEqual(['n-1'])
  expect(await idsOf(`from=${new Date(at + 1).toISOString()}`)).toEqual(['n-2'])
  expect((await developer().get('/store-events?from=yesterday')).body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('from'),
  })
})
