import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { auditedActions, eightTimes, enableTwoFactor, makeUser, signedIn } from '../support/accounts'
import { type Answer, type Stage, stage } from '../support/cast'
import { join as joinProject } from '../support/crew'
import { IdentityProvider, type IdpFaults, type IdpPerson } from '../support/identity-provider'
import { ORIGIN, refusal, Visitor } from '../support/visitor'

let idp: IdentityProvider
let s: Stage

beforeEach(async () => {
  const clock = { now: () => 0 }
  idp = await IdentityProvider.start(() => clock.now())
  s = await join()
  clock.now = () => s.ctx.clock.now()
})
afterEach(async () => {
  await s.close()
  await idp.stop()
})

async function join(env: Record<string, string> = {}): Promise<Stage> {
  const joined = await stage({
    env: {
      SVC_TRUSTED_PROXIES: '1',
      SVC_OPEN_SIGNUP: '1',
      SVC_OAUTH_GOOGLE_ID: 'client',
      SVC_OAUTH_GOOGLE_SECRET: 'secret',
      SVC_OAUTH_GOOGLE_URL: idp.url,
      SVC_OAUTH_GITHUB_ID: 'client',
      SVC_OAUTH_GITHUB_SECRET: 'secret',
      SVC_OAUTH_GITHUB_URL: idp.url,
      SVC_OAUTH_OIDC_ISSUER: idp.url,
      SVC_OAUTH_OIDC_ID: 'client',
      SVC_OAUTH_OIDC_SECRET: 'secret',
      ...env,
    },
  })
  joined.ctx.clock.set(Date.now()) // The library compares the life of an id token with the clock of the machine.
  return joined
}

/** Another deployment in the place of the first one. */
async function again(env: Record<string, string>): Promise<void> {
  await s.close()
  s = await join(env)
}

const ada = (members: Partial<IdpPerson> = {}): IdpPerson => ({
  sub: '1001',
  email: 'ada@gmail.com',
  email_verified: true,
  name: 'Ada',
  ...members,
})

const locationOf = ({ status, headers }: Answer): string => {
  expect(status).toBe(302)
  return (headers.get('location') ?? '').replace(ORIGIN, '')
}

const start = async (visitor: Visitor, provider: string, query = '') =>
  locationOf(await visitor.get(`/api/auth/oauth/${provider}${query}`))

const come = (visitor: Visitor, back: URL) => visitor.get(back.pathname + back.search)

/** The whole way. Returns where the person ends. */
async function pass(visitor: Visitor, provider: string, person: IdpPerson, query = ''): Promise<string> {
  const back = idp.agree(await start(visitor, provider, query), person, provider === 'github')
  return locationOf(await come(visitor, back))
}

const me = async (visitor: Visitor) => (await visitor.get('/dashboard/me')).body

