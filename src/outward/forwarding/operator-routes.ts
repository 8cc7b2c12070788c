import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { createForward, deleteForward, listForwards } from './admin'
import { ForwardBody, ForwardSchema } from './operator-wire'

const tags = ['Webhooks']

/** Where the stores' notifications are forwarded to (wire 7.9). */
export const forwardOperatorRoutes = (ctx: Context) => new Elysia().use(readRoute(ctx)).use(writeRoutes(ctx))

const readRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/notification-forwards',
    async ({ project, query }) => {
      const scope = ['notification-forwards', project.id]
      return { data: idList(await listForwards(ctx, project.id, idPage(query, scope)), scope) }
    },
    {
      query: Type.Object(listQuery, { additionalProperties: false }),
      response: listAnswer(ForwardSchema),
      detail: {
        tags,
        summary: 'Addresses to which store notifications are forwarded, newest first',
        operationId: 'listNotificationForwards',
      },
    },
  )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .post(
      '/notification-forwards',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createForward(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: ForwardBody,
        response: { 201: dataAnswer(ForwardSchema) },
        detail: {
          tags,
          'x-errors': ['WEBHOOK_URL_REJECTED', 'STORE_NOT_CONFIGURED', 'CONFLICT', 'NOTIFICATION_FORWARD_LIMIT'],
          summary: 'Forward the notifications of a store to one more address',
          description: 'From the next notification on. At most 5 addresses for each store.',
          operationId: 'createNotificationForward',
        },
      },
    )
    .delete(
      '/notification-forwards/:id',
      async ({ project, actor, expected, params }) => {
        await deleteForward(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Forward to an address no more',
          description: 'What still waits to be sent there is not sent.',
          operationId: 'deleteNotificationForward',
        },
      },
    )
