import { isTimezone } from '../../../base/lib/timezone'
import { MAX_ORIGINS, parseOrigin } from '../../project/origins'
import { DEFAULT_SETTINGS, IDENTITY_VERIFICATIONS, MAX_JWKS_URL, type ProjectSettings } from '../../project/settings'
import { isSlug } from '../../project/slug'
import { label } from '../fields'
import type { Wanted } from '../model'
import { bool, checkedText, integer, list, number, object, oneOf, type Read, text } from '../reader'
import { CLAWBACKS, type WantedProject } from './model'

const slug: Read<string> = checkedText(64, (value) =>
  isSlug(value) ? null : 'A slug has 1 to 64 lower-case letters, digits and inner dashes',
)

const webUrl: Read<string> = checkedText(2048, (value) =>
  isWebUrl(value) ? null : 'This must be an http or https address',
)

function isWebUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}

const timezone: Read<string> = checkedText(64, (value) =>
  isTimezone(value) ? null : 'This must be a time zone like Europe/Istanbul or UTC',
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
    purchaseTransfer: members.optional(
      'purchaseTransfer',
      oneOf(['whenAnonymous', 'always', 'never']),
      d.purchaseTransfer,
    ),
    sandboxAccess: members.optional('sandboxAccess', oneOf(['anybody', 'allowList', 'nobody']), d.sandboxAccess),
    sandboxTesters: members.optional('sandboxTesters', list(label, 500), d.sandboxTesters),
    providerGraceDays: members.optional('providerGraceDays', integer(0, 90), d.providerGraceDays),
    holdoutPercentage: members.optional('holdoutPercentage', number(0, 100), d.holdoutPercentage),
    leaseTtlSeconds: members.optional('leaseTtlSeconds', integer(60, 2_592_000), d.leaseTtlSeconds),
    extraReservedKeys: members.optional('extraReservedKeys', bool, d.extraReservedKeys),
    restrictReturnUrls: members.optional('restrictReturnUrls', bool, d.restrictReturnUrls),
    allowLocalStoreTesting: members.optional('allowLocalStoreTesting', bool, d.allowLocalStoreTesting),
    androidAcknowledge: members.optional('androidAcknowledge', bool, d.androidAcknowledge),
    clawback: members.optional('clawback', oneOf(CLAWBACKS), d.clawback),
    eventRetentionDays: members.optional('eventRetentionDays', integer(30, 1825), d.eventRetentionDays),
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
