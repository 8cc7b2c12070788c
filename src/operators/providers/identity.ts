import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Config } from '../../base/config'
import { isEmailAddress } from '../accounts/email'
import { githubApi, TIMEOUT_SECONDS } from './clients'
import type { Identity, Provider } from './model'

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** Reads who has signed in at the provider. Rejects when the provider does not tell, or tells no usable address. */
export async function readIdentity(
  config: Config,
  provider: Provider,
  client: Configuration,
  tokens: Tokens,
): Promise<Identity> {
  const identity =
    provider === 'github' ? await readGithub(config, tokens) : await readClaims(config, provider, client, tokens)
  if (!isEmailAddress(identity.email)) throw new Error('the provider gave no usable mail address')
  return identity
}

const Claims = Type.Object({
  sub: Type.String({ minLength: 1, maxLength: 255 }),
  email: Type.Optional(Type.Unknown()),
  email_verified: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.Unknown()),
  hd: Type.Optional(Type.Unknown()),
})

async function readClaims(
  config: Config,
  provider: 'google' | 'oidc',
  client: Configuration,
  tokens: Tokens,
): Promise<Identity> {
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider gave no id token')
  const { sub, email, name, hd, email_verified } = checked(Claims, await withUserInfo(client, tokens, claims))
  if (typeof email !== 'string')
    throw new Error('neither the id token nor userinfo has the claim email; let the provider send it to this client')
  const isGmail = /@gmail\.com$/i.test(email)
  return {
    provider,
    subject: sub,
    email,
    name: nameOf(name, email),
    isEmailVerified: isVerified(email_verified, provider === 'oidc' && config.oauth.oidc?.isEmailTrusted === true),
    // Google hands out the addresses of gmail.com and of its own customers' domains.
    isAuthoritative: provider === 'oidc' || isGmail || typeof hd === 'string',
  }
}

/** Providers write the claim as a boolean, a text or a number. `unsaid`: what counts where they leave it out. */
function isVerified(claim: unknown, unsaid: boolean): boolean {
  if (claim === undefined || claim === null) return unsaid
  return [true, 1, '1'].some((one) => one === claim) || (typeof claim === 'string' && /^true$/i.test(claim))
}

type ClaimMap = Readonly<Record<string, unknown>>

/**
 * The claims of the id token, and those that are only in userinfo. Whether an address is verified is read there only
 * when it is the same address.
 */
async function withUserInfo(
  client: Configuration,
  { access_token }: Tokens,
  claims: ClaimMap & { sub: string },
): Promise<ClaimMap> {
  const own = withoutNulls(claims)
  const isWhole = own.email !== undefined && own.email_verified !== undefined
  if (isWhole || !client.serverMetadata().userinfo_endpoint) return own
  const { fetchUserInfo } = await import('openid-client')
  const info = withoutNulls(await fetchUserInfo(client, access_token, claims.sub))
  if (own.email === undefined || isSameText(own.email, info.email)) return { ...info, ...own }
  return { ...info, email_verified: undefined, ...own }
}

const withoutNulls = (claims: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null))

const isSameText = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase()

const GithubUser = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  login: Type.String(),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
const GithubEmails = Type.Array(
  Type.Object({ email: Type.String(), primary: Type.Boolean(), verified: Type.Boolean() }),
  { maxItems: 1000 },
)

/** GitHub's logins can change hands, so its number is the person. */
async function readGithub(config: Config, { access_token }: Tokens): Promise<Identity> {
  const [user, emails] = await Promise.all([
    askGithub(config, '/user', access_token, GithubUser),
    askGithub(config, '/user/emails', access_token, GithubEmails),
  ])
  const primary = emails.find(({ primary: isPrimary }) => isPrimary)
  if (!primary) throw new Error('GitHub gave no primary mail address')
  const { email, verified } = primary
  const name = nameOf(user.name ?? user.login, email)
  return {
    provider: 'github',
    subject: String(user.id),
    email,
    name,
    isEmailVerified: verified,
    isAuthoritative: false,
  }
}

async function askGithub<Schema extends TSchema>(
  config: Config,
  path: string,
  token: string,
  schema: Schema,
): Promise<Static<Schema>> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'svc' }
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000)
  const answer = await fetch(githubApi(config) + path, { headers, signal, redirect: 'error' })
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`)
  return checked(schema, await answer.json())
}

function checked<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (!Value.Check(schema, value)) throw new Error('the provider gave an unexpected answer')
  return value
}

const nameOf = (name: unknown, email: string): string =>
  (typeof name === 'string' && name.trim().slice(0, 100)) || email.slice(0, email.lastIndexOf('@')).slice(0, 100)
