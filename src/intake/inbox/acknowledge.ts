import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import type { AppError } from '../../base/errors'
import type { ArrivingBody } from '../../base/http/arriving-body'
import { countLimit } from '../../base/http/count-limit'
import { callerAddress, factsOf, findFacts, knownAddress } from '../../base/http/request'
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
}

/**
 * Answers a store's request once `receive` has committed it. Only a few requests of one address are at work at the same
 * time; of the others nothing is read.
 */
export async function acknowledge(
  ctx: Context,
  { request, set }: Call,
  receive: (posted: Posted) => Promise<{ duplicate: boolean }>,
) {
  const countRefusal = (refusal: AppError) => countWebhookRefusal(ctx, request, set.headers, refusal)
  const arriving = ctx.state.bodies.expect(request)
  try {
    const leave = await enterSlot(ctx, request, arriving)
    try {
      const { duplicate } = await receive({ ...(await readPosted(request, arriving)), countRefusal })
      return { data: { received: true as const, duplicate } }
    } finally {
      leave()
    }
  } finally {
    arriving.end()
  }
}

async function enterSlot(ctx: Context, request: Request, { declaredBytes }: ArrivingBody): Promise<() => void> {
  const address = knownAddress(ctx, request, factsOf(request))
  return address === null ? () => {} : ctx.state.webhookSlots.enter(address, declaredBytes ?? 0, () => request.signal)
}

/** The header with the value 1 of a notification that another deployment forwards (wire 5.15). */
export const FORWARDED = 'x-svc-forwarded'

async function readPosted({ headers }: Request, arriving: ArrivingBody): Promise<Posted> {
  const bytes = await arriving.read()
  arriving.end()
  const via = headers.get(FORWARDED)?.trim() === '1' ? 'FORWARDER' : 'STORE'
  return { bytes, contentType: headers.get('content-type'), encoding: headers.get('content-encoding'), via }
}

const PREFIX = '/webhooks/'
const LIMITER = 'webhook'
const REFUSED_PER_MINUTE = 200
const COUNTED = [400, 401, 404]

/**
 * Counts the refusal of a request below `/webhooks/`, once, and throws 429 when its address has too many. Only refused
 * requests count, so that a valid notification is never refused by a limit (wire 6).
 */
export function countWebhookRefusal(
  ctx: Context,
  request: Request,
  headers: Record<string, string | number>,
  { status }: AppError,
): void {
  const facts = findFacts(request)
  if (!facts?.path.startsWith(PREFIX) || !COUNTED.includes(status)) return
  if (facts.limits.some(({ name }) => name === LIMITER)) return
  const address = callerAddress(ctx, request, facts)
  countLimit(ctx, facts, headers, ctx.state.rateLimits.hit(LIMITER, address, REFUSED_PER_MINUTE, ctx.clock.now()))
}
