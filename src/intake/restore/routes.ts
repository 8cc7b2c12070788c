import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import type { SavedAnswer } from '../../base/http/idempotency'
import { factsOf } from '../../base/http/request'
import { inTime } from '../../base/jobs/within'
import { currentAccess } from '../../people/entitlements/service'
import { AccessMapSchema } from '../../people/subscribers/access-map'
import { checkDeviceKey, platformOf } from '../../people/subscribers/device-key'
import { SubscriberParams } from '../../people/subscribers/wire'
import { api } from '../../projects/doors/api'
import type { ProjectState } from '../../projects/project/state'
import { androidRestoring } from '../android/restore'
import { recheckEnding } from './recheck'
import { IOS_ONLY, type Restored, type RestoringStores, renderRestore, restorePurchases } from './restore'

const strict = { additionalProperties: false } as const
const lenient = { additionalProperties: true } as const
const MAX_RECEIPTS = 50

const StoreName = Type.Union([Type.Literal('IOS_STORE'), Type.Literal('ANDROID_STORE')])

const RestoreBody = Type.Object(
  {
    receipts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            store: StoreName,
            receipt: Type.String({ minLength: 1, maxLength: 65536 }),
            productId: Type.String({ minLength: 1, maxLength: 255 }),
          },
          lenient,
        ),
        { maxItems: MAX_RECEIPTS },
      ),
    ),
  },
  lenient,
)

const RestoreAnswer = Type.Object(
  {
    data: Type.Object(
      {
        access: AccessMapSchema,
        restored: Type.Array(Type.Object({ productId: Type.String(), store: StoreName }, strict)),
        results: Type.Array(
          Type.Object(
            {
              index: Type.Integer(),
              productId: Type.String(),
              store: StoreName,
              status: Type.Union([Type.Literal('RESTORED'), Type.Literal('FAILED')]),
              code: Type.Union([Type.String(), Type.Null()]),
            },
            strict,
          ),
        ),
      },
      strict,
    ),
  },
  strict,
)

const EVERY_STORE: RestoringStores = { ...IOS_ONLY, android: androidRestoring, recheck: recheckEnding }

/** Restores the purchases of a device's store account. Safe to repeat; a replay returns the current state. */
export const restoreRoutes = (ctx: Context, stores: RestoringStores = EVERY_STORE) =>
  api(ctx, { key: 'any', idempotency: { mayRunBeside: true, rendersReplay: true } }).post(
    '/subscribers/:appUserId/restore',
    async ({ project, key, params, body, request, replayed }) => {
      const reference = key.presented === 'public' ? checkDeviceKey(params.appUserId, 'appUserId') : params.appUserId
      const { receipts = [] } = body
      const order = { reference, receipts, platform: platformOf(request.headers), requestId: factsOf(request).id }
      const restored = replayed
        ? renderRestore(ctx, project, key, order, stores, codesOf(replayed))
        : restorePurchases(ctx, project, key, order, stores)
      return toWire(ctx, project, await inTime(restored, 'STORE_UNAVAILABLE', 'A store'))
    },
    {
      params: SubscriberParams,
      body: RestoreBody,
      response: RestoreAnswer,
      detail: {
        tags: ['Subscribers'],
        'x-errors': ['RECEIPT_IN_USE', 'STORE_UNAVAILABLE', 'SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Restore purchases',
        description:
          'Receipts are processed in order, each by itself; 409 only when every one belongs to somebody else. Without receipts the answer is what the subscriber may use now.',
        operationId: 'restorePurchases',
      },
    },
  )

/** The codes in an earlier answer of this route. */
const codesOf = ({ body }: SavedAnswer): (string | null)[] =>
  (JSON.parse(body) as Static<typeof RestoreAnswer>).data.results.map(({ code }) => code)

async function toWire(ctx: Context, project: ProjectState, { subscriber, results }: Restored) {
  const restored = results.filter(({ code }) => code === null).map(({ productId, store }) => ({ productId, store }))
  return {
    data: {
      access: await currentAccess(ctx, project, subscriber),
      restored,
      results: results.map(({ productId, store, code }, index) => {
        const status = code === null ? ('RESTORED' as const) : ('FAILED' as const)
        return { index, productId, store, status, code }
      }),
    },
  }
}
