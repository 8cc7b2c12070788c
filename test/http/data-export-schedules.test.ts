import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { eq } from 'drizzle-orm'
import { registryOf } from '../../src/background'
import { Worker } from '../../src/base/jobs/worker'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { exportExamination } from '../../src/insight/data-export/doctor'
import { enqueueDueExports } from '../../src/insight/data-export/jobs'
import { MAX_ATTEMPTS } from '../../src/insight/data-export/perform-schedule'
import { SLICES } from '../../src/slices'
import { work } from '../support/accounts'
import { envOf, svc } from '../support/backup'
import { type BucketServer, bucketServer, refusal } from '../support/bucket'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { join } from '../support/crew'
import { csvRows, runExport } from '../support/exports'
import { everything, refund } from '../support/facts'
import { type Staff, staff } from '../support/staff'

const KEY = 'AKIAEXAMPLE'
const SECRET = 'wJalrXUtnFEMI-a-secret-of-tests'

let s: Stage
let team: Staff
let bucket: BucketServer
beforeEach(async () => {
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1', SVC_RATE_USER: '0' } })
  team = staff(s)
  bucket = bucketServer(KEY)
})
afterEach(() => s.close())

const bodyOf = (more: object = {}) => ({
  to: 's3://bucket/daily',
  endpoint: bucket.url,
  accessKeyId: KEY,
  secretAccessKey: SECRET,
  ...more,
})

const make = async (more: object = {}) => (await team.as('ADMIN').post('/exports/schedules', bodyOf(more))).body.data
const list = async (path = '/exports') => (await team.as('ADMIN').get(path)).body.data.items

/** As if the command line of the server had named the bucket: then Bun's client uploads. */
const trust = () => s.ctx.write((tx) => tx.db.update(tx.tables.exportSchedules).set({ isTrusted: true }))

/** Lets the time of the day come, and runs what is due. */
async function nextDay(): Promise<void> {
  s.ctx.clock.advance(24 * HOUR)
  await run()
}

async function run(): Promise<void> {
  await enqueueDueExports(s.ctx)
  await work(s)
}

