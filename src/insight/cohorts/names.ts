import type { Fault } from '../../core/text/fault'
import { textFault } from '../../core/text/json-fault'
import { checkIdentifier } from '../../projects/project-file/fields'

/** What is wrong with the identifier and the name of an object, as far as they are given. */
export function nameFaults({ identifier, name }: { identifier?: string; name?: string }): Fault[] {
  const found = {
    identifier: identifier === undefined ? null : identifierFault(identifier),
    name: name === undefined ? null : nameFault(name),
  }
  return Object.entries(found).flatMap(([path, message]) =>
    message === null ? [] : [{ path, message: `${path} ${message}` }],
  )
}

const identifierFault = (identifier: string): string | null =>
  checkIdentifier(identifier) === null ? null : 'must have 1 to 64 letters, digits, $, _, . and -'

function nameFault(name: string): string | null {
  if (name.trim() === '') return 'must not be blank'
  return /\p{Cc}/u.test(name) ? 'must not contain line breaks or other control characters' : textFault(name)
}
