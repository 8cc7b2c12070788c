import { AppError } from '../../base/errors'
import type { PubSubRefusal } from '../../stores/android/pubsub-answer'

type CredentialField = 'serviceAccount' | 'packageName' | 'existingTopic'

export const credentialsInvalid = (field: CredentialField, reason: string, status: 400 | 403 = 400): AppError =>
  new AppError('STORE_CREDENTIALS_INVALID', { store: 'android', field, reason }, { status })

/** Whose call Google refused. */
export interface Caller {
  gcpProject: string
  clientEmail: string
}

/** The refusal of a call to Pub/Sub as the dashboard answers it (wire 7.4). `what` continues "Google refused to". */
export function pubsubFault(refusal: PubSubRefusal, { gcpProject, clientEmail }: Caller, what: string): AppError {
  switch (refusal.kind) {
    case 'unavailable':
      return new AppError('STORE_UNAVAILABLE')
    case 'account':
      return credentialsInvalid('serviceAccount', 'rejected_by_store')
    case 'api_disabled':
      return new AppError('PUBSUB_API_DISABLED', { gcpProject, clientEmail, enableUrl: enableUrl(gcpProject) })
    case 'forbidden':
      return new AppError('PUBSUB_PERMISSION_MISSING', { clientEmail, gcpProject })
    default:
      return new AppError('STORE_API_ERROR', undefined, { message: `Google refused to ${what} (${reasonOf(refusal)})` })
  }
}

/** The website of Google Cloud. */
const CLOUD_SITE = ['console', 'cloud', 'google', 'com'].join('.')

const enableUrl = (gcpProject: string): string =>
  `https://${CLOUD_SITE}/apis/library/pubsub.googleapis.com?project=${encodeURIComponent(gcpProject)}`

function reasonOf(refusal: PubSubRefusal): string {
  if (refusal.kind !== 'other') return refusal.kind.replaceAll('_', ' ')
  return [refusal.status, refusal.reason].filter((part) => part !== null).join(' ')
}
