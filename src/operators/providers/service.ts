import type { Context, Tx } from '../../base/context'
import { ownOrigin } from '../../base/http/own-origin'
import { actorOf, recordAccount } from '../accounts/audit-entry'
import { begin, hasSession, lockUser } from '../accounts/begin'
import type { Visit } from '../accounts/cookies'
import { emailKey } from '../accounts/email'
import { createUser, findAccount, findAccountByEmail } from '../accounts/users'
import { openidClient } from './clients'
import { type Decision, decide } from './decide'
import { keepHandover, pageOf } from './handover'
import { readIdentity } from './identity'
import type { Handover, Identity, OAuthFailure, Provider } from './model'
import { describeProviderFault } from './provider-fault'
import { findIdentity, insertIdentity } from './queries'

/** What a sign-in by a provider begins with, beside the provider. */
export interface Start {
  page: string | null
  invitationToken: string | null
  link: Handover['link']
}

const callbackPath = (provider: Provider): string => `/api/auth/oauth/${provider}/callback`

const SCOPES: Record<Provider, string> = {
  google: 'openid email profile',
  github: 'read:user user:email',
  oidc: 'openid email profile',
}

/** The address at the provider to which the browser goes. Rejects when the issuer's metadata cannot be read. */
export async function startAt(ctx: Context, visit: Visit, provider: Provider, start: Start): Promise<URL> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openidClient()
  const client = await ctx.state.providers.of(provider)
  const handover: Handover = {
    provider,
    state: ctx.ids.token(43),
    nonce: ctx.ids.token(43),
    verifier: ctx.ids.token(64),
    ...start,
    page: pageOf(start.page),
  }
  keepHandover(ctx, visit, handover)
  return buildAuthorizationUrl(client, {
    redirect_uri: ownOrigin(ctx, visit.request) + callbackPath(provider),
    scope: SCOPES[provider],
    state: handover.state,
    code_challenge: await calculatePKCECodeChallenge(handover.verifier),
    code_challenge_method: 'S256',
    ...(provider !== 'github' && { nonce: handover.nonce }),
  })
}

/** What came of a callback. `page` is where the person goes. */
export type Outcome = { page: string } | { failure: OAuthFailure; isLink: boolean }

/**
 * Ends a sign-in by a provider. `sessionId`: of the session that the browser has now, null = none; a link needs the
 * session that began it.
 */
export async function finishAt(
  ctx: Context,
  visit: Visit,
  provider: Provider,
  handover: Handover | null,
  sessionId: string | null,
): Promise<Outcome> {
  const isLink = handover?.link !== null && handover !== null
  if (handover?.provider !== provider) return { failure: 'failed', isLink: false }
  if (handover.link && handover.link.sessionId !== sessionId) return { failure: 'failed', isLink }
  const identity = await identityOf(ctx, visit, provider, handover)
  if (typeof identity === 'string') return { failure: identity, isLink }
  return handover.link ? linkTo(ctx, handover.page, handover.link, identity) : signInAs(ctx, visit, handover, identity)
}

async function identityOf(
  ctx: Context,
  { request }: Visit,
  provider: Provider,
  handover: Handover,
): Promise<Identity | OAuthFailure> {
  const given = new URL(request.url).searchParams
  if (given.get('error') === 'access_denied' && given.get('state') === handover.state) return 'denied'
  // The library derives the redirect address from this one. The request's own may be that of a proxy.
  const current = new URL(`${callbackPath(provider)}?${given}`, ownOrigin(ctx, request))
  try {
    const { authorizationCodeGrant } = await openidClient()
    const client = await ctx.state.providers.of(provider)
    const checks = {
      pkceCodeVerifier: handover.verifier,
      expectedState: handover.state,
      ...(provider !== 'github' && { expectedNonce: handover.nonce, idTokenExpected: true }),
    }
    return await readIdentity(ctx.config, provider, client, await authorizationCodeGrant(client, current, checks))
  } catch (error) {
    ctx.log.warn('a sign-in by a provider failed', { provider, error: describeProviderFault(error) })
    return 'failed'
  }
}

