import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { lazily } from '../../src/base/lib/lazily'
import type { KnownProvider } from './known-providers'

/** A person at the stand-in. */
export interface IdpPerson {
  sub: string
  email: string
  email_verified: boolean
  name?: string
  hd?: string
}

interface Grant {
  person: IdpPerson
  nonce: string | null
  challenge: string
  redirectUri: string
}

/** What the stand-in does wrong, for one test. */
export interface IdpFaults {
  status?: number
  claims?: JWTPayload
  /** Signs with a key that is not published. */
  isForged?: boolean
  /** GitHub: the addresses of the person. */
  emails?: { email: string; primary: boolean; verified: boolean }[]
}

/** An identity provider on loopback: OpenID Connect with discovery, and GitHub's OAuth 2 with its REST interface. */
export class IdentityProvider {
  readonly url: string
  faults: IdpFaults = {}
  /** The provider that it imitates; null = one of its own. */
  known: KnownProvider | null = null
  private readonly grants = new Map<string, Grant>()
  private readonly tokens = new Map<string, IdpPerson>()
  private count = 0

  private constructor(
    private readonly server: Bun.Server<undefined>,
    private readonly keys: Awaited<ReturnType<typeof makeKeys>>,
    private readonly now: () => number,
  ) {
    this.url = `http://127.0.0.1:${server.port}`
  }

  static async start(now: () => number): Promise<IdentityProvider> {
    const made: { idp?: IdentityProvider } = {}
    const fetch = (request: Request) => made.idp?.answer(request) ?? new Response(null, { status: 500 })
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
    made.idp = new IdentityProvider(server, await keysOfProcess(), now)
    return made.idp
  }

  /** The issuer, to the letter. */
  get issuer(): string {
    return this.url + (this.known?.issuerPath ?? '')
  }

  /** The person agrees on the page at this address; returns the address of the callback. */
  agree(address: string, person: IdpPerson, isGithub = false): URL {
    const { searchParams: asked } = new URL(address)
    const code = `code-${++this.count}`
    const redirectUri = asked.get('redirect_uri') ?? ''
    const challenge = asked.get('code_challenge') ?? ''
    this.grants.set(code, { person, nonce: asked.get('nonce'), challenge, redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('iss', isGithub ? `${this.url}/login/oauth` : this.issuer)
    for (const [name, value] of Object.entries(this.known?.callback ?? {})) back.searchParams.set(name, value)
    if (this.known && !this.known.metadata.authorization_response_iss_parameter_supported)
      back.searchParams.delete('iss')
    return back
  }

  stop(): Promise<void> {
    return this.server.stop(true)
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (this.faults.status !== undefined) return new Response('{}', { status: this.faults.status })
    if (pathname === `${(this.known?.issuerPath ?? '').replace(/\/$/, '')}/.well-known/openid-configuration`)
      return Response.json(this.metadata())
    if (pathname === '/userinfo') return this.userInfo(request)
    if (pathname === '/jwks') return Response.json({ keys: [this.keys.jwk] })
    if (pathname === '/token' || pathname === '/login/oauth/access_token')
      return this.token(request, pathname === '/token')
    return this.rest(request, pathname)
  }

  private metadata() {
    const { url } = this
    return {
      issuer: this.issuer,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      ...(this.known
        ? { ...(this.known.userInfo && { userinfo_endpoint: `${url}/userinfo` }), ...this.known.metadata }
        : { authorization_response_iss_parameter_supported: true }),
    }
  }

  private async token(request: Request, isOpenId: boolean): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    if (this.known && !isAuthenticated(request, form, this.known))
      return Response.json(
        { error: 'invalid_client', error_description: 'Client authentication failed' },
        { status: 401 },
      )
    const code = form.get('code') ?? ''
    const grant = this.grants.get(code)
    this.grants.delete(code) // A code works once.
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || challenge !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri)
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const accessToken = `token-${++this.count}`
    this.tokens.set(accessToken, grant.person)
    const answer = { access_token: accessToken, token_type: 'bearer' }
    return Response.json(isOpenId ? { ...answer, id_token: await this.idToken(grant) } : answer)
  }

  private idToken({ person, nonce }: Grant): Promise<string> {
    const iat = Math.floor(this.now() / 1000)
    const claims = {
      iss: this.issuer,
      aud: 'client',
      iat,
      exp: iat + 300,
      ...(this.known ? this.known.idToken(person) : person),
      ...(nonce && { nonce }),
      ...this.faults.claims,
    }
    const { good, other } = this.keys
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(this.faults.isForged ? other : good)
  }

  private userInfo(request: Request): Response {
    const person = this.tokens.get(request.headers.get('authorization')?.slice(7) ?? '')
    if (!person || !this.known?.userInfo) return new Response(null, { status: 401 })
    return Response.json({ sub: person.sub, ...this.known.userInfo(person) })
  }

  private rest(request: Request, pathname: string): Response {
    const person = this.tokens.get(request.headers.get('authorization')?.slice(7) ?? '')
    if (!person) return Response.json({ message: 'Bad credentials' }, { status: 401 })
    if (pathname === '/api/user')
      return Response.json({ id: Number(person.sub), login: 'login', name: person.name ?? null })
    const { email, email_verified: verified } = person
    return Response.json(this.faults.emails ?? [{ email, primary: true, verified }])
  }
}

/** Whether the client sent its secret in one of the ways that the provider's metadata list. */
function isAuthenticated(request: Request, form: URLSearchParams, { metadata }: KnownProvider): boolean {
  const ways = metadata.token_endpoint_auth_methods_supported
  const inHeader = request.headers.get('authorization') === `Basic ${btoa('client:secret')}`
  const inBody = form.get('client_id') === 'client' && form.get('client_secret') === 'secret'
  return (ways.includes('client_secret_basic') && inHeader) || (ways.includes('client_secret_post') && inBody)
}

/** Making RSA keys takes longer than a test, so every provider of this process has the same ones. */
const keysOfProcess = lazily(makeKeys)

async function makeKeys() {
  const [good, other] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(good.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  return { good: good.privateKey, other: other.privateKey, jwk }
}
