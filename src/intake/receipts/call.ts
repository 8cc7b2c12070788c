import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import { Int64 } from '../../base/http/int64-schema'
import { factsOf } from '../../base/http/request'
import { AccessMapSchema } from '../../people/subscribers/access-map'
import { creationOf } from '../../people/subscribers/creation'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import { assertLive, findByDevice } from '../../people/subscribers/service'
import { toSubscriberView } from '../../people/subscribers/wire'
import type { Caller } from '../../projects/doors/api'
import { type ReceiptInput, type ReceiptResult, resultFor } from './receipt'

const strict = { additionalProperties: false } as const
const RECEIPTS_PER_MINUTE = 120
const MAX_CONTEXT_BYTES = 4096

/** The body of both receipt routes; `proof` describes the `receipt` member. */
export const receiptBody = (proof: string) =>
  Type.Object(
    {
      receipt: Type.String({ minLength: 1, maxLength: 65536, description: proof }),
      appUserId: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The device key',
        examples: ['svc_8fK2mQ7xLw'],
      }),
      productId: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Your product identifier, or the id at the store',
      }),
      presentedContext: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Where it was sold; at most 4 KiB' }),
      ),
      appAccountToken: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' })),
      obfuscatedAccountId: Type.Optional(Type.String({ maxLength: 64 })),
      obfuscatedProfileId: Type.Optional(Type.String({ maxLength: 64 })),
    },
    { additionalProperties: true },
  )

type ReceiptBody = Static<ReturnType<typeof receiptBody>>

export const ReceiptAnswer = Type.Object(
  {
    data: Type.Object(
      {
        subscriber: Type.Object(
          { id: Type.String(), appUserId: Type.String(), attributes: Type.Record(Type.String(), Type.String()) },
          strict,
        ),
        access: AccessMapSchema,
        virtualCurrencyBalances: Type.Record(Type.String(), Int64()),
      },
      { ...strict, title: 'ReceiptResult' },
    ),
  },
  strict,
)

/** How both receipt routes authenticate, and how they treat an Idempotency-Key. */
export const RECEIPT_GUARD = { key: 'any', idempotency: { mayRunBeside: true, rendersReplay: true } } as const

interface ReceiptCall extends Caller {
  body: ReceiptBody
  request: Request
  set: { headers: Record<string, string | number> }
}

/** Limits, unpacks and answers a receipt of either store. A replay returns what the device holds now. */
export async function answerReceipt(
  ctx: Context,
  { project, body, request, set, replayed }: ReceiptCall,
  submit: (input: ReceiptInput) => Promise<ReceiptResult>,
) {
  const deviceKey = checkDeviceKey(body.appUserId, 'appUserId')
  const facts = factsOf(request)
  const state = await ctx.state.limits.hit(
    'receipts',
    `${project.id}:${deviceKey}`,
    RECEIPTS_PER_MINUTE,
    ctx.clock.now(),
  )
  countLimit(ctx, facts, set.headers, state)
  if (replayed)
    return toWire(deviceKey, await resultFor(ctx, project, await knownSubscriber(ctx, project.id, deviceKey)))
  const presentedContext = checkContext(body.presentedContext)
  const { receipt, productId, appAccountToken = null } = body
  const creation = creationOf(ctx, request)
  const input = { receipt, productId, appAccountToken, deviceKey, presentedContext, creation, requestId: facts.id }
  return toWire(deviceKey, await submit(input))
}

async function knownSubscriber(ctx: Context, projectId: string, deviceKey: string) {
  const row = await findByDevice(ctx, projectId, deviceKey)
  if (!row) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return assertLive(row)
}

function checkContext(context: Record<string, unknown> | undefined): Record<string, unknown> | null {
  if (context === undefined) return null
  if (Buffer.byteLength(JSON.stringify(context)) > MAX_CONTEXT_BYTES)
    throw invalid(`presentedContext must have at most ${MAX_CONTEXT_BYTES} bytes`)
  return context
}

/** `appUserId` is never null here, because clients decode it as a string. Without one it is the device key. */
const toWire = (deviceKey: string, { subscriber, access, balances }: ReceiptResult) => ({
  data: {
    subscriber: { ...toSubscriberView(subscriber), appUserId: subscriber.appUserId ?? deviceKey },
    access,
    virtualCurrencyBalances: balances,
  },
})