describe('a schedule', () => {
  test('is created with the end of its key alone, and listed', async () => {
    const answer = await team.as('ADMIN').post('/exports/schedules', bodyOf())
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^exs_[0-9a-z]{26}$/),
      to: 's3://bucket/daily',
      endpoint: bucket.url,
      region: null,
      accessKeyLast4: 'MPLE',
      tables: ['subscribers', 'purchases', 'transactions', 'events', 'ledger'],
      format: 'csv',
      columns: 'svc',
      dailyAt: '02:00',
      isEnabled: true,
      nextRunAt: '2026-11-21T02:00:00.000Z',
      failures: 0,
      lastError: null,
      lastRun: null,
      revision: 1,
      createdAt: '2026-11-20T08:00:00.000Z',
      updatedAt: '2026-11-20T08:00:00.000Z',
    })
    expect(await list('/exports/schedules')).toEqual([answer.body.data])
    expect(bucket.calls).toEqual([])
  })

  test('never shows its secret: not in answers, logs, the audit log or the rows', async () => {
    await make()
    await team.as('ADMIN').patch(`/exports/schedules/${(await list('/exports/schedules'))[0].id}`, { dailyAt: '05:00' })
    bucket.fault = () => refusal(403, 'AccessDenied')
    await nextDay()
    const { auditLog, exportSchedules, exportRuns, jobs, notices } = s.ctx.tables
    const rows = await Promise.all(
      [auditLog, exportSchedules, exportRuns, jobs, notices].map((t) => s.ctx.db.select().from(t)),
    )
    const texts = [...s.ctx.lines, JSON.stringify(rows), JSON.stringify(await list('/exports/schedules'))]
    expect(texts.join('\n')).not.toContain(SECRET)
    expect(texts.join('\n')).not.toContain(KEY)
  })

  test('writes everything at its time, then what changed, and nothing before', async () => {
    await make({ tables: ['purchases', 'transactions'] })
    const hers = s.buy(MONTHLY)
    await s.receipt('svc_ada', hers)
    await s.receipt('svc_bo', s.buy(MONTHLY))
    s.ctx.clock.advance(HOUR)
    await run()
    expect(bucket.calls).toEqual([])
    await nextDay()
    const [first = ''] = [...bucket.objects.keys()]
    expect(first).toMatch(/^bucket\/daily\/20261121T090000Z-[0-9a-z]{8}\/purchases-000001\.csv$/)
    expect([...bucket.objects.keys()].at(-1)).toEndWith('/manifest.json')
    expect(csvRows(bucket.text(first))).toHaveLength(2)
    await run()
    expect(await list()).toHaveLength(1)
    bucket.objects.clear()
    await s.receipt('svc_ada', refund(s, hers))
    await nextDay()
    const [second = ''] = [...bucket.objects.keys()]
    expect(csvRows(bucket.text(second)).map(({ status }) => status)).toEqual(['REFUNDED'])
    const [latest, earlier] = await list()
    expect(latest).toMatchObject({ status: 'COMPLETED', rows: 3, error: null, until: '2026-11-22T09:00:00.000Z' })
    expect(Date.parse(latest.from)).toBe(Date.parse(earlier.until) - 2 * MINUTE)
    expect((await list('/exports/schedules'))[0].lastRun).toMatchObject({ id: latest.id, status: 'COMPLETED' })
    expect(bucket.calls.every(({ query }) => /[?&]X-Amz-Signature=[0-9a-f]{64}(&|$)/.test(query))).toBe(true)
  })

  test('whose days passed while no server ran is written once', async () => {
    await make({ tables: ['ledger'] })
    s.ctx.clock.advance(10 * 24 * HOUR)
    await run()
    expect(await list()).toHaveLength(1)
    expect((await list('/exports/schedules'))[0].nextRunAt).toBe('2026-12-01T02:00:00.000Z')
  })

  test('that is switched off or deleted is not written, nor one that waits in the queue', async () => {
    const off = await make({ isEnabled: false })
    const gone = await make()
    s.ctx.clock.advance(24 * HOUR)
    await enqueueDueExports(s.ctx)
    expect((await team.as('ADMIN').delete(`/exports/schedules/${gone.id}`)).body).toEqual({ data: { deleted: true } })
    expect((await team.as('ADMIN').delete(`/exports/schedules/${gone.id}`)).status).toBe(404)
    await work(s)
    expect(await list()).toEqual([])
    expect(bucket.calls).toEqual([])
    expect((await list('/exports/schedules')).map(({ id }: { id: string }) => id)).toEqual([off.id])
    expect(off.nextRunAt).toBeNull()
  })

  test('is written into a folder below the data folder, for the command line alone', async () => {
    const made = await runExport(s, 'schedule', '--to', 'nightly', '--table', 'ledger', '--daily-at', '00:30', '--json')
    const folder = joinPath(s.ctx.config.dataDir, 'exports', 'nightly')
    expect(JSON.parse(made.out)).toMatchObject({ to: folder, nextRunAt: '2026-11-21T00:30:00.000Z' })
    await nextDay()
    const [name = ''] = readdirSync(folder)
    expect(readdirSync(joinPath(folder, name)).sort()).toEqual(['ledger-000001.csv', 'manifest.json'])
    const { id } = JSON.parse(made.out)
    expect((await team.as('ADMIN').patch(`/exports/schedules/${id}`, { to: folder })).status).toBe(400)
    expect((await team.as('ADMIN').patch(`/exports/schedules/${id}`, { dailyAt: '01:00' })).status).toBe(200)
    for (const to of ['/tmp/elsewhere', '../up', '..', '.', 'a/../../b', '/etc', joinPath(folder, '../../x')])
      expect([to, (await runExport(s, 'schedule', '--to', to)).code]).toEqual([to, 1])
  })
})

