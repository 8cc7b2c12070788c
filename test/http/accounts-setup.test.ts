import { afterEach, describe, expect, test } from 'bun:test'
import { Connection } from '../../src/base/db/connection'
import { DAY } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { makeSetupLink } from '../../src/operators/sign-in/setup'
import { type Stage, stage } from '../support/cast'
import { isPostgresRun } from '../support/postgres'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

let s: Stage
afterEach(() => s.close())

const ADA = { email: 'Ada@Example.com', password: PASSWORD, name: 'Ada' }
const PROXY = { SVC_TRUSTED_PROXIES: '1' }

const setupToken = async (): Promise<string> => (await makeSetupLink(s.ctx))?.split('/').at(-1) ?? ''

const options = async () => (await new Visitor(s).get('/api/auth/options')).body.data

describe('the first user', () => {
  test('signs up by the set-up link, signs in, and signs out', async () => {
    s = await stage({ env: PROXY })
    expect(await options()).toEqual({ signUp: 'SETUP', providers: [], mail: false })
    const ada = new Visitor(s)
    const up = await ada.post('/api/auth/sign-up', { ...ADA, setupToken: await setupToken() })
    expect([up.status, up.body]).toEqual([200, { data: { next: 'SIGN_IN' } }])
    expect(ada.cookies.size).toBe(0)
    expect((await options()).signUp).toBe('INVITATION')

    const signed = await ada.signIn('ada@example.com')
    const me = { email: ADA.email, emailVerified: true, name: 'Ada', twoFactorEnabled: false, hasPassword: true }
    expect(signed.body).toMatchObject({ data: { next: null, user: { ...me, platformAdmin: false } } })
    expect([...ada.cookies.keys()]).toEqual(['svc_session'])
    const own = await ada.get('/dashboard/me')
    expect([own.status, own.body.data]).toEqual([200, signed.body.data.user])
    expect(own.headers.get('cache-control')).toBe('no-store')

    const cookies = `svc_session=${ada.cookies.get('svc_session')}`
    expect((await ada.post('/api/auth/sign-out')).body).toEqual({ data: { signedOut: true } })
    expect(ada.cookies.size).toBe(0)
    expect(refusal(await ada.get('/dashboard/me', { cookies }))).toEqual([401, 'UNAUTHORIZED'])
    expect(refusal(await ada.post('/api/auth/sign-out', {}, { cookies }))).toEqual([401, 'UNAUTHORIZED'])
  })

  test.skipIf(isPostgresRun())('has a link that another process made after this turn had begun to read', async () => {
    s = await stage({ env: PROXY })
    const { database } = s.ctx.config
    const other = new Connection(database.kind === 'file' ? database.path : '', 500)
    const setupToken = 'made by another process'
    const row = [sha256Hex(setupToken), s.ctx.clock.now() + DAY]
    expect(await s.ctx.db.select().from(s.ctx.tables.setupTokens)).toEqual([])
    other.run('insert into setup_tokens (token_hash, expires_at) values (?, ?)', row)
    const up = await new Visitor(s).post('/api/auth/sign-up', { ...ADA, setupToken })
    expect([up.status, up.body]).toEqual([200, { data: { next: 'SIGN_IN' } }])
    other.close()
  })

  test('is one person, whoever has a link: 8 at once, one winner', async () => {
    s = await stage({ env: PROXY })
    const tokens = await Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 ? setupToken() : setupToken())))
    const shared = tokens[0] ?? ''
    const answers = await Promise.all(
      tokens.map((token, n) =>
        new Visitor(s).post('/api/auth/sign-up', {
          ...ADA,
          email: `ada${n}@example.com`,
          setupToken: n % 2 ? token : shared,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(refusal(answer)).toEqual([403, 'FORBIDDEN'])
    expect(await s.ctx.db.select().from(s.ctx.tables.users)).toHaveLength(1)
    expect(await s.ctx.db.select().from(s.ctx.tables.setupTokens)).toEqual([])
    expect(await makeSetupLink(s.ctx)).toBeNull()
  })

  test('is refused with a link that was used, that is old, or that nobody made', async () => {
    s = await stage({ env: PROXY })
    const old = await setupToken()
    s.ctx.clock.advance(7 * DAY)
    const visitor = new Visitor(s)
    for (const token of [old, 'nobody', old.slice(1)])
      expect(refusal(await visitor.post('/api/auth/sign-up', { ...ADA, setupToken: token }))).toEqual([
        403,
        'FORBIDDEN',
      ])
    expect(refusal(await visitor.post('/api/auth/sign-up', ADA))).toEqual([403, 'FORBIDDEN'])
    expect(await s.ctx.db.select().from(s.ctx.tables.users)).toEqual([])
    const used = await setupToken()
    expect((await visitor.post('/api/auth/sign-up', { ...ADA, setupToken: used })).status).toBe(200)
    const again = { ...ADA, email: 'bo@example.com', setupToken: used }
    expect(refusal(await visitor.post('/api/auth/sign-up', again))).toEqual([403, 'FORBIDDEN'])
    expect(await s.ctx.db.select().from(s.ctx.tables.users)).toHaveLength(1)
  })
})
