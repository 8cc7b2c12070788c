import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Io } from '../../src/base/cli/command'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { storeEventsCommand } from '../../src/intake/catch-up/command'
import { listForReplay, listStoreEvents, replayStoreEvent } from '../../src/intake/catch-up/replay'
import { takeIn } from '../../src/intake/inbox/inbox'
import { PROGRAM } from '../../src/program'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { everything, rowOf } from '../support/facts'
import {
  deliver,
  lastStoreEvent,
  notificationBody,
  notify,
  purchaseOf,
  type StoreEventRow,
  storeEvents,
} from '../support/notify'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const BOUGHT = ['SUBSCRIBED', 'INITIAL_BUY'] as const

/** The row of a process that died between writing the inbox and processing. */
async function crashed(body: { signedPayload: string }, notificationId: string): Promise<StoreEventRow> {
  const arrival = {
    projectId: s.project.id,
    store: 'IOS_STORE' as const,
    notificationId,
    type: 'T',
    eventAt: null,
    environment: null,
  }
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  void takeIn(s.ctx, { ...arrival, body: JSON.stringify(body) }, () => {
    begin()
    return new Promise(() => {})
  })
  await begun
  return lastStoreEvent(s)
}

describe('a process that died in the middle', () => {
  test('leaves what it held to the next delivery after 60 s, and 409 before', async () => {
    const one = s.buy(COINS)
    const body = notificationBody(s, ['ONE_TIME_CHARGE', null], one, { id: 'n-dead' })
    expect(await crashed(body, 'n-dead')).toMatchObject({
      status: 'PROCESSING',
      attempts: 1,
      body: JSON.stringify(body),
    })
    s.ctx.clock.advance(59 * SECOND)
    const early = await deliver(s, body)
    expect([early.status, early.body.error.code]).toEqual([409, 'WEBHOOK_IN_PROGRESS'])
    expect(early.headers.get('retry-after')).toBe('5')
    s.ctx.clock.advance(SECOND)
    expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: false })
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', attempts: 2 })
    expect((await purchaseOf(s, one)).status).toBe('ACTIVE')
  })

  test('is seen among the failed, and replayed', async () => {
    const one = s.buy(COINS)
    const row = await crashed(notificationBody(s, ['ONE_TIME_CHARGE', null], one, { id: 'n-dead' }), 'n-dead')
    // Another process may still be working on it.
    expect((await replayStoreEvent(s.ctx, row.id))?.status).toBe('PROCESSING')
    s.ctx.clock.advance(MINUTE + 1)
    expect(await listForReplay(s.ctx, { status: 'FAILED' })).toEqual([row.id])
    expect(await listForReplay(s.ctx, { status: 'PROCESSING' })).toEqual([])
    expect((await replayStoreEvent(s.ctx, row.id))?.status).toBe('PROCESSED')
    expect((await purchaseOf(s, one)).status).toBe('ACTIVE')
  })

  test('does not write over the one that took its place', async () => {
    const arrival = { projectId: s.project.id, store: 'IOS_STORE' as const, notificationId: 'n-slow', type: 'T' }
    const full = { ...arrival, eventAt: null, environment: null, body: '{}' }
    const { promise, resolve } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const slow = takeIn(s.ctx, full, async () => {
      begin()
      await promise
      return async () => ({ status: 'FAILED', error: 'the slow one' })
    })
    await begun
    s.ctx.clock.advance(MINUTE)
    await takeIn(s.ctx, full, async () => async () => ({ status: 'PROCESSED', error: null }))
    resolve()
    expect(slow).rejects.toMatchObject({ refusal: 'WEBHOOK_IN_PROGRESS' })
    await slow.catch(() => {})
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null, attempts: 2 })
  })
})

test('a failure in the middle undoes all of it, is noted, and the next delivery does it', async () => {
  const one = s.buy(MONTHLY)
  const body = notificationBody(s, BOUGHT, one)
  const before = await everything(s)
  const { next } = s.ctx.ids
  Object.assign(s.ctx.ids, {
    next: (prefix: 'evt') => {
      if (prefix === 'evt') throw new Error('no more ids')
      return next(prefix)
    },
  })
  const failed = await deliver(s, body)
  expect([failed.status, failed.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
  Object.assign(s.ctx.ids, { next })
  expect(await everything(s)).toEqual(before)
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('no more ids') })
  expect((await deliver(s, body)).status).toBe(200)
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', attempts: 2, error: null })
})

test('replaying everything, twice, changes nothing', async () => {
  const one = s.buy(MONTHLY)
  await s.receipt('svc_ada', one)
  await notify(s, BOUGHT, one)
  await notify(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], one)
  await notify(s, ['TEST', null], null)
  const before = await everything(s)
  for (let round = 0; round < 2; round++)
    for (const id of await listForReplay(s.ctx, {})) await replayStoreEvent(s.ctx, id)
  expect(await everything(s)).toEqual(before)
  expect((await storeEvents(s)).map(({ status }) => status).sort()).toEqual(['IGNORED', 'PROCESSED', 'PROCESSED'])
})

