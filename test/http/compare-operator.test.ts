import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR } from '../../src/base/lib/clock'
import { continueRun } from '../../src/moving/compare/begin'
import { compareExamination } from '../../src/moving/compare/doctor'
import { beginDueRuns } from '../../src/moving/compare/jobs'
import { deletePerson } from '../../src/moving/compare/queries'
import { work } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { KEY_ENV, runCompare } from '../support/compare-command'
import { type MadePerson, pro, writePeople } from '../support/compared-people'
import { join } from '../support/crew'
import { csvRows } from '../support/exports'
import { everything } from '../support/facts'
import { type OldVendor, startOldVendor, VENDOR_KEY } from '../support/old-vendor'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
let vendor: OldVendor
beforeEach(async () => {
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1', SVC_RATE_USER: '0' } })
  team = staff(s)
  vendor = startOldVendor(() => s.ctx.clock.now() + 412)
})
afterEach(() => s.close())

const admin = () => team.as('ADMIN')
const order = (more: object = {}) => ({ vendor: 'revenuecat', url: vendor.url, key: VENDOR_KEY, rate: 500, ...more })

/** `differing` of them have an access only here. */
async function people(count: number, differing: number): Promise<Map<string, string>> {
  const now = s.ctx.clock.now()
  const made = Array.from({ length: count }, (_, n): MadePerson => {
    const there = n < differing ? {} : pro(now, `8${n}`)
    return { label: `user_${n}`, deviceKey: `svc_${n}`, bought: [{ transaction: `8${n}` }], there }
  })
  return writePeople(s, vendor, made)
}

/** The answer itself: the body of a table is no JSON. */
async function download(path: string): Promise<Response> {
  const headers = { cookie: 'svc_session=ADMIN' }
  return s.app.handle(new Request(`http://localhost/dashboard/projects/${s.project.id}${path}`, { headers }))
}

async function done(): Promise<{ id: string; [name: string]: unknown }> {
  await work(s)
  return (await admin().get('/compare/runs')).body.data.items[0]
}

