import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import type { Context } from '../../src/base/context'
import type { Kit } from '../../src/base/db/kit'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { type Slice, slice } from '../../src/base/slice'
import { type Capability, hasCapability, type MemberRole, ROLES } from '../../src/core/roles/roles'
import { admin } from '../../src/projects/doors/admin'
import { operator } from '../../src/projects/doors/operator'
import type { Session } from '../../src/projects/doors/sessions'
import { suspendProject, unsuspendProject } from '../../src/projects/project/service'
import { SLICES } from '../../src/slices'
import { type Answer, type Stage, stage } from '../support/cast'
import { untilWatching } from '../support/context'
import { person, TestSessions } from '../support/sessions'

const USER_RATE = 300
const ORIGIN = 'https://dash.example.com'
const DASHBOARD = { PUBLIC_BASE_URL: ORIGIN }
const body = Type.Object({ n: Type.Integer() }, { additionalProperties: false })
const notes = (k: Kit) => ({ notes: k.table('extra_notes', { id: k.str().primaryKey() }) })

let runs = 0
const count = () => ({ data: { run: ++runs } })

const operatorRoutes = (ctx: Context) =>
  new Elysia()
    .use(
      operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get('/who', ({ user, session, project, role, actor }) => ({
        data: { user: user.id, session: session?.id ?? null, project: project.id, role, actor },
      })),
    )
    .use(operator(ctx, { role: 'ADMIN' }).get('/role', count).post('/role', count, { body }).delete('/role', count))
    .use(operator(ctx, { capability: 'flags:write' }).get('/flags', count).post('/flags', count, { body }))

const adminRoutes = (ctx: Context) =>
  admin(ctx)
    .get('/who', ({ user, actor }) => ({ data: { user: user.id, actor } }))
    .post('/do', count, { body })

const extra = slice({ name: 'extra', tables: notes, operatorRoutes, adminRoutes })

let s: Stage
let sessions: TestSessions
beforeAll(async () => {
  s = await stage({ env: DASHBOARD, slices: [...SLICES, extra] })
})
afterAll(() => s.close())

const ADA = person('usr_ada', { email: 'ada@platform.example' })

const open = (token: string, members: Partial<Session> = {}): void => {
  const now = s.ctx.clock.now()
  const life = { createdAt: now, expiresAt: now + 30 * DAY, revokedAt: null, hasPassedTwoFactor: true }
  sessions.sessions.set(token, { id: `ses_${token}`, user: ADA, ...life, ...members })
}

const joins = (role: MemberRole, project = s.project.id): unknown => sessions.roles.set(`${ADA.id} ${project}`, role)

beforeEach(() => {
  runs = 0
  sessions = new TestSessions()
  s.ctx.state.sessions = sessions
  sessions.adminDomains.add('platform.example')
  s.ctx.clock.advance(2 * MINUTE)
  open('good')
  sessions.tokens.set('svc_pat_good', { id: 'pat_1', user: ADA, scopes: null, expiresAt: null, revokedAt: null })
  joins('OWNER')
})

interface Asking {
  cookie?: string | null
  token?: string
  origin?: string | null
  raw?: string
  headers?: Record<string, string>
}

function ask(method: string, path: string, { cookie = 'good', token, origin, raw, headers = {} }: Asking = {}) {
  const own = method === 'GET' ? null : ORIGIN
  const from = origin === undefined ? own : origin
  return s.call(method, path, {
    key: token ?? null,
    headers: {
      ...(cookie === null || token ? {} : { cookie: `a=b; __Host-svc_session=${cookie}` }),
      ...(from === null ? {} : { origin: from }),
      ...headers,
    },
    ...(method === 'POST' && { raw: raw ?? '{"n":1}' }),
  })
}

const P = (path: string, id = s.project.id) => `/dashboard/projects/${id}${path}`

/** What was refused, and that the handler did not run. */
function refusal({ status, body: answer }: Answer): unknown[] {
  expect(runs).toBe(0)
  const { code, details } = answer.error
  return details === undefined ? [status, code] : [status, code, details]
}

const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const FORBIDDEN = [403, 'FORBIDDEN']
const NOT_FOUND = [404, 'NOT_FOUND']