describe('a bucket that refuses', () => {
  test('is tried again later with what was not written, and leaves no half file', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await make({ tables: ['subscribers', 'purchases'] })
    bucket.fault = ({ key }) => (key.includes('purchases') ? refusal(503, 'SlowDown') : null)
    await nextDay()
    expect((await list())[0]).toMatchObject({ status: 'RUNNING', attempts: 1, rows: 1 })
    expect([...bucket.objects.keys()].map((key) => key.split('/').at(-1))).toEqual(['subscribers-000001.csv'])
    bucket.fault = () => null
    s.ctx.clock.advance(HOUR)
    await work(s)
    const [done] = await list()
    expect(done).toMatchObject({ status: 'COMPLETED', rows: 2, error: null })
    const names = [...bucket.objects.keys()].map((key) => key.split('/').at(-1))
    expect(names).toEqual(['subscribers-000001.csv', 'purchases-000001.csv', 'manifest.json'])
  })

  test('for the last time gives the run up, tells the people, and the next day has everything', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const owner = await join(s, 'olive', 'OWNER')
    await join(s, 'devon', 'DEVELOPER')
    const { id } = await make({ tables: ['purchases'] })
    bucket.fault = () => refusal(403, 'AccessDenied')
    await nextDay()
    for (let n = 1; n < MAX_ATTEMPTS; n++) {
      s.ctx.clock.advance(HOUR)
      await work(s)
    }
    expect((await list())[0]).toMatchObject({ status: 'FAILED', attempts: MAX_ATTEMPTS, files: [] })
    const [schedule] = await list('/exports/schedules')
    expect(schedule).toMatchObject({ id, failures: 1, isEnabled: true })
    expect(schedule.lastError).toContain('AccessDenied')
    expect(await faults()).toEqual([expect.stringContaining(`(${id}) has failed once`)])
    const told = await s.ctx.db.select().from(s.ctx.tables.notices)
    expect(told.map(({ userId, kind }) => [userId, kind])).toEqual([[owner.id, 'export_failed']])
    bucket.fault = () => null
    await nextDay()
    expect((await list())[0]).toMatchObject({ status: 'COMPLETED', from: null, rows: 1 })
    expect((await list('/exports/schedules'))[0]).toMatchObject({ failures: 0, lastError: null })
    expect(await faults()).toEqual([])
  })

  test('with a large file gets it in parts, and never a part alone', async () => {
    const { subscribers } = s.ctx.tables
    await s.get('/v1/me', 'svc_ada')
    const [row] = await s.ctx.db.select().from(subscribers)
    const value = 'x'.repeat(9_000_000)
    const attributes = { big: { value, source: 'api', updatedAt: 1 } }
    await s.ctx.write((tx) => tx.db.update(subscribers).set({ attributes }))
    expect(row).toBeDefined()
    await make({ tables: ['subscribers'] })
    await trust()
    bucket.fault = ({ query }) => (query.includes('partNumber=2') ? refusal(500, 'InternalError') : null)
    await nextDay()
    expect(bucket.objects.size).toBe(0)
    expect((await list())[0]).toMatchObject({ status: 'RUNNING', attempts: 1 })
    bucket.fault = () => null
    s.ctx.clock.advance(HOUR)
    await work(s)
    const [key = ''] = [...bucket.objects.keys()]
    expect(bucket.text(key)).toContain(value)
    expect(bucket.calls.some(({ query }) => query.includes('partNumber=2'))).toBe(true)
    expect(readdirSync(joinPath(s.ctx.config.dataDir, 'exports'))).toEqual([])
  })
})

