import type { Context } from '../../base/context'
import { operator } from '../doors/operator'
import { readCredentials } from '../store-setup/body'
import { credentialsAnswer, credentialsQuery, described, storeEdit } from '../store-setup/credentials-routes'
import { credentialsView } from '../store-setup/credentials-view'
import { AndroidCredentialsBody, saveAndroidCredentials } from './credentials'

/** The body is checked by `readCredentials`, as for the other stores. */
export const androidCredentialsRoutes = (ctx: Context) =>
  operator(ctx, { role: 'OWNER' }).put(
    '/credentials/android',
    async (call) => {
      const input = readCredentials(AndroidCredentialsBody, call.body)
      await saveAndroidCredentials(ctx, storeEdit(call), input, call.query.probe !== 'false')
      return { data: await credentialsView(ctx, call.project.id) }
    },
    {
      query: credentialsQuery,
      response: credentialsAnswer,
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
