import type { Context } from '../../base/context'
import { operator } from '../doors/operator'
import { readCredentials } from '../store-setup/body'
import { credentialsQuery, described, savedCredentialsAnswer, storeEdit } from '../store-setup/credentials-routes'
import { credentialsView } from '../store-setup/credentials-view'
import { AndroidCredentialsBody, saveAndroidCredentials } from './credentials'

/** The body is checked by `readCredentials`, as for the other stores. */
export const androidCredentialsRoutes = (ctx: Context) =>
  operator(ctx, { role: 'OWNER' }).put(
    '/credentials/android',
    async (call) => {
      const input = readCredentials(AndroidCredentialsBody, call.body)
      const isProbed = call.query.probe !== 'false'
      await saveAndroidCredentials(ctx, storeEdit(call), input, isProbed)
      const probed = isProbed ? ['serviceAccount'] : []
      return { data: { ...(await credentialsView(ctx, call.project.id)), probed } }
    },
    {
      query: credentialsQuery,
      response: savedCredentialsAnswer,
      detail: {
        ...described(AndroidCredentialsBody),
        tags: ['Stores'],
        'x-errors': [
          'FEATURE_NOT_CONFIGURED',
          'STORE_CREDENTIALS_INVALID',
          'PUBSUB_CONNECT_IN_PROGRESS',
          'STORE_API_ERROR',
          'STORE_UNAVAILABLE',
        ],
        summary: 'Save the credentials of the Android store',
        description: 'Google is asked first whether the service account may read the app; then nothing wrong is saved.',
        operationId: 'saveAndroidCredentials',
      },
    },
  )
