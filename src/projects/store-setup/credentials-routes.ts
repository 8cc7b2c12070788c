import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { type Operator, operator } from '../doors/operator'
import { removeAndroidCredentials } from './android-credentials'
import { readCredentials } from './body'
import { CredentialsView, credentialsView } from './credentials-view'
import { removeStore, type StoreEdit } from './edit-store'
import { saveIosCredentials } from './ios-credentials'
import { IosCredentialsBody } from './ios-wire'
import { findStoreName, type StoreName } from './model'
import { disconnectPayment } from './payment-connection'
import { PaymentCredentialsBody, savePaymentCredentials } from './payment-credentials'

const tags = ['Stores']
const strict = { additionalProperties: false }
export const credentialsAnswer = Type.Object({ data: CredentialsView }, strict)

/** After a change, with what was tried of it. */
export const savedCredentialsAnswer = Type.Object(
  {
    data: Type.Object(
      {
        ...CredentialsView.properties,
        probed: Type.Array(Type.String(), {
          description: 'The keys that the store was asked about and has accepted; none when no key was given',
        }),
      },
      { ...strict, title: 'SavedStoreCredentials' },
    ),
  },
  strict,
)
export const credentialsQuery = Type.Object(
  {
    probe: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], { description: 'false: the keys are not tried first' }),
    ),
  },
  strict,
)

/** The body has no schema at the route: `readCredentials` checks it, and names its members as the specification does. */
export const described = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })

export const storeEdit = ({ project, actor, expected }: Operator): StoreEdit => ({
  by: { projectId: project.id, actor },
  expected,
})

/** The credentials of the stores: everybody sees which are saved, owners change them. */
export const credentialsRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/credentials',
    async ({ project }) => ({ data: await credentialsView(ctx, project.id) }),
    {
      response: credentialsAnswer,
      detail: {
        tags,
        summary: 'Which store credentials are saved',
        description: 'Private keys are never returned.',
        operationId: 'getStoreCredentials',
      },
    },
  )

const isProbed = ({ probe }: Static<typeof credentialsQuery>): boolean => probe !== 'false'

const writeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'OWNER' })
    .put(
      '/credentials/ios',
      async (call) => {
        const input = readCredentials(IosCredentialsBody, call.body)
        const probed = await saveIosCredentials(ctx, storeEdit(call), input, isProbed(call.query))
        return { data: { ...(await credentialsView(ctx, call.project.id)), probed } }
      },
      {
        query: credentialsQuery,
        response: savedCredentialsAnswer,
        detail: {
          ...described(IosCredentialsBody),
          tags,
          'x-errors': [
            'FEATURE_NOT_CONFIGURED',
            'STORE_CREDENTIALS_INVALID',
            'STORE_KEY_WRONG_TYPE',
            'STORE_API_ERROR',
            'STORE_UNAVAILABLE',
          ],
          summary: 'Save the credentials of the iOS store',
          description: 'The keys are tried at the store first; nothing is saved when one of them is refused.',
          operationId: 'saveIosCredentials',
        },
      },
    )
    .put(
      '/credentials/payment',
      async (call) => {
        const input = readCredentials(PaymentCredentialsBody, call.body)
        const probed = await savePaymentCredentials(ctx, storeEdit(call), input, isProbed(call.query))
        return { data: { ...(await credentialsView(ctx, call.project.id)), probed } }
      },
      {
        query: credentialsQuery,
        response: savedCredentialsAnswer,
        detail: {
          ...described(PaymentCredentialsBody),
          tags,
          'x-errors': [
            'FEATURE_NOT_CONFIGURED',
            'STORE_CREDENTIALS_INVALID',
            'PAYMENT_ALREADY_CONNECTED',
            'STORE_API_ERROR',
            'STORE_UNAVAILABLE',
          ],
          summary: 'Save keys of the project’s own payment account',
          description: 'The secret key is tried at the provider first.',
          operationId: 'savePaymentCredentials',
        },
      },
    )
    .delete(
      '/credentials/:store',
      async (call) => {
        const store = findStoreName(call.params.store)
        if (store === null) throw notFound('store', call.params.store)
        await REMOVALS[store](ctx, storeEdit(call))
        return { data: { deleted: true as const } }
      },
      {
        params: Type.Object({ projectId: Type.String(), store: Type.String() }),
        response: Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }, strict) }, strict),
        detail: {
          tags,
          'x-errors': ['STORE_API_ERROR', 'STORE_UNAVAILABLE', 'PUBSUB_CONNECT_IN_PROGRESS'],
          summary: 'Remove the credentials of a store',
          description:
            'A connected payment account is disconnected at the provider as well. Pub/Sub is not: disconnect it first, or its subscription stays at Google.',
          operationId: 'deleteStoreCredentials',
        },
      },
    )

const REMOVALS: Readonly<Record<StoreName, (ctx: Context, edit: StoreEdit) => Promise<void>>> = {
  ios: (ctx, edit) => removeStore(ctx, edit, 'ios'),
  android: removeAndroidCredentials,
  payment: disconnectPayment,
}