test('what was refused is checked again, by what is saved now', async () => {
  const other = { bundleId: 'com.other' }
  await notify(s, BOUGHT, { ...s.buy(MONTHLY), ...other }, other)
  const { id, error } = await lastStoreEvent(s)
  expect(await replayStoreEvent(s.ctx, id)).toMatchObject({ status: 'FAILED', error: error ?? '' })
  const { storeSettings: t } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(t).set({ config: other }).where(eq(t.projectId, s.project.id)))
  s.ctx.state.projects.forget(s.project.id)
  expect(await replayStoreEvent(s.ctx, id)).toMatchObject({ status: 'PROCESSED', error: null })
})

test('lists are the newest first, by project, store, status and time', async () => {
  await notify(s, ['TEST', null], null)
  s.ctx.clock.advance(SECOND)
  await notify(s, BOUGHT, s.buy(MONTHLY))
  await notify(s, BOUGHT, s.buy(MONTHLY), { projectId: s.other.id })
  const types = async (filter: object, limit = 9) =>
    (await listStoreEvents(s.ctx, filter, limit)).map(({ type }) => type)
  const { id: projectId } = s.project
  expect(await types({ projectId })).toEqual(['SUBSCRIBED/INITIAL_BUY', 'TEST'])
  expect(await types({ projectId }, 1)).toEqual(['SUBSCRIBED/INITIAL_BUY'])
  expect(await types({ status: 'IGNORED' })).toEqual(['TEST'])
  expect(await types({ store: 'PAYMENT' })).toEqual([])
  expect(await types({ projectId, from: s.ctx.clock.now() })).toEqual(['SUBSCRIBED/INITIAL_BUY'])
  expect(await types({ to: s.ctx.clock.now() - 1 })).toEqual(['TEST'])
})

describe('svc store-events', () => {
  /** Runs the command over the stage's database, as another process would. */
  async function run(...args: string[]) {
    const { database } = s.ctx.config
    const lines: string[] = []
    const io = {
      out: (line: string) => void lines.push(line),
      progress: () => {},
      clock: s.ctx.clock,
      program: PROGRAM,
      env: {
        SVC_MASTER_KEY: TEST_KEY,
        SVC_DATA_DIR: s.ctx.config.dataDir,
        ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
      },
    } as unknown as Io
    return { code: await storeEventsCommand.run(args, io), text: lines.join('\n') }
  }

  test('lists and replays by id', async () => {
    const one = s.buy(MONTHLY)
    await notify(s, BOUGHT, one)
    const { id } = await lastStoreEvent(s)
    const listed = await run('list', '--json')
    expect(JSON.parse(listed.text)).toMatchObject({ items: [{ id, status: 'PROCESSED', store: 'IOS_STORE' }] })
    expect(listed.text).not.toContain('signedPayload')
    expect((await run('list', '--status', 'failed')).text).toBe('No store events.')
    expect((await run('list', '--environment', 'production')).text).toBe('No store events.')
    expect((await run('list', '--environment', 'sandbox')).text).toMatch(/IOS_STORE +SUBSCRIBED\/INITIAL_BUY +SANDBOX/)
    const replayed = await run('replay', id)
    expect([replayed.code, replayed.text]).toEqual([0, expect.stringContaining('PROCESSED')])
    expect((await lastStoreEvent(s)).attempts).toBe(2)
    expect(await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)).toMatchObject([
      { action: 'storeEvent.reprocess', actor: { kind: 'CLI', id: null }, target: { id } },
    ])
    expect((await rowOf(s, `ios:${one.transactionId}`)).seq).toBe(2)
  })

  test('replays a span of time, and ends with 1 when one still fails', async () => {
    const other = { bundleId: 'com.other' }
    await notify(s, BOUGHT, { ...s.buy(MONTHLY), ...other }, other)
    const span = ['--from', '2026-11-20T08:00:00Z', '--to', '2026-11-20T08:00:00.000Z']
    const { code, text } = await run('replay', ...span, '--status', 'FAILED', '--store', 'ios', '--json')
    expect([code, JSON.parse(text).items.length]).toEqual([1, 1])
    expect((await run('replay', '--from', '2026-11-21T08:00:00Z', '--to', '2026-11-22T08:00:00Z')).text).toContain('No')
  })

  test('refuses what it cannot mean', async () => {
    const wrong = [[], ['list', 'x'], ['replay'], ['replay', '--from', 'x', '--to', 'y'], ['replay', 'a', 'b']]
    const more = [
      ['list', '--store', 'x'],
      ['list', '--status', 'x'],
      ['list', '--limit', '0'],
      ['replay', '--from', '2026-11-21T08:00:00Z'],
    ]
    for (const args of [...wrong, ...more]) expect(run(...args)).rejects.toThrow()
    expect(run('replay', 'sev_none')).rejects.toThrow('There is no store event')
  })
})
