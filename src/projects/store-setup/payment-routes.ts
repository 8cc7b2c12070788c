import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { toIsoOrNull } from '../../base/lib/time'
import { hasRole } from '../../core/roles/roles'
import { authorizeUrl } from '../../stores/payment/connect-oauth'
import { account } from '../doors/account'
import { operator } from '../doors/operator'
import type { ProjectState } from '../project/state'
import { type Bearer, type ConnectState, readState, writeState } from './connect-state'
import { storeEdit } from './credentials-routes'
import { findSettings } from './edit-store'
import { connectPayment, disconnectPayment, readConnection, refuseAccount, requirePlatform } from './payment-connection'

const tags = ['Stores']
const strict = { additionalProperties: false }
const Mode = Type.Union([Type.Literal('test'), Type.Literal('live')])

/** Connecting an account at the payment provider, so that the platform's keys act for it. */
export const paymentRoutes = (ctx: Context) => new Elysia().use(viewRoutes(ctx)).use(ownerRoutes(ctx))

const viewRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/payment/connection',
    async ({ project }) => {
      const { connectedAt, ...connection } = await readConnection(ctx, project)
      return { data: { ...connection, connectedAt: toIsoOrNull(connectedAt) } }
    },
    {
      response: Type.Object(
        {
          data: Type.Object(
            {
              accountId: Type.String(),
              mode: Mode,
              chargesEnabled: Type.Boolean(),
              connectedAt: Type.Union([Type.String(), Type.Null()]),
            },
            { ...strict, title: 'PaymentConnection' },
          ),
        },
        strict,
      ),
      detail: {
        tags,
        'x-errors': ['FEATURE_NOT_CONFIGURED', 'STORE_API_ERROR', 'STORE_UNAVAILABLE'],
        summary: 'The connected payment account',
        description: 'As the provider describes it now. 404 without a connected account, also with keys of its own.',
        operationId: 'getPaymentConnection',
      },
    },
  )

const ownerRoutes = (ctx: Context) =>
  operator(ctx, { role: 'OWNER' })
    .get(
      '/payment/connect',
      async ({ project, query: { mode, returnUrl }, user, session, request }) => {
        const returnPath = returnPathOf(ctx, project, request, returnUrl)
        refuseAccount(await findSettings(ctx, project.id, 'payment'))
        const platform = requirePlatform(ctx, mode)
        const bearer = { userId: user.id, sessionId: session?.id ?? null }
        const state = writeState(ctx, { projectId: project.id, mode, returnPath }, bearer)
        return { data: { url: authorizeUrl(platform, `${baseOf(ctx, request)}${CALLBACK}`, state) } }
      },
      {
        query: Type.Object({ mode: Mode, returnUrl: Type.Optional(Type.String({ maxLength: 1000 })) }, strict),
        response: Type.Object({ data: Type.Object({ url: Type.String() }, strict) }, strict),
        detail: {
          tags,
          'x-errors': ['PAYMENT_ALREADY_CONNECTED', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Where an owner connects their payment account',
          description:
            'Open the address in the browser. The provider sends the person back to /dashboard/payment/connect/callback, and that to returnUrl, a page of the console, with payment=connected, payment=denied when the person said no, or payment=failed and the code in error.',
          operationId: 'beginPaymentConnection',
        },
      },
    )
    .delete(
      '/payment/connection',
      async (call) => {
        if (call.project.payment?.accountId == null) throw notFound('payment account')
        await disconnectPayment(ctx, storeEdit(call))
        return { data: { deleted: true as const } }
      },
      {
        response: Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }, strict) }, strict),
        detail: {
          tags,
          'x-errors': ['STORE_API_ERROR', 'STORE_UNAVAILABLE'],
          summary: 'Disconnect the payment account',
          operationId: 'deletePaymentConnection',
        },
      },
    )

const CALLBACK = '/dashboard/payment/connect/callback'

const baseOf = ({ config }: Context, { url }: Request): string => config.publicBaseUrl ?? new URL(url).origin

/** Only a page of the dashboard: a redirect never leads elsewhere. */
function returnPathOf(ctx: Context, { slug }: ProjectState, request: Request, given = `/p/${slug}/stores`): string {
  const base = new URL(baseOf(ctx, request))
  const url = URL.parse(given, base.href)
  if (url?.origin !== base.origin || url.username !== '') throw invalid('returnUrl: it must be a page of the console')
  return `${url.pathname}${url.search}${url.hash}`
}

/** The provider sends the person here, with a code or with the reason why there is none. */
export const connectCallback = (ctx: Context) =>
  account(ctx, { by: 'session' }).get(
    '/payment/connect/callback',
    async ({ query, user, session, actor, request, set }) => {
      const bearer = { userId: user.id, sessionId: session?.id ?? null }
      const state = readState(ctx, query.state ?? '', bearer)
      if (!state) throw invalid('state: it is not valid in this session, or older than 30 minutes; begin again')
      await requireOwner(ctx, state, bearer)
      const outcome = await complete(ctx, state, query.code, { projectId: state.projectId, actor })
      set.status = 302
      set.headers.location = returnUrl(baseOf(ctx, request), state.returnPath, outcome)
      return ''
    },
    {
      query: Type.Object(
        {
          state: Type.Optional(
            Type.String({ maxLength: 4000, description: 'What svc gave to the provider at the beginning' }),
          ),
          code: Type.Optional(Type.String({ maxLength: 1000 })),
        },
        { additionalProperties: true },
      ),
      detail: {
        tags,
        summary: 'The way back from the payment provider',
        description: 'Answers with a redirect to the page of the console at which the person began.',
        operationId: 'completePaymentConnection',
        responses: { 302: { description: 'To the page of the console, with the outcome in its query' } },
        'x-errors': ['ROLE_REQUIRED', 'PROJECT_SUSPENDED', 'NOT_FOUND'],
      },
    },
  )

/** The checks of the project's routes, because the role may have changed since. */
async function requireOwner(ctx: Context, { projectId }: ConnectState, { userId }: Bearer): Promise<void> {
  const role = await ctx.state.sessions.findRole(userId, projectId)
  const project = role && (await ctx.state.projects.find(projectId))
  if (!project) throw notFound('project', projectId)
  if (project.suspendedAt !== null) throw new AppError('PROJECT_SUSPENDED')
  if (!hasRole(role, 'OWNER')) throw new AppError('ROLE_REQUIRED', { role, requiredRole: 'OWNER' })
}

type Outcome = { payment: 'connected' } | { payment: 'denied' } | { payment: 'failed'; error: string }

async function complete(
  ctx: Context,
  { mode }: ConnectState,
  code: string | undefined,
  by: Parameters<typeof connectPayment>[1]['by'],
): Promise<Outcome> {
  if (code === undefined) return { payment: 'denied' }
  try {
    await connectPayment(ctx, { by, expected: null }, mode, code)
    return { payment: 'connected' }
  } catch (error) {
    // A person in a browser must come back to the page; the page shows the code.
    if (error instanceof AppError && error.refusal !== 'INTERNAL_ERROR')
      return { payment: 'failed', error: error.refusal }
    throw error
  }
}

function returnUrl(base: string, path: string, outcome: Outcome): string {
  // Not relative to the base: a path that starts with two slashes would be the address of another host.
  const url = new URL(`${new URL(base).origin}${path}`)
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value)
  return url.href
}
