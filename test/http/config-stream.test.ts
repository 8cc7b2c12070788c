import { afterAll, afterEach, beforeAll, describe, expect, mock, spyOn, test } from 'bun:test'
import { desc, eq, sql } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { touchConfig } from '../../src/projects/project/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { identify } from '../support/facts'
import { clearRemote, configOf, configure, flagsOf } from '../support/remote'
import { type HeldStream, openStream } from '../support/stream'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
const held: HeldStream[] = []
afterEach(async () => {
  mock.restore()
  for (const stream of held.splice(0)) await stream.leave()
  await clearRemote(s)
  await s.ctx.state.streamHub.settle()
})
afterAll(() => s.close())

/** Opens a stream and reads its first frame. */
async function listen(device: string, query = '', options: Parameters<typeof openStream>[2] = {}): Promise<HeldStream> {
  const stream = await openStream(s, `subscriberId=${device}${query}`, options)
  held.push(stream)
  await stream.data('initial')
  return stream
}

/** Expects that nothing was sent before the ping that is sent now. */
async function expectSilence(stream: HeldStream): Promise<void> {
  await s.ctx.state.streamHub.settle()
  await s.ctx.state.streamHub.ping()
  expect(await stream.next()).toEqual({ event: 'ping', data: '' })
}

const change = (change: Partial<Stage['ctx']['tables']['flags']['$inferInsert']>, key: string) =>
  s.ctx.write(async (tx) => {
    const { flags } = tx.tables
    await tx.db.update(flags).set(change).where(eq(flags.key, key))
    await touchConfig(tx, s.project.id)
  })

describe('frames', () => {
  test('are exactly those of the specification, and so are the headers', async () => {
    await configure(s, { flags: [{ key: 'one' }] })
    const stream = await openStream(s, 'subscriberId=svc_raw', { headers: { 'last-event-id': '17' } })
    const { headers, body } = stream.response
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('x-request-id')).toStartWith('req_')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('content-length')).toBeNull()
    expect(body).not.toBeNull()
    held.push(stream)
    const data = `{"flags":{"one":false},"experiments":{},"projectId":"${s.project.id}"}`
    expect(await stream.raw()).toBe(`event: initial\ndata: ${data}\n\n`)
    await s.ctx.state.streamHub.ping()
    expect(await stream.raw()).toBe('event: ping\ndata:\n\n')
    await change({ defaultValue: true }, 'one')
    expect(await stream.raw()).toBe(`event: invalidate\ndata: ${data.replace('false', 'true')}\n\n`)
  })

  test('hold what config answers, experiments too', async () => {
    await configure(s, { flags: [{ key: 'one' }], experiments: [{ key: 'exp_one' }] })
    const stream = await openStream(s, 'subscriberId=svc_exp')
    held.push(stream)
    const initial = await stream.data('initial')
    expect(initial.experiments.exp_one.variantId).toMatch(/^[ab]$/)
    expect(initial).toEqual({ ...(await configOf(s, 'svc_exp')).body.data, projectId: s.project.id })
    await configure(s, { experiments: [{ key: 'exp_two' }] })
    const invalidate = await stream.data('invalidate')
    expect(Object.keys(invalidate.experiments)).toEqual(['exp_one', 'exp_two'])
    expect(invalidate).toEqual({ ...(await configOf(s, 'svc_exp')).body.data, projectId: s.project.id })
    await s.ctx.state.assignments.flush()
    const { assignments } = s.ctx.tables
    expect(await s.ctx.db.select().from(assignments)).toHaveLength(2)
  })

  test('are of the environment that the call named', async () => {
    const stream = await listen('svc_env', '&env=staging')
    await configure(s, { flags: [{ key: 'one' }, { key: 'one', env: 'STAGING', defaultValue: true }] })
    expect((await stream.data('invalidate')).flags).toEqual({ one: true })
  })
})