describe('who comes in on the dashboard', () => {
  test('a session of a member', async () => {
    const actor = { kind: 'USER', id: ADA.id, email: ADA.email }
    const data = { user: ADA.id, session: 'ses_good', project: s.project.id, role: 'OWNER', actor }
    expect((await ask('GET', P('/who'))).body).toEqual({ data })
    expect((await ask('GET', P('/who'), { token: 'svc_pat_good' })).body).toEqual({ data: { ...data, session: null } })
  })

  test.each<[name: string, asking: Asking]>([
    ['nobody', { cookie: null }],
    ['an unknown session', { cookie: 'other' }],
    ['an empty cookie', { cookie: '' }],
    ['a cookie of another name', { cookie: null, headers: { cookie: 'svc_session=good' } }],
    ['a key of an app', { token: 'svc_sec_'.padEnd(51, '1') }],
    ['an unknown token', { token: 'svc_pat_other' }],
    [
      'an unknown token beside a good cookie',
      { token: 'svc_pat_other', headers: { cookie: '__Host-svc_session=good' } },
    ],
  ])('not %s', async (_name, asking) => {
    expect(refusal(await ask('GET', P('/who'), asking))).toEqual(UNAUTHORIZED)
    expect(refusal(await ask('POST', P('/role'), { ...asking, raw: '{' }))).toEqual(UNAUTHORIZED)
  })

  test('not a session or token that has ended or was revoked', async () => {
    const now = s.ctx.clock.now()
    open('ended', { expiresAt: now })
    open('ending', { expiresAt: now + 1 })
    open('revoked', { revokedAt: now - 1 })
    const token = { id: 'pat_2', user: ADA, scopes: null, expiresAt: null, revokedAt: null }
    sessions.tokens.set('svc_pat_ended', { ...token, expiresAt: now })
    sessions.tokens.set('svc_pat_revoked', { ...token, revokedAt: now })
    for (const cookie of ['ended', 'revoked'])
      expect(refusal(await ask('GET', P('/who'), { cookie }))).toEqual(UNAUTHORIZED)
    for (const which of ['svc_pat_ended', 'svc_pat_revoked']) {
      const refused = await ask('GET', P('/who'), { token: which })
      expect(refusal(refused)).toEqual(UNAUTHORIZED)
      expect(refused.body.error.message).toContain('make a new one on the account page')
    }
    expect((await ask('GET', P('/who'), { cookie: 'ending' })).status).toBe(200)
  })

  test('with the authorization of a proxy, the cookie counts', async () => {
    const headers = { authorization: 'Basic YTpi' }
    expect((await ask('GET', P('/who'), { headers })).status).toBe(200)
  })

  test('nobody with a session or a token that the product did not give', async () => {
    const bare = await stage({ slices: [...SLICES, extra] })
    for (const [method, path] of [
      ['GET', P('/who')],
      ['POST', P('/role')],
      ['GET', '/admin/who'],
    ] as const)
      for (const headers of [{ cookie: 'svc_session=good' }, { authorization: 'Bearer svc_pat_good' }])
        expect((await bare.call(method, path, { key: null, headers })).status).toBe(401)
    await bare.close()
  })

  test('without a secure address the cookie has its plain name', async () => {
    const plain = await stage({ slices: [...SLICES, extra] })
    plain.ctx.state.sessions = sessions
    const call = (cookie: string) => plain.call('GET', P('/who'), { key: null, headers: { cookie } })
    expect((await call('svc_session=good')).status).toBe(200)
    expect((await call('__Host-svc_session=good')).status).toBe(401)
    await plain.close()
  })
})

describe('the origin of a request that changes something', () => {
  test.each<[origin: string | null]>([[null], ['https://app.example.com'], ['null'], [`${ORIGIN}.example.org`], ['']])(
    'is the dashboard, not %p',
    async (origin) => {
      expect(refusal(await ask('POST', P('/role'), { origin }))).toEqual(FORBIDDEN)
      expect(refusal(await ask('DELETE', P('/role'), { origin }))).toEqual(FORBIDDEN)
      expect(refusal(await ask('POST', '/admin/do', { origin }))).toEqual(FORBIDDEN)
    },
  )

  test('does not matter for a read, nor with a token', async () => {
    const origin = 'https://app.example.com'
    expect((await ask('GET', P('/role'), { origin })).status).toBe(200)
    expect((await ask('POST', P('/role'), { origin, token: 'svc_pat_good' })).status).toBe(200)
    expect((await ask('POST', P('/role'))).status).toBe(200)
  })
})

