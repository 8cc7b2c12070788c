import type { StoredAttribute, StoredAttributes } from './tables'

const CUSTOM_KEY = /^[A-Za-z0-9_.-]{1,40}$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const MAX_VALUE = 500
export const MAX_CUSTOM_KEYS = 50
const MAX_SHOWN_KEY = 100

type Rule = (value: string) => string | null

const atMost500: Rule = (value) => (value.length <= MAX_VALUE ? null : `must have at most ${MAX_VALUE} characters`)

const RESERVED: Record<string, Rule> = {
  $email: (value) =>
    value.length >= 3 && value.length <= 254 && EMAIL.test(value)
      ? null
      : 'must be an e-mail address of at most 254 characters',
  $phoneNumber: (value) => (isPhoneNumber(value) ? atMost500(value) : 'must be a phone number of 7 to 15 digits'),
  $displayName: atMost500,
  $apnsTokens: atMost500,
  $fcmTokens: atMost500,
}

/** Keys of advertising and attribution tools. The project setting `extraReservedKeys` allows them. */
const EXTRA_RESERVED = new Set(
  '$mediaSource $campaign $adGroup $keyword $creative $ad $idfa $idfv $gpsAdId $attConsentStatus $appsflyerId $adjustId $firebaseAppInstanceId $mixpanelDistinctId $amplitudeDeviceId $amplitudeUserId'.split(
    ' ',
  ),
)

export type AttributeChanges = Record<string, unknown>

interface Rules {
  now: number
  source: string
  extraReservedKeys: boolean
  /** Further reserved keys that the caller accepts. */
  reservedKeys?: ReadonlySet<string>
}

export type AttributeResult = { ok: true; attributes: StoredAttributes } | { ok: false; faults: string[] }

/**
 * The attributes after the changes; either all changes apply or none does (wire 2.6). `null` deletes a key. A refusal
 * lists every bad key as `key: reason`, because a client that is refused drops its whole queue of changes.
 */
export function applyAttributes(stored: StoredAttributes, changes: AttributeChanges, rules: Rules): AttributeResult {
  const faults = Object.entries(changes).flatMap(([key, value]) => {
    const fault = faultOf(key, value, rules)
    return fault === null ? [] : [`${shortened(key)}: ${fault}`]
  })
  if (faults.length > 0) return { ok: false, faults }
  const attributes = merged(stored, changes, rules)
  const customs = Object.keys(attributes).filter(isCustom).length
  if (customs > MAX_CUSTOM_KEYS && addsCustom(stored, attributes))
    return { ok: false, faults: [`attributes: at most ${MAX_CUSTOM_KEYS} custom keys, this would make ${customs}`] }
  return { ok: true, attributes }
}

/** A refused key can be as long as the body. */
const shortened = (key: string): string => (key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}…` : key)

function faultOf(key: string, value: unknown, rules: Rules): string | null {
  const rule = ruleOf(key, rules)
  if (typeof rule === 'string') return rule
  if (value === null) return null
  if (typeof value !== 'string') return 'must be a string or null'
  return rule(value)
}

function ruleOf(key: string, { extraReservedKeys, reservedKeys }: Rules): Rule | string {
  if (!key.startsWith('$')) return CUSTOM_KEY.test(key) ? atMost500 : 'a key has 1 to 40 letters, digits, _, . or -'
  const reserved = Object.hasOwn(RESERVED, key) ? RESERVED[key] : undefined
  if (reserved) return reserved
  return (extraReservedKeys && EXTRA_RESERVED.has(key)) || reservedKeys?.has(key) ? atMost500 : 'is not a reserved key'
}

const isPhoneNumber = (value: string): boolean => /^\+?\d{7,15}$/.test(value.replace(/[\s()-]/g, ''))

const isCustom = (key: string): boolean => !key.startsWith('$')

function merged(stored: StoredAttributes, changes: AttributeChanges, { now, source }: Rules): StoredAttributes {
  const attributes = new Map<string, StoredAttribute>(Object.entries(stored))
  for (const [key, value] of Object.entries(changes)) {
    if (typeof value !== 'string') attributes.delete(key)
    else if (attributes.get(key)?.value !== value) attributes.set(key, { value, source, updatedAt: now })
  }
  return Object.fromEntries(attributes)
}

const addsCustom = (stored: StoredAttributes, attributes: StoredAttributes): boolean =>
  Object.keys(attributes).some((key) => isCustom(key) && !Object.hasOwn(stored, key))

/**
 * The attributes of the surviving row after a merge, and the keys copied to it. A key is copied from the other row when
 * the survivor does not have it. No custom key is copied once the survivor has `MAX_CUSTOM_KEYS`.
 */
export function mergeAttributes(
  survivor: StoredAttributes,
  other: StoredAttributes,
): { attributes: StoredAttributes; copied: string[] } {
  const attributes = new Map(Object.entries(survivor))
  const copied: string[] = []
  let customs = [...attributes.keys()].filter(isCustom).length
  for (const [key, attribute] of Object.entries(other)) {
    if (attributes.has(key) || (isCustom(key) && customs >= MAX_CUSTOM_KEYS)) continue
    attributes.set(key, attribute)
    copied.push(key)
    if (isCustom(key)) customs++
  }
  return { attributes: Object.fromEntries(attributes), copied }
}
