import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import type { SavedAnswer } from '../../base/http/idempotency'
import { factsOf } from '../../base/http/request'
import { inTime } from '../../base/jobs/within'
import { currentAccess } from '../../people/entitlements/service'
import { AccessMapSchema } from '../../people/subscribers/access-map'
import { creationOf } from '../../people/subscribers/creation'
import { checkDeviceKey } from '../../people/subscribers/device-key'
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
      { ...strict, title: 'RestoreResult' },
    ),
  },
  strict,
)

const EVERY_STORE: RestoringStores = { ...IOS_ONLY, android: androidRestoring, recheck: recheckEnding }

type Answer = Static<typeof RestoreAnswer>

/** A repetition needs the code of each receipt in the first answer. */
const IDEMPOTENCY = {
  mayRunBeside: true,
  rendersReplay: true,
  reference: (answer: unknown) => (answer as Answer).data.results.map(({ code }) => code), // What the route has returned.
} as const

/** Restores the purchases of a device's store account. Safe to repeat; a replay returns the current state. */
export const restoreRoutes = (ctx: Context, stores: RestoringStores = EVERY_STORE) =>
  api(ctx, { key: 'any', takesReference: true, idempotency: IDEMPOTENCY }).post(
    '/subscribers/:appUserId/restore',
    async ({ project, key, params, body, request, replayed }) => {
      const reference = key.presented === 'public' ? checkDeviceKey(params.appUserId, 'appUserId') : params.appUserId
      const { receipts = [] } = body
      const order = { reference, receipts, creation: creationOf(ctx, request), requestId: factsOf(request).id }
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
        'x-errors': [
          'RECEIPT_IN_USE',
          'STORE_NOT_CONFIGURED',
          'STORE_UNAVAILABLE',
          'STORE_API_ERROR',
          'SUBSCRIBER_UNRESOLVABLE',
        ],
        summary: 'Restore purchases',
        description:
          'Receipts are processed in order, each by itself; 409 only when every one belongs to somebody else, 400 STORE_NOT_CONFIGURED only when the store of every one is not set up. A device that is unknown is created, so that it reads why a receipt failed. Without receipts the answer is what the subscriber may use now, and an unknown one is 404.',
        operationId: 'restorePurchases',
      },
    },
  )

/** The codes of an earlier answer of this route. Release 1.0 has saved the whole answer. */
function codesOf({ body }: SavedAnswer): (string | null)[] {
  const saved = JSON.parse(body) as Answer | (string | null)[]
  return Array.isArray(saved) ? saved : IDEMPOTENCY.reference(saved)
}

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
