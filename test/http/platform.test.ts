import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { type Answer, type Stage, stage } from '../support/cast'
import { arrive, auditedBy, auditOf, join, linksTo, type Person, PLATFORM_DOMAIN } from '../support/crew'
import { Visitor } from '../support/visitor'

let s: Stage
let root: Person
let ada: Person
let bo: Person
beforeAll(async () => {
  s = await stage({ env: { SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN } })
  root = await arrive(s, 'root', { isAdmin: true })
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'ADMIN')
})
afterAll(() => s.close())

const P = (path = '') => `/dashboard/projects/${s.project.id}${path}`
const A = (path: string) => `/admin${path}`
const code = ({ status, body }: Answer): unknown[] => [status, body.error?.code]

/** A fresh session of a platform administrator, for tests that move the clock by more than the 12 hours of one. */
let admins = 0
const freshAdmin = () => arrive(s, `admin${++admins}`, { isAdmin: true })

const ROUTES: [method: string, path: string][] = [
  ['GET', '/projects'],
  ['GET', '/projects/prj_x'],
  ['POST', '/projects/prj_x/suspend'],
  ['POST', '/projects/prj_x/unsuspend'],
  ['PUT', '/projects/prj_x/plan'],
  ['POST', '/projects/prj_x/support-grants'],
  ['GET', '/users'],
  ['GET', '/users/usr_x'],
  ['POST', '/users/usr_x/sign-out'],
  ['GET', '/support-grants'],
  ['DELETE', '/support-grants/sgr_x'],
  ['GET', '/metrics'],
  ['GET', '/jobs'],
  ['GET', '/audit-log'],
]

test.each(ROUTES)('%s /admin%s is for platform administrators only', async (method, path) => {
  const body = method === 'POST' ? {} : undefined
  expect(code(await new Visitor(s).call(method, A(path), body))).toEqual([401, 'UNAUTHORIZED'])
  expect(code(await ada.browser.call(method, A(path), body))).toEqual([403, 'ADMIN_EMAIL_DOMAIN'])
})

