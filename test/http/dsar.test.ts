import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { BlobsUnavailable } from '../../src/base/blobs/blobs'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { dataRequestExamination } from '../../src/moving/data-requests/doctor'
import { pickUpLost, removeSpent } from '../../src/moving/data-requests/jobs'
import { LINK_MS } from '../../src/moving/data-requests/model'
import { performRequest } from '../../src/moving/data-requests/perform'
import { claimRequest } from '../../src/moving/data-requests/work'
import { type Answer, type Stage, stage } from '../support/cast'
import { download, getRequest, openRequest, requestNow, unzip, work } from '../support/data-requests'
import { identify, rowOf } from '../support/facts'
import { auditRows, changes, dataOf } from '../support/operator'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_KEY: '0', SVC_RATE_USER: '0' } })
  team = staff(s)
  team.sessions.roles.set(`usr_owner ${s.other.id}`, 'OWNER')
})
afterAll(() => s.close())

const SERVER = () => ({ key: s.project.secretKey })
const OTHER = () => ({ key: s.other.secretKey })
const stored = (id: string) => {
  const { dataRequests: r } = s.ctx.tables
  return s.ctx.db.select().from(r).where(eq(r.id, id))
}
const requests = () => s.ctx.db.select().from(s.ctx.tables.dataRequests)
const jobs = () => s.ctx.db.select().from(s.ctx.tables.jobs)
const dropJobs = () => s.ctx.write((tx) => tx.db.delete(tx.tables.jobs))
const change = (id: string, set: Partial<Awaited<ReturnType<typeof requests>>[0]>) => {
  const { dataRequests: r } = s.ctx.tables
  return s.ctx.write((tx) => tx.db.update(r).set(set).where(eq(r.id, id)))
}

let count = 0
/** A subscriber that no other test knows. */
async function someone(): Promise<string> {
  const device = `svc_someone_${++count}`
  await s.get('/v1/me', device)
  return device
}

async function opened(type: 'export' | 'erasure', reference: string): Promise<string> {
  s.ctx.clock.advance(MINUTE) // The limiter of the routes counts over a minute.
  const { status, body } = await openRequest(s, type, reference)
  expect(status).toBe(200)
  return body.data.request.id
}

const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details]

