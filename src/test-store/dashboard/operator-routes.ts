import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { oneOf } from '../../core/schema/object'
import { operator } from '../../projects/doors/operator'
import { SIMULATED_STORES } from '../stores/life'
import { isSelling, makeTestPurchase, requireTestStores } from './admin'
import { simulate } from './simulation'
import { storesStatus } from './simulation-answers'
import { SimulationOrder, SimulationResult, StoresStatus } from './simulation-wire'

const strict = { additionalProperties: false } as const
const tags = ['Stores']

const StateAnswer = dataAnswer(
  Type.Object(
    { isSelling: Type.Boolean({ description: 'Whether the test stores make purchases on this deployment' }) },
    { ...strict, title: 'TestStoreState' },
  ),
)

const PurchaseBody = Type.Object(
  {
    device: Type.String({ minLength: 1, maxLength: 128, description: 'Device key of who buys' }),
    product: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the product' }),
    with: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: 19,
        description:
          'Further products of the same purchase: a cart, or subscriptions of one period. Not at the iOS store',
      }),
    ),
    store: Type.Optional(oneOf(SIMULATED_STORES)),
    trial: Type.Optional(Type.Boolean()),
  },
  strict,
)

const PurchaseAnswer = dataAnswer(
  Type.Object(
    {
      store: oneOf(SIMULATED_STORES),
      transactionId: Type.String(),
      subscriberId: Type.Union([Type.String(), Type.Null()]),
      access: Type.Array(Type.String({ description: 'Identifiers of what the subscriber may use now' })),
    },
    { ...strict, title: 'TestPurchase' },
  ),
)

/** The built-in test stores, from the dashboard. */
export const testStoreRoutes = (ctx: Context) =>
  new Elysia().use(stateRoute(ctx)).use(purchaseRoute(ctx)).use(simulationRoutes(ctx))

const stateRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get('/test-store', () => ({ data: { isSelling: isSelling(ctx) } }), {
    response: StateAnswer,
    detail: { tags, summary: 'Whether the test stores sell', operationId: 'getTestStore' },
  })

const purchaseRoute = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' }).post(
    '/test-store/purchases',
    async ({ project, actor, role, body, set }) => {
      set.status = 201
      const { device, product, with: others = [], store = null, trial = false } = body
      const order = { deviceKey: device, product, others, store, withTrial: trial }
      return { data: await makeTestPurchase(ctx, { project, actor, role }, order) }
    },
    {
      body: PurchaseBody,
      response: { 201: PurchaseAnswer },
      detail: {
        tags,
        'x-errors': ['CAPABILITY_REQUIRED', 'CONFLICT', 'SUBSCRIBER_UNRESOLVABLE', 'FEATURE_NOT_CONFIGURED'],
        summary: 'Buy at a test store',
        description:
          'Makes a purchase in the sandbox and records it, as `svc simulate purchase` does: the app posts its receipt and the store sends its notifications. The iOS store by default where the project has a bundle id, else the Android store, which also sells several products together.',
        operationId: 'createTestPurchase',
      },
    },
  )

const simulationRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .get(
      '/test-store/status',
      async ({ project }) => {
        requireTestStores(ctx)
        return { data: await storesStatus(ctx, project) }
      },
      {
        response: dataAnswer(StoresStatus),
        detail: {
          tags,
          'x-errors': ['FEATURE_NOT_CONFIGURED'],
          summary: 'Clock, purchases and waiting messages of the test stores',
          operationId: 'getTestStoreStatus',
        },
      },
    )
    .post(
      '/test-store/simulations',
      async ({ project, actor, role, body }) => ({ data: await simulate(ctx, { project, actor, role }, body) }),
      {
        body: SimulationOrder,
        response: dataAnswer(SimulationResult),
        detail: {
          tags,
          'x-errors': ['CAPABILITY_REQUIRED', 'CONFLICT', 'NOT_FOUND', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Simulate an action at the test stores',
          description:
            'Does what `svc simulate` does, in the sandbox only: a purchase, a renewal, a refund, an advance of the clock of the test stores. Everything that came due there happens first. `action` decides which members the body has, and which the answer. Where products grant virtual currency, what may book it requires `credits:write`, because balances do not differ by environment.',
          operationId: 'simulateAtTestStore',
        },
      },
    )