describe('a comparison of the dashboard', () => {
  test('is started, worked on by the server, and read', async () => {
    await people(12, 3)
    const started = await admin().post('/compare/runs', order({ sample: null }))
    expect(started.status).toBe(201)
    expect(started.body.data).toMatchObject({
      ...{ id: expect.stringMatching(/^cmp_[0-9a-z]{26}$/), vendor: 'revenuecat', status: 'RUNNING', kinds: {} },
      ...{ isScheduled: false, skipSandbox: true, sample: null, rate: 500, error: null, finishedAt: null },
      counters: { people: 12, done: 0, withoutId: 1 },
    })
    const run = await done()
    expect(run).toMatchObject({ status: 'COMPLETED', differences: 3, kinds: { ACCESS_ONLY_HERE: 3 } })
    expect((await admin().get(`/compare/runs/${run.id}`)).body.data).toEqual(run)
  })

  test('gives its findings page by page, by kind, and as CSV', async () => {
    await people(9, 5)
    await admin().post('/compare/runs', order())
    const { id } = await done()
    const path = `/compare/runs/${id}/findings`
    const first = (await admin().get(`${path}?limit=3`)).body.data
    const second = (await admin().get(`${path}?limit=3&cursor=${first.nextCursor}`)).body.data
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([3, 2, null])
    const all = [...first.items, ...second.items]
    expect(new Set(all.map(({ person }) => person)).size).toBe(5)
    expect(all[0]).toMatchObject({
      kind: 'ACCESS_ONLY_HERE',
      identifier: 'pro',
      rule: 'ACTIVE_BEFORE_END',
      theirs: 'no access',
    })
    expect((await admin().get(`${path}?kind=OTHER_END`)).body.data.items).toEqual([])
    expect((await admin().get(`${path}?kind=ACCESS_ONLY_HERE&cursor=${first.nextCursor}`)).status).toBe(400)
    expect((await admin().get(`${path}?kind=everything`)).status).toBe(400)
    const file = await download(`${path}.csv`)
    expect([file.status, csvRows(await file.text()).length]).toEqual([200, 5])
    expect(csvRows(await (await download(`${path}.csv?kind=OTHER_END`)).text())).toEqual([])
  })

  test('stores the key encrypted, forgets it at the end, and shows it nowhere', async () => {
    await people(2, 1)
    const answer = await admin().post('/compare/runs', order())
    const texts = async () => [...s.ctx.lines, ...(await everything(s)), JSON.stringify(answer.body)].join('\n')
    expect(await texts()).not.toContain(VENDOR_KEY)
    await done()
    const rows = await s.ctx.db.select().from(s.ctx.tables.compareRuns)
    expect(rows.map(({ sealedKey, status }) => [sealedKey, status])).toEqual([[null, 'COMPLETED']])
    const { auditLog, jobs } = s.ctx.tables
    const more = JSON.stringify([await s.ctx.db.select().from(auditLog), await s.ctx.db.select().from(jobs)])
    expect(more + (await texts())).not.toContain(VENDOR_KEY)
  })

  test('is one at a time, and can be cancelled', async () => {
    await people(3, 1)
    const { id } = (await admin().post('/compare/runs', order())).body.data
    expect((await admin().post('/compare/runs', order())).status).toBe(409)
    const beside = await runCompare(s, [
      '--vendor',
      'revenuecat',
      '--key-env',
      KEY_ENV,
      '--url',
      vendor.url,
      '--project',
      s.project.id,
    ])
    expect([beside.code, beside.err]).toEqual([1, expect.stringContaining('is going on')])
    const ended = await admin().post(`/compare/runs/${id}/cancel`, {})
    expect([ended.status, ended.body.data.status]).toEqual([200, 'CANCELLED'])
    expect((await admin().post(`/compare/runs/${id}/cancel`, {})).status).toBe(409)
    await work(s)
    expect(vendor.asked).toEqual([])
    expect((await admin().post('/compare/runs', order())).status).toBe(201)
  })

  test('stops with a sentence when the key is refused', async () => {
    await people(2, 0)
    await admin().post('/compare/runs', order({ key: 'sk_another_key' }))
    const run = await done()
    expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('refuses the key (HTTP 401)') })
    expect(JSON.stringify(run)).not.toContain('sk_another_key')
  })

  test('is given up when the queue has not worked on it for two days', async () => {
    await people(1, 0)
    await admin().post('/compare/runs', order())
    s.ctx.clock.advance(47 * HOUR)
    expect((await admin().post('/compare/runs', order())).status).toBe(409)
    s.ctx.clock.advance(HOUR)
    expect((await admin().post('/compare/runs', order())).status).toBe(201)
  })

  test('of another project is not there, and neither is a damaged id', async () => {
    await people(1, 1)
    await admin().post('/compare/runs', order())
    const { id } = await done()
    const other = `/dashboard/projects/${s.other.id}`
    for (const path of [`/compare/runs/${id}x`, '/compare/runs/cmp_1', `/compare/runs/${id}x/findings`])
      expect((await admin().get(path)).status).toBe(404)
    expect((await s.call('GET', `${other}/compare/runs/${id}`, { key: null })).status).toBe(401)
  })

  test('refuses what it cannot do', async () => {
    const bodies: object[] = [
      order({ vendor: 'qonversion' }),
      order({ key: 'short' }),
      order({ key: 'has a blank in it' }),
      order({ key: undefined }),
      order({ rate: 0 }),
      order({ rate: 5000 }),
      order({ sample: 0 }),
      order({ sample: 1.5 }),
      order({ url: 'http://10.0.0.1' }),
      order({ url: 'https://user:pass@example.com' }),
      order({ url: 'https://api.example.com/?api_key=1' }),
      order({ url: 'file:///etc/passwd' }),
      order({ more: 1 }),
    ]
    const before = await s.ctx.db.select().from(s.ctx.tables.compareRuns)
    for (const body of bodies) expect([body, (await admin().post('/compare/runs', body)).status]).toEqual([body, 400])
    expect(await s.ctx.db.select().from(s.ctx.tables.compareRuns)).toEqual(before)
    expect((await team.as('DEVELOPER').post('/compare/runs', order())).status).toBe(403)
  })

  test('forgets a person who is erased', async () => {
    const ids = await people(3, 3)
    await admin().post('/compare/runs', order())
    const { id } = await done()
    await s.ctx.write((tx) => deletePerson(tx, { projectId: s.project.id, id: ids.get('svc_1') ?? '' }, []))
    const left = (await admin().get(`/compare/runs/${id}/findings`)).body.data.items
    expect(left.map(({ person }: { person: string }) => person).toSorted()).toEqual(['user_0', 'user_2'])
  })
})

