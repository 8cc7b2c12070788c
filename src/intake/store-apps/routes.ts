import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { listAnswer } from '../../base/http/list'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { operator } from '../../projects/doors/operator'
import type { PurchaseEnvironment } from '../../stores/observation'
import { iosEndpoint, readIosTest, requestIosTest } from '../ios/notification-test'
import { IosTestState } from '../ios/notification-test-wire'
import { listApps } from './apps'

const NAMES: Readonly<Record<'production' | 'sandbox', PurchaseEnvironment>> = {
  production: 'PRODUCTION',
  sandbox: 'SANDBOX',
}

/** The token for callers. It names the environment, because the store's own token is known in one of them only. */
const writeTestToken = (environment: keyof typeof NAMES, token: string): string => `${environment}_${token}`

/** 400 `STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN` for a text that `writeTestToken` did not write. */
function readTestToken(text: string): { environment: PurchaseEnvironment; token: string } {
  const [, name, token] = /^(production|sandbox)_([\x21-\x7e]{1,500})$/.exec(text) ?? []
  if (token === undefined) throw new AppError('STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN')
  return { environment: NAMES[name === 'sandbox' ? 'sandbox' : 'production'], token }
}

const tags = ['Stores']
const strict = { additionalProperties: false }
const InstantOrNull = Type.Union([Type.String(), Type.Null()])

const AppStatusView = Type.Object(
  {
    store: Type.Union([Type.Literal('ios'), Type.Literal('android'), Type.Literal('payment')]),
    status: Type.Union([Type.Literal('OK'), Type.Literal('INCOMPLETE'), Type.Literal('FAILING')]),
    lastNotificationAt: InstantOrNull,
    lastCallOkAt: InstantOrNull,
    circuit: Type.Union([Type.Literal('CLOSED'), Type.Literal('OPEN'), Type.Literal('HALF_OPEN')]),
  },
  { ...strict, title: 'StoreStatus' },
)

/** The state of the connections to the stores, and test notifications of the App Store. */
export const storeStatusRoutes = (ctx: Context) => new Elysia().use(appRoutes(ctx)).use(testRoutes(ctx))

const appRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/apps',
    async ({ project }) => {
      const apps = await listApps(ctx, project)
      const items = apps.map(({ lastNotificationAt, lastCallOkAt, ...app }) => ({
        ...app,
        lastNotificationAt: toIsoOrNull(lastNotificationAt),
        lastCallOkAt: toIsoOrNull(lastCallOkAt),
      }))
      return { data: { items, nextCursor: null } }
    },
    {
      response: listAnswer(AppStatusView),
      detail: {
        tags,
        summary: 'How the connection to each store stands',
        description:
          'INCOMPLETE: something must be saved first. FAILING: the saved credentials cannot be decrypted, or the store did not answer lately.',
        operationId: 'listStoreApps',
      },
    },
  )

const ERRORS = ['STORE_NOT_CONFIGURED', 'STORE_KEY_MISSING', 'STORE_API_ERROR', 'STORE_UNAVAILABLE'] as const

const testRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .post(
      '/apps/ios/test-notification',
      async ({ project, body: { environment } }) => {
        const asked = await requestIosTest(ctx, project, environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION')
        return { data: { token: writeTestToken(environment, asked.token), expiresAt: toIso(asked.expiresAt) } }
      },
      {
        body: Type.Object({ environment: Type.Union([Type.Literal('production'), Type.Literal('sandbox')]) }, strict),
        response: Type.Object(
          { data: Type.Object({ token: Type.String(), expiresAt: Type.String() }, strict) },
          strict,
        ),
        detail: {
          tags,
          'x-errors': ERRORS,
          summary: 'Let the App Store send a test notification',
          description: 'It goes to the address that is saved at the store.',
          operationId: 'requestIosTestNotification',
        },
      },
    )
    .get(
      '/apps/ios/test-notification/:token',
      async ({ project, params }) => {
        const { environment, token } = readTestToken(params.token)
        const state = await readIosTest(ctx, project, environment, token)
        const attempts = state.attempts.map(({ at, result }) => ({ at: toIso(at), result }))
        const endpoint = iosEndpoint(ctx, project)
        return { data: { status: state.status, receivedAt: toIsoOrNull(state.receivedAt), attempts, endpoint } }
      },
      {
        params: Type.Object({ projectId: Type.String(), token: Type.String() }),
        response: Type.Object({ data: IosTestState }, strict),
        detail: {
          tags,
          'x-errors': [...ERRORS, 'STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN'],
          summary: 'What became of a test notification',
          operationId: 'getIosTestNotification',
        },
      },
    )
