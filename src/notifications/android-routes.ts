import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context'
import { receiveAndroidPush } from './android-service'
import { countRefusal, Received, readPosted } from './routes'

/** What Google Play pushes to us through Pub/Sub. No API key: Google's own token says who sent it. */
export const androidNotificationRoutes = (ctx: Context) =>
  new Elysia().post(
    '/webhooks/android/:projectId',
    async ({ params, request, set, server }) => {
      try {
        const posted = { ...(await readPosted(request)), authorization: request.headers.get('authorization') }
        const { duplicate } = await receiveAndroidPush(ctx, params.projectId, posted)
        return { data: { received: true as const, duplicate } }
      } catch (error) {
        countRefusal(ctx, request, set.headers, error, server?.requestIP(request)?.address ?? 'local')
        throw error
      }
    },
    {
      parse: 'none',
      params: Type.Object({ projectId: Type.String({ maxLength: 8192 }) }),
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
