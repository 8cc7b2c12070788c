/** Characters of `identityJwksUrl`. */
export const MAX_JWKS_URL = 2048

export const IDENTITY_VERIFICATIONS = ['off', 'labels'] as const
export type IdentityVerification = (typeof IDENTITY_VERIFICATIONS)[number]

export const PURCHASE_TRANSFERS = ['whenAnonymous', 'always', 'never'] as const

export const SANDBOX_ACCESSES = ['anybody', 'allowList', 'nobody'] as const

export const PAUSED_COLLECTIONS = ['access', 'noAccess'] as const

export const UNLISTED_SALES = ['ignore', 'count'] as const

export const CLAWBACKS = ['none', 'available', 'full'] as const
export type Clawback = (typeof CLAWBACKS)[number]

export const ASSISTANT_MODES = ['off', 'read', 'propose'] as const

export const ASSISTANT_DATA = ['masked', 'full'] as const

export const MAX_TESTERS = 500

/** The least and the greatest value of the settings that are numbers. */
export const SETTING_RANGES = {
  providerGraceDays: [0, 90],
  holdoutPercentage: [0, 100],
  leaseTtlSeconds: [60, 2_592_000],
  eventRetentionDays: [30, 1825],
} as const
