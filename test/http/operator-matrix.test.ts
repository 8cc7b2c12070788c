import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { type Capability, hasCapability, hasRole, type MemberRole, ROLES } from '../../src/core/roles/roles'
import { suspendProject, unsuspendProject } from '../../src/projects/project/service'
import { type Answer, type Stage, stage } from '../support/cast'
import { isOperatorRoute, OPERATOR_ROUTES, type OperatorRoute, P } from '../support/operator-routes'
import { person, TestSessions } from '../support/sessions'

const ORIGIN = 'http://localhost'
const CALLERS = [...ROLES, 'SUPPORT_READ'] as const

let s: Stage
let sessions: TestSessions
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_RATE_IP: '0' } })
  sessions = new TestSessions()
  sessions.adminDomains.add('platform.example')
  s.ctx.state.sessions = sessions
  const now = s.ctx.clock.now()
  const life = { createdAt: now, expiresAt: now + 30 * DAY, revokedAt: null, hasPassedTwoFactor: true }
  for (const role of CALLERS) {
    const user = person(`usr_${role.toLowerCase()}`)
    sessions.sessions.set(role, { id: `ses_${role}`, user, ...life })
    sessions.tokens.set(`svc_pat_${role}`, { id: `pat_${role}`, user, scopes: null, expiresAt: null, revokedAt: null })
    sessions.roles.set(`${user.id} ${s.project.id}`, role)
  }
  const admin = person('usr_platform', { email: 'ada@platform.example' })
  const open = (name: string, user: typeof admin, members: object = {}) =>
    sessions.sessions.set(name, { id: `ses_${name}`, user, ...life, ...members })
  open('platform', admin)
  open('platform without two factors', { ...admin, hasTwoFactor: false }, { hasPassedTwoFactor: false })
  open('platform since yesterday', admin, { createdAt: now - 12 * HOUR - 1 })
  open('platform unverified', { ...admin, isEmailVerified: false })
  const [owner, growth] = [person('usr_owner'), person('usr_growth')]
  const scoped = (name: string, user: typeof owner, scopes: string[]) =>
    sessions.tokens.set(name, { id: name, user, scopes, expiresAt: null, revokedAt: null })
  scoped('svc_pat_read', owner, ['read'])
  scoped('svc_pat_flags', owner, ['flags:write'])
  scoped('svc_pat_both', owner, ['read', 'flags:write'])
  scoped('svc_pat_above', growth, ['webhooks:write'])
  sessions.tokens.set('svc_pat_platform', {
    id: 'pat_platform',
    user: admin,
    scopes: null,
    expiresAt: null,
    revokedAt: null,
  })
})
afterAll(() => s.close())

interface Caller {
  cookie?: string
  token?: string
  origin?: string | null
  projectId?: string
}

const changes = ({ method }: OperatorRoute): boolean => method !== 'GET'

/**
 * Calls a route with a body and a query that no route accepts; some take any body, because it is a file. A call that passes the door is answered 400 and does
 * nothing; each other answer is the refusal of a door.
 */
