import { checkIdentifier, identifier } from './fields'
import type { Wanted } from './model'
import { entries, type Members, object, type Read, type Spot } from './reader'

/** How the names of objects in a section are checked and read. */
export interface Naming {
  check(name: string): string | null
  read: Read<string>
}

const BY_IDENTIFIER: Naming = { check: checkIdentifier, read: identifier }

/** Reads objects under their names. Each of them may give its former name in `was`. */
export const objects =
  <Entry>(read: (members: Members, spot: Spot) => Entry, naming: Naming = BY_IDENTIFIER): Read<Wanted<Entry>[]> =>
  (spot) => {
    const found = entries((name, at) => namedObject(name, at, read, naming))(spot)
    const claimed = new Set<string>()
    for (const { was, name } of found ?? []) {
      if (was !== null && claimed.has(was)) spot.at(name, spot.node).fail(`Two objects say that they were ${was}`)
      if (was !== null) claimed.add(was)
    }
    return found
  }

function namedObject<Entry>(
  name: string,
  spot: Spot,
  read: (members: Members, spot: Spot) => Entry,
  naming: Naming,
): Wanted<Entry> | undefined {
  const complaint = naming.check(name)
  if (complaint !== null) return spot.fail(complaint)
  return object((members): Wanted<Entry> => {
    const was = members.optional<string | null>('was', naming.read, null)
    return { name, was: was === name ? null : was, path: spot.path, state: read(members, spot) }
  })(spot)
}
