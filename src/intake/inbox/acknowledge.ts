import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { readBytes } from '../../base/http/body'
import { countLimit } from '../../base/http/count-limit'
import { clientIp, factsOf } from '../../base/http/request'
import type { Posted } from './posted'

const strict = { additionalProperties: false } as const

export const Received = Type.Object(
  { data: Type.Object({ received: Type.Literal(true), duplicate: Type.Boolean() }, strict) },
  strict,
)

export const OfProject = Type.Object({ projectId: Type.String({ maxLength: 8192 }) })

/** The members of Elysia's handler context that are needed here. */
interface Call {
  request: Request
  set: { headers: Record<string, string | number> }
  server: { requestIP(request: Request): { address: string } | null } | null
}

/** Answers a store's request once `receive` has committed it. A refused request counts towards its sender's limit. */
export async function acknowledge(
  ctx: Context,
  { request, set, server }: Call,
  receive: (posted: Posted) => Promise<{ duplicate: boolean }>,
) {
  try {
    const { duplicate } = await receive(await readPosted(request))
    return { data: { received: true as const, duplicate } }
  } catch (error) {
    countRefusal(ctx, request, set.headers, error, server?.requestIP(request)?.address ?? 'local')
    throw error
  }
}

async function readPosted(request: Request): Promise<Posted> {
  const bytes = await readBytes(request)
  factsOf(request).rawBody = bytes
  const { headers } = request
  return { bytes, contentType: headers.get('content-type'), encoding: headers.get('content-encoding') }
}

const REFUSED_PER_MINUTE = 200

/** Only refused requests count, so that a valid notification is never refused by a limit (wire 6). */
function countRefusal(
  ctx: Context,
  request: Request,
  headers: Record<string, string | number>,
  error: unknown,
  socketIp: string,
): void {
  if (!(error instanceof AppError) || ![400, 401, 404].includes(error.status)) return
  const ip = clientIp(socketIp, request.headers.get('x-forwarded-for'), ctx.config.trustedProxies)
  const state = ctx.state.rateLimits.hit('webhook', ip, REFUSED_PER_MINUTE, ctx.clock.now())
  countLimit(ctx, factsOf(request), headers, state)
}
