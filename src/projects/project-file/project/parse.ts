import { isTimezone } from '../../../base/lib/timezone'
import { webUrlSentence } from '../../../base/lib/web-url'
import { MAX_TIMEZONE, MAX_WEB_URL } from '../../project/field-checks'
import { MAX_ORIGINS, parseOrigin } from '../../project/origins'
import {
  CLAWBACKS,
  DEFAULT_SETTINGS,
  IDENTITY_VERIFICATIONS,
  isCurrency,
  MAX_JWKS_URL,
  MAX_TESTERS,
  PAUSED_COLLECTIONS,
  type ProjectSettings,
  PURCHASE_TRANSFERS,
  SANDBOX_ACCESSES,
  SETTING_RANGES,
  UNLISTED_SALES,
} from '../../project/settings'
import { isSlug } from '../../project/slug'
import { label } from '../fields'
import type { Wanted } from '../model'
import { bool, checkedText, integer, list, number, object, oneOf, type Read, text } from '../reader'
import type { WantedProject } from './model'

const slug: Read<string> = checkedText(64, (value) =>
  isSlug(value) ? null : 'A slug has 1 to 64 lower-case letters, digits and inner dashes',
)

const webUrl: Read<string> = checkedText(MAX_WEB_URL, (value) => {
  const fault = webUrlSentence(value)
  return fault === null ? null : `This ${fault}`
})

const timezone: Read<string> = checkedText(MAX_TIMEZONE, (value) =>
  isTimezone(value) ? null : 'This must be a time zone like Europe/Istanbul or UTC',
)

const currency: Read<string> = checkedText(3, (value) =>
  isCurrency(value) ? null : 'This must be the code of a currency like EUR or USD',
)

const origin: Read<string> = (spot) => {
  const given = text(255)(spot)
  const parsed = given === undefined ? null : parseOrigin(given)
  if (parsed !== null || given === undefined) return parsed ?? undefined
  return spot.fail('An origin is scheme, host and optional port, nothing else', 'ORIGIN_INVALID', { origin: given })
}

const settings: Read<ProjectSettings> = object((members) => {
  const d = DEFAULT_SETTINGS
  return {
    identityVerification: members.optional(
      'identityVerification',
      oneOf(IDENTITY_VERIFICATIONS),
      d.identityVerification,
    ),
    identityJwksUrl: members.optional<string | null>('identityJwksUrl', text(MAX_JWKS_URL), d.identityJwksUrl),
    purchaseTransfer: members.optional('purchaseTransfer', oneOf(PURCHASE_TRANSFERS), d.purchaseTransfer),
    sandboxAccess: members.optional('sandboxAccess', oneOf(SANDBOX_ACCESSES), d.sandboxAccess),
    sandboxTesters: members.optional('sandboxTesters', list(label, MAX_TESTERS), d.sandboxTesters),
    providerGraceDays: members.optional(
      'providerGraceDays',
      integer(...SETTING_RANGES.providerGraceDays),
      d.providerGraceDays,
    ),
    pausedCollection: members.optional('pausedCollection', oneOf(PAUSED_COLLECTIONS), d.pausedCollection),
    unlistedSales: members.optional('unlistedSales', oneOf(UNLISTED_SALES), d.unlistedSales),
    holdoutPercentage: members.optional(
      'holdoutPercentage',
      number(...SETTING_RANGES.holdoutPercentage),
      d.holdoutPercentage,
    ),
    leaseTtlSeconds: members.optional('leaseTtlSeconds', integer(...SETTING_RANGES.leaseTtlSeconds), d.leaseTtlSeconds),
    extraReservedKeys: members.optional('extraReservedKeys', bool, d.extraReservedKeys),
    restrictReturnUrls: members.optional('restrictReturnUrls', bool, d.restrictReturnUrls),
    allowLocalStoreTesting: members.optional('allowLocalStoreTesting', bool, d.allowLocalStoreTesting),
    androidAcknowledge: members.optional('androidAcknowledge', bool, d.androidAcknowledge),
    clawback: members.optional('clawback', oneOf(CLAWBACKS), d.clawback),
    eventRetentionDays: members.optional(
      'eventRetentionDays',
      integer(...SETTING_RANGES.eventRetentionDays),
      d.eventRetentionDays,
    ),
    reportCurrency: members.optional('reportCurrency', currency, d.reportCurrency),
  }
})

const project: Read<WantedProject> = object((members) => ({
  slug: members.optional<string | null>('slug', slug, null),
  was: members.optional<string | null>('was', slug, null),
  name: members.optional<string | null>('name', label, null),
  timezone: members.optional('timezone', timezone, 'UTC'),
  allowedOrigins: [...new Set(members.optional('allowedOrigins', list(origin, MAX_ORIGINS), []))],
  termsUrl: members.optional<string | null>('termsUrl', webUrl, null),
  privacyUrl: members.optional<string | null>('privacyUrl', webUrl, null),
  settings: members.optional('settings', settings, DEFAULT_SETTINGS),
}))

/** The section has exactly one object. */
export const parseProject: Read<Wanted<WantedProject>[]> = (spot) => {
  const state = project(spot)
  return state && [{ name: state.slug ?? '', was: null, path: spot.path, state }]
}
