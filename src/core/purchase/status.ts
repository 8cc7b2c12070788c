/** The statuses of a purchase. */
export const STATUSES = [
  'TRIAL',
  'ACTIVE',
  'GRACE_PERIOD',
  'BILLING_RETRY',
  'PAUSED',
  'EXPIRED',
  'REFUNDED',
  'REVOKED',
] as const

export type PurchaseStatus = (typeof STATUSES)[number]

/** The statuses that give access. */
export const LIVE_STATUSES: readonly PurchaseStatus[] = ['TRIAL', 'ACTIVE', 'GRACE_PERIOD']

/** The statuses of a subscription that is paid for: the last charge counts until the grace period ends. */
export const PAID_STATUSES: readonly PurchaseStatus[] = ['ACTIVE', 'GRACE_PERIOD']

/** The statuses in which a charge has failed and the store tries it again. */
export const TROUBLED_STATUSES: readonly PurchaseStatus[] = ['GRACE_PERIOD', 'BILLING_RETRY']

/** The statuses in which the next period starts with a charge at its time, if the subscription renews. */
export const RENEWING_STATUSES: readonly PurchaseStatus[] = ['TRIAL', 'ACTIVE']

/** The statuses of a purchase whose money or access was taken back. */
const TAKEN_BACK_STATUSES: readonly PurchaseStatus[] = ['REFUNDED', 'REVOKED']

/** The wire sends a status as text. */
const among =
  (statuses: readonly string[]) =>
  (status: string | null): boolean =>
    status !== null && statuses.includes(status)

export const givesAccess = among(LIVE_STATUSES)
export const isPaidFor = among(PAID_STATUSES)
export const isTroubled = among(TROUBLED_STATUSES)
export const canRenew = among(RENEWING_STATUSES)
export const isTakenBack = among(TAKEN_BACK_STATUSES)

/** Whether nothing follows without a new purchase or a report of the store. */
export const isOver = among(['EXPIRED', ...TAKEN_BACK_STATUSES])
