import type { Schemas } from '../../../api/schemas'
import type { Tone } from '../../../kit/state'

export type Job = Schemas['ImportJob']
export type Status = Job['status']

export const PATH = '/dashboard/projects/{projectId}/imports'

export const isRunning = (status: Status): boolean =>
  status === 'DRY_RUN_RUNNING' || status === 'RUNNING' || status === 'VERIFYING' || status === 'UNDOING'

export const TONES: Record<Status, Tone> = {
  PENDING_MAPPING: 'warn',
  DRY_RUN_RUNNING: 'info',
  DRY_RUN_COMPLETE: 'info',
  RUNNING: 'info',
  VERIFYING: 'info',
  VERIFICATION_INCOMPLETE: 'warn',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'mute',
  UNDOING: 'info',
}

/** The fields that a column of the file can fill. */
export const FIELDS = [
  ...(['subscriberExternalId', 'store', 'productIdentifier', 'purchaseDate', 'deviceKey'] as const),
  ...(['originalTransactionId', 'storeTransactionId', 'purchaseToken', 'receipt', 'providerId'] as const),
  ...(['isSubscription', 'expiresDate', 'originalPurchaseDate', 'gracePeriodExpiresDate', 'refundedAt'] as const),
  ...(['cancelledAt', 'billingIssueAt', 'autoRenews', 'autoResumeAt', 'isTrial', 'isIntroOffer'] as const),
  ...(['isSandbox', 'price', 'currency', 'country', 'ownershipType', 'quantity', 'renewalNumber'] as const),
  ...(['email', 'displayName', 'attributes', 'firstSeenAt', 'lastSeenAt', 'updatedAt', 'offerId'] as const),
  'entitlements' as const,
]

export const STORE_WORDS = ['ios_store', 'android_store', 'payment', 'promotional'] as const

/** The store that each of them means. */
export const STORE_OF = {
  ios_store: 'IOS_STORE',
  android_store: 'ANDROID_STORE',
  payment: 'PAYMENT',
  promotional: 'MANUAL',
} as const

/** Whether the job has written something that was not taken back. */
export const canUndo = ({ status, undoneAt, counters }: Job): boolean =>
  !isRunning(status) &&
  undoneAt === null &&
  ['COMPLETED', 'VERIFICATION_INCOMPLETE', 'FAILED', 'CANCELLED'].includes(status) &&
  counters.subscribersNew + counters.purchasesNew + counters.purchasesUpdated > 0

export const canCancel = ({ status }: Job): boolean => !['COMPLETED', 'FAILED', 'CANCELLED', 'UNDOING'].includes(status)