describe('invalidate', () => {
  test('follows a change of a flag, of an audience, of an experiment', async () => {
    const stream = await listen('svc_kinds')
    const invalidated = () => stream.data('invalidate')
    await configure(s, { flags: [{ key: 'one' }] })
    expect((await invalidated()).flags).toEqual({ one: false })
    await configure(s, { audiences: [{}] })
    expect((await invalidated()).flags).toEqual({ one: false })
    await configure(s, { experiments: [{ key: 'exp_kind' }] })
    expect(Object.keys((await invalidated()).experiments)).toEqual(['exp_kind'])
    await change({ description: 'a word' }, 'one')
    await invalidated()
    await s.ctx.write(async (tx) => {
      await tx.db.delete(tx.tables.flags)
      await touchConfig(tx, s.project.id)
    })
    expect((await invalidated()).flags).toEqual({})
    await expectSilence(stream)
  })

  test('follows nothing else', async () => {
    await configure(s, { flags: [{ key: 'one' }] })
    const stream = await listen('svc_quiet')
    const others: (() => Promise<unknown>)[] = [
      // Changes the configuration version, as a change of keys or stores does.
      () => s.ctx.write((tx) => touchConfig(tx, s.project.id)),
      () =>
        s.ctx.write(async (tx) => {
          await tx.db.update(tx.tables.offerings).set({ metadata: { headline: 'new' } })
          await tx.db.update(tx.tables.projects).set({ name: 'New name', settings: { holdoutPercentage: 100 } })
          await touchConfig(tx, s.project.id)
        }),
      () => configure(s, { flags: [{ key: 'one' }] }, s.other.id),
      () =>
        s.post('/v1/me/attributes', { attributes: { plan: 'x' } }, { headers: { 'x-svc-app-user-id': 'svc_quiet' } }),
      async () => s.receipt('svc_quiet', s.buy(MONTHLY)),
      // A change that is rolled back must not count.
      () =>
        s.ctx
          .write(async (tx) => {
            await tx.db.update(tx.tables.flags).set({ defaultValue: true })
            await touchConfig(tx, s.project.id)
            throw new Error('rolled back')
          })
          .catch(() => {}),
    ]
    for (const other of others) await other()
    await expectSilence(stream)
    await s.ctx.write(async (tx) => {
      await tx.db.update(tx.tables.projects).set({ settings: {} })
      await touchConfig(tx, s.project.id)
    })
  })

  test('folds what changes within 50 ms into one frame', async () => {
    const stream = await listen('svc_fold')
    await s.ctx.state.streamHub.settle()
    const span = Promise.withResolvers<void>()
    const pause = spyOn(Bun, 'sleep').mockReturnValue(span.promise)
    for (const key of ['one', 'two', 'three']) await configure(s, { flags: [{ key }] })
    expect(pause.mock.calls).toContainEqual([50])
    mock.restore()
    span.resolve()
    expect(Object.keys((await stream.data('invalidate')).flags).sort()).toEqual(['one', 'three', 'two'])
    await expectSilence(stream)
  })

  test('is evaluated with the attributes and purchases of that moment', async () => {
    const rules = [
      { conditions: { plan: 'gold', 'svc.hasActive': 'true', 'svc.lifetimeSpendUsd': { $gt: '5' } }, value: true },
    ]
    await configure(s, { flags: [{ key: 'gold', rules: rules as never }] })
    const stream = await listen('svc_now')
    await s.post('/v1/me/attributes', { attributes: { plan: 'gold' } }, { headers: { 'x-svc-app-user-id': 'svc_now' } })
    expect((await s.receipt('svc_now', s.buy(MONTHLY))).status).toBe(200)
    const wanted = (await configOf(s, 'svc_now')).body.data.flags
    await configure(s, { flags: [{ key: 'bell' }] })
    expect((await stream.data('invalidate')).flags).toEqual({ ...wanted, bell: false })
    expect(wanted).toEqual({ gold: true })
    s.ctx.clock.advance(40 * DAY)
    await change({ description: 'again' }, 'bell')
    expect((await stream.data('invalidate')).flags.gold).toBe(false)
  })

  test('follows a merge to the survivor, and back when it is undone', async () => {
    const rules = [{ conditions: { plan: 'gold' }, value: true }]
    const streams = [await listen('svc_old'), await listen('svc_new')]
    await s.post('/v1/me/attributes', { attributes: { plan: 'gold' } }, { headers: { 'x-svc-app-user-id': 'svc_old' } })
    await identify(s, 'svc_old', 'carl')
    await identify(s, 'svc_new', 'carl')
    await configure(s, { flags: [{ key: 'gold', rules }] })
    for (const stream of streams) expect((await stream.data('invalidate')).flags).toEqual({ gold: true })
    const [transfer] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    const undone = await s.post(`/v1/subscribers/transfer/${transfer?.id}/undo`, {}, { key: s.project.secretKey })
    expect(undone.status).toBe(200)
    await change({ description: 'again' }, 'gold')
    const invalidates = await Promise.all(streams.map((stream) => stream.data('invalidate')))
    const wanted = await Promise.all(['svc_old', 'svc_new'].map((device) => flagsOf(s, device)))
    expect(invalidates.map(({ flags }) => flags)).toEqual(wanted)
  })

  test('reaches all streams of all subscribers, each with their own', async () => {
    const rules = [{ conditions: { 'svc.deviceKey': { $in: ['svc_m1', 'svc_m222'] } }, value: true }]
    const devices = Array.from({ length: 230 }, (_, index) => `svc_m${index}`)
    const streams = await Promise.all(devices.map((device) => listen(device)))
    await configure(s, { flags: [{ key: 'mine', rules }] })
    const invalidates = await Promise.all(streams.map((stream) => stream.data('invalidate')))
    expect(devices.filter((_, index) => invalidates[index].flags.mine)).toEqual(['svc_m1', 'svc_m222'])
  })

  test('comes again when a change lands while the streams are being told', async () => {
    const streams = await Promise.all(Array.from({ length: 150 }, (_, index) => listen(`svc_r${index}`)))
    await configure(s, { flags: [{ key: 'version', type: 'NUMBER', defaultValue: 0 }] })
    for (let version = 1; version <= 12; version++) {
      await change({ defaultValue: version }, 'version')
      await Bun.sleep(version * 7)
    }
    for (const stream of streams) {
      let last = -1
      while (last < 12) {
        const { version } = (await stream.data('invalidate')).flags
        expect(version).toBeGreaterThan(last) // Never lower, and never the same twice.
        last = version
      }
    }
    await expectSilence(streams[0] as HeldStream)
  })

  test('is not lost when the change lands between the first evaluation and the stream', async () => {
    await configure(s, { flags: [{ key: 'version', type: 'NUMBER', defaultValue: 0 }] })
    const opening = Array.from({ length: 40 }, (_, index) => openStream(s, `subscriberId=svc_race${index}`))
    await change({ defaultValue: 1 }, 'version')
    const streams = await Promise.all(opening)
    held.push(...streams)
    for (const stream of streams) {
      const initial = (await stream.data('initial')).flags.version
      const last = initial === 1 ? 1 : (await stream.data('invalidate')).flags.version
      expect(last).toBe(1)
    }
  })

  test('is tried again when the database was away', async () => {
    const stream = await listen('svc_trouble')
    const { find } = s.ctx.state.projects
    let failures = 0
    Object.assign(s.ctx.state.projects, {
      find: async (id: string) => {
        if (failures++ === 0) throw new Error('away')
        return find.call(s.ctx.state.projects, id)
      },
    })
    await configure(s, { flags: [{ key: 'late' }] })
    expect((await stream.data('invalidate')).flags).toEqual({ late: false })
    Object.assign(s.ctx.state.projects, { find })
    expect(s.ctx.lines.join()).toContain('streams could not be updated after a change yet')
  })

  test('a broken row darkens itself alone', async () => {
    const stream = await listen('svc_broken')
    await configure(s, {
      flags: [
        { key: 'sound', defaultValue: true },
        { key: 'broken', rules: 'none' as never },
      ],
    })
    expect((await stream.data('invalidate')).flags.sound).toBe(true)
  })

  test('somebody whose rows are broken is let go, and the others are told', async () => {
    await configure(s, {
      flags: [{ key: 'active', rules: [{ conditions: { 'svc.hasActive': 'true' }, value: true }] }],
    })
    const [broken, ...sound] = await Promise.all(['svc_bad', 'svc_s1', 'svc_s2'].map((device) => listen(device)))
    await s.receipt('svc_bad', s.buy(MONTHLY))
    const { purchases } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(purchases).orderBy(desc(purchases.id)).limit(1)
    const setFold = (fold: unknown) =>
      s.ctx.write((tx) =>
        tx.db
          .update(purchases)
          .set({ fold: fold as never })
          .where(eq(purchases.id, row?.id ?? '')),
      )
    await setFold(sql`'null'`)
    await change({ description: 'again' }, 'active')
    for (const stream of sound) expect((await stream.data('invalidate')).flags).toEqual({ active: false })
    expect(await broken?.next()).toBeNull()
    expect(s.ctx.lines.join()).toContain('a stream could not be evaluated')
    await setFold(row?.fold)
  })
})
