import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hostname } from 'node:os'
import { eq } from 'drizzle-orm'
import { registryOf } from '../../src/background'
import { openBlobs } from '../../src/base/blobs/open'
import { LongTurns } from '../../src/base/http/long-turns'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { ownerName } from '../../src/insight/data-export/owner'
import { enqueueLostImports } from '../../src/moving/imports/jobs'
import type { ImportStatus } from '../../src/moving/imports/model'
import { deleteOldFiles } from '../../src/moving/imports/retention'
import { SLICES } from '../../src/slices'
import { type Stage, stage } from '../support/cast'
import { join } from '../support/crew'
import { type ImportStage, importSample, importStage, rowsOf } from '../support/import-stage'
import { dataOf } from '../support/operator'
import { browserOf } from '../support/staff'

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  i = importStage(s)
})
afterEach(() => s.close())

type Change = Partial<typeof s.ctx.tables.importJobs.$inferInsert>

/** Puts a job in a state in which only trouble would leave it. */
const put = (id: string, change: Change) =>
  s.ctx.write((tx) => tx.db.update(tx.tables.importJobs).set(change).where(eq(tx.tables.importJobs.id, id)))

const rowOf = async (id: string) => {
  const { importJobs } = s.ctx.tables
  return (await s.ctx.db.select().from(importJobs).where(eq(importJobs.id, id)))[0]
}

/** Changes are limited to five a minute. */
const later = () => s.ctx.clock.advance(MINUTE + 1)

const auditRows = async () => {
  const { auditLog } = s.ctx.tables
  return (await s.ctx.db.select().from(auditLog).orderBy(auditLog.position)).map(({ action, target }) => [
    action,
    target.id,
  ])
}

const act = async (id: string, action: string) => {
  later()
  if (action !== 'mapping') return i.act(id, action)
  return i.team.as('ADMIN').patch(`/imports/${id}/mapping`, { options: { importAnchorless: false } })
}

const STATES: ImportStatus[] = [
  ...(['PENDING_MAPPING', 'DRY_RUN_RUNNING', 'DRY_RUN_COMPLETE', 'RUNNING', 'VERIFYING'] as const),
  ...(['VERIFICATION_INCOMPLETE', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNDOING'] as const),
]

/** Action, its name in refusals, the states that allow it, and the state afterwards. */
const ACTIONS: [path: string, name: string, allowed: ImportStatus[], after: ImportStatus][] = [
  ['mapping', 'editMapping', STATES.filter((state) => !/RUNNING|VERIFYING|UNDOING/.test(state)), 'PENDING_MAPPING'],
  ['dry-run', 'dryRun', STATES.filter((state) => !/RUNNING|VERIFYING|UNDOING/.test(state)), 'DRY_RUN_RUNNING'],
  ['commit', 'commit', ['DRY_RUN_COMPLETE'], 'RUNNING'],
  ['resume', 'resume', ['VERIFICATION_INCOMPLETE', 'VERIFYING'], 'VERIFYING'],
  ['cancel', 'cancel', STATES.filter((state) => !/COMPLETED|FAILED|CANCELLED|UNDOING/.test(state)), 'CANCELLED'],
]

describe.each(ACTIONS)('%s', (path, name, allowed, after) => {
  test.each(STATES)('in state %s', async (state) => {
    const { id } = await i.make(rowsOf(1))
    await put(id, { status: state })
    const before = await auditRows()
    const answer = await act(id, path)
    const written = (await auditRows()).slice(before.length)
    if (allowed.includes(state)) {
      expect(answer.status).toBe(path === 'mapping' ? 200 : 202)
      expect(answer.body.data.status).toBe(after)
      expect(written).toEqual(path === 'resume' && state === 'VERIFYING' ? [] : [[expect.any(String), id]])
    } else {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'IMPORT_JOB_STATE'])
      expect(answer.body.error.details).toEqual({ action: name, state })
      expect([(await rowOf(id))?.status, written]).toEqual([state, []])
    }
  })
})

