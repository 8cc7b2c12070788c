import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { flushSignInUse } from '../../src/operators/accounts/session-store'
import { auditedActions, BEHIND_PROXY, makeUser, openBeside, signedIn } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const FORBIDDEN = [403, 'FORBIDDEN']
const IN = '/api/auth/sign-in'
const ADA = 'ada@example.com'

describe('signing in', () => {
  let s: Stage
  beforeAll(async () => {
    s = await stage({ env: BEHIND_PROXY })
    await makeUser(s, ADA)
    await makeUser(s, 'nopassword@example.com', null)
  })
  afterAll(() => s.close())
  afterEach(() => s.ctx.clock.advance(15 * MINUTE))

  const sessions = () => s.ctx.db.select().from(s.ctx.tables.userSessions)

  test('needs the right password, however it is written', async () => {
    const visitor = new Visitor(s)
    for (const email of ['ADA@Example.com', ADA]) expect((await visitor.signIn(email)).body.data.next).toBeNull()
    await makeUser(s, 'wide@example.com', 'pass\uff57\uff4f\uff52\uff44 pass')
    expect((await visitor.signIn('wide@example.com', 'password pass')).body.data.next).toBeNull()
    for (const wrong of [PASSWORD.toUpperCase(), `${PASSWORD} `, 'x'])
      expect(refusal(await visitor.signIn(ADA, wrong))).toEqual(UNAUTHORIZED)
  })

  test('(4) known and unknown addresses answer alike, in text and in the work that is done', async () => {
    const verify = spyOn(Bun.password, 'verify')
    const told: unknown[] = []
    const work: unknown[] = []
    try {
      for (const email of [ADA, 'nobody@example.com', 'nopassword@example.com']) {
        verify.mockClear()
        const { status, body } = await new Visitor(s).signIn(email, 'a wrong password')
        told.push([status, body])
        const [call] = verify.mock.calls
        work.push([verify.mock.calls.length, call?.[0], String(call?.[1]).split('$').slice(1, 4)])
      }
    } finally {
      verify.mockRestore()
    }
    expect(told[0]).toEqual([
      401,
      { error: { code: 'UNAUTHORIZED', message: 'The mail address or the password is wrong' } },
    ])
    expect([told[1], told[2]]).toEqual([told[0], told[0]])
    expect(work[0]).toEqual([1, 'a wrong password', ['argon2id', 'v=19', 'm=8,t=1,p=1']])
    expect([work[1], work[2]]).toEqual([work[0], work[0]])
  })

  test.each<[name: string, body: unknown]>([
    ['no password', { email: ADA }],
    ['an empty password', { email: ADA, password: '' }],
    ['no address', { email: 'ada', password: PASSWORD }],
    ['another member', { email: ADA, password: PASSWORD, remember: true }],
  ])('%s is refused', async (_name, body) => {
    const before = (await sessions()).length
    expect(refusal(await new Visitor(s).post(IN, body))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await sessions()).toHaveLength(before)
  })

  test('the cookie is for this host only, and no script reads it', async () => {
    const answer = await new Visitor(s).signIn(ADA)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^svc_session=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
      'svc_challenge=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(JSON.stringify(answer.body)).not.toContain(answer.headers.getSetCookie()[0]?.slice(12, 55) ?? '')
  })

  test('(6) a planted cookie is never adopted', async () => {
    const visitor = new Visitor(s)
    visitor.cookies.set('svc_session', 'planted')
    visitor.cookies.set('svc_challenge', 'planted')
    await visitor.signIn(ADA)
    expect(visitor.cookies.get('svc_session')).not.toBe('planted')
    expect(visitor.cookies.has('svc_challenge')).toBe(false)
    const planted = { cookies: 'svc_session=planted' }
    expect(refusal(await visitor.get('/dashboard/me', planted))).toEqual(UNAUTHORIZED)
    const first = visitor.cookies.get('svc_session')
    await visitor.signIn(ADA)
    expect(visitor.cookies.get('svc_session')).not.toBe(first)
    expect((await visitor.get('/dashboard/me', { cookies: `svc_session=${first}` })).status).toBe(200)
  })

  test.each<[origin: string | null]>([[null], ['https://evil.example'], ['null'], ['http://localhost:5173'], ['']])(
    '(7) a foreign or missing Origin with a cookie is 403, sign-in included: %p',
    async (origin) => {
      const visitor = await signedIn(s, ADA)
      const before = await sessions()
      for (const path of [IN, '/api/auth/sign-up', '/api/auth/password-reset', '/api/auth/sign-out'])
        expect(refusal(await visitor.post(path, { email: ADA, password: PASSWORD }, { origin }))).toEqual(FORBIDDEN)
      expect(refusal(await visitor.patch('/dashboard/me', { name: 'Eve' }, { origin }))).toEqual(FORBIDDEN)
      const bare = new Visitor(s)
      expect(refusal(await bare.post(IN, { email: ADA, password: PASSWORD }, { origin }))).toEqual(FORBIDDEN)
      expect(bare.cookies.size).toBe(0)
      expect(await sessions()).toEqual(before)
    },
  )

  test('an Idempotency-Key opens no second session, and keeps no first one', async () => {
    const visitor = new Visitor(s)
    const headers = { 'idempotency-key': 'again' }
    const body = { email: ADA, password: PASSWORD }
    for (let time = 0; time < 2; time++) {
      const answer = await visitor.post(IN, body, { headers })
      expect([answer.status, answer.headers.get('idempotent-replay')]).toEqual([200, null])
    }
    expect(await s.ctx.db.select().from(s.ctx.tables.idempotencyKeys)).toEqual([])
  })

  test('10 attempts in 15 minutes for a mail address from one client address, exactly', async () => {
    const [near, far] = [new Visitor(s, '198.51.100.1'), new Visitor(s, '198.51.100.2')]
    await near.signIn(ADA, 'wrong')
    s.ctx.clock.advance(5 * MINUTE)
    for (let time = 0; time < 9; time++) expect((await near.signIn('ADA@example.com', 'wrong')).status).toBe(401)
    const limited = await near.signIn(ADA)
    expect(refusal(limited)).toEqual([429, 'RATE_LIMITED'])
    expect(limited.body.error.details).toEqual({ retryAfterSeconds: 600 })
    expect(limited.headers.get('ratelimit-policy')).toBe('"sign-in";q=20;w=60, "mail";q=10;w=900')
    expect(near.cookies.size).toBe(0)
    expect((await far.signIn(ADA)).status).toBe(200)
    expect((await near.signIn('other@example.com')).status).toBe(401)
    s.ctx.clock.advance(10 * MINUTE - 1)
    expect((await near.signIn(ADA)).status).toBe(429)
    s.ctx.clock.advance(1)
    expect((await near.signIn(ADA)).status).toBe(200)
    expect((await near.signIn(ADA)).status).toBe(429)
    s.ctx.clock.advance(5 * MINUTE)
    expect((await near.signIn(ADA)).status).toBe(200)
  })

  test('20 attempts in a minute from one client address, whatever they ask for', async () => {
    const near = new Visitor(s, '198.51.100.9')
    for (let time = 0; time < 20; time++) {
      const path = time % 2 ? IN : '/api/auth/verify-email'
      const body = time % 2 ? { email: `a${time}@example.com`, password: 'x' } : { token: 'x' }
      expect((await near.post(path, body)).status).toBe(401)
    }
    for (const path of [IN, '/api/auth/sign-up', '/api/auth/two-factor', '/api/auth/password-reset'])
      expect(refusal(await near.post(path, {}))).toEqual([429, 'RATE_LIMITED'])
    expect((await near.get('/api/auth/options')).status).toBe(200)
    expect((await new Visitor(s, '198.51.100.10').signIn(ADA)).status).toBe(200)
    s.ctx.clock.advance(MINUTE)
    expect((await near.signIn(ADA)).status).toBe(200)
  })
})

