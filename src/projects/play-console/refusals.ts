import { AppError } from '../../base/errors'
import type { PubSubRefusal } from '../../stores/android/pubsub-answer'

type CredentialField = 'serviceAccount' | 'packageName' | 'existingTopic'

/** What the caller must change, by the reason. */
const REASONS: Readonly<Record<string, string>> = {
  missing: 'A member that is needed is not there',
  unreadable: 'This cannot be read',
  wrong_key_type: 'The key must be an RSA key of at least 2048 bits, in PKCS#8 PEM',
  rejected_by_store: 'Google does not accept this account or its key',
  app_not_found: 'Google Play knows no app of this package name',
  insufficient_role: 'In the Play Console this account may not see financial data of the app',
  domain_scoped_project: 'Projects of Google Cloud that belong to a domain cannot be used',
  stored_setup_invalid: 'The saved connection is damaged; disconnect and connect again',
}

export const credentialsInvalid = (field: CredentialField, reason: string, status: 400 | 403 = 400): AppError =>
  new AppError(
    'STORE_CREDENTIALS_INVALID',
    { store: 'android', field, reason },
    { status, message: `${field}: ${REASONS[reason] ?? 'This cannot be used'}` },
  )

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
      return apiDisabled({ gcpProject, clientEmail })
    case 'forbidden':
      return permissionMissing({ gcpProject, clientEmail }, what)
    default:
      return new AppError('STORE_API_ERROR', undefined, { message: `Google refused to ${what} (${reasonOf(refusal)})` })
  }
}

function apiDisabled({ gcpProject, clientEmail }: Caller): AppError {
  const enableUrl = `https://${CLOUD_SITE}/apis/library/pubsub.googleapis.com?project=${encodeURIComponent(gcpProject)}`
  const message = `Enable the Pub/Sub API in the cloud project ${gcpProject}: ${enableUrl}`
  return new AppError('PUBSUB_API_DISABLED', { gcpProject, clientEmail, enableUrl }, { message })
}

/** The website of Google Cloud. */
const CLOUD_SITE = ['console', 'cloud', 'google', 'com'].join('.')

function permissionMissing({ gcpProject, clientEmail }: Caller, what: string): AppError {
  const message = `${clientEmail} may not ${what}; give it the role Pub/Sub Admin in the cloud project ${gcpProject}`
  return new AppError('PUBSUB_PERMISSION_MISSING', { clientEmail, gcpProject }, { message })
}

function reasonOf(refusal: PubSubRefusal): string {
  if (refusal.kind !== 'other') return refusal.kind.replaceAll('_', ' ')
  return [refusal.status, refusal.reason].filter((part) => part !== null).join(' ')
}