describe('in the project', () => {
  test('another tenant looks as if it did not exist', async () => {
    const unknown = await ask('GET', P('/who', 'prj_nobody'))
    const other = await ask('GET', P('/who', s.other.id))
    expect(refusal(other)).toEqual(NOT_FOUND)
    expect(unknown.body.error.message).toBe('There is no project prj_nobody')
    expect(other.body.error.message).toBe(`There is no project ${s.other.id}`)
    for (const id of ['%00', '%ff', `${s.project.id}%00`])
      expect(refusal(await ask('GET', P('/who', id)))).toEqual(NOT_FOUND)
  })

  test('a member of a project that was deleted finds nothing', async () => {
    joins('OWNER', 'prj_gone')
    expect(refusal(await ask('GET', P('/who', 'prj_gone')))).toEqual(NOT_FOUND)
  })

  test('a support grant reads what the lowest role reads, and changes nothing', async () => {
    joins('SUPPORT_READ')
    expect((await ask('GET', P('/who'))).body.data.role).toBe('SUPPORT_READ')
    for (const path of ['/role', '/flags'])
      expect(refusal(await ask('POST', P(path)))).toEqual([403, 'SUPPORT_ACCESS_READ_ONLY'])
    const role = 'SUPPORT_READ'
    expect(refusal(await ask('GET', P('/role')))).toEqual([403, 'ROLE_REQUIRED', { role, requiredRole: 'ADMIN' }])
    const capability = 'flags:write'
    expect(refusal(await ask('GET', P('/flags')))).toEqual([403, 'CAPABILITY_REQUIRED', { role, capability }])
  })

  test('a suspended one is closed to every role', async () => {
    await suspendProject(s.ctx, s.project.id)
    for (const role of ROLES) {
      joins(role)
      for (const method of ['GET', 'POST'])
        expect(refusal(await ask(method, P('/role')))).toEqual([403, 'PROJECT_SUSPENDED'])
    }
    await unsuspendProject(s.ctx, s.project.id)
    joins('OWNER')
    expect((await ask('GET', P('/who'))).status).toBe(200)
  })

  test.each(ROLES.map((role) => [role, ROLES.indexOf(role) >= ROLES.indexOf('ADMIN')] as const))(
    'a route for administrators: %s %p',
    async (role, isIn) => {
      joins(role)
      if (isIn) expect((await ask('POST', P('/role'))).status).toBe(200)
      else
        expect(refusal(await ask('POST', P('/role')))).toEqual([403, 'ROLE_REQUIRED', { role, requiredRole: 'ADMIN' }])
    },
  )

  test.each(ROLES.map((role) => [role, role !== 'CUSTOMER_SUPPORT'] as const))(
    'a route for whoever writes flags: %s %p',
    async (role, isIn) => {
      joins(role)
      const refused = [403, 'CAPABILITY_REQUIRED', { role, capability: 'flags:write' }]
      if (isIn) expect((await ask('POST', P('/flags'))).status).toBe(200)
      else expect(refusal(await ask('POST', P('/flags')))).toEqual(refused)
    },
  )

  const table: [capability: Capability, roles: string][] = [
    ['project:read', 'OADGC'],
    ['project:delete', 'O'],
    ['project:transfer', 'O'],
    ['project:settings:write', 'OA'],
    ['members:manage', 'OA'],
    ['subscribers:gdpr', 'OA'],
    ['subscribers:import', 'OA'],
    ['credits:write', 'OA'],
    ['refunds:write', 'OA'],
    ['products:write', 'OAD'],
    ['sdk:write', 'OAD'],
    ['webhooks:write', 'OAD'],
    ['virtual-currency:manage', 'OAD'],
    ['funnels:write', 'OAD'],
    ['placements:write', 'OAD'],
    ['experiments:write', 'OADG'],
    ['flags:write', 'OADG'],
    ['audiences:write', 'OADG'],
    ['leaderboards:write', 'OADG'],
    ['subscribers:write', 'OADC'],
  ]
  test.each(table)('%s is what %s may do', (capability, letters) => {
    const roles = ROLES.filter((role) => hasCapability(role, capability)).map((role) => role.charAt(0))
    expect(roles.sort()).toEqual([...letters].sort())
    expect(hasCapability('SUPPORT_READ', capability)).toBe(capability === 'project:read')
  })
})

