import type { Fault } from '../../core/text/fault'
import { isKnownFilter } from './filter'
import { type EndpointSettings, MAX_AUTHORIZATION_CHARACTERS } from './model'

const MAX_NAME_CHARACTERS = 255

/** The fault of the name of an endpoint, or null. A project file has it as a key. */
export function nameFault(name: string): string | null {
  if (name.trim() === '' || name.length > MAX_NAME_CHARACTERS)
    return `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters`
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return 'must not contain line breaks or other control characters'
  // Objects with names as keys would lose it.
  return name === '__proto__' ? 'must not be __proto__' : null
}

/** The fault of a filter of event types, or null. */
export const filterFault = (filter: string): string | null =>
  isKnownFilter(filter)
    ? null
    : 'must be *, an event type, or the beginning of event types such as purchase.*; /docs/guide/reference/events lists them'

/** The fault of an `Authorization` value, or null. It is sent as a header. */
export const authorizationFault = (value: string): string | null =>
  value.length <= MAX_AUTHORIZATION_CHARACTERS && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? null
    : `must be 1 to ${MAX_AUTHORIZATION_CHARACTERS} visible ASCII characters, with spaces only between them`

/** Everything that is wrong with the settings of an endpoint, apart from its address. */
export function checkEndpoint({ name, eventTypes }: EndpointSettings, authorization: string | null): Fault[] {
  const faults: [path: string, fault: string | null][] = [
    ['name', nameFault(name)],
    ...eventTypes.map((filter, at): [string, string | null] => [`eventTypes[${at}]`, filterFault(filter)]),
    ['authorization', authorization === null ? null : authorizationFault(authorization)],
  ]
  return faults.flatMap(([path, fault]) => (fault === null ? [] : [{ path, message: `${path} ${fault}` }]))
}