test('an export whose process hangs goes on in another one, behind its last complete file', async () => {
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await make({ tables: ['subscribers', 'purchases'] })
  const { promise: hangs, resolve: hang } = Promise.withResolvers<void>()
  const { promise: hanging, resolve: answer } = Promise.withResolvers<null>()
  bucket.fault = ({ key }) => {
    if (!key.includes('purchases')) return null
    hang()
    return hanging
  }
  s.ctx.clock.advance(24 * HOUR)
  await enqueueDueExports(s.ctx)
  const late = work(s)
  await hangs
  s.ctx.state.exportTurn.isTaken = false // The other process has a memory of its own.
  const [first] = await list()
  bucket.fault = () => null
  await work(s)
  expect((await list())[0]).toMatchObject({ id: first.id, status: 'RUNNING' })
  s.ctx.clock.advance(2 * MINUTE) // The lease of the job has run out.
  await work(s)
  expect((await list())[0]).toMatchObject({ id: first.id, status: 'COMPLETED', rows: 2 })
  expect(await list()).toHaveLength(1)
  const puts = bucket.calls.filter(({ key }) => key.includes('subscribers'))
  expect(puts).toHaveLength(1)
  answer(null)
  await late
  expect((await list())[0]).toMatchObject({ id: first.id, status: 'COMPLETED', rows: 2 })
})

test('an export stops with its server after a page, and goes on in the next one', async () => {
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await make({ tables: ['subscribers', 'purchases'] })
  const worker = new Worker(s.ctx, registryOf(SLICES))
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  bucket.fault = () => {
    void worker.stop().then(stop)
    return null
  }
  s.ctx.clock.advance(24 * HOUR)
  await enqueueDueExports(s.ctx)
  worker.start()
  await stopped
  const [first] = await list()
  expect(first).toMatchObject({ status: 'RUNNING', rows: 1, attempts: 0, error: null })
  bucket.fault = () => null
  await work(s)
  expect((await list()).map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
    [first.id, 'COMPLETED'],
  ])
  await work(s)
  expect(await list()).toHaveLength(1)
})

test('a project that was deleted is not exported any more', async () => {
  await make()
  const { projects } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(projects).set({ deletedAt: 1 }).where(eq(projects.id, s.project.id)))
  s.ctx.state.projects.forget?.(s.project.id)
  await nextDay()
  expect(bucket.calls).toEqual([])
  expect(await s.ctx.db.$count(s.ctx.tables.exportRuns)).toBe(0)
})

test('a redirect of an address that a user gave is not followed, not even to a public address', async () => {
  const inside = bucketServer(KEY)
  await make({ tables: ['ledger'] })
  for (const status of [301, 302, 307, 308]) {
    bucket.fault = () => new Response(null, { status, headers: { location: `${inside.url}/meta` } })
    await nextDay()
    expect((await list())[0]).toMatchObject({ status: 'RUNNING', error: expect.stringContaining(`status ${status}`) })
  }
  expect(inside.calls).toEqual([])
  bucket.fault = () => null
})

test('an address that leads into a private network later is not called', async () => {
  const { id } = await make({ tables: ['ledger'] })
  const { exportSchedules } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(exportSchedules).set({ endpoint: 'https://10.0.0.7' }))
  await nextDay()
  expect((await list())[0]).toMatchObject({ scheduleId: id, error: expect.stringContaining('private network') })
  expect(bucket.calls).toEqual([])
})

test('a bucket that the command line has named is written by the client of Bun, signed in the header', async () => {
  await make({ tables: ['ledger'] })
  await trust()
  await nextDay()
  expect([...bucket.objects.keys()].map((key) => key.split('/').at(-1))).toEqual(['ledger-000001.csv', 'manifest.json'])
  expect(bucket.calls.every(({ authorization }) => authorization.startsWith('AWS4-HMAC-SHA256 '))).toBe(true)
})

/** What the doctor says about the project. */
async function faults(): Promise<readonly string[]> {
  const examined = { handle: s.ctx, config: s.ctx.config, vault: s.ctx.vault, now: s.ctx.clock.now() }
  const report = await exportExamination.project?.(examined, { id: s.project.id, slug: 'x' })
  return (report?.faults ?? []).map(({ message }) => message)
}