describe('limits', () => {
  test('a user has a rate of their own, over all sessions and tokens', async () => {
    open('second')
    for (let index = 0; index < USER_RATE; index++) {
      const asking = index % 2 === 0 ? { cookie: 'second' } : { token: 'svc_pat_good' }
      expect((await ask('GET', P('/who'), asking)).status).toBe(200)
    }
    const limited = await ask('GET', P('/who'))
    expect(refusal(limited)).toEqual([429, 'RATE_LIMITED', { retryAfterSeconds: 60 }])
    expect(limited.headers.get('ratelimit-policy')).toBe(`"user";q=${USER_RATE};w=60`)
    expect((await ask('GET', '/admin/who')).status).toBe(429)
    s.ctx.clock.advance(MINUTE)
    expect((await ask('GET', P('/who'))).status).toBe(200)
  })

  test('an Idempotency-Key belongs to the user', async () => {
    const bo = person('usr_bo')
    open('bo', { user: bo })
    sessions.roles.set(`${bo.id} ${s.project.id}`, 'ADMIN')
    const headers = { 'idempotency-key': 'once' }
    const first = await ask('POST', P('/role'), { headers })
    const again = await ask('POST', P('/role'), { headers, token: 'svc_pat_good' })
    expect([again.body, again.headers.get('idempotent-replay')]).toEqual([first.body, 'true'])
    expect((await ask('POST', P('/role'), { headers, cookie: 'bo' })).body.data.run).toBe(2)
    expect((await ask('POST', P('/flags'), { headers })).body.data.run).toBe(3)
    expect((await ask('POST', P('/role'), { headers, raw: '{"n":2}' })).status).toBe(422)
    expect((await ask('POST', '/admin/do', { headers })).body.data.run).toBe(4)
    expect((await ask('POST', '/admin/do', { headers })).body.data.run).toBe(4)
    expect(runs).toBe(4)
  })
})

test('on the dashboard the first fault is told', async () => {
  const exhaust = () => {
    for (let index = 0; index < USER_RATE; index++)
      s.ctx.state.rateLimits.hit('user', ADA.id, USER_RATE, s.ctx.clock.now())
  }
  const bad = { raw: '{', headers: { 'idempotency-key': 'ä' } }
  const told: unknown[] = []
  const say = async (asking: Asking, id?: string) =>
    told.push(refusal(await ask('POST', P('/role', id), { ...bad, ...asking }))[1])
  joins('SUPPORT_READ')
  await suspendProject(s.ctx, s.project.id)
  exhaust()
  await say({ cookie: 'other', origin: null })
  await say({ origin: null }, s.other.id)
  await say({}, s.other.id)
  s.ctx.clock.advance(MINUTE)
  await say({}, s.other.id)
  await say({})
  joins('CUSTOMER_SUPPORT')
  await say({})
  await unsuspendProject(s.ctx, s.project.id)
  await say({})
  joins('ADMIN')
  await say({})
  await say({ headers: {} })
  await say({ headers: {}, raw: '{"n":"1"}' })
  expect(told).toEqual([
    'UNAUTHORIZED',
    'FORBIDDEN',
    'RATE_LIMITED',
    'NOT_FOUND',
    'SUPPORT_ACCESS_READ_ONLY',
    'PROJECT_SUSPENDED',
    'ROLE_REQUIRED',
    'VALIDATION_ERROR',
    'VALIDATION_ERROR',
    'VALIDATION_ERROR',
  ])
})

