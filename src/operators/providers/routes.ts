import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer } from '../../base/http/object-answer'
import { ownOrigin } from '../../base/http/own-origin'
import { account, requireRecent } from '../../projects/doors/account'
import { readCookie, type Visit, visitOf, writeCookies } from '../accounts/cookies'
import { limitAddress } from '../sign-in/limits'
import { visitor } from '../sign-in/visitor'
import { listLinked, unlink } from './accounts'
import { readHandover } from './handover'
import { type OAuthFailure, PROVIDERS, type Provider } from './model'
import { describeProviderFault } from './provider-fault'
import { finishAt, startAt } from './service'

const strict = { additionalProperties: false } as const
const OfProvider = Type.Object({ provider: Type.String({ maxLength: 100 }) })
const REDIRECT = { responses: { 302: { description: 'The browser goes on, with a cookie set.' } } }

const StartQuery = Type.Object(
  {
    page: Type.Optional(Type.String({ maxLength: 2000, description: 'The page of the console to open afterwards' })),
    invitationToken: Type.Optional(Type.String({ maxLength: 128 })),
  },
  { additionalProperties: true },
)

/** Signing in by another provider. */
export const oauthRoutes = (ctx: Context) =>
  visitor(ctx)
    .get(
      '/oauth/:provider',
      async ({ visit, params, query }) => {
        const provider = providerOf(ctx, params.provider)
        await limitAddress(ctx, visit)
        const start = { page: query.page ?? null, invitationToken: query.invitationToken ?? null, link: null }
        return goTo(visit, await startOrFail(ctx, visit, provider, start))
      },
      {
        params: OfProvider,
        query: StartQuery,
        detail: {
          tags: ['Sign-in'],
          summary: 'Go to a provider to sign in',
          description: 'A page for browsers: redirects to the provider, which returns to the callback.',
          operationId: 'startOAuth',
          'x-errors': ['NOT_FOUND'],
          ...REDIRECT,
        },
      },
    )
    .get(
      '/oauth/:provider/callback',
      async ({ visit, params }) => {
        const provider = providerOf(ctx, params.provider)
        await limitAddress(ctx, visit)
        return goTo(visit, await finish(ctx, visit, provider))
      },
      {
        params: OfProvider,
        query: Type.Object({}, { additionalProperties: true }),
        detail: {
          tags: ['Sign-in'],
          summary: 'Come back from a provider',
          description:
            'Redirects to the page asked for, to the second factor, or to the sign-in page with `error`: `account_exists`, `denied`, `unverified` or `failed`.',
          operationId: 'finishOAuth',
          'x-errors': ['NOT_FOUND'],
          ...REDIRECT,
        },
      },
    )

function providerOf(ctx: Context, name: string): Provider {
  const provider = PROVIDERS.find((one) => one === name)
  if (!provider || !ctx.state.providers.isConfigured(provider)) throw notFound('sign-in provider', name)
  return provider
}

async function startOrFail(ctx: Context, visit: Visit, provider: Provider, start: Parameters<typeof startAt>[3]) {
  try {
    return String(await startAt(ctx, visit, provider, start))
  } catch (error) {
    ctx.log.warn('a sign-in by a provider could not start', { provider, error: describeProviderFault(error) })
    return pageWith(ctx, visit, '/sign-in', 'failed')
  }
}

async function finish(ctx: Context, visit: Visit, provider: Provider): Promise<string> {
  const handover = readHandover(ctx, visit)
  const token = readCookie(ctx, visit.request, 'svc_session')
  const session = handover?.link && token ? await ctx.state.sessions.findSession(token) : null
  const outcome = await finishAt(ctx, visit, provider, handover, session?.id ?? null)
  addCookie(ctx, visit)
  if ('page' in outcome) return ownOrigin(ctx, visit.request) + outcome.page
  return pageWith(ctx, visit, outcome.isLink ? '/account' : '/sign-in', outcome.failure)
}

/** The handover is used up, whatever came of it. Cookies that the sign-in has set stay. */
function addCookie(ctx: Context, visit: Visit): void {
  const before = cookiesOf(visit)
  writeCookies(ctx, visit, { svc_oauth: null })
  Object.assign(visit.headers, { 'set-cookie': [...before, ...cookiesOf(visit)] })
}

const cookiesOf = ({ headers }: Visit): string[] => {
  const set: unknown = headers['set-cookie']
  return Array.isArray(set) ? set : []
}

const pageWith = (ctx: Context, { request }: Visit, page: string, failure: OAuthFailure): string =>
  `${ownOrigin(ctx, request)}${page}?error=${failure}`

/** A redirect with the cookies that were set. */
function goTo(visit: Visit, location: string): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookiesOf(visit)) headers.append('set-cookie', cookie)
  delete visit.headers['set-cookie']
  return new Response(null, { status: 302, headers })
}

const LinkedView = Type.Object(
  { provider: Type.String(), email: Type.String(), createdAt: Type.String({ format: 'date-time' }) },
  { ...strict, title: 'LinkedAccount' },
)
const tags = ['Account']

/** The accounts at providers that belong to the signed-in person. */
export const linkedRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' })
    .get('/me/accounts', async ({ user }) => ({ data: await listLinked(ctx, user.id) }), {
      response: listAnswer(LinkedView),
      detail: { tags, summary: 'Providers with which the person signs in', operationId: 'listLinkedAccounts' },
    })
    .post(
      '/me/accounts/:provider',
      async ({ user, session, params, request, set }) => {
        const provider = providerOf(ctx, params.provider)
        const { id: sessionId } = requireRecent(ctx, session)
        const start = { page: '/account', invitationToken: null, link: { userId: user.id, sessionId } }
        return { data: { url: await urlFor(ctx, visitOf(request, set), provider, start) } }
      },
      {
        params: OfProvider,
        body: Type.Object({}, strict),
        response: Type.Object({ data: Type.Object({ url: Type.String() }, strict) }, strict),
        detail: {
          tags,
          summary: 'Link an account at a provider',
          description: 'Send the browser to the address; the link is bound to this session, at most 10 minutes old.',
          operationId: 'linkAccount',
          'x-errors': ['STORE_API_ERROR'],
        },
      },
    )
    .delete(
      '/me/accounts/:provider',
      async ({ user, actor, params }) => {
        await unlink(ctx, actor, user.id, params.provider)
        return DELETED
      },
      {
        params: OfProvider,
        response: DeletedAnswer,
        detail: { tags, summary: 'Remove a linked account', operationId: 'unlinkAccount', 'x-errors': ['CONFLICT'] },
      },
    )

async function urlFor(ctx: Context, visit: Visit, provider: Provider, start: Parameters<typeof startAt>[3]) {
  try {
    return String(await startAt(ctx, visit, provider, start))
  } catch (cause) {
    throw new AppError('STORE_API_ERROR', undefined, {
      cause,
      message: `${provider} cannot be used now; the server's log names the cause`,
    })
  }
}
