import { type Static, Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../schema/object'
import {
  ASSISTANT_DATA,
  ASSISTANT_MODES,
  CLAWBACKS,
  IDENTITY_VERIFICATIONS,
  MAX_JWKS_URL,
  MAX_TESTERS,
  PAUSED_COLLECTIONS,
  PURCHASE_TRANSFERS,
  SANDBOX_ACCESSES,
  SETTING_RANGES,
  UNLISTED_SALES,
} from './settings'

const range = ([minimum, maximum]: readonly [number, number]) => ({ minimum, maximum })

/** The settings of a project (wire 7.3), on the wire and in the project file. */
export const SETTINGS = {
  /** Under `labels`, a call with a public key needs an identity token to take a label or to act for one (wire 1.11). */
  identityVerification: oneOf(IDENTITY_VERIFICATIONS),
  /** Where the customer's server publishes the keys of its identity tokens; null = nowhere. */
  identityJwksUrl: orNull(Type.String({ minLength: 1, maxLength: MAX_JWKS_URL })),
  purchaseTransfer: oneOf(PURCHASE_TRANSFERS),
  sandboxAccess: oneOf(SANDBOX_ACCESSES),
  /** Labels or device keys of the testers whose sandbox purchases give access under `allowList`. */
  sandboxTesters: Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }), { maxItems: MAX_TESTERS }),
  providerGraceDays: Type.Integer(range(SETTING_RANGES.providerGraceDays)),
  /** Whether a customer of the payment provider keeps access after the paid period while the collection is paused. */
  pausedCollection: oneOf(PAUSED_COLLECTIONS),
  /** Whether sales of the payment provider without any product of the catalogue are in the figures. */
  unlistedSales: oneOf(UNLISTED_SALES),
  holdoutPercentage: Type.Number(range(SETTING_RANGES.holdoutPercentage)),
  leaseTtlSeconds: Type.Integer(range(SETTING_RANGES.leaseTtlSeconds)),
  extraReservedKeys: Type.Boolean(),
  restrictReturnUrls: Type.Boolean(),
  allowLocalStoreTesting: Type.Boolean(),
  androidAcknowledge: Type.Boolean(),
  /** What a refund takes back of a virtual currency that has no setting of its own. */
  clawback: oneOf(CLAWBACKS),
  eventRetentionDays: Type.Integer(range(SETTING_RANGES.eventRetentionDays)),
  reportCurrency: Type.String({
    pattern: '^[A-Z]{3}$',
    maxLength: 3,
    description: 'ISO 4217: what metrics and charts are in that name no currency',
  }),
  /** What the assistant and agents may do: nothing, read, or also propose changes that people approve. */
  assistant: oneOf(ASSISTANT_MODES),
  /** Whether personal data reaches the model as it is, or marks in its place. */
  assistantPersonalData: oneOf(ASSISTANT_DATA),
}

const strict = { additionalProperties: false } as const

export const SettingsSchema = Type.Object(SETTINGS, { ...strict, title: 'ProjectSettings' })

/** Members that are left out keep their value. */
export const SettingsChange = Type.Partial(Type.Object(SETTINGS), { ...strict, title: 'ProjectSettingsChange' })

/** The `settings` column stores only the values that differ from the defaults. */
export type ProjectSettings = Static<typeof SettingsSchema>

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
  leaseTtlSeconds: 24 * 60 * 60,
  extraReservedKeys: false,
  restrictReturnUrls: false,
  allowLocalStoreTesting: false,
  androidAcknowledge: true,
  clawback: 'none',
  eventRetentionDays: 30,
  reportCurrency: 'USD',
  assistant: 'propose',
  assistantPersonalData: 'masked',
}