describe('the nightly comparison', () => {
  const schedule = (more: object = {}) => admin().put('/compare/schedule', order({ dailyAt: '03:30', ...more }))

  test('is set, read, changed and ended', async () => {
    expect((await admin().get('/compare/schedule')).status).toBe(404)
    const made = await schedule()
    expect([made.status, made.body.data]).toMatchObject([
      200,
      { keyLast4: VENDOR_KEY.slice(-4), nextRunAt: '2026-11-21T03:30:00.000Z', isEnabled: true, revision: 1 },
    ])
    expect((await admin().get('/compare/schedule')).body.data).toEqual(made.body.data)
    const later = await schedule({ key: undefined, dailyAt: '05:00' })
    expect(later.body.data).toMatchObject({ dailyAt: '05:00', keyLast4: VENDOR_KEY.slice(-4), revision: 2 })
    expect((await schedule({ key: undefined, dailyAt: '05:00' })).body.data.revision).toBe(2)
    expect((await admin().delete('/compare/schedule')).status).toBe(200)
    expect((await admin().delete('/compare/schedule')).status).toBe(404)
  })

  test('takes no other address without its key, and no time that is none', async () => {
    expect((await schedule({ key: undefined })).status).toBe(400)
    await schedule()
    expect((await schedule({ key: undefined, url: null })).status).toBe(400)
    expect((await schedule({ dailyAt: '25:00' })).status).toBe(400)
  })

  test('begins at its time, once a night, with the saved key', async () => {
    await people(4, 2)
    await schedule()
    await beginDueRuns(s.ctx)
    await work(s)
    expect(vendor.asked).toEqual([])
    s.ctx.clock.advance(24 * HOUR)
    await Promise.all([beginDueRuns(s.ctx), beginDueRuns(s.ctx)])
    const run = await done()
    expect(run).toMatchObject({ isScheduled: true, status: 'COMPLETED', kinds: { ACCESS_ONLY_HERE: 2 } })
    await beginDueRuns(s.ctx)
    expect((await admin().get('/compare/runs')).body.data.items).toHaveLength(1)
  })

  test('tells owners and administrators what it has found, and nothing when both agree', async () => {
    const owner = await join(s, 'olive', 'OWNER')
    await join(s, 'devon', 'DEVELOPER')
    await people(4, 0)
    await schedule()
    const told = async () =>
      (await s.ctx.db.select().from(s.ctx.tables.notices)).map(({ userId, kind, body }) => [userId, kind, body])
    const night = async () => {
      s.ctx.clock.advance(24 * HOUR)
      await beginDueRuns(s.ctx)
      await done()
    }
    await night()
    expect(await told()).toEqual([])
    vendor.people.clear()
    await admin().post('/compare/runs', order())
    await done()
    expect(await told()).toEqual([]) // Whoever asks for one reads it.
    await night()
    const body = expect.stringMatching(/Of 4 people, 4 are not the same .*an access only here \(4\)/)
    expect(await told()).toEqual([[owner.id, 'comparison_differs', body]])
    await beginDueRuns(s.ctx)
    await work(s)
    expect(await told()).toHaveLength(1)
  })

  test('is examined by the doctor', async () => {
    const examine = async () => {
      const { storage: handle, vault, clock } = s.ctx
      const project = { id: s.project.id, slug: 'project-1' }
      const given = { handle, vault, clock } as unknown as Parameters<typeof compareExamination.project & object>[0]
      return (await compareExamination.project?.(given, project as never))?.faults
    }
    await people(1, 0)
    await schedule({ key: 'sk_another_key' })
    expect(await examine()).toEqual([])
    s.ctx.clock.advance(24 * HOUR)
    await beginDueRuns(s.ctx)
    await work(s)
    expect(await examine()).toEqual([
      expect.objectContaining({ code: 'COMPARE_FAILED', message: expect.stringContaining('refuses the key') }),
    ])
  })

  test('is skipped while the one of last night goes on, and runs the next time', async () => {
    await people(1, 0)
    await schedule()
    s.ctx.clock.advance(24 * HOUR)
    await beginDueRuns(s.ctx)
    s.ctx.clock.advance(24 * HOUR)
    await beginDueRuns(s.ctx)
    expect((await admin().get('/compare/runs')).body.data.items).toHaveLength(1)
    expect(continueRun(s.ctx, s.project.id, null)).rejects.toThrow('going on')
    expect((await done()).status).toBe('COMPLETED')
  })

  test('is set by the command line too, with any address, and never with the key in clear', async () => {
    const args = ['--vendor', 'revenuecat', '--key-env', KEY_ENV, '--project', s.project.id]
    const made = await runCompare(s, [
      'schedule',
      ...args,
      '--url',
      'http://10.0.0.7:9000',
      '--daily-at',
      '04:00',
      '--json',
    ])
    expect([made.code, JSON.parse(made.out).url]).toEqual([0, 'http://10.0.0.7:9000'])
    expect(JSON.stringify(await s.ctx.db.select().from(s.ctx.tables.compareSchedules))).not.toContain(VENDOR_KEY)
    expect((await runCompare(s, ['runs', '--project', s.project.id])).out).toBe('Nothing was compared yet.')
    expect((await runCompare(s, ['unschedule', '--project', s.project.id])).code).toBe(0)
    expect((await runCompare(s, ['unschedule', '--project', s.project.id])).code).toBe(1)
    expect((await runCompare(s, ['schedule', ...args, '--daily-at', 'noon'])).code).not.toBe(0)
  })
})
