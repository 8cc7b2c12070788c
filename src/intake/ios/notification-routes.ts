import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { acknowledge, OfProject, Received } from '../inbox/acknowledge'
import { receiveIosNotification } from './notification-service'

/** Receives notifications of the iOS store. No API key: the notification's signature authenticates the sender. */
export const notificationRoutes = (ctx: Context) =>
  new Elysia().post(
    '/webhooks/ios/:projectId',
    ({ params, ...call }) => acknowledge(ctx, call, (posted) => receiveIosNotification(ctx, params.projectId, posted)),
    {
      parse: 'none',
      params: OfProject,
      response: Received,
      detail: {
        tags: ['Webhooks'],
        summary: 'App Store Server Notifications V2',
        description:
          'The address to save at the store. Answers after the commit; a repetition is acknowledged without an effect.',
        operationId: 'receiveIosNotification',
        security: [],
      },
    },
  )
