import { DAY, SECOND } from '../../base/lib/clock'

/** The settings of a project (wire 7.3). The `settings` column stores only the values that differ from the defaults. */
export interface ProjectSettings {
  /** Under `labels`, a call with a public key needs an identity token to take a label or to act for one (wire 1.11). */
  identityVerification: IdentityVerification
  /** Where the customer's server publishes the keys of its identity tokens; null = nowhere. */
  identityJwksUrl: string | null
  purchaseTransfer: 'whenAnonymous' | 'always' | 'never'
  sandboxAccess: 'anybody' | 'allowList' | 'nobody'
  /** Labels or device keys of the testers whose sandbox purchases give access under `allowList`. */
  sandboxTesters: string[]
  providerGraceDays: number
  /** 0..100 */
  holdoutPercentage: number
  leaseTtlSeconds: number
  extraReservedKeys: boolean
  restrictReturnUrls: boolean
  allowLocalStoreTesting: boolean
  androidAcknowledge: boolean
  /** What a refund takes back of a virtual currency that has no setting of its own. */
  clawback: Clawback
  eventRetentionDays: number
}

/** Characters of `identityJwksUrl`. */
export const MAX_JWKS_URL = 2048

export const IDENTITY_VERIFICATIONS = ['off', 'labels'] as const
export type IdentityVerification = (typeof IDENTITY_VERIFICATIONS)[number]

export type Clawback = 'none' | 'available' | 'full'

export const DEFAULT_SETTINGS: ProjectSettings = {
  identityVerification: 'off',
  identityJwksUrl: null,
  purchaseTransfer: 'whenAnonymous',
  sandboxAccess: 'anybody',
  sandboxTesters: [],
  providerGraceDays: 7,
  holdoutPercentage: 0,
  leaseTtlSeconds: DAY / SECOND,
  extraReservedKeys: false,
  restrictReturnUrls: false,
  allowLocalStoreTesting: false,
  androidAcknowledge: true,
  clawback: 'none',
  eventRetentionDays: 30,
}
