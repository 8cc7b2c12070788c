import { invalid } from '../../base/errors'
import { headerText } from '../../base/http/parameters'

const RESERVED = /^(ios|android|payment|import):/
const OF_LABEL = 'rc:label:'

/** Returns the value when it is a valid device key (wire 1.1); else throws a 400 that names the field. */
export function checkDeviceKey(value: string, field: string): string {
  const fault = deviceKeyFault(value)
  if (fault !== null) throw invalid(`${field} must ${fault}`)
  return value
}

/** Like `checkDeviceKey`, but returns a boolean, for texts that no caller sent. */
export const isDeviceKey = (value: string): boolean => deviceKeyFault(value) === null

/** Why a text is no device key, worded to follow "must"; null when it is one. */
export function deviceKeyFault(value: string): string | null {
  if (value.length < 1 || value.length > 128) return 'have 1 to 128 characters'
  if (/\p{Cc}/u.test(value)) return 'not hold control characters'
  if (value.startsWith(OF_LABEL)) return `not begin with ${OF_LABEL}`
  return RESERVED.test(value) ? 'not begin with ios:, android:, payment: or import:' : null
}

/** The key of a person whom no device has named yet, only another vendor's SDK, by the app's own id of the person. */
export const labelDeviceKey = (label: string): string => OF_LABEL + label

/** The longest key that is made here: a prefix and a label. */
const MAX_MADE = 300

/** The same for a key as it is stored: it may have been made here, for a person who has no device yet. */
export const storedKeyFault = (value: string): string | null =>
  (RESERVED.test(value) || value.startsWith(OF_LABEL)) && value.length <= MAX_MADE ? null : deviceKeyFault(value)

/**
 * The kinds of routes that differ in where they look for the device key, and in which order (wire 1.8). `body`: the
 * member `subscriberId` is in the body and not in the query.
 */
export type IdentityFamily = 'device' | 'config' | 'optional' | 'body'

type Query = Record<string, string | undefined>

/** The device key of a call; 400 when there is none. */
export function deviceKeyOf(family: 'device' | 'config', headers: Headers, query: Query): string {
  const found = findDeviceKey(family, headers, query)
  if (found !== null) return found
  throw invalid(
    family === 'device'
      ? 'Send the device key in X-Svc-App-User-Id'
      : 'Send the device key as query subscriberId or in X-Svc-User-Id',
  )
}

/** Like `deviceKeyOf`, but returns null when the call names no device. */
export function findDeviceKey(family: IdentityFamily, headers: Headers, query: Query): string | null {
  for (const [field, value] of candidates(family, headers, query)) if (value) return checkDeviceKey(value, field)
  return null
}

function candidates(family: IdentityFamily, headers: Headers, query: Query): [field: string, value: string | null][] {
  const fromApp: [string, string | null] = ['X-Svc-App-User-Id', headerText(headers, 'x-svc-app-user-id')]
  if (family === 'device') return [fromApp]
  const named: [string, string | null] = ['subscriberId', query.subscriberId?.trim() || null]
  const fromUser: [string, string | null] = ['X-Svc-User-Id', headerText(headers, 'x-svc-user-id')]
  if (family === 'body') return [named, fromApp, fromUser]
  return family === 'config' ? [named, fromUser] : [named, fromUser, fromApp]
}

export type Platform = 'ios' | 'android' | 'web'

/** `X-Svc-Platform`, trimmed and in lower case; null for any value other than the three known platforms. */
export function platformOf(headers: Headers): Platform | null {
  return knownPlatform(headerText(headers, 'x-svc-platform') ?? '')
}

/** The platform that a text names, trimmed and in lower case; null for any text other than the three known platforms. */
export function knownPlatform(text: string): Platform | null {
  const value = text.trim().toLowerCase()
  return value === 'ios' || value === 'android' || value === 'web' ? value : null
}

const IDENTITY_HEADERS = ['x-svc-app-user-id', 'x-svc-user-id'] as const
const IDENTITY_MEMBERS = ['deviceKey', 'svcId', 'subscriberId', 'appUserId'] as const

/**
 * All device keys in the query, the headers and the body, one per line; empty when there is none. Part of a request's
 * identity: the same receipt for another device is another request. It takes all of them because each route has its own
 * order of preference (wire 1.8).
 */
export function devicesOfCall({ url, headers }: Request, body: unknown): string {
  const members = body as Record<string, unknown>
  const named = [
    ...new URL(url).searchParams.getAll('subscriberId').map((value) => value.trim()),
    ...IDENTITY_HEADERS.map((name) => headerText(headers, name)),
    IDENTITY_MEMBERS.map((name) => members?.[name]).find((value) => typeof value === 'string'),
  ]
  return [...new Set(named.filter(Boolean))].join('\n')
}