describe('audit', () => {
  test('names who sent which file, and never a row of it', async () => {
    const { id } = await i.make('subscriberExternalId,store\nsomebody@example.com,payment\n', { fileName: 'a.csv' })
    const { auditLog } = s.ctx.tables
    const [row, ...more] = (await s.ctx.db.select().from(auditLog).orderBy(auditLog.position)).filter(
      ({ target }) => target.id === id,
    )
    expect(more).toEqual([])
    expect(row).toMatchObject({ action: 'import.create', actor: { kind: 'USER', id: 'usr_admin' }, before: null })
    expect(row?.after).toMatchObject({ fileName: 'a.csv', files: [{ name: 'a.csv', bytes: 56 }] })
    expect(JSON.stringify(row)).not.toContain('somebody')
  })

  test('has one row for a part', async () => {
    const { id } = await i.make(await Bun.file(importSample('android_tokens.csv')).bytes())
    const part = await Bun.file(importSample('android_tokens.csv')).bytes()
    await i.upload(part, { path: `/imports/${id}/parts` })
    expect(await auditRows()).toEqual([
      ['import.create', id],
      ['import.addPart', id],
    ])
  })
})

describe('refusals', () => {
  test('an import of another project does not exist here', async () => {
    const { id } = await i.make(rowsOf(1))
    await put(id, { projectId: s.other.id })
    for (const path of [`/imports/${id}`, '/imports/imp_x', '/imports/..%2f', `/imports/${id}/report.csv`])
      expect((await i.team.as('ADMIN').get(path)).status).toBe(404)
    for (const action of ['mapping', 'dry-run', 'commit', 'resume', 'cancel', 'undo'])
      expect((await act(id, action)).status).toBe(404)
    later()
    expect((await i.upload(rowsOf(1), { path: `/imports/${id}/parts` })).status).toBe(404)
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toEqual([])
  })

  test('members without the capability, strangers and other origins may send nothing', async () => {
    for (const [as, status] of [
      ...([
        ['DEVELOPER', 403],
        ['GROWTH', 403],
        ['CUSTOMER_SUPPORT', 403],
      ] as const),
      ...([
        ['SUPPORT_READ', 403],
        ['STRANGER', 404],
      ] as const),
    ])
      expect([as, (await i.upload(rowsOf(1), { as })).status]).toEqual([as, status])
    const origin = { origin: 'https://evil.example' }
    expect((await i.upload(rowsOf(1), { headers: origin })).status).toBe(403)
    expect((await i.upload(rowsOf(1), { headers: { cookie: '' } })).status).toBe(401)
    expect([i.blobs.held.size, await auditRows()]).toEqual([0, []])
  })

  test('a deployment without a place for files says so before anything is read', async () => {
    const { id } = await i.make('user_id,android_purchase_token,android_product_id\na,t,p\n')
    s.ctx.state.blobs = openBlobs({ storage: { kind: 'none' } })
    for (const path of ['/imports', `/imports/${id}/parts`]) {
      let pulled = 0
      const body = new ReadableStream<Uint8Array>({ pull: () => void pulled++ }, { highWaterMark: 0 })
      const headers = { cookie: 'svc_session=ADMIN', origin: browserOf(s).origin, 'content-type': 'text/csv' }
      const url = `http://localhost/dashboard/projects/${s.project.id}${path}`
      const answer = await s.app.handle(new Request(url, { method: 'POST', headers, body }))
      const { error } = (await answer.json()) as { error: { code: string; details: object } }
      expect([answer.status, error.code, error.details]).toEqual([
        ...[503, 'FEATURE_NOT_CONFIGURED', { feature: 'upload_staging' }],
      ])
      expect(pulled).toBe(0)
    }
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toHaveLength(1)
  })

  test('the same Idempotency-Key makes one import', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await i.upload(rowsOf(1), { headers })
    const second = await i.upload(rowsOf(1), { headers })
    expect([second.status, second.body]).toEqual([201, first.body])
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toHaveLength(1)
  })

  test('an Idempotency-Key of another body is refused', async () => {
    const headers = { 'idempotency-key': 'twice' }
    await i.upload(rowsOf(1), { headers: { ...headers, 'content-length': '10' } })
    const other = await i.upload(rowsOf(2), { headers: { ...headers, 'content-length': '20' } })
    expect(other.status).toBeGreaterThanOrEqual(400)
  })

  test('a cursor of another list is refused', async () => {
    expect((await i.team.as('ADMIN').get('/imports?cursor=abc')).status).toBe(400)
    expect((await i.team.as('ADMIN').get('/imports?limit=0')).status).toBe(400)
  })
})

