import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { factsOf } from '../../base/http/request'
import { operator } from '../../projects/doors/operator'
import { createDomain, removeDomain, updateDomainSettings } from './admin'
import { verifyDomain } from './check'
import { DomainBody, DomainListQuery, DomainPatch, DomainSchema, NoMembers } from './operator-wire'
import { getDomainView, listDomainViews } from './views'

const tags = ['Custom domains']

/** The names of a project for its funnels, in the dashboard (wire 7.7). */
export const domainOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx)).use(verifyRoute(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/custom-domains',
      async ({ project, query }) => {
        const scope = ['custom-domains', project.id]
        return { data: idList(await listDomainViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: DomainListQuery,
        response: listAnswer(DomainSchema),
        detail: { tags, summary: 'Custom domains of the project', operationId: 'listCustomDomains' },
      },
    )
    .get(
      '/custom-domains/:id',
      async ({ project, params }) => ({ data: await getDomainView(ctx, project.id, params.id) }),
      {
        response: dataAnswer(DomainSchema),
        detail: { tags, summary: 'One custom domain', operationId: 'getCustomDomain' },
      },
    )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .post(
      '/custom-domains',
      async ({ project, actor, body, set }) => {
        const created = await createDomain(ctx, { projectId: project.id, actor }, body)
        set.status = 201
        return { data: created }
      },
      {
        body: DomainBody,
        response: { 201: dataAnswer(DomainSchema) },
        detail: {
          tags,
          'x-errors': [
            'HOSTNAME_INVALID',
            'HOSTNAME_TAKEN',
            'CUSTOM_DOMAIN_LIMIT_REACHED',
            'ROOT_FUNNEL_INVALID',
            'CONFLICT',
          ],
          summary: 'Add a custom domain',
          description:
            'Set the TXT record of verification and the record of dns at your DNS provider. The server checks after 1, 2, 5, 10 and 30 minutes and then every hour, for 72 hours.',
          'x-example-request': { hostname: 'quiz.example.com' },
          operationId: 'createCustomDomain',
        },
      },
    )
    .patch(
      '/custom-domains/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateDomainSettings(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: DomainPatch,
        response: dataAnswer(DomainSchema),
        detail: {
          tags,
          'x-errors': ['ROOT_FUNNEL_INVALID', 'CONFLICT'],
          summary: 'Change what the root of a custom domain shows',
          description: 'A published funnel, or an address that it leads to. Members that are left out stay.',
          'x-example-request': { redirectTo: 'https://www.example.com/' },
          operationId: 'updateCustomDomain',
        },
      },
    )
    .delete(
      '/custom-domains/:id',
      async ({ project, actor, expected, params }) => {
        await removeDomain(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete a custom domain',
          description:
            'Its pages stop at once, and it is switched off at the payment provider. For 7 days another project gets the name only when its DNS shows the token of that project.',
          operationId: 'deleteCustomDomain',
        },
      },
    )

const VERIFICATIONS_PER_MINUTE = 6

const verifyRoute = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' }).post(
    '/custom-domains/:id/verify',
    async ({ project, actor, params, request, set }) => {
      const state = await ctx.state.limits.hit('domain-verify', params.id, VERIFICATIONS_PER_MINUTE, ctx.clock.now())
      countLimit(ctx, factsOf(request), set.headers, state)
      return { data: await verifyDomain(ctx, { projectId: project.id, actor }, params.id) }
    },
    {
      body: NoMembers,
      response: dataAnswer(DomainSchema),
      detail: {
        tags,
        'x-errors': ['RATE_LIMITED', 'CONFLICT'],
        summary: 'Check a custom domain now',
        description: 'At most 6 times a minute. A domain that failed begins its 72 hours again.',
        operationId: 'verifyCustomDomain',
      },
    },
  )