function knock({ method, path }: OperatorRoute, { cookie, token, origin = ORIGIN, projectId = s.project.id }: Caller) {
  const given = path
    .replace(':projectId', projectId)
    .replace(/:store\b/, 'ios')
    .replace(/:\w+/g, 'prd_00000000000000000000000001')
  return s.call(method, `${given}?q=%00`, {
    key: token ?? null,
    headers: {
      ...(cookie === undefined ? {} : { cookie: `svc_session=${cookie}` }),
      ...(method === 'GET' || origin === null ? {} : { origin }),
    },
    ...(method === 'GET' ? {} : { raw: '{' }),
  })
}

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code}`

const PASSES = '400 VALIDATION_ERROR'
const UNAUTHORIZED = '401 UNAUTHORIZED'
const FORBIDDEN = '403 FORBIDDEN'
const NOT_FOUND = '404 NOT_FOUND'

/** What a member of the project with this role is answered. */
function expectedOf(route: OperatorRoute, role: MemberRole): string {
  if (role === 'SUPPORT_READ' && changes(route)) return '403 SUPPORT_ACCESS_READ_ONLY'
  if (route.who.includes(':')) return hasCapability(role, route.who as Capability) ? PASSES : '403 CAPABILITY_REQUIRED'
  return hasRole(role, route.who as (typeof ROLES)[number]) ? PASSES : '403 ROLE_REQUIRED'
}

/** What the owner is answered with a token of these scopes. */
function expectedOfScopes(route: OperatorRoute, scopes: readonly string[]): string {
  if (scopes.includes('read') && !changes(route)) return PASSES
  if (scopes.includes(route.who) || (!changes(route) && FOR_EVERY_TOKEN.includes(route.path))) return PASSES
  return route.who.includes(':') ? '403 CAPABILITY_REQUIRED' : FORBIDDEN
}

/** With these a command finds its project. */
const FOR_EVERY_TOKEN: readonly string[] = ['/dashboard/me', '/dashboard/projects', P]

const SCOPED: [token: string, scopes: readonly string[]][] = [
  ['svc_pat_read', ['read']],
  ['svc_pat_flags', ['flags:write']],
  ['svc_pat_both', ['read', 'flags:write']],
]

const named = (routes: readonly OperatorRoute[]) =>
  routes.map((route): [name: string, route: OperatorRoute] => [`${route.method} ${route.path}`, route])

test('the table has every route, and no other', () => {
  const plain = (route: string) => route.replace(/:\w+/g, ':id')
  const table = OPERATOR_ROUTES.map(({ method, path }) => plain(`${method} ${path}`))
  const served = s.app.routes.filter(isOperatorRoute).map(plain)
  expect(served.filter((route) => !table.includes(route)).sort()).toEqual([])
  expect(table.filter((route) => !served.includes(route)).sort()).toEqual([])
  expect(new Set(table).size).toBe(table.length)
})

describe('a route of a project', () => {
  const routes = OPERATOR_ROUTES.filter(({ path }) => path.startsWith(P))

  test.each(named(routes))('%s', async (_name, route) => {
    const cells: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    const cell = async (name: string, caller: Caller, expected: string) => {
      cells[name] = codeOf(await knock(route, caller))
      wanted[name] = expected
    }
    await cell('no session', {}, UNAUTHORIZED)
    await cell('an unknown session', { cookie: 'unknown' }, UNAUTHORIZED)
    await cell('an API key', { token: s.project.secretKey }, UNAUTHORIZED)
    for (const role of CALLERS) {
      await cell(role, { cookie: role }, expectedOf(route, role))
      // A token opens no project that only a support grant opens.
      const byToken = role === 'SUPPORT_READ' ? NOT_FOUND : expectedOf(route, role)
      await cell(`${role} by token`, { token: `svc_pat_${role}`, origin: null }, byToken)
    }
    for (const [token, scopes] of SCOPED)
      await cell(`${scopes.join(' and ')} by token`, { token, origin: null }, expectedOfScopes(route, scopes))
    // A scope gives nothing that the role does not have.
    if (route.who === 'webhooks:write')
      await cell('scope above the role', { token: 'svc_pat_above', origin: null }, '403 CAPABILITY_REQUIRED')
    await cell(
      'foreign origin',
      { cookie: 'OWNER', origin: 'https://evil.example' },
      changes(route) ? FORBIDDEN : PASSES,
    )
    await cell('no origin', { cookie: 'OWNER', origin: null }, changes(route) ? FORBIDDEN : PASSES)
    await cell('foreign project', { cookie: 'OWNER', projectId: s.other.id }, NOT_FOUND)
    await cell('unknown project', { cookie: 'OWNER', projectId: `prj_${'z'.repeat(26)}` }, NOT_FOUND)
    expect(cells).toEqual(wanted)
  })

  test('of a suspended project answers PROJECT_SUSPENDED to every member, and 404 to others', async () => {
    await suspendProject(s.ctx, s.project.id)
    for (const [name, route] of named(routes)) {
      expect([name, codeOf(await knock(route, { cookie: 'OWNER' }))]).toEqual([name, '403 PROJECT_SUSPENDED'])
      expect([name, codeOf(await knock(route, { token: 'svc_pat_OWNER' }))]).toEqual([name, '403 PROJECT_SUSPENDED'])
      const read = changes(route) ? '403 SUPPORT_ACCESS_READ_ONLY' : '403 PROJECT_SUSPENDED'
      expect([name, codeOf(await knock(route, { cookie: 'SUPPORT_READ' }))]).toEqual([name, read])
      expect([name, codeOf(await knock(route, { cookie: 'platform' }))]).toEqual([name, NOT_FOUND])
    }
    await unsuspendProject(s.ctx, s.project.id)
  })
})

describe('a route of a person', () => {
  const routes = OPERATOR_ROUTES.filter(({ who }) => /^me\b/.test(who))

  test.each(named(routes))('%s', async (_name, route) => {
    expect(codeOf(await knock(route, {}))).toBe(UNAUTHORIZED)
    expect(codeOf(await knock(route, { cookie: 'unknown' }))).toBe(UNAUTHORIZED)
    expect(codeOf(await knock(route, { token: s.project.secretKey }))).toBe(UNAUTHORIZED)
    expect(codeOf(await knock(route, { cookie: 'GROWTH' }))).toBe(PASSES)
    const byToken = route.who === 'me' ? PASSES : UNAUTHORIZED
    expect(codeOf(await knock(route, { token: 'svc_pat_GROWTH', origin: null }))).toBe(byToken)
    for (const [token, scopes] of SCOPED) {
      const expected = route.who === 'me' ? expectedOfScopes(route, scopes) : UNAUTHORIZED
      expect([scopes, codeOf(await knock(route, { token, origin: null }))]).toEqual([scopes, expected])
    }
    const elsewhere = changes(route) ? FORBIDDEN : PASSES
    expect(codeOf(await knock(route, { cookie: 'GROWTH', origin: 'https://evil.example' }))).toBe(elsewhere)
    expect(codeOf(await knock(route, { cookie: 'GROWTH', origin: null }))).toBe(elsewhere)
  })
})

describe('a route of the platform', () => {
  const routes = OPERATOR_ROUTES.filter(({ who }) => who === 'admin')

  test.each(named(routes))('%s', async (_name, route) => {
    expect(codeOf(await knock(route, {}))).toBe(UNAUTHORIZED)
    expect(codeOf(await knock(route, { token: 'svc_pat_platform' }))).toBe(UNAUTHORIZED)
    expect(codeOf(await knock(route, { cookie: 'OWNER' }))).toBe('403 ADMIN_EMAIL_DOMAIN')
    expect(codeOf(await knock(route, { cookie: 'platform unverified' }))).toBe('403 ADMIN_EMAIL_DOMAIN')
    expect(codeOf(await knock(route, { cookie: 'platform without two factors' }))).toBe('403 ADMIN_2FA_REQUIRED')
    expect(codeOf(await knock(route, { cookie: 'platform since yesterday' }))).toBe('401 ADMIN_SESSION_EXPIRED')
    const elsewhere = changes(route) ? FORBIDDEN : PASSES
    expect(codeOf(await knock(route, { cookie: 'platform', origin: 'https://evil.example' }))).toBe(elsewhere)
    expect(codeOf(await knock(route, { cookie: 'platform' }))).toBe(PASSES)
  })
})

describe('a route that nobody has to sign in for', () => {
  const routes = OPERATOR_ROUTES.filter(({ who, method }) => who === 'page' && method === 'POST')

  test.each(named(routes))('%s', async (_name, route) => {
    expect(codeOf(await knock(route, { origin: 'https://evil.example' }))).toBe(FORBIDDEN)
    expect(codeOf(await knock(route, { origin: null }))).toBe(FORBIDDEN)
    expect(codeOf(await knock(route, {}))).toBe(PASSES)
  })

  test('POST /api/auth/two-factor wants the challenge', async () => {
    const [route] = OPERATOR_ROUTES.filter(({ who }) => who === 'challenge')
    if (!route) throw new Error('no such route in the table')
    expect(codeOf(await knock(route, {}))).toBe(UNAUTHORIZED)
    expect(codeOf(await knock(route, { origin: 'https://evil.example' }))).toBe(FORBIDDEN)
  })
})
