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
  const identity = provider === 'github' ? await readGithub(config, tokens) : await readClaims(provider, client, tokens)
  if (!isEmailAddress(identity.email)) throw new Error('the provider gave no usable mail address')
  return identity
}

const Claims = Type.Object({
  sub: Type.String({ minLength: 1, maxLength: 255 }),
  email: Type.String(),
  email_verified: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.String()),
  hd: Type.Optional(Type.String()),
})

async function readClaims(provider: 'google' | 'oidc', client: Configuration, tokens: Tokens): Promise<Identity> {
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider gave no id token')
  const { sub, email, name, hd, ...rest } = checked(Claims, {
    ...(await moreClaims(client, tokens, claims)),
    ...claims,
  })
  const isGmail = /@gmail\.com$/i.test(email)
  return {
    provider,
    subject: sub,
    email,
    name: nameOf(name, email),
    isEmailVerified: rest.email_verified === true || rest.email_verified === 'true',
    // Google hands out the addresses of gmail.com and of its own customers' domains.
    isAuthoritative: provider === 'oidc' || isGmail || hd !== undefined,
  }
}

/** Some issuers tell the address only there. */
async function moreClaims(
  client: Configuration,
  { access_token }: Tokens,
  { sub, email }: { sub: string; email?: unknown },
) {
  if (email !== undefined || !client.serverMetadata().userinfo_endpoint) return {}
  const { fetchUserInfo } = await import('openid-client')
  return fetchUserInfo(client, access_token, sub)
}

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

const nameOf = (name: string | undefined, email: string): string =>
  name?.trim().slice(0, 100) || email.slice(0, email.lastIndexOf('@')).slice(0, 100)
