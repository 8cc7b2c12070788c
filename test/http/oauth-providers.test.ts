import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { JWTPayload } from 'jose'
import { makeUser } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { IdentityProvider, type IdpPerson } from '../support/identity-provider'
import { KNOWN_PROVIDERS, type KnownProvider } from '../support/known-providers'
import { ORIGIN, Visitor } from '../support/visitor'

let idp: IdentityProvider
let s: Stage | undefined

beforeAll(async () => {
  idp = await IdentityProvider.start(() => Date.now())
})
afterAll(() => idp.stop())
afterEach(async () => {
  idp.faults = {}
  await s?.close()
  s = undefined
})

const ada = (members: Partial<IdpPerson> = {}): IdpPerson => ({
  sub: '1001',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada',
  ...members,
})

interface Setting {
  issuer?: string
  trusts?: 'on' | 'off'
}

/** A server whose only provider imitates a known one, and the end of the way of a person who signs in there. */
async function signIn(known: KnownProvider | null, person: IdpPerson, { issuer, trusts = 'off' }: Setting = {}) {
  idp.known = known
  await s?.close()
  s = await stage({
    env: {
      SVC_TRUSTED_PROXIES: '1',
      SVC_OPEN_SIGNUP: '1',
      SVC_OAUTH_OIDC_ISSUER: issuer ?? idp.issuer,
      SVC_OAUTH_OIDC_ID: 'client',
      SVC_OAUTH_OIDC_SECRET: 'secret',
      SVC_OAUTH_OIDC_TRUST_EMAIL: trusts,
    },
  })
  s.ctx.clock.set(Date.now()) // The library compares the life of an id token with the clock of the machine.
  return passBy(s, person)
}

async function passBy(at: Stage, person: IdpPerson) {
  const visitor = new Visitor(at)
  const begun = await visitor.get('/api/auth/oauth/oidc')
  const address = begun.headers.get('location') ?? ''
  if (!address.includes('/authorize')) return { end: address.replace(ORIGIN, ''), user: null, log: logOf(at) }
  const back = idp.agree(address, person)
  const { headers } = await visitor.get(back.pathname + back.search)
  const user = (await visitor.get('/dashboard/me')).body.data ?? null
  return { end: (headers.get('location') ?? '').replace(ORIGIN, ''), user, log: logOf(at) }
}

const logOf = ({ ctx }: Stage): string => ctx.lines.filter((line) => line.includes('"provider"')).join('\n')

const named = (name: string): KnownProvider => {
  const known = KNOWN_PROVIDERS.find((one) => one.name === name)
  if (!known) throw new Error(`no provider ${name}`)
  return known
}

describe.each(KNOWN_PROVIDERS.map((known) => [known.name, known] as const))('%s', (_name, known) => {
  test('signs in who has a verified address, and nobody else', async () => {
    const trusts = known.isSilent ? 'on' : 'off'
    const { end, user, log } = await signIn(known, ada(), { trusts })
    expect([end, log]).toEqual(['/', ''])
    expect(user).toMatchObject({ email: 'ada@example.com', emailVerified: true })
    if (known.isSilent) return
    const stranger = ada({ sub: '666', email: 'bo@example.com', email_verified: false })
    if (s) expect((await passBy(s, stranger)).end).toBe('/sign-in?error=unverified')
  })
})

describe('a provider that does not say whether an address is verified', () => {
  test('makes no account and opens none while the setting is off', async () => {
    const { end, user } = await signIn(named('Microsoft Entra'), ada())
    expect([end, user]).toEqual(['/sign-in?error=unverified', null])
    if (!s) return
    await makeUser(s, 'ada@example.com')
    expect((await passBy(s, ada())).end).toBe('/sign-in?error=unverified')
  })

  test.each<[string, JWTPayload]>([
    ['false', { email_verified: false }],
    ['the text false', { email_verified: 'false' }],
    ['0', { email_verified: 0 }],
    ['another text', { email_verified: 'maybe' }],
  ])('with the setting on, one that says %s is still believed', async (_what, claims) => {
    idp.faults = { claims }
    expect((await signIn(named('Microsoft Entra'), ada(), { trusts: 'on' })).end).toBe('/sign-in?error=unverified')
  })

  test('that an address is verified is not taken from another address', async () => {
    const known = { ...named('GitLab'), userInfo: () => ({ email: 'eve@example.com', email_verified: true }) }
    expect((await signIn(known, ada())).end).toBe('/sign-in?error=unverified')
  })
})