test('credentials that do not open are named by the doctor, and the bucket is not called', async () => {
  await make({ tables: ['ledger'] })
  const { exportSchedules } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(exportSchedules).set({ sealedCredentials: 'v1.other.a.b.c' }))
  expect(await faults()).toEqual([expect.stringContaining('its credentials do not open')])
  await nextDay()
  expect(bucket.calls).toEqual([])
  expect((await list())[0].error).toContain('the credentials of the bucket cannot be opened')
})

describe('a change', () => {
  test('merges, raises the revision, and one that changes nothing does neither', async () => {
    const { id } = await make()
    const changed = await team.as('ADMIN').patch(`/exports/schedules/${id}`, { dailyAt: '09:15', format: 'parquet' })
    expect(changed.body.data).toMatchObject({
      ...{ revision: 2, dailyAt: '09:15', format: 'parquet', nextRunAt: '2026-11-20T09:15:00.000Z' },
      ...{ to: 's3://bucket/daily', accessKeyLast4: 'MPLE' },
    })
    const same = await team.as('ADMIN').patch(`/exports/schedules/${id}`, { dailyAt: '09:15' })
    expect(same.body.data.revision).toBe(2)
    const stale = { headers: { 'if-match': '"1"' } }
    expect((await team.as('ADMIN').patch(`/exports/schedules/${id}`, { dailyAt: '10:00' }, stale)).status).toBe(409)
    expect((await team.as('ADMIN').delete(`/exports/schedules/${id}`, stale)).status).toBe(409)
  })

  test('of the place needs the credentials again, so that nobody can use the saved ones elsewhere', async () => {
    const { id } = await make()
    const path = `/exports/schedules/${id}`
    for (const change of [{ to: 's3://other/daily' }, { endpoint: null }, { region: 'eu-central-1' }])
      expect((await team.as('ADMIN').patch(path, change)).status).toBe(400)
    const moved = { to: 's3://other/x', accessKeyId: 'AKIAOTHER', secretAccessKey: 'b' }
    expect((await team.as('ADMIN').patch(path, moved)).body.data).toMatchObject({ to: 's3://other/x' })
    expect((await list('/exports/schedules'))[0].accessKeyLast4).toBe('THER')
  })

  test('of the content ends a run that has begun, and the next one is made for it', async () => {
    const { id } = await make({ tables: ['ledger'] })
    bucket.fault = () => refusal(500, 'InternalError')
    await nextDay()
    await team.as('ADMIN').patch(`/exports/schedules/${id}`, { tables: ['subscribers'] })
    expect((await list())[0]).toMatchObject({ status: 'FAILED', error: 'the schedule was changed' })
    bucket.fault = () => null
    s.ctx.clock.advance(HOUR)
    await work(s)
    expect((await list())[0]).toMatchObject({ status: 'COMPLETED', tables: ['subscribers'] })
  })
})

