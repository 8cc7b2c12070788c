import { Type } from '@sinclair/typebox'
import {
  CLAWBACKS,
  IDENTITY_VERIFICATIONS,
  MAX_JWKS_URL,
  MAX_TESTERS,
  PAUSED_COLLECTIONS,
  PURCHASE_TRANSFERS,
  SANDBOX_ACCESSES,
  SETTING_RANGES,
  UNLISTED_SALES,
} from '../../projects/project/settings'
import { oneOf } from '../wire'

const strict = { additionalProperties: false } as const

const range = ([minimum, maximum]: readonly [number, number]) => ({ minimum, maximum })
const jwksUrl = Type.Union([Type.String({ minLength: 1, maxLength: MAX_JWKS_URL }), Type.Null()])

const MEMBERS = {
  identityVerification: oneOf(IDENTITY_VERIFICATIONS),
  identityJwksUrl: jwksUrl,
  purchaseTransfer: oneOf(PURCHASE_TRANSFERS),
  sandboxAccess: oneOf(SANDBOX_ACCESSES),
  sandboxTesters: Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }), { maxItems: MAX_TESTERS }),
  providerGraceDays: Type.Integer(range(SETTING_RANGES.providerGraceDays)),
  pausedCollection: oneOf(PAUSED_COLLECTIONS),
  unlistedSales: oneOf(UNLISTED_SALES),
  holdoutPercentage: Type.Number(range(SETTING_RANGES.holdoutPercentage)),
  leaseTtlSeconds: Type.Integer(range(SETTING_RANGES.leaseTtlSeconds)),
  extraReservedKeys: Type.Boolean(),
  restrictReturnUrls: Type.Boolean(),
  allowLocalStoreTesting: Type.Boolean(),
  androidAcknowledge: Type.Boolean(),
  clawback: oneOf(CLAWBACKS),
  eventRetentionDays: Type.Integer(range(SETTING_RANGES.eventRetentionDays)),
  reportCurrency: Type.String({
    pattern: '^[A-Z]{3}$',
    maxLength: 3,
    description: 'ISO 4217: what metrics and charts are in that name no currency',
  }),
}

export const SettingsSchema = Type.Object(MEMBERS, { ...strict, title: 'ProjectSettings' })

/** Members that are left out keep their value. */
export const SettingsChange = Type.Partial(Type.Object(MEMBERS), { ...strict, title: 'ProjectSettingsChange' })
