import type { Fault } from '../../base/lib/matches'
import { isKnownFilter } from './scope'

const MAX_NAME_CHARACTERS = 100

/** Everything that is wrong with the settings of a connection that are the same for all providers. */
export function settingFaults({
  enabledEvents = [],
  eventMapping = {},
}: {
  enabledEvents?: readonly string[]
  eventMapping?: Readonly<Record<string, string>>
}): Fault[] {
  const scope = enabledEvents.flatMap((filter, at) =>
    isKnownFilter(filter)
      ? []
      : [faultAt(`enabledEvents[${at}]`, 'must be *, an event type, or the beginning of some such as purchase.*')],
  )
  const isPlain = Object.entries(eventMapping).flat().every(isPlainName)
  const names = `must have texts of 1 to ${MAX_NAME_CHARACTERS} visible characters on both sides`
  return isPlain ? scope : [...scope, faultAt('eventMapping', names)]
}

const faultAt = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` })

const isPlainName = (text: string): boolean =>
  text.trim() !== '' && text.length <= MAX_NAME_CHARACTERS && !/\p{Cc}/u.test(text) && text.isWellFormed()