const refused: [name: string, body: object, says: string][] = [
  ['a folder', { to: '/var/exports' }, 'to must be s3://bucket/prefix'],
  ['a folder below the data folder', { to: 'nightly' }, 'to must be s3://bucket/prefix'],
  ['a bucket without a name', { to: 's3://' }, 'to must be'],
  ['a prefix with a way up', { to: 's3://bucket/../other' }, 'to must be'],
  ['a prefix with a query', { to: 's3://bucket/a?b=c' }, 'to must be'],
  ['a region that is a host', { region: 'x.evil.example/' }, 'region must be'],
  ['an endpoint with a path', { endpoint: 'https://s3.example.com/path' }, 'endpoint must be'],
  ['an endpoint in a private network', { endpoint: 'https://10.0.0.7' }, 'private network'],
  ['an endpoint of the cloud itself', { endpoint: 'https://169.254.169.254' }, 'private network'],
  ['an endpoint without encryption', { endpoint: 'http://s3.example.com' }, 'https'],
  ['an endpoint with a password', { endpoint: 'https://a:b@s3.example.com' }, 'endpoint'],
  ['no credentials', { accessKeyId: undefined, secretAccessKey: undefined }, 'a bucket needs'],
  ['a key without its secret', { secretAccessKey: undefined }, 'secretAccessKey must be'],
  ['a secret without its key', { accessKeyId: undefined }, 'accessKeyId must be'],
  ['a key with a line break', { accessKeyId: 'AK\r\nX: y' }, 'accessKeyId must be'],
  ['no tables', { tables: [] }, 'tables'],
  ['an unknown table', { tables: ['deliveries'] }, 'tables'],
  ['a table that the columns lack', { columns: 'revenuecat_v5', tables: ['ledger'] }, 'tables must be'],
  ['an unknown format', { format: 'xml' }, 'format'],
  ['a time that is none', { dailyAt: '24:00' }, 'dailyAt'],
  ['an unknown member', { every: 'hour' }, 'every'],
]
for (const [name, body, says] of refused)
  test(`${name} is refused with 400, and nothing is written`, async () => {
    const before = await everything(s)
    const answer = await team.as('ADMIN').post('/exports/schedules', bodyOf(body))
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(answer.body.error)).toContain(says)
    expect(JSON.stringify(answer.body)).not.toContain(SECRET)
    expect(await list('/exports/schedules')).toEqual([])
    expect(await everything(s)).toEqual(before)
  })

test('only administrators and owners may see or change exports; others learn nothing', async () => {
  const { id } = await make()
  for (const role of ['DEVELOPER', 'GROWTH', 'CUSTOMER_SUPPORT', 'SUPPORT_READ', 'STRANGER'] as const) {
    const calls = team.as(role)
    const status = role === 'STRANGER' ? 404 : 403
    expect((await calls.get('/exports')).status).toBe(status)
    expect((await calls.get('/exports/schedules')).status).toBe(status)
    expect((await calls.post('/exports/schedules', bodyOf())).status).toBe(status)
    expect((await calls.patch(`/exports/schedules/${id}`, { isEnabled: false })).status).toBe(status)
    expect((await calls.delete(`/exports/schedules/${id}`)).status).toBe(status)
  }
  expect(await list('/exports/schedules')).toHaveLength(1)
})

test('a schedule of another project is not there', async () => {
  const { id } = await make()
  team.sessions.roles.set(`usr_admin ${s.other.id}`, 'ADMIN')
  const options = { projectId: s.other.id }
  expect((await team.as('ADMIN').patch(`/exports/schedules/${id}`, { dailyAt: '01:00' }, options)).status).toBe(404)
  expect((await team.as('ADMIN').delete(`/exports/schedules/${id}`, options)).status).toBe(404)
  expect((await team.as('ADMIN').get('/exports/schedules', options)).body.data.items).toEqual([])
  expect((await team.as('ADMIN').patch('/exports/schedules/exs_1', { dailyAt: '01:00' })).status).toBe(404)
})

test('a project has at most ten schedules', async () => {
  for (let n = 0; n < 10; n++) await make({ to: `s3://bucket/${n}` })
  const answer = await team.as('ADMIN').post('/exports/schedules', bodyOf())
  expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
})

test('lists have pages', async () => {
  for (let n = 0; n < 3; n++) await make({ to: `s3://bucket/${n}`, tables: ['ledger'] })
  await nextDay()
  expect(await list()).toHaveLength(1) // One export at a time; the others wait for it.
  for (let n = 0; n < 2; n++) {
    s.ctx.clock.advance(MINUTE)
    await work(s)
  }
  for (const path of ['/exports', '/exports/schedules']) {
    const first = (await team.as('ADMIN').get(`${path}?limit=2`)).body.data
    const rest = (await team.as('ADMIN').get(`${path}?limit=2&cursor=${first.nextCursor}`)).body.data
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([2, 1, null])
    expect((await team.as('ADMIN').get(`${path}?cursor=x`)).status).toBe(400)
  }
})

