import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { callerAddress, factsOf } from '../../base/http/request'
import { MAGIC_PATH } from './app-mail'
import { showMagic, spendMagic } from './magic'
import { openLink } from './open'
import { OPEN_PATH } from './service'

const secret = (name: string, maxLength: number) =>
  Type.Object({ [name]: Type.String({ minLength: 1, maxLength }) }, { additionalProperties: false })

const OPENINGS_PER_MINUTE = 60

const tags = ['Funnels']
const door = { tags, 'x-door': 'public' as const, security: [] }

interface Visit {
  request: Request
  set: { headers: Record<string, string | number> }
}

/** The limit of visits of a client address to pages that have a secret in their address, or ask for one. */
export async function countVisit(ctx: Context, { request, set }: Visit): Promise<void> {
  const facts = factsOf(request)
  const who = callerAddress(ctx, request, facts)
  const state = await ctx.state.limits.hit('funnel-links', who, OPENINGS_PER_MINUTE, ctx.clock.now())
  countLimit(ctx, facts, set.headers, state)
}

/** The addresses that mails and pages of funnels lead to. They need no sign-in: each has a secret (wire 7.16). */
export const claimPublicRoutes = (ctx: Context) =>
  new Elysia()
    .get(
      `${MAGIC_PATH}/:nonce`,
      async ({ params, request, set }) => {
        await countVisit(ctx, { request, set })
        return showMagic(ctx, String(params.nonce), request)
      },
      {
        params: secret('nonce', 64),
        detail: {
          ...door,
          summary: 'The page behind the link of a mail to a buyer',
          operationId: 'showMagicLink',
          'x-errors': ['HTTP_ERROR', 'RATE_LIMITED'],
        },
      },
    )
    .post(
      `${MAGIC_PATH}/:nonce`,
      async ({ params, request, set }) => {
        await countVisit(ctx, { request, set })
        return spendMagic(ctx, String(params.nonce), request)
      },
      {
        parse: 'none',
        params: secret('nonce', 64),
        detail: {
          ...door,
          summary: 'Spend the link of a mail',
          description: 'The link works once. The answer is a page with the ways into the app.',
          operationId: 'spendMagicLink',
          'x-errors': ['FORBIDDEN', 'HTTP_ERROR', 'RATE_LIMITED'],
        },
      },
    )
    .get(
      `${OPEN_PATH}/:token`,
      async ({ params, request, set }) => {
        await countVisit(ctx, { request, set })
        return openLink(ctx, String(params.token), request)
      },
      {
        params: secret('token', 64),
        detail: {
          ...door,
          summary: 'The link that opens an app with a funnel token',
          description: 'Where the app is not installed, a phone goes on to its store.',
          operationId: 'openFunnelLink',
          'x-errors': ['NOT_FOUND', 'HTTP_ERROR', 'RATE_LIMITED'],
          responses: { 302: { description: 'To the store of the phone' } },
        },
      },
    )