async function linkTo(
  ctx: Context,
  page: string,
  { userId, sessionId }: NonNullable<Handover['link']>,
  identity: Identity,
): Promise<Outcome> {
  const failure = await ctx.write(async (tx): Promise<OAuthFailure | null> => {
    await lockUser(tx, userId)
    // The provider took its time: the session may have ended since.
    if (!(await hasSession(tx, userId, sessionId))) return 'failed'
    return (await link(tx, userId, identity)) ? null : 'account_exists'
  })
  return failure === null ? { page } : { failure, isLink: true }
}

async function signInAs(ctx: Context, visit: Visit, handover: Handover, identity: Identity): Promise<Outcome> {
  const mayBeNew = await maySignUp(ctx, handover.invitationToken, identity.email)
  const settled = await ctx.write((tx) => settle(tx, identity, mayBeNew))
  if ('failure' in settled) return { ...settled, isLink: false }
  const begun = await begin(ctx, visit, settled.userId, { by: 'PROVIDER' })
  if (!begun) return { failure: 'failed', isLink: false }
  if (begun.next === 'VERIFY_EMAIL') return { failure: 'unverified', isLink: false }
  if (begun.next === 'TWO_FACTOR') return { page: `/sign-in?step=two-factor&page=${encodeURIComponent(handover.page)}` }
  return { page: handover.page }
}

/** Whether this person may make an account: anybody may, or an invitation names their address. */
async function maySignUp(ctx: Context, invitationToken: string | null, email: string): Promise<boolean> {
  if (ctx.config.isSignupOpen) return true
  if (invitationToken === null) return false
  for (const addressOf of ctx.hooks.invitedAddress ?? []) {
    const address = await addressOf(ctx, invitationToken)
    if (address !== null && emailKey(address) === emailKey(email)) return true
  }
  return false
}

type Settled = { userId: string } | { failure: OAuthFailure }

/** One statement decides between two callbacks of one person: the first insert of the identity wins. */
async function settle(tx: Tx, identity: Identity, mayBeNew: boolean): Promise<Settled> {
  await tx.lock(`identity:${identity.provider}:${identity.subject}`)
  const { provider, subject, email } = identity
  const linkedUserId = (await findIdentity(tx, provider, subject))?.userId ?? null
  const account = await findAccountByEmail(tx, emailKey(email))
  const holder = account && { userId: account.user.id, isVerified: account.user.emailVerifiedAt !== null }
  return carryOut(tx, identity, decide(identity, { linkedUserId, holder, maySignUp: mayBeNew }))
}

async function carryOut(tx: Tx, identity: Identity, decision: Decision): Promise<Settled> {
  if (decision.do === 'REFUSE') return { failure: decision.failure }
  if (decision.do === 'SIGN_IN') return { userId: decision.userId }
  if (decision.do === 'SIGN_UP') return signUpBy(tx, identity)
  await lockUser(tx, decision.userId)
  return (await link(tx, decision.userId, identity)) ? { userId: decision.userId } : { failure: 'account_exists' }
}

async function signUpBy(tx: Tx, identity: Identity): Promise<Settled> {
  const { email, name, provider } = identity
  const user = await createUser(tx, { email, name, passwordHash: null, isVerified: true })
  if (!user) return { failure: 'account_exists' }
  await recordAccount(tx, actorOf(user), user.id, 'user.sign_up', {
    after: { email, name, emailVerified: true, by: provider },
  })
  await link(tx, user.id, identity)
  return { userId: user.id }
}

async function link(tx: Tx, userId: string, { provider, subject, email }: Identity): Promise<boolean> {
  const known = await findIdentity(tx, provider, subject)
  if (known) return known.userId === userId
  const row = { provider, subject, userId, email, createdAt: tx.clock.now() }
  if (!(await insertIdentity(tx, row))) return false
  const account = await findAccount(tx, userId)
  if (account) await recordAccount(tx, actorOf(account.user), userId, 'identity.link', { after: { provider, email } })
  return true
}
