import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { acknowledge, OfProject, Received } from '../inbox/acknowledge'
import { receiveAndroidPush } from './notification-service'

/** Receives what Google Play pushes through Pub/Sub. No API key: Google's signed token authenticates the sender. */
export const androidNotificationRoutes = (ctx: Context) =>
  new Elysia().post(
    '/webhooks/android/:projectId',
    ({ params, ...call }) =>
      acknowledge(ctx, call, (posted) =>
        receiveAndroidPush(ctx, params.projectId, {
          ...posted,
          authorization: call.request.headers.get('authorization'),
        }),
      ),
    {
      parse: 'none',
      params: OfProject,
      response: Received,
      detail: {
        tags: ['Webhooks'],
        summary: 'Google Play real-time developer notifications',
        description:
          'The push endpoint of the Pub/Sub subscription. Answers after the commit; a repetition is acknowledged without an effect.',
        operationId: 'receiveAndroidNotification',
        security: [],
      },
    },
  )