test('without a master key no credentials are taken', async () => {
  const bare = await stage({ env: { SVC_MASTER_KEY: 'off', SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  try {
    const answer = await staff(bare).as('ADMIN').post('/exports/schedules', bodyOf())
    expect([answer.status, answer.body.error]).toEqual([
      503,
      expect.objectContaining({ code: 'FEATURE_NOT_CONFIGURED', details: { feature: 'credential_encryption' } }),
    ])
  } finally {
    await bare.close()
  }
})

test('the command line lists and ends schedules', async () => {
  const { id } = await make()
  expect((await runExport(s, 'schedules')).out).toContain(id)
  expect(await runExport(s, 'unschedule', id)).toMatchObject({ code: 0, out: `${id} is deleted.` })
  expect(await runExport(s, 'unschedule', id)).toMatchObject({ code: 1, out: '' })
  expect((await runExport(s, 'schedules')).out).toBe('No export is scheduled.')
  expect(await runExport(s, 'unschedule')).toMatchObject({ code: 2 })
  expect(await runExport(s, 'schedule')).toMatchObject({ code: 2 })
  expect(await runExport(s, 'schedule', '--to', 'x', '--daily-at', '25:00')).toMatchObject({ code: 1 })
  expect(existsSync(joinPath(s.ctx.config.dataDir, 'exports', 'x'))).toBe(false)
})

describe('the command line with a bucket', () => {
  const never = new Promise<void>(() => {})
  const call = (args: readonly string[], env: Record<string, string>) =>
    svc(
      ['export-data', ...args, '--project', s.project.id, '--json'],
      { ...envOf(s.ctx), ...env },
      never,
      undefined,
      later(),
    )
  const later = () => s.ctx.clock.now() + HOUR
  const keys = () => ({
    ...{
      SVC_MASTER_KEY: TEST_KEY,
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: SECRET,
      AWS_ENDPOINT_URL: bucket.url,
    },
  })

  test('takes the credentials of its environment, and shows them nowhere', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const ran = await call(['--to', 's3://bucket/once/'], { ...keys(), AWS_SESSION_TOKEN: 'temporary' })
    expect([ran.code, ran.err]).toEqual([0, ''])
    const { folder, files } = JSON.parse(ran.out)
    expect(folder).toMatch(/^s3:\/\/bucket\/once\/\d{8}T\d{6}Z-[0-9a-z]{8}$/)
    expect([...bucket.objects.keys()].map((key) => key.split('/').at(-1))).toEqual([
      ...files.map(({ name }: { name: string }) => name),
      'manifest.json',
    ])
    expect(new Set(bucket.calls.map(({ token }) => token))).toEqual(new Set(['temporary']))
    expect(ran.out + JSON.stringify(await list())).not.toContain(SECRET)
    expect(readdirSync(joinPath(s.ctx.config.dataDir, 'exports'))).toEqual([])
  })

  test('goes on after the bucket has failed', async () => {
    bucket.fault = ({ key }) => (key.includes('ledger') ? refusal(403, 'AccessDenied') : null)
    const failed = await call(['--to', 's3://bucket/x'], keys())
    expect([failed.code, failed.err.split('\n').length]).toEqual([1, 1])
    expect(failed.err).toContain('AccessDenied')
    bucket.fault = () => null
    const ran = await call(['--to', 's3://bucket/x'], keys())
    expect([ran.code, ran.err]).toEqual([0, 'This goes on with an export that was interrupted.'])
    expect(bucket.calls.filter(({ key }) => key.includes('subscribers'))).toHaveLength(1)
  })

  test('schedules it with lasting credentials only', async () => {
    const made = await call(['schedule', '--to', 's3://bucket/x', '--table', 'ledger'], keys())
    expect(JSON.parse(made.out)).toMatchObject({ endpoint: bucket.url, accessKeyLast4: 'MPLE' })
    const refused = await call(['schedule', '--to', 's3://bucket/y'], { ...keys(), AWS_SESSION_TOKEN: 'temporary' })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('lasting credentials')])
    expect(await list('/exports/schedules')).toHaveLength(1)
  })
})
