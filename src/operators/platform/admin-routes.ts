import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { pageBefore, toList } from '../../base/http/list'
import { DeletedAnswer as Deleted } from '../../base/http/object-answer'
import { PLATFORM_CHAIN } from '../../projects/audit/platform'
import { admin } from '../../projects/doors/admin'
import { listAuditViews } from '../audit-log/list'
import { AuditAnswer, AuditQuery, readInstant } from '../audit-log/wire'
import { GrantsAnswer, IdParams, ListQuery, toGrantView } from './grant-wire'
import { platformMetrics } from './metrics'
import { adminProjectRoutes } from './project-routes'
import { pageJobs } from './queries'
import { endGrant, pageGrants } from './support-grants'
import { getUser, pageUsers, signOutUser, toUserSummaries } from './users'
import {
  JobsAnswer,
  JobsQuery,
  MetricsAnswer,
  MetricsQuery,
  NoBody,
  SignedOutAnswer,
  toJobView,
  UserAnswer,
  UsersAnswer,
  UsersQuery,
} from './wire'

const tags = ['Administration']

/** What platform administrators see and do. */
export const platformRoutes = (ctx: Context) =>
  new Elysia().use(adminProjectRoutes(ctx)).use(userRoutes(ctx)).use(grantRoutes(ctx)).use(stateRoutes(ctx))

const userRoutes = (ctx: Context) =>
  admin(ctx)
    .get(
      '/users',
      async ({ query: { limit = 50, cursor, q } }) => {
        const scope = ['admin users', q]
        const rows = await pageUsers(ctx, q, pageBefore(cursor, scope, limit))
        const parts = {
          positionOf: ({ user }: (typeof rows)[number]) => [user.id],
          toItem: same<(typeof rows)[number]>,
        }
        const { items, nextCursor } = toList(rows, limit, scope, parts)
        return { data: { items: await toUserSummaries(ctx, items), nextCursor } }
      },
      {
        query: UsersQuery,
        response: UsersAnswer,
        detail: { tags, summary: 'All users', operationId: 'listUsers' },
      },
    )
    .get('/users/:id', async ({ params }) => ({ data: await getUser(ctx, params.id) }), {
      params: IdParams,
      response: UserAnswer,
      detail: { tags, 'x-errors': ['NOT_FOUND'], summary: 'One user', operationId: 'getUser' },
    })
    .post(
      '/users/:id/sign-out',
      async ({ params, actor }) => ({ data: { sessions: await signOutUser(ctx, actor, params.id) } }),
      {
        params: IdParams,
        body: NoBody,
        response: SignedOutAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND'],
          summary: 'End all sessions of a user',
          description: 'Personal access tokens stay.',
          operationId: 'signOutUser',
        },
      },
    )

const grantRoutes = (ctx: Context) =>
  admin(ctx)
    .get(
      '/support-grants',
      async ({ query: { limit = 50, cursor } }) => {
        const scope = ['admin support-grants']
        const rows = await pageGrants(ctx, null, pageBefore(cursor, scope, limit))
        return { data: toList(rows, limit, scope, { positionOf: ({ id }) => [id], toItem: toGrantView }) }
      },
      {
        query: ListQuery,
        response: GrantsAnswer,
        detail: { tags, summary: 'All support grants', operationId: 'listSupportGrants' },
      },
    )
    .delete(
      '/support-grants/:id',
      async ({ params, actor }) => {
        await endGrant(ctx, params.id, { actor, projectId: null })
        return { data: { deleted: true as const } }
      },
      {
        params: IdParams,
        response: Deleted,
        detail: { tags, 'x-errors': ['NOT_FOUND'], summary: 'End a support grant', operationId: 'deleteSupportGrant' },
      },
    )

const stateRoutes = (ctx: Context) =>
  admin(ctx)
    .get(
      '/metrics',
      async ({ query }) => {
        const [from = null, to = null] = [readInstant('from', query.from), readInstant('to', query.to)]
        return { data: await platformMetrics(ctx, { from, to }) }
      },
      {
        query: MetricsQuery,
        response: MetricsAnswer,
        detail: {
          tags,
          summary: 'Figures of the deployment',
          description: 'With from and to, projects, users and subscribers are those that were created in between.',
          operationId: 'getPlatformMetrics',
        },
      },
    )
    .get(
      '/jobs',
      async ({ query: { limit = 50, cursor, state, name } }) => {
        const scope = ['admin jobs', state, name]
        const rows = await pageJobs(ctx, { state, name }, pageBefore(cursor, scope, limit))
        return { data: toList(rows, limit, scope, { positionOf: ({ id }) => [id], toItem: toJobView }) }
      },
      {
        query: JobsQuery,
        response: JobsAnswer,
        detail: { tags, summary: 'Jobs that wait, run or are dead', operationId: 'listJobs' },
      },
    )
    .get('/audit-log', async ({ query }) => ({ data: await listAuditViews(ctx, PLATFORM_CHAIN, query) }), {
      query: AuditQuery,
      response: AuditAnswer,
      detail: {
        tags,
        summary: 'Audit log of the platform',
        description: 'What belongs to no project, such as accounts. Each project has a log of its own.',
        operationId: 'listPlatformAuditLog',
      },
    })

const same = <Item>(item: Item): Item => item
