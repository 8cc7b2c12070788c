import type { Read, Spot } from '../../../projects/project-file/reader'
import { readSecret, type Sources } from '../../../projects/project-file/secret'
import { readMembers } from '../groups/group'

/** Reads a list of ids, one a line: a text, or a placeholder such as `${file:./beta-testers.txt}`. */
export const memberList =
  (sources: Sources): Read<readonly string[]> =>
  (spot: Spot) => {
    if (isTooLongInline(spot)) return spot.fail(TOO_LONG)
    const found = readSecret(spot, sources)
    if (found === undefined) return undefined
    if ('missing' in found) return spot.fail(found.missing)
    const ids = readMembers(found.value)
    return typeof ids === 'string' ? spot.fail(`This ${ids}`) : ids
  }

const MAX_INLINE_BYTES = 64 * 1024

const isTooLongInline = ({ node }: Spot): boolean =>
  node.kind === 'scalar' && typeof node.value === 'string' && Buffer.byteLength(node.value.trim()) > MAX_INLINE_BYTES

// biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of a project file have this form.
const TOO_LONG = 'This list is over 64 KiB; put it into a file beside this one, and write "${file:./ids.txt}" here'
