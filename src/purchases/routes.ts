import { Type } from '@sinclair/typebox'
import type { Context } from '../context'
import { AccessMapSchema } from '../entitlements/wire'
import { AppError, invalid } from '../errors'
import { api, countLimit } from '../http/api'
import { checkDeviceKey, platformOf } from '../http/identity'
import { factsOf } from '../http/request'
import { assertLive, findByDevice } from '../subscribers/service'
import { toSubscriberView } from '../subscribers/wire'
import { type ReceiptResult, resultFor, submitIosReceipt } from './receipt'

const strict = { additionalProperties: false } as const
const RECEIPTS_PER_MINUTE = 120
const MAX_CONTEXT_BYTES = 4096

const ReceiptBody = Type.Object(
  {
    receipt: Type.String({
      minLength: 1,
      maxLength: 65536,
      description: 'iOS: one StoreKit 2 signed transaction (JWS)',
    }),
    appUserId: Type.String({ minLength: 1, maxLength: 128, description: 'The device key' }),
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

const ReceiptAnswer = Type.Object(
  {
    data: Type.Object(
      {
        subscriber: Type.Object(
          { id: Type.String(), appUserId: Type.String(), attributes: Type.Record(Type.String(), Type.String()) },
          strict,
        ),
        access: AccessMapSchema,
        virtualCurrencyBalances: Type.Record(Type.String(), Type.Integer()),
      },
      strict,
    ),
  },
  strict,
)

/** Receipts. The same one again is 200 without a new effect, and a replay shows access as it is now. */
export const receiptRoutes = (ctx: Context) =>
  api(ctx, { key: 'any', idempotency: { mayRunBeside: true, rendersReplay: true } }).post(
    '/receipts/ios',
    async ({ project, key, body, request, set, isReplay }) => {
      const deviceKey = checkDeviceKey(body.appUserId, 'appUserId')
      const facts = factsOf(request)
      countLimit(
        ctx,
        facts,
        set.headers,
        ctx.limits.hit('receipts', `${project.id}:${deviceKey}`, RECEIPTS_PER_MINUTE, ctx.clock.now()),
      )
      if (isReplay)
        return toWire(deviceKey, await resultFor(ctx, project, await knownSubscriber(ctx, project.id, deviceKey)))
      const presentedContext = checkContext(body.presentedContext)
      const { receipt, productId, appAccountToken = null } = body
      const input = {
        receipt,
        productId,
        appAccountToken,
        deviceKey,
        presentedContext,
        platform: platformOf(request.headers),
        requestId: facts.id,
      }
      return toWire(deviceKey, await submitIosReceipt(ctx, project, key, input))
    },
    {
      body: ReceiptBody,
      response: ReceiptAnswer,
      detail: {
        tags: ['Commerce'],
        summary: 'Verify an iOS signed transaction',
        description:
          'Checked against the pinned store root without a call to the store. Posting the same receipt again is harmless.',
        operationId: 'submitIosReceipt',
        'x-errors': [
          'RECEIPT_INVALID',
          'RECEIPT_PRODUCT_UNKNOWN',
          'STORE_NOT_CONFIGURED',
          'RECEIPT_IN_USE',
          'SUBSCRIBER_UNRESOLVABLE',
          'FEATURE_NOT_CONFIGURED',
        ],
      },
    },
  )

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

/** `appUserId` is never null here: clients decode it as a string; without a label it is the device key. */
const toWire = (deviceKey: string, { subscriber, access, balances }: ReceiptResult) => ({
  data: {
    subscriber: { ...toSubscriberView(subscriber), appUserId: subscriber.appUserId ?? deviceKey },
    access,
    virtualCurrencyBalances: balances,
  },
})
