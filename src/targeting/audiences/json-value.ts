import { textFault } from '../../base/lib/json-fault'

const MAX_DESCRIPTION = 1000

/** Why a text cannot describe a flag or an audience, as the end of a sentence, or null. */
export function descriptionFault(text: unknown): string | null {
  if (text === null) return null
  if (typeof text !== 'string' || text.length > MAX_DESCRIPTION)
    return `must be null or a text of at most ${MAX_DESCRIPTION} characters`
  return textFault(text)
}
