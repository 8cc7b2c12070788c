import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import { dataAnswer, orNull } from '../../base/http/object-answer'
import { callerAddress, factsOf } from '../../base/http/request'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { findFunnelName, listPublishedSlugs } from '../publication/service'
import { findVerifiedDomain } from './service'

const strict = { additionalProperties: false } as const
const name = Type.String({ minLength: 1, maxLength: 1000, description: 'A hostname' })

/** Calls of a client address in a minute. */
const LOOKUPS = 240
/** A proxy asks at handshakes, at most 60 times a second. */
const QUESTIONS = (60 * MINUTE) / SECOND

const LookupAnswer = dataAnswer(
  Type.Object(
    {
      projectId: Type.String(),
      rootFunnelSlug: orNull(Type.String({ description: 'The funnel at the root of the name' })),
      slugs: Type.Array(Type.String(), { description: 'Every published funnel' }),
    },
    { ...strict, title: 'HostLookup' },
  ),
)

interface Call {
  request: Request
  set: { headers: Record<string, string | number> }
}

async function count(ctx: Context, { request, set }: Call, limiter: string, perMinute: number): Promise<void> {
  const facts = factsOf(request)
  const who = callerAddress(ctx, request, facts)
  countLimit(ctx, facts, set.headers, await ctx.state.limits.hit(limiter, who, perMinute, ctx.clock.now()))
}

const door = { 'x-door': 'public' as const, 'x-who': 'visitors' as const, security: [] }

/** What front ends and proxies ask about a hostname (wire 7.16). */
export const hostRoutes = (ctx: Context) =>
  new Elysia()
    .get(
      '/public/host/lookup',
      async ({ query, request, set }) => {
        await count(ctx, { request, set }, 'host-lookup', LOOKUPS)
        return { data: await lookUp(ctx, query.hostname) }
      },
      {
        query: Type.Object({ hostname: name }, strict),
        response: LookupAnswer,
        detail: {
          ...door,
          tags: ['Funnel visitors'],
          'x-errors': ['NOT_FOUND', 'RATE_LIMITED'],
          summary: 'The project and the funnels of a custom domain',
          operationId: 'lookUpHost',
        },
      },
    )
    .get(
      '/public/host/ask',
      async ({ query, request, set }) => {
        await count(ctx, { request, set }, 'host-ask', QUESTIONS)
        const domain = await findVerifiedDomain(ctx, query.domain)
        const project = domain && (await ctx.state.projects.find(domain.projectId))
        return new Response(null, { status: project ? 200 : 404, headers: { 'cache-control': 'no-store' } })
      },
      {
        query: Type.Object({ domain: name }, strict),
        detail: {
          ...door,
          tags: ['Funnel visitors'],
          'x-errors': ['RATE_LIMITED'],
          summary: 'Whether a proxy may get a certificate for a name',
          description:
            'For a proxy in front that gets certificates when they are needed, such as Caddy (`on_demand_tls { ask … }`): 200 for a verified custom domain, else 404, both without a body. At most 60 times a second.',
          operationId: 'askHost',
          responses: { 200: { description: 'A verified custom domain' }, 404: { description: 'Any other name' } },
        },
      },
    )

async function lookUp(ctx: Context, hostname: string) {
  const domain = await findVerifiedDomain(ctx, hostname)
  const project = domain && (await ctx.state.projects.find(domain.projectId))
  if (!project) throw notFound('domain', hostname)
  const slugs = await listPublishedSlugs(ctx, project.id)
  const root = domain.rootFunnelId === null ? null : await findFunnelName(ctx, project.id, domain.rootFunnelId)
  return { projectId: project.id, rootFunnelSlug: root && slugs.includes(root.slug) ? root.slug : null, slugs }
}