describe('the projects', () => {
  test('are listed with what belongs to them', async () => {
    await s.get('/v1/me', 'svc_a')
    await s.get('/v1/me', 'svc_b')
    const { items, nextCursor } = (await root.browser.get(A('/projects'))).body.data
    expect(nextCursor).toBeNull()
    expect(items.map(({ id }: Person) => id)).toEqual([s.other.id, s.project.id])
    expect(items[1]).toMatchObject({
      name: 'Project 1',
      ownerEmail: ada.email,
      members: 2,
      subscribers: 2,
      mrr: 0,
      tier: null,
      suspendedAt: null,
      lastActivityAt: expect.any(String),
    })
    expect(items[0]).toMatchObject({ ownerEmail: null, members: 0, subscribers: 0 })
    const details = (await root.browser.get(A(`/projects/${s.project.id}`))).body.data
    expect(details).toEqual({ ...items[1], keys: 1, stores: ['ios'], settings: expect.any(Object) })
  })

  test.each<[string, string[]]>([
    ['q=ject 2', ['Project 2']],
    ['q=project-1', ['Project 1']],
    ['q=PROJECT', ['Project 2', 'Project 1']],
    ['q=%25', []],
    ['q=_roject', []],
    ['q=\\', []],
    ['suspended=false', ['Project 2', 'Project 1']],
    ['suspended=true', []],
  ])('are searched with %s', async (query, names) => {
    const { items } = (await root.browser.get(A(`/projects?${query}`))).body.data
    expect(items.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  test.each(['suspended=maybe', 'q=', 'limit=0', 'cursor=x', 'tier=FREE'])('are refused with %s', async (query) => {
    expect(code(await root.browser.get(A(`/projects?${query}`)))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('are in pages, bound to their filters', async () => {
    const first = (await root.browser.get(A('/projects?limit=1'))).body.data
    const second = (await root.browser.get(A(`/projects?limit=1&cursor=${first.nextCursor}`))).body.data
    expect([first.items[0].id, second.items[0].id, second.nextCursor]).toEqual([s.other.id, s.project.id, null])
    expect(code(await root.browser.get(A(`/projects?limit=1&q=p&cursor=${first.nextCursor}`)))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })
})

describe('suspending', () => {
  const suspend = (body: unknown = { reason: 'Abuse' }) =>
    root.browser.post(A(`/projects/${s.project.id}/suspend`), body)
  const unsuspend = () => root.browser.post(A(`/projects/${s.project.id}/unsuspend`))

  test('closes the dashboard and not the apps, once, with one row in the log of the project', async () => {
    const { count, last } = await auditedBy(s, async () => {
      const answer = await suspend()
      expect([answer.status, typeof answer.body.data.suspendedAt]).toEqual([200, 'string'])
      expect(code(await suspend())).toEqual([409, 'CONFLICT'])
    })
    expect(count).toBe(1)
    expect(last).toMatchObject({
      action: 'project.suspend',
      actor: { kind: 'USER', id: root.id, email: root.email },
      after: { reason: 'Abuse' },
    })
    for (const answer of [
      await ada.browser.get(P()),
      await ada.browser.patch(P(), { name: 'x' }),
      await ada.browser.delete(P()),
      await ada.browser.get(P('/members')),
      await ada.browser.post(P('/leave')),
      await ada.browser.post(P('/transfer'), { userId: bo.id }),
      await ada.browser.get(P('/api-keys')),
      await ada.browser.get(P('/audit-log')),
      await ada.browser.post(P('/invitations'), { email: 'x@example.com', role: 'GROWTH' }),
      await ada.browser.get(P('/support-grants')),
    ])
      expect(code(answer)).toEqual([403, 'PROJECT_SUSPENDED'])
    expect((await s.get('/v1/me', 'svc_a')).status).toBe(200)
    expect((await ada.browser.get('/dashboard/projects')).body.data.items).toMatchObject([
      { id: s.project.id, suspendedAt: expect.any(String) },
    ])
    const opened = await auditedBy(s, unsuspend)
    expect([opened.count, opened.last?.action]).toEqual([1, 'project.unsuspend'])
    expect(code(await unsuspend())).toEqual([409, 'CONFLICT'])
    expect((await ada.browser.get(P())).status).toBe(200)
  })

  test('needs a reason and a project', async () => {
    for (const body of [{}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(501) }, { reason: 'x', until: 1 }])
      expect(code(await suspend(body))).toEqual([400, 'VALIDATION_ERROR'])
    for (const path of ['suspend', 'unsuspend', 'support-grants'])
      expect(
        code(await root.browser.post(A(`/projects/prj_none/${path}`), path === 'unsuspend' ? {} : bodyOf(path))),
      ).toEqual([404, 'NOT_FOUND'])
    expect(code(await root.browser.get(A('/projects/prj_none')))).toEqual([404, 'NOT_FOUND'])
  })
})

const bodyOf = (path: string) => (path === 'suspend' ? { reason: 'x' } : { reason: 'x', hours: 1 })

describe('a support grant', () => {
  const grant = (by: Person, body: unknown = { reason: 'Ticket 7', hours: 2 }) =>
    by.browser.post(A(`/projects/${s.project.id}/support-grants`), body)

  test('lets its administrator read and change nothing, until it ends', async () => {
    expect(code(await root.browser.get(P()))).toEqual([404, 'NOT_FOUND'])
    let id = ''
    const { count, last } = await auditedBy(s, async () => {
      const answer = await grant(root)
      expect(answer.status).toBe(201)
      expect(answer.body.data).toMatchObject({
        projectId: s.project.id,
        adminId: root.id,
        reason: 'Ticket 7',
        expiresAt: new Date(s.ctx.clock.now() + 2 * HOUR).toISOString(),
        revokedAt: null,
      })
      id = answer.body.data.id
    })
    expect([count, last?.action, last?.actor.id]).toEqual([1, 'supportGrant.create', root.id])
    expect(await linksTo(s, ada.email)).toEqual([expect.stringMatching(/\/p\/project-1$/)])
    expect(await linksTo(s, bo.email)).toEqual([])

    expect((await root.browser.get(P())).body.data).toMatchObject({ id: s.project.id, role: 'SUPPORT_READ' })
    expect((await root.browser.get(P('/members'))).status).toBe(200)
    expect(code(await root.browser.get(P('/audit-log')))).toEqual([403, 'ROLE_REQUIRED'])
    expect((await root.browser.get('/dashboard/projects')).body.data.items).toEqual([])
    const before = (await auditOf(s)).length
    for (const answer of [
      await root.browser.patch(P(), { name: 'x' }),
      await root.browser.delete(P()),
      await root.browser.post(P('/leave')),
      await root.browser.post(P('/api-keys'), { label: 'x' }),
      await root.browser.delete(P(`/support-grants/${id}`)),
      await root.browser.post(P('/transfer'), { userId: root.id }),
    ])
      expect(code(answer)).toEqual([403, 'SUPPORT_ACCESS_READ_ONLY'])
    expect((await auditOf(s)).length).toBe(before)

    s.ctx.clock.advance(2 * HOUR - 1)
    expect((await root.browser.get(P())).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(code(await root.browser.get(P()))).toEqual([404, 'NOT_FOUND'])
    expect(code(await root.browser.delete(A(`/support-grants/${id}`)))).toEqual([404, 'NOT_FOUND'])
  })

  test('is seen by every member and ended by administrators of the project', async () => {
    const { id } = (await grant(root)).body.data
    const dev = await join(s, 'dev', 'DEVELOPER')
    const [first] = (await dev.browser.get(P('/support-grants'))).body.data.items
    expect(first).toMatchObject({ id, adminEmail: root.email, reason: 'Ticket 7', revokedAt: null, revision: 1 })
    expect(code(await dev.browser.delete(P(`/support-grants/${id}`)))).toEqual([403, 'ROLE_REQUIRED'])
    const headers = { 'if-match': '"3"' }
    expect(code(await bo.browser.delete(P(`/support-grants/${id}`), undefined, { headers }))).toEqual([409, 'CONFLICT'])
    const eve = await join(s, 'eve', 'OWNER', s.other.id)
    expect(code(await eve.browser.delete(`/dashboard/projects/${s.other.id}/support-grants/${id}`))).toEqual([
      404,
      'NOT_FOUND',
    ])
    expect((await root.browser.get(P())).status).toBe(200)
    const { count, last } = await auditedBy(s, async () => {
      expect((await bo.browser.delete(P(`/support-grants/${id}`))).body).toEqual({ data: { deleted: true } })
    })
    expect([count, last?.action]).toEqual([1, 'supportGrant.revoke'])
    expect(code(await root.browser.get(P()))).toEqual([404, 'NOT_FOUND'])
    expect(code(await bo.browser.delete(P(`/support-grants/${id}`)))).toEqual([404, 'NOT_FOUND'])
  })

  test('is listed and ended by platform administrators', async () => {
    const { id } = (await grant(root)).body.data
    const { items } = (await root.browser.get(A('/support-grants'))).body.data
    expect(items[0]).toMatchObject({ id, projectId: s.project.id, adminId: root.id })
    const { count } = await auditedBy(s, async () => {
      expect((await root.browser.delete(A(`/support-grants/${id}`))).body).toEqual({ data: { deleted: true } })
      expect(code(await root.browser.delete(A(`/support-grants/${id}`)))).toEqual([404, 'NOT_FOUND'])
    })
    expect(count).toBe(1)
    expect(code(await root.browser.get(P()))).toEqual([404, 'NOT_FOUND'])
  })

  test('of one administrator is none of another', async () => {
    const { id } = (await grant(root)).body.data
    const other = await freshAdmin()
    expect(code(await other.browser.get(P()))).toEqual([404, 'NOT_FOUND'])
    await root.browser.delete(A(`/support-grants/${id}`))
  })

  test('takes nothing from an administrator who is a member', async () => {
    const both = await freshAdmin()
    await s.ctx.write((tx) =>
      tx.db.insert(tx.tables.memberships).values({
        id: tx.ids.next('mbr'),
        projectId: s.project.id,
        userId: both.id,
        role: 'GROWTH',
        createdAt: 1,
        updatedAt: 1,
      }),
    )
    await grant(both)
    expect((await both.browser.get(P())).body.data.role).toBe('GROWTH')
  })

  test.each<[string, unknown]>([
    ['no reason', { hours: 1 }],
    ['a blank reason', { reason: ' ', hours: 1 }],
    ['no hours', { reason: 'x' }],
    ['0 hours', { reason: 'x', hours: 0 }],
    ['25 hours', { reason: 'x', hours: 25 }],
    ['half an hour', { reason: 'x', hours: 0.5 }],
    ['hours as text', { reason: 'x', hours: '2' }],
    ['another person', { reason: 'x', hours: 1, adminId: 'usr_x' }],
  ])('is refused with %s', async (_name, body) => {
    const { count } = await auditedBy(s, async () => {
      expect(code(await grant(root, body))).toEqual([400, 'VALIDATION_ERROR'])
    })
    expect(count).toBe(0)
  })
})

describe('the users', () => {
  test('are listed, searched by the beginning of their address, and shown', async () => {
    const { items } = (await root.browser.get(A('/users?q=ADA@'))).body.data
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      id: ada.id,
      email: ada.email,
      emailVerified: true,
      twoFactorEnabled: false,
      projects: 1,
      lastSeenAt: expect.any(String),
    })
    expect((await root.browser.get(A(`/users/${ada.id}`))).body.data).toEqual(items[0])
    expect((await root.browser.get(A(`/users?q=${ada.id}`))).body.data.items).toEqual(items)
    expect((await root.browser.get(A('/users?q=%25'))).body.data.items).toEqual([])
    expect((await root.browser.get(A('/users?q=root'))).body.data.items).toMatchObject([{ twoFactorEnabled: true }])
    expect(code(await root.browser.get(A('/users/usr_none')))).toEqual([404, 'NOT_FOUND'])
    const first = (await root.browser.get(A('/users?limit=1'))).body.data
    expect(first.items).toHaveLength(1)
    expect((await root.browser.get(A(`/users?limit=1&cursor=${first.nextCursor}`))).body.data.items[0].id).not.toBe(
      first.items[0].id,
    )
  })

  test('are signed out everywhere, with one row in the log of the platform', async () => {
    const cy = await arrive(s, 'cy')
    expect((await cy.browser.get('/dashboard/me')).status).toBe(200)
    const { count, last } = await auditedBy(
      s,
      async () => {
        expect((await root.browser.post(A(`/users/${cy.id}/sign-out`))).body).toEqual({ data: { sessions: 1 } })
        expect((await root.browser.post(A(`/users/${cy.id}/sign-out`))).body).toEqual({ data: { sessions: 0 } })
      },
      'platform',
    )
    expect(count).toBe(1)
    expect(last).toMatchObject({ action: 'user.sign_out', actor: { id: root.id }, target: { type: 'user', id: cy.id } })
    expect(code(await cy.browser.get('/dashboard/me'))).toEqual([401, 'UNAUTHORIZED'])
    expect(code(await root.browser.post(A('/users/usr_none/sign-out')))).toEqual([404, 'NOT_FOUND'])
    expect((await ada.browser.get('/dashboard/me')).status).toBe(200)
    const log = (await root.browser.get(A(`/audit-log?target=${cy.id}`))).body.data.items
    expect(log).toMatchObject([{ action: 'user.sign_out', actor: { email: root.email } }])
  })
})

describe('the deployment', () => {
  test('has figures, of all time or of a period', async () => {
    const { data } = (await root.browser.get(A('/metrics'))).body
    expect(data).toEqual({
      projects: 2,
      users: expect.any(Number),
      subscribers: 2,
      activeSubscriptions: 0,
      requestsPerMinute: expect.any(Number),
      queueDepth: { WAITING: expect.any(Number), RUNNING: 0, DEAD: 0 },
      webhookLagSeconds: 0,
      storeEventLagSeconds: 0,
      databaseBytes: expect.any(Number),
    })
    expect(data.users).toBeGreaterThan(3)
    expect(data.databaseBytes).toBeGreaterThan(10_000)
    const from = new Date(s.ctx.clock.now() + DAY).toISOString()
    const later = (await root.browser.get(A(`/metrics?from=${from}`))).body.data
    expect(later).toMatchObject({ projects: 0, users: 0, subscribers: 0 })
    expect((await root.browser.get(A(`/metrics?to=${from}`))).body.data).toMatchObject({ projects: 2, subscribers: 2 })
    expect(code(await root.browser.get(A('/metrics?from=x')))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('counts subscriptions that give access now, of production only', async () => {
    const now = s.ctx.clock.now()
    const [product] = (await s.ctx.db.select().from(s.ctx.tables.products)).filter(
      ({ projectId, type }) => projectId === s.project.id && type === 'SUBSCRIPTION',
    )
    const row = {
      projectId: s.project.id,
      subscriberId: 'sub_x',
      store: 'IOS_STORE' as never,
      environment: 'PRODUCTION' as const,
      productId: product?.id ?? null,
      originalTransactionId: '1',
      status: 'ACTIVE' as const,
      fold: {} as never,
      effectiveEnd: now + DAY,
      createdAt: now,
      updatedAt: now,
    }
    const changes = [{}, { status: 'EXPIRED' as const }, { environment: 'SANDBOX' as const }, { effectiveEnd: now }]
    await s.ctx.write((tx) =>
      tx.db
        .insert(tx.tables.purchases)
        .values(changes.map((change, n) => ({ ...row, id: `pur_${n}`, chainKey: `${n}`, ...change }))),
    )
    expect((await root.browser.get(A('/metrics'))).body.data.activeSubscriptions).toBe(1)
  })

  test('shows its jobs without what they carry', async () => {
    const now = s.ctx.clock.now()
    const row = {
      payload: { secret: 'x' },
      dedupeKey: null,
      runAt: now,
      attempts: 3,
      maxAttempts: 3,
      createdAt: now,
      isWantedAgain: false,
    }
    await s.ctx.write((tx) =>
      tx.db.insert(tx.tables.jobs).values([
        { ...row, id: 'job_1', name: 'test.one', state: 'DEAD', lastError: 'broken' },
        { ...row, id: 'job_2', name: 'test.two', state: 'WAITING', lastError: null },
      ]),
    )
    const { items } = (await root.browser.get(A('/jobs?state=DEAD'))).body.data
    expect(items).toMatchObject([{ id: 'job_1', name: 'test.one', state: 'DEAD', lastError: 'broken', attempts: 3 }])
    expect(JSON.stringify(items)).not.toContain('secret')
    expect((await root.browser.get(A('/jobs?name=test.two'))).body.data.items).toHaveLength(1)
    expect(code(await root.browser.get(A('/jobs?state=LOST')))).toEqual([400, 'VALIDATION_ERROR'])
    const first = (await root.browser.get(A('/jobs?limit=1'))).body.data
    expect((await root.browser.get(A(`/jobs?limit=1&cursor=${first.nextCursor}`))).body.data.items).toHaveLength(1)
  })
})

test('a session of a platform administrator lasts 12 hours', async () => {
  const admin = await freshAdmin()
  s.ctx.clock.advance(12 * HOUR)
  expect((await admin.browser.get(A('/metrics'))).status).toBe(200)
  s.ctx.clock.advance(1)
  expect(code(await admin.browser.get(A('/metrics')))).toEqual([401, 'ADMIN_SESSION_EXPIRED'])
})

// The last test of the file: the sessions of its administrators are over afterwards.
test('a support grant opens nothing with a personal access token, nor in a session of more than 12 hours', async () => {
  const admin = await freshAdmin()
  await admin.browser.post(A(`/projects/${s.project.id}/support-grants`), { reason: 'Ticket 8', hours: 24 })
  const made = await admin.browser.post('/dashboard/me/tokens', { name: 'ci' })
  const headers = { authorization: `Bearer ${made.body.data.token}` }
  expect(code(await s.call('GET', P(), { key: null, headers }))).toEqual([404, 'NOT_FOUND'])
  expect((await admin.browser.get(P())).status).toBe(200)
  s.ctx.clock.advance(12 * HOUR + 1)
  expect(code(await admin.browser.get(P()))).toEqual([404, 'NOT_FOUND'])
})