test('the list is newest first, page by page, without the faults of rows', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.unshift((await i.make(rowsOf(n))).id)
  const first = (await i.team.as('ADMIN').get('/imports?limit=2')).body.data
  const second = (await i.team.as('ADMIN').get(`/imports?limit=2&cursor=${first.nextCursor}`)).body.data
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
  expect([second.nextCursor, first.items[0].errors]).toEqual([null, []])
})

describe('a worker', () => {
  const committed = async (rows: number) => {
    const { id } = await i.make(rowsOf(rows))
    await i.act(id, 'dry-run')
    await i.worked(id)
    await i.act(id, 'commit')
    return id
  }
  /** Of a process of this machine that runs no more. */
  const dead = `${hostname()} 999999999 gone`

  /** Forgets the queue, as if the row of the job had been lost too. */
  const loseQueue = () => s.ctx.write((tx) => tx.db.delete(tx.tables.jobs))

  test('that has crashed is taken over behind its last batch', async () => {
    const id = await committed(2500)
    let count = 0
    i.steps.before = () => {
      if (++count === 2) throw new Error('SQLITE_FULL', { cause: { code: 'SQLITE_FULL' } })
    }
    await i.worked(id)
    expect((await rowOf(id))?.status).toBe('RUNNING')
    i.steps.before = () => {}
    await loseQueue()
    await put(id, { owner: dead, seenAt: s.ctx.clock.now() })
    await enqueueLostImports(s.ctx)
    expect(await i.worked(id)).toMatchObject({ status: 'COMPLETED', counters: { rows: 2500, purchasesNew: 2500 } })
    expect(i.steps.batches.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 2500 }, (_, n) => n + 2))
  })

  test('that is at work is left alone, and one that is silent is not', async () => {
    const id = await committed(5)
    await put(id, { owner: `elsewhere 1 x`, seenAt: s.ctx.clock.now() })
    await loseQueue()
    await enqueueLostImports(s.ctx)
    await i.worked(id)
    expect(i.steps.batches).toEqual([])
    s.ctx.clock.advance(3 * MINUTE)
    await enqueueLostImports(s.ctx)
    expect((await i.worked(id)).status).toBe('COMPLETED')
  })

  test('whose job another process has taken over writes no further batch', async () => {
    const id = await committed(3000)
    i.steps.before = () => {
      if (i.steps.batches.length === 1) void put(id, { owner: 'elsewhere 1 x' })
    }
    await i.worked(id)
    expect(i.steps.batches.length).toBeLessThan(5) // The file has at least seven.
    expect((await rowOf(id))?.counters.rows).toBe(i.steps.batches.flatMap(({ lines }) => lines).length)
    expect(ownerName(s.ctx)).not.toBe('elsewhere 1 x')
  })

  test('whose database is full goes on later', async () => {
    const id = await committed(1500)
    let isFull = true
    i.steps.before = () => {
      if (isFull && i.steps.batches.length === 1) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
    }
    expect(await i.worked(id)).toMatchObject({
      ...{ status: 'RUNNING', fileRows: 1500 },
      counters: { rows: i.steps.batches[0]?.lines.length },
    })
    expect(i.steps.batches.length).toBe(1)
    isFull = false
    later()
    expect(await i.worked(id)).toMatchObject({ status: 'COMPLETED', counters: { rows: 1500, purchasesNew: 1500 } })
  })
})

describe('owners and administrators are told', () => {
  const told = async () =>
    (await s.ctx.db.select().from(s.ctx.tables.notices)).map(({ userId, kind, title }) => [userId, kind, title])
  const made = async () => {
    later() // Changes are limited to five a minute.
    const { id } = await i.make(rowsOf(2))
    await i.act(id, 'dry-run')
    await i.worked(id)
    await i.act(id, 'commit')
    return id
  }

  test('of an import that is not verified whole, once however often it goes on', async () => {
    const owner = await join(s, 'olive', 'OWNER')
    await join(s, 'devon', 'DEVELOPER')
    i.steps.outcome = 'VERIFICATION_INCOMPLETE'
    const id = await made()
    expect((await i.worked(id)).status).toBe('VERIFICATION_INCOMPLETE')
    const notice = [owner.id, 'import_ended', 'The import of history.csv is not verified whole']
    expect(await told()).toEqual([notice])
    await i.act(id, 'resume')
    expect((await i.worked(id)).status).toBe('VERIFICATION_INCOMPLETE')
    expect(await told()).toEqual([notice])
  })

  test('of an import that has failed, and of none that has ended well', async () => {
    const owner = await join(s, 'olive', 'OWNER')
    expect((await i.worked(await made())).status).toBe('COMPLETED')
    expect(await told()).toEqual([])
    const id = await made()
    i.blobs.held.clear()
    expect(await i.worked(id)).toMatchObject({ status: 'FAILED', failure: expect.stringContaining('is gone') })
    await i.worked(id)
    expect(await told()).toEqual([[owner.id, 'import_ended', 'The import of history.csv failed']])
  })
})

