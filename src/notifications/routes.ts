import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context'
import { AppError } from '../errors'
import { countLimit } from '../http/api'
import { readBytes } from '../http/body'
import { clientIp, factsOf } from '../http/request'
import { type Posted, receiveIosNotification } from './ios-service'

const strict = { additionalProperties: false } as const

export const Received = Type.Object(
  { data: Type.Object({ received: Type.Literal(true), duplicate: Type.Boolean() }, strict) },
  strict,
)

/** What stores post to us. No API key: the notification's own signature says who sent it. */
export const notificationRoutes = (ctx: Context) =>
  new Elysia().post(
    '/webhooks/ios/:projectId',
    async ({ params, request, set, server }) => {
      try {
        const { duplicate } = await receiveIosNotification(ctx, params.projectId, await readPosted(request))
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
        summary: 'App Store Server Notifications V2',
        description:
          'The address to save at the store. Answers after the commit; a repetition is acknowledged without an effect.',
        operationId: 'receiveIosNotification',
        security: [],
      },
    },
  )

export async function readPosted(request: Request): Promise<Posted> {
  const bytes = await readBytes(request)
  factsOf(request).rawBody = bytes
  const { headers } = request
  return { bytes, contentType: headers.get('content-type'), encoding: headers.get('content-encoding') }
}

const REFUSED_PER_MINUTE = 200

/** Only refused requests count, so that a notification worth taking never meets a limit (wire 6). */
export function countRefusal(
  ctx: Context,
  request: Request,
  headers: Record<string, string | number>,
  error: unknown,
  socketIp: string,
): void {
  if (!(error instanceof AppError) || ![400, 401, 404].includes(error.status)) return
  const ip = clientIp(socketIp, request.headers.get('x-forwarded-for'), ctx.config.trustedProxies)
  const state = ctx.limits.hit('webhook', ip, REFUSED_PER_MINUTE, ctx.clock.now())
  countLimit(ctx, factsOf(request), headers, state)
}
