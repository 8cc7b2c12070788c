import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { paged } from '../../base/db/page'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { listPersonRefs, namedPage } from '../../people/purchases/person-ref'
import { operator } from '../../projects/doors/operator'
import { downloadRequest } from './download'
import { openRequest } from './open'
import { pageRequests } from './queries'
import {
  DOWNLOAD_RESPONSES,
  ListedRequestSchema,
  OperatorOpenBody,
  RequestParams,
  RequestStatus,
  RequestType,
  toListedRequest,
} from './wire'

const tags = ['Subscribers']

const SubscriberParams = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 255, description: 'sub_ id, label or device key' }) },
  { additionalProperties: true }, // The path also contains the project.
)

const ListQuery = Type.Object(
  {
    ...listQuery,
    type: Type.Optional(RequestType),
    status: Type.Optional(RequestStatus),
    subscriberId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'sub_ id' })),
  },
  { additionalProperties: false },
)

/** Data subject requests in the dashboard (wire 7.8). */
export const dataRequestOperatorRoutes = (ctx: Context) => new Elysia().use(openingRoutes(ctx)).use(readRoutes(ctx))

const GDPR = { capability: 'subscribers:gdpr' } as const

const openingRoutes = (ctx: Context) =>
  operator(ctx, GDPR).post(
    '/subscribers/:id/dsar',
    async ({ project, actor, params, body }) => {
      // Not the member: the person reads it in later exports, and the audit log has the member.
      const { type, requestedBy = 'dashboard' } = body
      const row = await openRequest(ctx, project, { type, reference: params.id, requestedBy, actor })
      const people = await listPersonRefs(ctx, project.id, [row.subscriberId])
      const named = { row, person: people.get(row.subscriberId) ?? null }
      return { data: { request: toListedRequest(named, ctx.clock.now()) } }
    },
    {
      params: SubscriberParams,
      body: OperatorOpenBody,
      response: dataAnswer(Type.Object({ request: ListedRequestSchema }, { additionalProperties: false })),
      detail: {
        tags,
        'x-errors': ['QUEUE_UNAVAILABLE', 'FEATURE_NOT_CONFIGURED'],
        summary: 'Export or erase the data of a person',
        description: 'At most one open request of each type: a second call answers the open one. An erasure is final.',
        operationId: 'openOperatorDataRequest',
      },
    },
  )

const readRoutes = (ctx: Context) =>
  operator(ctx, GDPR)
    .get(
      '/dsar',
      async ({ project, query }) => {
        const { type, status, subscriberId } = query
        const scope = ['dsar', project.id, type, status, subscriberId]
        const { limit, beforeId } = idPage(query, scope)
        const filter = { type, status, subscriberId, beforeId }
        const page = await paged({ limit }, (count) => pageRequests(ctx, project.id, filter, count))
        const { rows } = await namedPage(ctx, project.id, { rows: page.items, next: null })
        const items = rows.map((row) => toListedRequest(row, ctx.clock.now()))
        return { data: idList({ ...page, items }, scope) }
      },
      {
        query: ListQuery,
        response: listAnswer(ListedRequestSchema),
        detail: { tags, summary: 'Data subject requests, newest first', operationId: 'listDataRequests' },
      },
    )
    .get('/dsar/:id/download', ({ project, params }) => downloadRequest(ctx, project.id, params.id), {
      params: RequestParams,
      detail: {
        tags,
        summary: 'Download the result of a data subject request',
        description: '404 while it is not ready, when its link has ended, and when the file is gone.',
        operationId: 'downloadOperatorDataRequest',
        responses: DOWNLOAD_RESPONSES,
      },
    })
