import { checkIdentifier, identifier } from './fields'
import type { Wanted } from './model'
import { entries, type Members, object, type Read, type Spot } from './reader'

/** What the objects of a section are called. */
export interface Naming {
  check(name: string): string | null
  read: Read<string>
}

const BY_IDENTIFIER: Naming = { check: checkIdentifier, read: identifier }

/** A section: objects under their names, each of which may say what it was called before. */
export const section =
  <State>(read: (members: Members, spot: Spot) => State, naming: Naming = BY_IDENTIFIER): Read<Wanted<State>[]> =>
  (spot) => {
    const objects = entries((name, at) => namedObject(name, at, read, naming))(spot)
    const claimed = new Set<string>()
    for (const { was, name } of objects ?? []) {
      if (was !== null && claimed.has(was)) spot.at(name, spot.node).fail(`Two objects say that they were ${was}`)
      if (was !== null) claimed.add(was)
    }
    return objects
  }

function namedObject<State>(
  name: string,
  spot: Spot,
  read: (members: Members, spot: Spot) => State,
  naming: Naming,
): Wanted<State> | undefined {
  const complaint = naming.check(name)
  if (complaint !== null) return spot.fail(complaint)
  return object((members): Wanted<State> => {
    const was = members.optional<string | null>('was', naming.read, null)
    return { name, was: was === name ? null : was, path: spot.path, state: read(members, spot) }
  })(spot)
}
