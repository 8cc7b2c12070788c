import type { Read, Spot } from '../../../projects/project-file/reader'
import { readSecret, type Sources } from '../../../projects/project-file/secret'
import { readMembers } from '../groups/group'

/** Reads a list of ids, one a line: a text, or a placeholder such as `${file:./beta-testers.txt}`. */
export const memberList =
  (sources: Sources): Read<readonly string[]> =>
  (spot: Spot) => {
    const found = readSecret(spot, sources)
    if (found === undefined) return undefined
    if ('missing' in found) return spot.fail(found.missing)
    const ids = readMembers(found.value)
    return typeof ids === 'string' ? spot.fail(`This ${ids}`) : ids
  }
