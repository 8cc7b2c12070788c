import { DAY, SECOND } from '../../base/lib/clock'
import { canonicalJson } from '../../base/lib/hash'

/** The settings of a project (wire 7.3). The `settings` column stores only the values that differ from the defaults. */
export interface ProjectSettings {
  /** Under `labels`, a call with a public key needs an identity token to take a label or to act for one (wire 1.11). */
  identityVerification: IdentityVerification
  /** Where the customer's server publishes the keys of its identity tokens; null = nowhere. */
  identityJwksUrl: string | null
  purchaseTransfer: PurchaseTransfer
  sandboxAccess: SandboxAccess
  /** Labels or device keys of the testers whose sandbox purchases give access under `allowList`. */
  sandboxTesters: string[]
  providerGraceDays: number
  /** Whether a customer of the payment provider keeps access after the paid period while the collection is paused. */
  pausedCollection: PausedCollection
  /** Whether sales of the payment provider without any product of the catalogue are in the figures. */
  unlistedSales: UnlistedSales
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
  /** ISO 4217: what reports are in that name no currency. */
  reportCurrency: string
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

/** Characters of `identityJwksUrl`. */
export const MAX_JWKS_URL = 2048

export const IDENTITY_VERIFICATIONS = ['off', 'labels'] as const
export type IdentityVerification = (typeof IDENTITY_VERIFICATIONS)[number]

export const PURCHASE_TRANSFERS = ['whenAnonymous', 'always', 'never'] as const
export type PurchaseTransfer = (typeof PURCHASE_TRANSFERS)[number]

export const SANDBOX_ACCESSES = ['anybody', 'allowList', 'nobody'] as const
export type SandboxAccess = (typeof SANDBOX_ACCESSES)[number]

export const PAUSED_COLLECTIONS = ['access', 'noAccess'] as const
export type PausedCollection = (typeof PAUSED_COLLECTIONS)[number]

export const UNLISTED_SALES = ['ignore', 'count'] as const
export type UnlistedSales = (typeof UNLISTED_SALES)[number]

export const CLAWBACKS = ['none', 'available', 'full'] as const
export type Clawback = (typeof CLAWBACKS)[number]

export const MAX_TESTERS = 500

/** The least and the greatest value of the settings that are numbers. */
export const SETTING_RANGES = {
  providerGraceDays: [0, 90],
  holdoutPercentage: [0, 100],
  leaseTtlSeconds: [60, 2_592_000],
  eventRetentionDays: [30, 1825],
} as const

export const DEFAULT_SETTINGS: ProjectSettings = {
  identityVerification: 'off',
  identityJwksUrl: null,
  purchaseTransfer: 'whenAnonymous',
  sandboxAccess: 'anybody',
  sandboxTesters: [],
  providerGraceDays: 7,
  pausedCollection: 'access',
  unlistedSales: 'ignore',
  holdoutPercentage: 0,
  leaseTtlSeconds: DAY / SECOND,
  extraReservedKeys: false,
  restrictReturnUrls: false,
  allowLocalStoreTesting: false,
  androidAcknowledge: true,
  clawback: 'none',
  eventRetentionDays: 30,
  reportCurrency: 'USD',
}

const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof ProjectSettings)[]

/** All settings of a project. Members of the column that no setting has are left out. */
export const allSettings = (saved: Partial<ProjectSettings>): ProjectSettings => ({
  ...DEFAULT_SETTINGS,
  ...Object.fromEntries(Object.entries(saved).filter(([name]) => name in DEFAULT_SETTINGS)),
})

/** Only values that differ are saved, so that a new default applies to all projects that never set the value. */
export const withoutDefaults = (settings: ProjectSettings): Partial<ProjectSettings> => {
  const isChosen = (name: keyof ProjectSettings) =>
    canonicalJson(settings[name]) !== canonicalJson(DEFAULT_SETTINGS[name])
  return Object.fromEntries(SETTING_NAMES.filter(isChosen).map((name) => [name, settings[name]]))
}