/** Files that nobody can read to their end before `release` is called. */
function holdFiles(isHeld: (key: string) => boolean): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { read } = i.blobs
  i.blobs.read = async (key, from) => {
    if (isHeld(key)) await promise
    return read(key, from)
  }
  return resolve
}

test('a small import is done at once beside large ones of another project', async () => {
  i.team.sessions.roles.set(`usr_admin ${s.other.id}`, 'ADMIN')
  const large: string[] = []
  for (let count = 0; count < 3; count++) {
    later()
    large.push((await i.make(rowsOf(50 + count))).id)
    expect((await i.act(large.at(-1) ?? '', 'dry-run')).status).toBe(202)
  }
  const release = holdFiles((key) => large.some((id) => key.includes(id)))
  const worker = new Worker(s.ctx, registryOf(SLICES))
  worker.start(10)
  const own = { projectId: s.other.id }
  const admin = i.team.as('ADMIN')
  const small = await i.make(rowsOf(2), { projectId: s.other.id })
  expect((await admin.post(`/imports/${small.id}/dry-run`, {}, own)).status).toBe(202)
  const read = async (id: string, options = {}) => (await dataOf(admin.get(`/imports/${id}`, options))).status
  while ((await rowOf(small.id))?.status === 'DRY_RUN_RUNNING') await new Promise(setImmediate)
  expect(await read(small.id, own)).toBe('DRY_RUN_COMPLETE')
  expect(await Promise.all(large.map((id) => read(id)))).toEqual(large.map(() => 'DRY_RUN_RUNNING'))
  release()
  await worker.stop()
})

test('an import pauses after each batch, in turns with the other long pieces of work', async () => {
  let paused = 0
  s.ctx.state.longTurns = new LongTurns(async () => void paused++)
  const { id } = await i.make(rowsOf(500))
  expect((await i.act(id, 'dry-run')).status).toBe(202)
  expect((await i.worked(id)).status).toBe('DRY_RUN_COMPLETE')
  expect(paused).toBeGreaterThan(1)
})

describe('files', () => {
  const ended = async (status: ImportStatus, age: number) => {
    const { id } = await i.make(rowsOf(1))
    await put(id, { status, finishedAt: s.ctx.clock.now() - age })
    return id
  }

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)('of a %s import go after seven days', async (status) => {
    const [old, young] = [await ended(status, 7 * DAY + 1), await ended(status, 7 * DAY - MINUTE)]
    await deleteOldFiles(s.ctx)
    expect([...i.blobs.held.keys()]).toEqual([`imports/${young}/0`])
    expect((await i.team.as('ADMIN').get(`/imports/${old}`)).body.data.filesDeletedAt).not.toBeNull()
    expect((await i.team.as('ADMIN').get(`/imports/${young}`)).body.data.filesDeletedAt).toBeNull()
  })

  test.each(['VERIFICATION_INCOMPLETE', 'VERIFYING', 'RUNNING', 'DRY_RUN_COMPLETE', 'PENDING_MAPPING'] as const)(
    'of an import in state %s stay',
    async (status) => {
      await ended(status, 100 * DAY)
      await deleteOldFiles(s.ctx)
      expect(i.blobs.held.size).toBe(1)
    },
  )

  test('that are gone cannot be read again', async () => {
    const id = await ended('FAILED', 8 * DAY)
    await deleteOldFiles(s.ctx)
    for (const action of ['mapping', 'dry-run']) {
      const answer = await act(id, action)
      expect([action, answer.status, answer.body.error.code]).toEqual([action, 409, 'CONFLICT'])
    }
    expect((await i.report(id)).body).toBe('file,line,column,message\r\n')
  })
})