describe('a sign-in by a provider', () => {
  test.each(['google', 'github', 'oidc'])(
    '%s makes an account with a verified address, and finds it again',
    async (provider) => {
      const visitor = new Visitor(s)
      expect(await pass(visitor, provider, ada(), '?page=/p/sleep/overview&anything=1')).toBe('/p/sleep/overview')
      expect((await me(visitor)).data).toMatchObject({
        email: 'ada@gmail.com',
        name: 'Ada',
        emailVerified: true,
        hasPassword: false,
      })
      expect(await auditedActions(s)).toEqual(['user.sign_up', 'identity.link', 'session.create'])
      const { id } = (await me(visitor)).data
      const elsewhere = new Visitor(s)
      expect(await pass(elsewhere, provider, ada({ email: 'new@example.com', email_verified: false }))).toBe('/')
      expect((await me(elsewhere)).data.id).toBe(id)
      expect([...elsewhere.cookies.keys()]).toEqual(['svc_session'])
    },
  )

  test('asks the provider with PKCE, state and nonce, which differ each time', async () => {
    const [first, second] = [await start(new Visitor(s), 'google'), await start(new Visitor(s), 'google')].map(
      (url) => new URL(url).searchParams,
    )
    expect(first?.get('redirect_uri')).toBe(`${ORIGIN}/api/auth/oauth/google/callback`)
    expect(first?.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(first?.get(name)).not.toBe(second?.get(name) ?? null)
  })

  test('returns to pages of the dashboard only', async () => {
    for (const page of ['//evil.example', 'https://evil.example', '/\\evil.example', 'x', '/a%0d%0ab'])
      expect(await pass(new Visitor(s), 'google', ada(), `?page=${encodeURIComponent(decodeURIComponent(page))}`)).toBe(
        '/',
      )
  })

  test('that is not configured is 404', async () => {
    await again({ SVC_OAUTH_GITHUB_ID: '', SVC_OAUTH_GITHUB_SECRET: '', SVC_OAUTH_GITHUB_URL: '' })
    for (const provider of ['github', 'apple', '__proto__'])
      for (const path of [`/api/auth/oauth/${provider}`, `/api/auth/oauth/${provider}/callback`])
        expect(refusal(await new Visitor(s).get(path))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('(8) OAuth: wrong state, another browser, injected code, replay, nonce, audience, issuer, bad signature refused', () => {
  /** Everything but the way back is right. Nobody may be signed in after it. */
  async function refused(change: (back: URL, visitor: Visitor) => unknown, faults: IdpFaults = {}): Promise<void> {
    for (const provider of ['google', 'oidc']) {
      const visitor = new Visitor(s)
      const back = idp.agree(await start(visitor, provider), ada())
      idp.faults = faults
      const changed = change(back, visitor)
      const comer = changed instanceof Visitor ? changed : visitor
      expect(locationOf(await come(comer, back))).toBe('/sign-in?error=failed')
      expect((await me(comer)).error.code).toBe('UNAUTHORIZED')
      idp.faults = {}
    }
    expect(await auditedActions(s)).toEqual([])
  }

  test('a wrong state', () => refused((back) => back.searchParams.set('state', 'other')))
  test('no state', () => refused((back) => back.searchParams.delete('state')))
  test('another browser', () => refused(() => new Visitor(s)))
  test('the state of a sign-in at another provider', async () => {
    const visitor = new Visitor(s)
    const back = idp.agree(await start(visitor, 'google'), ada())
    expect(locationOf(await visitor.get(`/api/auth/oauth/oidc/callback${back.search}`))).toBe('/sign-in?error=failed')
  })
  test('an injected code', async () => {
    const other = idp.agree(await start(new Visitor(s), 'google'), ada({ sub: '666', email: 'eve@gmail.com' }))
    await refused((back) => back.searchParams.set('code', other.searchParams.get('code') ?? ''))
  })
  test('a replay', async () => {
    const visitor = new Visitor(s)
    const back = idp.agree(await start(visitor, 'google'), ada())
    const kept = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    expect(locationOf(await come(visitor, back))).toBe('/')
    expect(locationOf(await come(new Visitor(s), back))).toBe('/sign-in?error=failed')
    const replayed = await new Visitor(s).get(back.pathname + back.search, { cookies: kept })
    expect(locationOf(replayed)).toBe('/sign-in?error=failed')
    expect(replayed.headers.getSetCookie().join()).not.toContain('svc_session=')
  })
  test('a late callback', () => refused(() => void s.ctx.clock.advance(10 * MINUTE)))
  test('another nonce', () => refused(() => {}, { claims: { nonce: 'other' } }))
  test('another audience', () => refused(() => {}, { claims: { aud: 'other' } }))
  test('another issuer of the token', () => refused(() => {}, { claims: { iss: 'https://evil.example' } }))
  test('an old token', () => refused(() => {}, { claims: { exp: 1000 } }))
  test('a bad signature', () => refused(() => {}, { isForged: true }))
  test('a planted cookie', () => refused((_back, visitor) => void visitor.cookies.set('svc_oauth', 'e30.AAAA')))
  test('a provider that is down', () => refused(() => {}, { status: 503 }))
  test('no usable address', () => refused(() => {}, { claims: { email: 'not an address' } }))

  test('a person who does not agree', async () => {
    const visitor = new Visitor(s)
    const state = new URL(await start(visitor, 'google')).searchParams.get('state')
    const back = `/api/auth/oauth/google/callback?error=access_denied&state=${state}`
    expect(locationOf(await visitor.get(back))).toBe('/sign-in?error=denied')
  })

  test('an issuer that cannot be read leads back to the sign-in page', async () => {
    idp.faults = { status: 500 }
    expect(locationOf(await new Visitor(s).get('/api/auth/oauth/oidc'))).toBe('/sign-in?error=failed')
    idp.faults = {}
    expect(await pass(new Visitor(s), 'oidc', ada())).toBe('/')
  })
})

describe('(9) a pre-registered or unverified address is never linked, a link is bound to its session, OAuth with two-factor asks for it', () => {
  test('an address that somebody registered here without verifying it', async () => {
    await new Visitor(s).post('/api/auth/sign-up', { email: 'ada@gmail.com', password: 'a long password', name: 'Eve' })
    expect(await pass(new Visitor(s), 'google', ada())).toBe('/sign-in?error=account_exists')
  })

  test('an address that the provider has not verified', async () => {
    await makeUser(s, 'ada@gmail.com')
    const unverified = ada({ email_verified: false })
    for (const provider of ['google', 'github', 'oidc'])
      expect(await pass(new Visitor(s), provider, unverified)).toBe('/sign-in?error=unverified')
  })

  test.each<[string, Partial<IdpPerson>, string]>([
    ['google', { email: 'ada@example.com' }, 'account_exists'],
    ['github', { email: 'ada@example.com' }, 'account_exists'],
    ['google', { email: 'ada@example.com', hd: 'example.com' }, ''],
    ['google', { email: 'ada@gmail.com' }, ''],
    ['oidc', { email: 'ada@example.com' }, ''],
  ])('%s with %j', async (provider, members, failure) => {
    const id = await makeUser(s, members.email ?? '')
    const visitor = new Visitor(s)
    expect(await pass(visitor, provider, ada(members))).toBe(failure ? `/sign-in?error=${failure}` : '/')
    if (!failure) expect((await me(visitor)).data).toMatchObject({ id, hasPassword: true })
    else expect((await me(visitor)).error.code).toBe('UNAUTHORIZED')
  })

  test('a link is bound to its session', async () => {
    await makeUser(s, 'bo@example.com')
    const bo = await signedIn(s, 'bo@example.com')
    const { url } = (await bo.post('/dashboard/me/accounts/github')).body.data
    const back = idp.agree(url, ada(), true)
    const thief = new Visitor(s)
    expect(locationOf(await come(thief, back))).toBe('/sign-in?error=failed')
    const other = await signedIn(s, 'bo@example.com')
    other.cookies.set('svc_oauth', bo.cookies.get('svc_oauth') ?? '')
    expect(locationOf(await come(other, back))).toBe('/account?error=failed')
    expect(locationOf(await come(bo, back))).toBe('/account')
    expect((await bo.get('/dashboard/me/accounts')).body.data.items).toMatchObject([
      { provider: 'github', email: 'ada@gmail.com' },
    ])
  })

  test('OAuth with two-factor asks for it', async () => {
    await makeUser(s, 'ada@gmail.com')
    const { backupCodes } = await enableTwoFactor(s, await signedIn(s, 'ada@gmail.com'))
    const visitor = new Visitor(s)
    expect(await pass(visitor, 'google', ada(), '?page=/p/sleep')).toBe('/sign-in?step=two-factor&page=%2Fp%2Fsleep')
    expect((await me(visitor)).error.code).toBe('UNAUTHORIZED')
    expect([...visitor.cookies.keys()]).toEqual(['svc_challenge'])
    expect((await visitor.post('/api/auth/two-factor', { backupCode: backupCodes[0] })).status).toBe(200)
    expect((await me(visitor)).data.email).toBe('ada@gmail.com')
  })
})

describe('an account at a provider', () => {
  test('is linked once, and to one user', async () => {
    for (const email of ['bo@example.com', 'cy@example.com']) await makeUser(s, email)
    const [bo, cy] = [await signedIn(s, 'bo@example.com'), await signedIn(s, 'cy@example.com')]
    const linkOf = async (visitor: Visitor, person: IdpPerson) =>
      locationOf(
        await come(visitor, idp.agree((await visitor.post('/dashboard/me/accounts/oidc')).body.data.url, person)),
      )
    expect(await linkOf(bo, ada())).toBe('/account')
    expect(await linkOf(bo, ada())).toBe('/account')
    expect(await linkOf(cy, ada())).toBe('/account?error=account_exists')
    expect(await linkOf(bo, ada({ sub: '2' }))).toBe('/account?error=account_exists')
    expect((await cy.get('/dashboard/me/accounts')).body.data.items).toEqual([])
  })

  test('is removed, but not the last way to sign in', async () => {
    const visitor = new Visitor(s)
    await pass(visitor, 'github', ada())
    expect(refusal(await visitor.delete('/dashboard/me/accounts/github'))).toEqual([409, 'CONFLICT'])
    expect((await visitor.put('/dashboard/me/password', { password: 'a new long password' })).status).toBe(200)
    expect((await visitor.delete('/dashboard/me/accounts/github')).body.data).toEqual({ deleted: true })
    expect(refusal(await visitor.delete('/dashboard/me/accounts/github'))).toEqual([404, 'NOT_FOUND'])
    expect(await auditedActions(s)).toContain('identity.unlink')
  })

  test('of two ways that are removed at once, one stays', async () => {
    const visitor = new Visitor(s)
    await pass(visitor, 'github', ada())
    const { url } = (await visitor.post('/dashboard/me/accounts/oidc')).body.data
    await come(visitor, idp.agree(url, ada()))
    const answers = await Promise.all(
      ['github', 'oidc'].map((name) => visitor.delete(`/dashboard/me/accounts/${name}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('is linked in a fresh session only', async () => {
    await makeUser(s, 'bo@example.com')
    const bo = await signedIn(s, 'bo@example.com')
    s.ctx.clock.advance(11 * MINUTE)
    expect(refusal(await bo.post('/dashboard/me/accounts/github'))).toEqual([401, 'UNAUTHORIZED'])
  })

  test('502 when the issuer cannot be read', async () => {
    await makeUser(s, 'bo@example.com')
    const bo = await signedIn(s, 'bo@example.com')
    idp.faults = { status: 500 }
    expect(refusal(await bo.post('/dashboard/me/accounts/oidc'))).toEqual([502, 'STORE_API_ERROR'])
  })
})

describe('where accounts are made by invitation', () => {
  test('a stranger is refused, and no account is made', async () => {
    await again({ SVC_OPEN_SIGNUP: 'off' })
    expect(await pass(new Visitor(s), 'google', ada())).toBe('/sign-in?error=denied')
    expect(await auditedActions(s)).toEqual([])
  })
})

test('eight callbacks of one new person make one account', async () => {
  const visitors = Array.from({ length: 8 }, () => new Visitor(s))
  const ends = await eightTimes((n) => pass(visitors[n] ?? new Visitor(s), 'github', ada()))
  expect(ends).toEqual(Array(8).fill('/'))
  expect((await s.ctx.db.select().from(s.ctx.tables.users)).length).toBe(1)
  const ids = await Promise.all(visitors.map(async (visitor) => (await me(visitor)).data.id))
  expect(new Set(ids).size).toBe(1)
})

test('the metadata of an issuer is read once an hour', async () => {
  await pass(new Visitor(s), 'oidc', ada())
  idp.faults = { status: 500 }
  const visitor = new Visitor(s)
  expect(await start(visitor, 'oidc')).toContain('/authorize?')
  s.ctx.clock.advance(HOUR + 1)
  expect(locationOf(await visitor.get('/api/auth/oauth/oidc'))).toBe('/sign-in?error=failed')
})

describe('an account whose guest came by the shown link of an invitation', () => {
  const guestPassword = 'the password of the guest'

  /** The guest of an address, signed in, with a personal access token. */
  async function guestOf(email: string): Promise<{ guest: Visitor; token: string }> {
    const owner = await joinProject(s, 'owner', 'OWNER')
    const path = `/dashboard/projects/${s.project.id}/invitations`
    const { link } = (await owner.browser.post(path, { email, role: 'GROWTH' })).body.data
    const invitationToken = link.split('/join/')[1]
    const guest = new Visitor(s)
    await guest.post('/api/auth/sign-up', { email, password: guestPassword, name: 'Guest', invitationToken })
    await guest.signIn(email, guestPassword)
    expect((await guest.post(`/invitations/${invitationToken}/accept`)).status).toBe(200)
    return { guest, token: (await guest.post('/dashboard/me/tokens', { name: 'mine' })).body.data.token }
  }

  test('goes to the person whose address an authoritative provider has verified, and the guest is out', async () => {
    const { guest, token } = await guestOf('ada@gmail.com')
    const before = (await me(guest)).data
    const owner = new Visitor(s, '203.0.113.2')
    expect(await pass(owner, 'google', ada())).toBe('/')
    const { id, emailVerified, hasPassword, name } = (await me(owner)).data
    expect([id, emailVerified, hasPassword, name]).toEqual([before.id, true, false, 'Ada'])
    expect((await owner.get('/dashboard/projects')).body.data.items).toMatchObject([{ role: 'GROWTH' }])
    for (const answer of [
      await guest.get('/dashboard/me'),
      await guest.signIn('ada@gmail.com', guestPassword),
      await new Visitor(s).get('/dashboard/me', { headers: { authorization: `Bearer ${token}` } }),
    ])
      expect(refusal(answer)).toEqual([401, 'UNAUTHORIZED'])
    expect(await auditedActions(s)).toContain('user.prove_address')
  })

  test.each<[string, string, Partial<IdpPerson>, string]>([
    ['has not verified the address', 'google', { email_verified: false }, 'unverified'],
    ['is not authoritative for it', 'github', {}, 'account_exists'],
    ['is not authoritative for its domain', 'google', { email: 'ada@example.com' }, 'account_exists'],
  ])('stays where the provider %s', async (_name, provider, person, error) => {
    const { guest } = await guestOf(person.email ?? 'ada@gmail.com')
    expect(await pass(new Visitor(s, '203.0.113.2'), provider, ada(person))).toBe(`/sign-in?error=${error}`)
    expect((await me(guest)).data.emailVerified).toBe(false)
    expect((await guest.get('/dashboard/projects')).body.data.items).toHaveLength(1)
  })

  test('does not give a provider of the guest to the owner of the address', async () => {
    const { guest } = await guestOf('ada@gmail.com')
    const linking = (await guest.post('/dashboard/me/accounts/google')).body.data.url
    const mallory = ada({ sub: '666', email: 'mallory@gmail.com' })
    expect(locationOf(await come(guest, idp.agree(linking, mallory)))).toBe('/account')
    const owner = new Visitor(s, '203.0.113.2')
    expect(await pass(owner, 'google', ada())).toBe('/')
    const { id } = (await me(owner)).data
    const back = new Visitor(s, '203.0.113.3')
    expect(await pass(back, 'google', mallory)).toBe('/')
    expect((await me(back)).data.id).not.toBe(id)
  })
})
