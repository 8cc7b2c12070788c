import { nameFault } from '../../../core/audience/check'
import { audienceMembers } from '../../../core/audience/file'
import { contentByName, withoutNulls } from '../../../core/project-file/content'
import type { RuleFault } from '../../../core/rules/model'
import { parseRules } from '../../../core/rules/rules'
import { groupsNamedIn } from '../../../core/rules/walk'
import { description } from '../../../projects/project-file/fields'
import { type Formed, form, must, type Naming, orNone } from '../../../projects/project-file/form'
import { sectionKey } from '../../../projects/project-file/model'
import { checkedText, drawnAs, type Read, type Spot, toJson } from '../../../projects/project-file/reader'
import { readSecret } from '../../../projects/project-file/secret'
import { readMembers } from '../groups/group'
import type { StoredMembers } from '../groups/living'
import { RULES_SCHEMA } from './rules-schema'

/** The reason why a text cannot be the name of an audience, or null. */
export const checkAudienceName = (name: string): string | null => {
  const fault = nameFault(name)
  return fault === null ? null : `The name of an audience ${fault}`
}

export const NAMING: Naming = { check: checkAudienceName, read: checkedText(255, checkAudienceName) }

const refer = (spot: Spot, name: string): void =>
  spot.refer(AUDIENCES, name, { code: 'VALIDATION_ERROR', details: () => null })

/** Reads the name of an audience of the project. */
export const audienceName: Read<string> = (spot) => {
  const name = NAMING.read(spot)
  if (name !== undefined) refer(spot, name)
  return name
}

/** Reads a rules document (wire 5.3). A problem is recorded at the place of the wrong value. */
export const rules: Read<Record<string, unknown>> = drawnAs(RULES_SCHEMA, (spot) => {
  const document = toJson(spot.node)
  const parsed = parseRules(document)
  if (!parsed.ok) return spot.failAt(parsed.fault.steps.slice(1), adviceOf(parsed.fault))
  for (const { name } of groupsNamedIn(parsed.rules)) refer(spot, name)
  return document as Record<string, unknown> // The parser accepts only objects.
})

const adviceOf = ({ path, message }: RuleFault): string => `This ${message.slice(path.length + 2)}`

/** The audiences whose lists of ids a saved document names. */
export function groupsIn(document: unknown): string[] {
  const parsed = parseRules(document ?? null)
  return parsed.ok ? groupsNamedIn(parsed.rules).map(({ name }) => name) : []
}

/** Reads a list of ids, one a line: a text, or a placeholder such as `${file:./beta-testers.txt}`. */
const memberList: Read<readonly string[]> = (spot) => {
  if (isTooLongInline(spot)) return spot.fail(TOO_LONG)
  const found = readSecret(spot)
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

export const AUDIENCE = form({
  description: orNone(description),
  rules: must(rules, {}),
  /** The ids; null where the file does not name them. Then the saved list stays. */
  members: orNone(memberList),
})

/** An audience in the form of the file. */
export type AudienceEntry = Formed<typeof AUDIENCE>

export interface AudienceState extends Omit<AudienceEntry, 'members'> {
  /** The list of ids, as it is stored; null = none. */
  members: StoredMembers | null
}

export const AUDIENCES = sectionKey<AudienceState, AudienceEntry>('audiences', 'audience')

/** Lists of ids are not exported. */
export const audiencesContent = (saved: readonly { name: string; state: AudienceState }[]) =>
  contentByName(saved, (state) => withoutNulls(audienceMembers(state)))