describe('claims that are unusual', () => {
  const LARGE = Array.from({ length: 4000 }, (_, n) => `a-group-with-a-long-name-${n}`)
  test.each<[string, JWTPayload]>([
    ['the text true', { email_verified: 'True' }],
    ['the number 1', { email_verified: 1 }],
    ['the text 1', { email_verified: '1' }],
    ['several audiences', { aud: ['client', 'other'], azp: 'client' }],
    ['no name', { name: undefined }],
    ['a name that is null', { name: null }],
    ['a name that is no text', { name: { given: 'Ada' } }],
    ['a domain that is no text', { hd: false }],
    ['a token of 120 KB', { groups: LARGE }],
    ['a clock 45 s behind', { exp: Math.floor(Date.now() / 1000) - 45 }],
    ['a token of 45 s later', { nbf: Math.floor(Date.now() / 1000) + 45 }],
  ])('%s', async (_what, claims) => {
    idp.faults = { claims }
    expect(await signIn(named('Keycloak'), ada())).toMatchObject({ end: '/', log: '' })
  })

  test.each<[string, JWTPayload, string]>([
    ['other audiences', { aud: ['other', 'more'] }, 'the claim aud of its token is [\\"other\\",\\"more\\"]'],
    ['another issuer', { iss: 'https://evil.example' }, 'the claim iss of its token is \\"https://evil.example\\"'],
    ['a clock 10 min behind', { exp: Math.floor(Date.now() / 1000) - 600 }, 'not valid at this time (exp)'],
    ['no address', { email: undefined }, 'has the claim email'],
    ['an address that is null', { email: null }, 'has the claim email'],
    ['an address that is a list', { email: ['ada@example.com'] }, 'has the claim email'],
  ])('%s is refused, and the log names the cause', async (_what, claims, cause) => {
    idp.faults = { claims }
    const { end, user, log } = await signIn({ ...named('Keycloak'), userInfo: null }, ada())
    expect([end, user]).toEqual(['/sign-in?error=failed', null])
    expect(log).toContain(cause)
    expect(log).not.toMatch(/\[object|reached|ada@example|code-|token-/)
  })
})

describe('an issuer', () => {
  test('is compared to the letter, and the log names both', async () => {
    const known = named('Authentik')
    const issuer = `${idp.url}/application/o/svc`
    const { end, log } = await signIn(known, ada(), { issuer })
    expect(end).toBe('/sign-in?error=failed')
    expect(log).toContain(`its metadata name the issuer \\"${issuer}/\\" and the setting is \\"${issuer}\\"`)
    expect(log).toContain('SVC_OAUTH_OIDC_ISSUER')
    expect(log).not.toMatch(/\[object|reached/)
  })

  test('with a slash too much is refused', async () => {
    const { end, log } = await signIn(named('Keycloak'), ada(), { issuer: `${idp.url}/realms/svc/` })
    expect(end).toBe('/sign-in?error=failed')
    expect(log).toContain(`its metadata name the issuer \\"${idp.url}/realms/svc\\"`)
  })

  test('that answers with an error is named with its status', async () => {
    idp.faults = { status: 404 }
    expect((await signIn(named('Keycloak'), ada())).log).toContain('it answered with status 404')
  })

  test('that refuses the secret is named with its reason', async () => {
    const known = { ...named('Okta'), metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } }
    expect((await signIn(known, ada())).log).toContain('it refused: \\"invalid_client\\"')
  })
})