describe('a request of a server', () => {
  test('is answered as wire 2.19 says, and done by a worker', async () => {
    s.ctx.clock.advance(MINUTE)
    const device = await someone()
    const { status, body } = await openRequest(s, 'export', device, {}, 'support@example.com')
    const at = new Date(s.ctx.clock.now()).toISOString()
    const { id } = body.data.request
    expect([status, body]).toEqual([
      200,
      {
        data: {
          request: {
            ...{ id: expect.stringMatching(/^dsr_[0-9a-z]{26}$/), type: 'EXPORT', status: 'PENDING' },
            ...{ requestedBy: 'support@example.com', createdAt: at, updatedAt: at, completedAt: null },
            ...{ expiresAt: null, error: null, downloadReady: false },
          },
        },
      },
    ])
    expect((await download(s, id)).status).toBe(404)
    await work(s)
    const until = new Date(s.ctx.clock.now() + LINK_MS).toISOString()
    expect(await requestNow(s, id)).toMatchObject({
      ...{ status: 'COMPLETED', completedAt: at, expiresAt: until, error: null, downloadReady: true },
    })
    const response = await download(s, id)
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'application/octet-stream', `attachment; filename="dsar-${id}.export"`])
    expect([...unzip(Buffer.from(await response.arrayBuffer())).keys()]).toContain('index.html')
  })

  test('finds the person by id, label and device key, also when the row was merged away', async () => {
    const [first, second] = [await someone(), await someone()]
    await identify(s, first, 'merged/ä 1')
    await identify(s, second, 'merged/ä 1')
    const [live, merged] = [await rowOf(s, second), await rowOf(s, first)]
    const id = await opened('export', first)
    for (const reference of [live.id, merged.id, 'merged/ä 1', second])
      expect(await opened('export', reference)).toBe(id)
    expect((await stored(id))[0]?.subscriberId).toBe(live.id)
    await work(s)
  })

  test('is done for a row whose merge chain is broken', async () => {
    const device = await someone()
    const { subscribers: t } = s.ctx.tables
    const mergedInto = 'sub_00000000000000000000000000'
    await s.ctx.write((tx) => tx.db.update(t).set({ mergedInto }).where(eq(t.deviceKey, device)))
    const id = await opened('export', device)
    await work(s)
    expect((await requestNow(s, id)).status).toBe('COMPLETED')
    expect(unzip(Buffer.from(await (await download(s, id)).arrayBuffer())).get('subscriber.json')).toContain(device)
  })

  test('may have members that nobody knows, as older and newer servers send them', async () => {
    const body = { appUserId: await someone(), requestedBy: 'x', reason: { a: 1 } }
    expect((await s.post('/v1/dsar/export', body, SERVER())).status).toBe(200)
  })

  const bodies: [name: string, body: unknown][] = [
    ['no person', { requestedBy: 'x' }],
    ['an empty person', { appUserId: '', requestedBy: 'x' }],
    ['a person that is no text', { appUserId: 5, requestedBy: 'x' }],
    ['a person with NUL', { appUserId: 'a\0', requestedBy: 'x' }],
    ['a person of 256 characters', { appUserId: 'a'.repeat(256), requestedBy: 'x' }],
    ['nobody who asks', { appUserId: 'svc_someone_1' }],
    ['an empty name of who asks', { appUserId: 'svc_someone_1', requestedBy: '' }],
    ['a long name of who asks', { appUserId: 'svc_someone_1', requestedBy: 'x'.repeat(201) }],
    ['a list', []],
  ]
  test.each(bodies)('%s is refused, and nothing is opened', async (_, body) => {
    s.ctx.clock.advance(MINUTE)
    const before = await requests()
    for (const type of ['export', 'erasure'])
      expect(refusal(await s.post(`/v1/dsar/${type}`, body, SERVER()))[1]).toBe('VALIDATION_ERROR')
    expect(await requests()).toEqual(before)
  })

  test('about nobody is 404, also when another project knows the person', async () => {
    await s.get('/v1/me', 'svc_theirs', { key: s.other.publicKey })
    const before = await requests()
    for (const reference of ['svc_nobody', 'svc_theirs', 'sub_00000000000000000000000000', 'sub_x'])
      for (const type of ['export', 'erasure'] as const)
        expect(refusal(await openRequest(s, type, reference))[1]).toBe('NOT_FOUND')
    expect(await requests()).toEqual(before)
  })

  test('needs the secret key', async () => {
    const body = { appUserId: await someone(), requestedBy: 'x' }
    const before = await requests()
    const id = 'dsr_00000000000000000000000000'
    for (const call of [
      (options: object) => s.post('/v1/dsar/export', body, options),
      (options: object) => s.post('/v1/dsar/erasure', body, options),
      (options: object) => s.get(`/v1/dsar/${id}`, undefined, options),
      (options: object) => s.get(`/v1/dsar/${id}/download`, undefined, options),
    ]) {
      expect(refusal(await call({}))[1]).toBe('FORBIDDEN')
      expect(refusal(await call({ key: null }))[1]).toBe('BEARER_REQUIRED')
    }
    expect(await requests()).toEqual(before)
  })

  test('of another project, and one that does not exist, is 404', async () => {
    const id = await opened('export', await someone())
    await work(s)
    for (const reference of [id, 'dsr_00000000000000000000000000', 'dsr_x', 'x'.repeat(64), `${id} `]) {
      const path = `/v1/dsar/${encodeURIComponent(reference)}`
      expect(refusal(await s.get(path, undefined, OTHER()))[1]).toBe('NOT_FOUND')
      expect(refusal(await s.get(`${path}/download`, undefined, OTHER()))[1]).toBe('NOT_FOUND')
    }
    expect((await getRequest(s, id)).status).toBe(200)
  })

  test('is limited to 60 a minute for a key, exports and erasures together', async () => {
    s.ctx.clock.advance(2 * MINUTE)
    const device = await someone()
    for (let n = 0; n < 60; n++) expect((await openRequest(s, n % 2 ? 'export' : 'erasure', device)).status).toBe(200)
    for (const type of ['export', 'erasure'] as const) {
      const answer = await openRequest(s, type, device)
      expect(refusal(answer).slice(0, 2)).toEqual([429, 'RATE_LIMITED'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // Another key, and reading, are not limited by it.
    await s.get('/v1/me', 'svc_other_one', { key: s.other.publicKey })
    expect((await openRequest(s, 'export', 'svc_other_one', OTHER())).status).toBe(200)
    expect((await s.get('/v1/virtual-currencies/svc_someone_1', undefined, SERVER())).status).toBe(200)
    s.ctx.clock.advance(MINUTE)
    expect((await openRequest(s, 'export', device)).status).toBe(200)
    await work(s)
  })

  test('is answered by the open one, of which there is one for each person and type', async () => {
    s.ctx.clock.advance(MINUTE)
    const device = await someone()
    const before = (await requests()).length
    const answers = await Promise.all(Array.from({ length: 6 }, () => openRequest(s, 'export', device)))
    const ids = new Set(answers.map(({ body }) => body.data.request.id))
    expect(ids.size).toBe(1)
    const erasure = await opened('erasure', device)
    expect(ids).not.toContain(erasure)
    expect((await requests()).length).toBe(before + 2)
    await change(erasure, { status: 'FAILED' })
    await work(s)
    expect(ids).not.toContain(await opened('export', device))
    await work(s)
  })

  test('that is repeated gets the job that was lost', async () => {
    const device = await someone()
    const id = await opened('export', device)
    await dropJobs()
    expect(await work(s)).toBe(0)
    expect(await opened('export', device)).toBe(id)
    await opened('export', device)
    expect(await jobs()).toHaveLength(1)
    await work(s)
    expect((await requestNow(s, id)).status).toBe('COMPLETED')
  })
})

describe('the machine', () => {
  test('works on one request at a time, and on all of them', async () => {
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(await opened('export', await someone()))
    const { write } = s.ctx.state.blobs
    const most = { now: 0, ever: 0 }
    s.ctx.state.blobs.write = async (key, bytes) => {
      most.ever = Math.max(most.ever, ++most.now)
      const stored = await write(key, bytes)
      most.now--
      return stored
    }
    try {
      await work(s)
    } finally {
      s.ctx.state.blobs.write = write
    }
    for (const id of ids) expect((await requestNow(s, id)).status).toBe('COMPLETED')
    expect(most.ever).toBe(1)
    expect(s.ctx.state.dataRequestTurn).toEqual({ isTaken: false, waiting: new Set() })
    expect(await jobs()).toEqual([])
  })

  test('takes a request that no job is about after a minute', async () => {
    const id = await opened('export', await someone())
    await dropJobs()
    await pickUpLost(s.ctx)
    expect(await jobs()).toEqual([])
    s.ctx.clock.advance(MINUTE)
    await pickUpLost(s.ctx)
    await pickUpLost(s.ctx)
    expect(await jobs()).toHaveLength(1)
    await work(s)
    expect((await requestNow(s, id)).status).toBe('COMPLETED')
  })

  test('leaves a claimed request alone for ten minutes, and takes it then', async () => {
    const id = await opened('export', await someone())
    expect(await claimRequest(s.ctx, id)).toMatchObject({ status: 'RUNNING', claimedAt: s.ctx.clock.now() })
    expect(await claimRequest(s.ctx, id)).toBeNull()
    await work(s)
    expect((await requestNow(s, id)).status).toBe('RUNNING')
    s.ctx.clock.advance(10 * MINUTE - 1)
    await pickUpLost(s.ctx)
    await work(s)
    expect((await requestNow(s, id)).status).toBe('RUNNING')
    await dropJobs()
    s.ctx.clock.advance(1)
    await pickUpLost(s.ctx)
    expect((await requestNow(s, id)).status).toBe('PENDING')
    await work(s)
    expect((await requestNow(s, id)).status).toBe('COMPLETED')
  })

  test('never moves a request that has ended', async () => {
    const id = await opened('export', await someone())
    await work(s)
    const [before] = await stored(id)
    s.ctx.clock.advance(DAY)
    expect(await claimRequest(s.ctx, id)).toBeNull()
    expect(await performRequest(s.ctx, id, () => false)).toEqual({ kind: 'DONE' })
    await pickUpLost(s.ctx)
    await work(s)
    expect(await stored(id)).toEqual(before ? [before] : [])
    await change(id, { status: 'FAILED', artefactKey: null })
    expect(await performRequest(s.ctx, id, () => false)).toEqual({ kind: 'DONE' })
    expect((await requestNow(s, id)).status).toBe('FAILED')
  })

  test('gives a request back when the process stops, and ends it in the next one', async () => {
    const id = await opened('export', await someone())
    const now = s.ctx.clock.now()
    expect(await performRequest(s.ctx, id, () => true)).toEqual({ kind: 'AGAIN', at: now })
    expect(await requestNow(s, id)).toMatchObject({ status: 'PENDING', error: null, downloadReady: false })
    expect(await s.ctx.state.blobs.list(`dsar/${id}`)).toEqual([])
    await work(s)
    expect((await requestNow(s, id)).status).toBe('COMPLETED')
  })

  test('waits for a full disk, says so, and gives up after three days', async () => {
    const id = await opened('export', await someone())
    const { write } = s.ctx.state.blobs
    s.ctx.state.blobs.write = async (_key, bytes) => {
      await bytes.getReader().read()
      throw new BlobsUnavailable('ENOSPC: no space left on /srv/secret/path')
    }
    try {
      await work(s)
      expect(await requestNow(s, id)).toMatchObject({
        status: 'PENDING',
        error: 'The place where files are stored cannot be written at present.',
      })
      s.ctx.clock.advance(3 * DAY)
      await work(s)
      const failed = await requestNow(s, id)
      expect(failed).toMatchObject({ status: 'FAILED', downloadReady: false })
      expect(failed.error).not.toContain('secret')
      expect(failed.completedAt).not.toBeNull()
    } finally {
      s.ctx.state.blobs.write = write
    }
    await dropJobs()
    expect((await download(s, id)).status).toBe(404)
    await removeSpent(s.ctx)
    expect((await stored(id))[0]?.artefactKey).toBeNull()
  })

  test('ends a request in the next try when the disk has room again', async () => {
    const id = await opened('export', await someone())
    const { write } = s.ctx.state.blobs
    s.ctx.state.blobs.write = async () => {
      throw new BlobsUnavailable('ENOSPC')
    }
    await work(s)
    s.ctx.state.blobs.write = write
    expect((await requestNow(s, id)).status).toBe('PENDING')
    s.ctx.clock.advance(HOUR)
    await work(s)
    expect(await requestNow(s, id)).toMatchObject({ status: 'COMPLETED', error: null })
  })

  test('503 QUEUE_UNAVAILABLE when the queue does not take it: the request waits and is picked up later', async () => {
    const device = await someone()
    s.ctx.clock.advance(MINUTE)
    const { write } = s.ctx
    let writes = 0
    Object.assign(s.ctx, {
      write: (run: Parameters<typeof write>[0]) =>
        ++writes === 2 ? Promise.reject(new Error('the queue is down')) : write(run),
    })
    let answer: Answer
    try {
      answer = await openRequest(s, 'export', device)
    } finally {
      Object.assign(s.ctx, { write })
    }
    expect(refusal(answer)).toEqual([503, 'QUEUE_UNAVAILABLE', { queue: 'dsar' }])
    expect(answer.headers.get('retry-after')).toBe('5')
    const [row] = (await requests()).filter(({ status }) => status === 'PENDING')
    expect(row).toBeDefined()
    s.ctx.clock.advance(MINUTE)
    await pickUpLost(s.ctx)
    await work(s)
    expect((await requestNow(s, row?.id ?? '')).status).toBe('COMPLETED')
  })
})

test('svc doctor names requests that wait for more than a day, and those that failed', async () => {
  await work(s)
  const own = { id: s.project.id, slug: 'project-1' }
  const faults = async (at = s.ctx.clock.now()) => {
    const examined = { handle: s.ctx, config: s.ctx.config, vault: s.ctx.vault, now: at }
    return (await dataRequestExamination.project?.(examined, own))?.faults?.map(({ message }) => message)
  }
  const before = await faults(s.ctx.clock.now() + 40 * DAY)
  expect(before).toEqual([])
  const id = await opened('export', await someone())
  await dropJobs()
  expect(await faults()).not.toContainEqual(expect.stringContaining('waited'))
  expect(await faults(s.ctx.clock.now() + DAY + 1)).toContainEqual(
    '1 data requests have waited for more than a day; svc dsar list says why.',
  )
  await change(id, { status: 'FAILED', completedAt: s.ctx.clock.now() + DAY })
  const later = await faults(s.ctx.clock.now() + 31 * DAY)
  expect(later).toEqual(['1 data requests failed in the last 30 days; svc dsar list says why.'])
})

describe('the file of an export', () => {
  test('is handed out until its link ends, and is then deleted', async () => {
    const id = await opened('export', await someone())
    await work(s)
    const key = `dsar/${id}.zip`
    s.ctx.clock.advance(LINK_MS)
    await removeSpent(s.ctx)
    expect((await download(s, id)).status).toBe(200)
    s.ctx.clock.advance(1)
    expect((await download(s, id)).status).toBe(404)
    expect((await requestNow(s, id)).downloadReady).toBe(false)
    expect(await s.ctx.state.blobs.size(key)).not.toBeNull()
    await removeSpent(s.ctx)
    expect(await s.ctx.state.blobs.size(key)).toBeNull()
    await removeSpent(s.ctx)
    expect(await requestNow(s, id)).toMatchObject({ status: 'COMPLETED', downloadReady: false })
  })

  test('that is gone is 404', async () => {
    const id = await opened('export', await someone())
    await work(s)
    await s.ctx.state.blobs.remove(`dsar/${id}.zip`)
    expect((await download(s, id)).status).toBe(404)
  })
})

describe('an erased person', () => {
  test('has a certificate to download, which stays', async () => {
    const device = await someone()
    const { id: subscriberId } = await rowOf(s, device)
    const id = await opened('erasure', device)
    expect((await download(s, id)).status).toBe(404)
    await work(s)
    expect(await requestNow(s, id)).toMatchObject({ status: 'COMPLETED', expiresAt: null, downloadReady: true })
    s.ctx.clock.advance(400 * DAY)
    await removeSpent(s.ctx)
    const response = await download(s, id)
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="dsar-${id}.jwt"`,
    ])
    const text = await response.text()
    expect(text.length).toBeGreaterThan(0)
    for (const named of [device, subscriberId]) expect(text).not.toContain(named)
  })

  test('has no export: the request fails, and leaves no file', async () => {
    const device = await someone()
    const { id: subscriberId } = await rowOf(s, device)
    await opened('erasure', device)
    await work(s)
    const id = await opened('export', subscriberId)
    await work(s)
    expect(await requestNow(s, id)).toMatchObject({
      ...{ status: 'FAILED', error: 'The data of this person was erased.', downloadReady: false },
    })
    expect((await download(s, id)).status).toBe(404)
    expect(await s.ctx.state.blobs.list(`dsar/${id}`)).toEqual([])
  })

  test('who was erased while the export was written gets no file', async () => {
    const device = await someone()
    const id = await opened('export', device)
    const { write } = s.ctx.state.blobs
    s.ctx.state.blobs.write = async (key, bytes) => {
      const stored = await write(key, bytes)
      const { subscribers: t } = s.ctx.tables
      const now = s.ctx.clock.now()
      await s.ctx.write((tx) => tx.db.update(t).set({ erasedAt: now }).where(eq(t.deviceKey, device)))
      return stored
    }
    try {
      await work(s)
    } finally {
      s.ctx.state.blobs.write = write
    }
    expect(await requestNow(s, id)).toMatchObject({ status: 'FAILED', downloadReady: false })
    expect(await s.ctx.state.blobs.list(`dsar/${id}`)).toEqual([])
  })

  test('who was merged before the erasure began is erased with the other row', async () => {
    const [first, second] = [await someone(), await someone()]
    await identify(s, first, 'merged later')
    const id = await opened('erasure', first)
    await identify(s, second, 'merged later')
    const survivor = await rowOf(s, second)
    await work(s)
    expect((await requestNow(s, id)).status).toBe('COMPLETED')
    const { subscribers: t } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(t).where(eq(t.id, survivor.id))
    expect(row?.erasedAt).not.toBeNull()
  })
})

describe('503 FEATURE_NOT_CONFIGURED', () => {
  const withRights = async (answer: () => Promise<unknown[][]>, run: () => Promise<void>) => {
    const { analytics } = s.ctx.state
    const config = { origin: 'http://127.0.0.1:9', database: 'svc', username: 'u', password: 'p' }
    Object.assign(s.ctx.state, { analytics: { client: { query: answer } } })
    Object.assign(s.ctx.config, { analytics: config })
    try {
      await run()
    } finally {
      Object.assign(s.ctx.state, { analytics })
      Object.assign(s.ctx.config, { analytics: null })
    }
  }

  test('when the user of ClickHouse may not erase; exports go on', async () => {
    const device = await someone()
    s.ctx.clock.advance(MINUTE)
    await withRights(
      async () => [[0]],
      async () => {
        const before = await requests()
        const answer = await openRequest(s, 'erasure', device)
        expect(refusal(answer)).toEqual([503, 'FEATURE_NOT_CONFIGURED', { feature: 'dsar_erasure' }])
        expect(answer.headers.get('retry-after')).toBeNull()
        expect(await requests()).toEqual(before)
        expect((await openRequest(s, 'export', device)).status).toBe(200)
      },
    )
  })

  test('not while ClickHouse does not answer: what is to be erased waits for it', async () => {
    const device = await someone()
    s.ctx.clock.advance(MINUTE)
    await withRights(
      () => Promise.reject(new Error('down')),
      async () => expect((await openRequest(s, 'erasure', device)).status).toBe(200),
    )
    await work(s)
  })
})

describe('in the dashboard', () => {
  const AT_OTHER = () => ({ projectId: s.other.id })

  test('a request is opened, audited once, listed and downloaded', async () => {
    const device = await someone()
    const { id: subscriberId } = await rowOf(s, device)
    const admin = team.as('ADMIN')
    const path = `/subscribers/${device}/dsar`
    const { request } = await changes(s, () => admin.post(path, { type: 'EXPORT' }), ['dataRequest.export'])
    expect(request).toMatchObject({ type: 'EXPORT', subscriberId, requestedBy: 'dashboard' })
    await changes(s, () => admin.post(path, { type: 'EXPORT', requestedBy: 'x' }), [])
    const audit = (await auditRows(s)).at(-1)
    expect(audit).toMatchObject({ target: { type: 'dataRequest', id: request.id }, actor: { id: 'usr_admin' } })
    expect(JSON.stringify(audit)).not.toContain(device)
    await work(s)
    const { items } = await dataOf(admin.get(`/dsar?subscriberId=${subscriberId}`))
    const done = { id: request.id, status: 'COMPLETED', downloadReady: true, subscriberId }
    expect(items).toMatchObject([{ ...done, person: { subscriberId } }])
    const headers = { cookie: 'svc_session=ADMIN' }
    const url = `http://localhost/dashboard/projects/${s.project.id}/dsar/${request.id}/download`
    const response = await s.app.handle(new Request(url, { headers }))
    expect(unzip(Buffer.from(await response.arrayBuffer())).size).toBeGreaterThan(10)
  })

  test('the list goes page by page, newest first, by type and state', async () => {
    await work(s)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift(await opened('export', await someone()))
    const owner = team.as('OWNER')
    const first = await dataOf(owner.get('/dsar?limit=2&type=EXPORT&status=PENDING'))
    const rest = await dataOf(owner.get(`/dsar?limit=2&type=EXPORT&status=PENDING&cursor=${first.nextCursor}`))
    expect([...first.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids)
    expect((await dataOf(owner.get('/dsar?type=ERASURE&status=PENDING'))).items).not.toContainEqual(
      expect.objectContaining({ type: 'EXPORT' }),
    )
    expect(refusal(await owner.get('/dsar?type=PEEK'))[1]).toBe('VALIDATION_ERROR')
    expect(refusal(await owner.get('/dsar?kind=EXPORT'))[1]).toBe('VALIDATION_ERROR')
    expect(refusal(await owner.get(`/dsar?limit=2&cursor=${first.nextCursor}`))[1]).toBe('VALIDATION_ERROR')
    expect((await dataOf(owner.get('/dsar', AT_OTHER()))).items).not.toContainEqual(
      expect.objectContaining({ id: ids[0] }),
    )
    await work(s)
  })

  test('what is wrong or of another project is refused, and opens nothing', async () => {
    const device = await someone()
    const id = await opened('export', device)
    await work(s)
    const owner = team.as('OWNER')
    const before = await requests()
    for (const body of [{}, { type: 'PEEK' }, { type: 'EXPORT', appUserId: 'x' }, { type: 'EXPORT', requestedBy: '' }])
      expect(refusal(await owner.post(`/subscribers/${device}/dsar`, body))[1]).toBe('VALIDATION_ERROR')
    for (const reference of ['svc_nobody', 'sub_00000000000000000000000000'])
      expect(refusal(await owner.post(`/subscribers/${reference}/dsar`, { type: 'EXPORT' }))[1]).toBe('NOT_FOUND')
    expect(refusal(await owner.post(`/subscribers/${device}/dsar`, { type: 'EXPORT' }, AT_OTHER()))[1]).toBe(
      'NOT_FOUND',
    )
    expect(refusal(await owner.get(`/dsar/${id}/download`, AT_OTHER()))[1]).toBe('NOT_FOUND')
    expect(refusal(await team.as('DEVELOPER').post(`/subscribers/${device}/dsar`, { type: 'ERASURE' }))[1]).toBe(
      'CAPABILITY_REQUIRED',
    )
    expect(refusal(await team.as('DEVELOPER').get(`/dsar/${id}/download`))[1]).toBe('CAPABILITY_REQUIRED')
    expect(await requests()).toEqual(before)
  })
})
