import { callersWord, invalid } from '../../base/errors'
import { EVENT_TYPES } from './event-types'

const TYPE = /^(?:[a-z_]+(?:\.[a-z_]*)*)?\*$|^[a-z_]+(?:\.[a-z_]+)*$/
const MAX_TYPES = 50

/** The types of a comma list; 400 for a text that cannot be one, and for a type that no event has. Absent = all types. */
export function readTypes(text: string | undefined): string[] {
  if (text === undefined) return []
  const types = text.split(',').map((type) => type.trim())
  if (types.length > MAX_TYPES) throw invalid(`types: at most ${MAX_TYPES}`)
  const wrong = types.find((type) => !TYPE.test(type))
  if (wrong !== undefined) throw invalid('types: a comma list of event types such as purchase.renewed or purchase.*')
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => isOneOfTypes([type], known)))
  if (unknown === undefined) return types
  throw invalid(`types: there is no event type ${callersWord(unknown)}; /docs/guide/reference/events lists them`)
}

/** Whether a type is one of a filter's; an empty filter has all. */
export const isOneOfTypes = (filter: readonly string[], type: string): boolean =>
  filter.length === 0 || filter.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one))
