import type { Context } from '../../base/context'
import { ownOrigin } from '../../base/http/own-origin'
import { begin, hasSession, lockUser } from '../accounts/begin'
import type { Visit } from '../accounts/cookies'
import { emailKey } from '../accounts/email'
import { invitedAddress } from '../members/memberships'
import { openidClient } from './clients'
import { keepHandover, pageOf } from './handover'
import { readIdentity } from './identity'
import type { Handover, Identity, OAuthFailure, Provider } from './model'
import { describeProviderFault } from './provider-fault'
import { link, settle } from './settle'

/** What a sign-in by a provider starts with, besides the provider. */
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
 * session that started it.
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
  const invited = await invitedAddress(ctx, invitationToken)
  return invited !== null && emailKey(invited.email) === emailKey(email)
}