describe('platform administration', () => {
  const user = (members: object) => ({ user: { ...ADA, ...members } })

  test('a young session with two factors, of an address of the platform', async () => {
    const actor = { kind: 'USER', id: ADA.id, email: ADA.email }
    expect((await ask('GET', '/admin/who')).body).toEqual({ data: { user: ADA.id, actor } })
    open('good', user({ email: '"a@b"@PLATFORM.example' }))
    expect((await ask('POST', '/admin/do')).status).toBe(200)
  })

  test('the session was made at most 12 hours ago', async () => {
    const now = s.ctx.clock.now()
    open('good', { createdAt: now - 12 * HOUR })
    expect((await ask('GET', '/admin/who')).status).toBe(200)
    open('good', { createdAt: now - 12 * HOUR - 1 })
    expect(refusal(await ask('GET', '/admin/who'))).toEqual([401, 'ADMIN_SESSION_EXPIRED'])
  })

  test.each<[name: string, members: () => Partial<Session>, code: string]>([
    ['another domain', () => user({ email: 'ada@example.com' }), 'ADMIN_EMAIL_DOMAIN'],
    ['a domain below', () => user({ email: 'ada@sub.platform.example' }), 'ADMIN_EMAIL_DOMAIN'],
    ['a domain that ends alike', () => user({ email: 'ada@xplatform.example' }), 'ADMIN_EMAIL_DOMAIN'],
    ['the domain in front', () => user({ email: 'platform.example@example.com' }), 'ADMIN_EMAIL_DOMAIN'],
    ['an address that is not verified', () => user({ isEmailVerified: false }), 'ADMIN_EMAIL_DOMAIN'],
    ['no second factor', () => user({ hasTwoFactor: false }), 'ADMIN_2FA_REQUIRED'],
    ['the second factor not shown', () => ({ hasPassedTwoFactor: false }), 'ADMIN_2FA_REQUIRED'],
  ])('not with %s', async (_name, members, code) => {
    open('good', members())
    expect(refusal(await ask('GET', '/admin/who'))).toEqual([403, code])
  })

  test('not with a personal access token, even beside a session', async () => {
    for (const token of ['svc_pat_good', 'svc_pat_never']) {
      const refused = await ask('GET', '/admin/who', { token })
      expect(refusal(refused)).toEqual(UNAUTHORIZED)
      expect(refused.body.error.message).toBe(
        'No personal access token opens this; sign in to the console in a browser',
      )
    }
    const headers = { cookie: '__Host-svc_session=good' }
    expect(refusal(await ask('GET', '/admin/who', { token: 'svc_pat_good', headers }))).toEqual(UNAUTHORIZED)
  })

  test('the first fault is told', async () => {
    const told: unknown[] = []
    const old = s.ctx.clock.now() - 13 * HOUR
    const say = async (members: Partial<Session>, asking: Asking = {}) => {
      open('good', { createdAt: old, ...members })
      told.push(refusal(await ask('POST', '/admin/do', { raw: '{', ...asking }))[1])
    }
    await say({ revokedAt: old }, { origin: null })
    await say({ hasPassedTwoFactor: false, ...user({ isEmailVerified: false }) }, { origin: null })
    await say({ hasPassedTwoFactor: false, ...user({ isEmailVerified: false }) })
    await say({ hasPassedTwoFactor: false })
    await say({})
    await say({ createdAt: s.ctx.clock.now() })
    const wanted = ['UNAUTHORIZED', 'FORBIDDEN', 'ADMIN_EMAIL_DOMAIN', 'ADMIN_2FA_REQUIRED', 'ADMIN_SESSION_EXPIRED']
    expect(told).toEqual([...wanted, 'VALIDATION_ERROR'])
  })
})

describe('a table of a further slice', () => {
  const NOBODY = { cachedRows: { notes: 'NOBODY' } } as Partial<Slice> // No type declares the table.

  test.each<[name: string, members: Partial<Slice>, isKept: boolean]>([
    ['drops cached answers with every change, as nobody declared it', {}, false],
    ['drops none where it is declared so', NOBODY, true],
  ])('%s', async (_name, members, isKept) => {
    const own = await stage({ slices: [...SLICES, { ...extra, ...members }] })
    await own.ctx.storage.runScript(['create table "extra_notes" ("id" text primary key)'])
    await untilWatching(own.ctx)
    const read = spyOn(own.ctx.state.projects, 'get')
    const isCached = async () => {
      read.mockClear()
      expect((await own.get('/v1/me', 'svc_a')).status).toBe(200)
      return read.mock.calls.length === 0
    }
    await isCached()
    await isCached()
    expect(await isCached()).toBe(true)
    await own.ctx.write(async (tx) => {
      const { db } = tx as unknown as Record<'db', Record<'run' | 'execute', ((query: unknown) => unknown) | undefined>>
      await (db.run ?? db.execute)?.call(db, sql`insert into "extra_notes" ("id") values (${'sub_1'})`)
    })
    expect(await isCached()).toBe(isKept)
    await own.close()
  })
})