describe('a session', () => {
  let s: Stage
  beforeAll(async () => {
    s = await stage({ env: BEHIND_PROXY })
    await makeUser(s, ADA)
  })
  afterAll(() => s.close())

  test('lives for 30 days after its last use', async () => {
    const ada = await signedIn(s, ADA)
    s.ctx.clock.advance(30 * DAY - 1)
    expect((await ada.get('/dashboard/me')).status).toBe(200)
    await flushSignInUse(s.ctx)
    s.ctx.clock.advance(30 * DAY - 1)
    expect((await ada.get('/dashboard/me')).status).toBe(200)
    await flushSignInUse(s.ctx)
    s.ctx.clock.advance(30 * DAY)
    expect(refusal(await ada.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
    await flushSignInUse(s.ctx)
    expect(refusal(await ada.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
  })

  test('writes when it was last seen at most once a minute', async () => {
    const ada = await signedIn(s, ADA)
    const start = s.ctx.clock.now()
    const seen = async () => {
      await ada.get('/dashboard/me')
      await flushSignInUse(s.ctx)
      const rows = await s.ctx.db.select().from(s.ctx.tables.userSessions)
      return Math.max(...rows.map(({ lastSeenAt }) => lastSeenAt)) - start
    }
    s.ctx.clock.advance(MINUTE - 1)
    expect(await seen()).toBe(0)
    s.ctx.clock.advance(1)
    expect(await seen()).toBe(MINUTE)
    s.ctx.clock.advance(MINUTE - 1)
    expect(await seen()).toBe(MINUTE)
  })

  test('that ended is refused at once, by another process too', async () => {
    const ada = await signedIn(s, ADA)
    const other = await openBeside(s)
    const token = ada.cookies.get('svc_session') ?? ''
    expect(await other.state.sessions.findSession(token)).not.toBeNull()
    await ada.post('/api/auth/sign-out')
    expect(await other.state.sessions.findSession(token)).toBeNull()
    await other.close()
  })

  test('opening and ending one is in the audit log', async () => {
    const before = (await auditedActions(s)).length
    const ada = await signedIn(s, ADA)
    await ada.post('/api/auth/sign-out')
    expect((await auditedActions(s)).slice(before)).toEqual(['session.create', 'session.delete'])
  })
})

describe('on https', () => {
  const SITE = 'https://dash.example.com'
  let s: Stage
  beforeAll(async () => {
    s = await stage({ env: { ...BEHIND_PROXY, PUBLIC_BASE_URL: SITE } })
    await makeUser(s, ADA)
  })
  afterAll(() => s.close())

  test('the cookies belong to the host and to secure connections only', async () => {
    const ada = new Visitor(s, '203.0.113.1', SITE)
    const lines = (await ada.signIn(ADA)).headers.getSetCookie()
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/^__Host-svc_(session|challenge)=.*; Path=\/; .*; Secure$/)
    expect((await ada.get('/dashboard/me')).status).toBe(200)
    const plain = { cookies: `svc_session=${ada.cookies.get('__Host-svc_session')}` }
    expect(refusal(await ada.get('/dashboard/me', plain))).toEqual(UNAUTHORIZED)
  })

  test('the Host header gives no origin', async () => {
    const eve = new Visitor(s, '203.0.113.1', 'http://localhost')
    expect(refusal(await eve.signIn(ADA))).toEqual(FORBIDDEN)
  })
})

describe('pages of other origins', () => {
  const EXPOSED = 'access-control-expose-headers'
  const ALLOWED = 'access-control-allow-origin'
  const PATHS = ['/dashboard/me', '/admin/nothing', '/api/auth/options']

  const preflight = (s: Stage, path: string, origin: string) =>
    s.call('OPTIONS', path, { key: null, headers: { origin } })

  test('read nothing of the dashboard', async () => {
    const s = await stage()
    for (const path of PATHS)
      for (const origin of ['https://evil.example', 'http://localhost:5173', 'null']) {
        const answer = await s.call('GET', path, { key: null, headers: { origin } })
        expect([answer.headers.get(ALLOWED), answer.headers.get('vary')]).toEqual([null, 'Origin'])
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
        const asked = await preflight(s, path, origin)
        expect([asked.status, asked.headers.get(ALLOWED)]).toEqual([204, null])
        expect(asked.headers.get('access-control-allow-methods')).toBeNull()
      }
    const elsewhere = await s.call('GET', '/dashboards', { key: null, headers: { origin: 'http://localhost' } })
    expect([elsewhere.status, elsewhere.headers.get(ALLOWED)]).toEqual([404, null])
    await s.close()
  })

  test.each<[mode: string, origin: string]>([
    ['production', 'http://localhost'],
    ['development', 'http://localhost:5173'],
    ['development', 'http://localhost:5175'],
  ])('are the dashboard in %s at %s', async (mode, origin) => {
    const s = await stage({ env: { SVC_MODE: mode } })
    for (const path of PATHS) {
      const answer = await s.call('GET', path, { key: null, headers: { origin } })
      expect([answer.headers.get(ALLOWED), answer.headers.get('vary')]).toEqual([origin, 'Origin'])
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
      expect(answer.headers.get(EXPOSED)).toContain('X-Request-Id')
      const asked = await preflight(s, path, origin)
      expect([asked.status, asked.headers.get(ALLOWED)]).toEqual([204, origin])
      expect(asked.headers.get('access-control-max-age')).toBe('86400')
      expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH')
      expect(asked.headers.get('access-control-allow-headers')).toContain('If-Match')
    }
    const wrong = await new Visitor(s, '203.0.113.1', origin).signIn(ADA)
    expect(refusal(wrong)).toEqual(UNAUTHORIZED)
    await s.close()
  })
})
