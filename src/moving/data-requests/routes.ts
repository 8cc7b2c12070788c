import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { api } from '../../projects/doors/api'
import { downloadRequest, getRequest } from './download'
import { openRequest } from './open'
import { DOWNLOAD_RESPONSES, OpenBody, RequestAnswer, RequestParams, toRequestView } from './wire'

const tags = ['Data subject requests']
const OPENS_PER_MINUTE = 60

/** Requests that the customer's server makes for a person: to see the stored data, or to have it erased (wire 2.19). */
export const dataRequestRoutes = (ctx: Context) => new Elysia().use(openingRoutes(ctx)).use(readRoutes(ctx))

const openingRoutes = (ctx: Context) =>
  api(ctx, { key: 'secret', limit: { name: 'dsar', perMinute: OPENS_PER_MINUTE } })
    .post(
      '/dsar/export',
      async ({ project, body }) => {
        const { appUserId: reference, requestedBy } = body
        const row = await openRequest(ctx, project, { type: 'EXPORT', reference, requestedBy, actor: null })
        return { data: { request: toRequestView(row, ctx.clock.now()) } }
      },
      {
        body: OpenBody,
        response: RequestAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'QUEUE_UNAVAILABLE'],
          summary: 'Request an export of the data of a person',
          operationId: 'openDataExport',
          description:
            'Secret key only. A person has at most one open export: a second call answers that one. Poll the request until downloadReady.',
        },
      },
    )
    .post(
      '/dsar/erasure',
      async ({ project, body }) => {
        const { appUserId: reference, requestedBy } = body
        const row = await openRequest(ctx, project, { type: 'ERASURE', reference, requestedBy, actor: null })
        return { data: { request: toRequestView(row, ctx.clock.now()) } }
      },
      {
        body: OpenBody,
        response: RequestAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'QUEUE_UNAVAILABLE', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Request the erasure of a person',
          operationId: 'openErasure',
          description:
            'Secret key only. Final: nothing brings the data back. Its download is a signed certificate that names nobody. A subscription that renews at a store is not cancelled.',
        },
      },
    )

const readRoutes = (ctx: Context) =>
  api(ctx, { key: 'secret' })
    .get(
      '/dsar/:id',
      async ({ project, params }) => ({
        data: { request: toRequestView(await getRequest(ctx, project.id, params.id), ctx.clock.now()) },
      }),
      {
        params: RequestParams,
        response: RequestAnswer,
        detail: { tags, summary: 'One data subject request', operationId: 'getDataRequest' },
      },
    )
    .get('/dsar/:id/download', ({ project, params }) => downloadRequest(ctx, project.id, params.id), {
      params: RequestParams,
      detail: {
        tags,
        summary: 'Download the result of a data subject request',
        operationId: 'downloadDataRequest',
        description: '404 while it is not ready, when its link has ended (30 days), and when the file is gone.',
        responses: DOWNLOAD_RESPONSES,
      },
    })
