import { formatRulePath } from '../rules/faults'
import { hintsOf } from '../rules/hints'
import { parseRules } from '../rules/rules'
import { groupsNamedIn } from '../rules/walk'
import type { Fault } from '../text/fault'
import { jsonFault, textFault } from '../text/json-fault'

const MAX_NAME_CHARACTERS = 255
const MAX_DESCRIPTION = 1000

/** Why a text cannot describe a flag or an audience, as the end of a sentence, or null. */
export function descriptionFault(text: unknown): string | null {
  if (text === null) return null
  if (typeof text !== 'string' || text.length > MAX_DESCRIPTION)
    return `must be null or a text of at most ${MAX_DESCRIPTION} characters`
  return textFault(text)
}

/** Why a text cannot be the name of an audience, as the end of a sentence, or null. */
export function nameFault(name: string): string | null {
  if (name.trim() === '' || name.length > MAX_NAME_CHARACTERS)
    return `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters`
  if (/\p{Cc}/u.test(name)) return 'must not contain line breaks or other control characters'
  // Objects with names as keys would lose it.
  return name === '__proto__' ? 'must not be __proto__' : null
}

/** Everything that is wrong with an audience that is about to be written; when nothing is, it may be saved. */
export function checkAudience(
  audience: { name: string; description: string | null; rules: unknown },
  audienceNames: ReadonlySet<string>,
): Fault[] {
  const { name, description, rules } = audience
  const found = {
    name: typeof name === 'string' ? (nameFault(name) ?? jsonFault(name)) : 'must be a text',
    description: descriptionFault(description),
  }
  return [
    ...Object.entries(found).flatMap(([path, message]) => (message ? [{ path, message: `${path} ${message}` }] : [])),
    ...checkRules(rules, new Set([...audienceNames, name])),
  ]
}

/** Everything that is wrong with a rules document, each fault with its place: `rules.age.$gt`. */
export const checkRules = (document: unknown, audienceNames: ReadonlySet<string>): Fault[] =>
  rulesFaults(document, audienceNames).map(({ path, message }) => {
    const place = ['rules', path].filter(Boolean).join('.')
    return { path: place, message: `${place} ${message}` }
  })

/**
 * What is wrong with a rules document, the names of audiences in it included. The path is inside the document (empty =
 * the document itself); the message is the end of a sentence.
 */
export function rulesFaults(document: unknown, audienceNames: ReadonlySet<string>): Fault[] {
  const parsed = parseRules(document)
  if (!parsed.ok) {
    const { steps, path, message } = parsed.fault
    return [{ path: formatRulePath(steps.slice(1)), message: message.slice(path.length + 2) }]
  }
  const message = jsonFault(document)
  if (message !== null) return [{ path: '', message }]
  return groupsNamedIn(parsed.rules)
    .filter(({ name }) => !audienceNames.has(name))
    .map(({ steps, name }) => ({ path: formatRulePath(steps.slice(1)), message: `names no audience ${name}` }))
}

/** A part of saved rules that probably does not do what its author meant. */
export interface RuleWarning {
  path: string
  message: string
}

/** The warnings about a rules document at a place: `rules` or `rules[2].conditions`. */
export const rulesWarnings = (document: unknown, place: string): RuleWarning[] =>
  hintsOf(document)
    .filter(({ reason }) => reason !== 'LIST')
    .map(({ steps, message }) => {
      const path = [place, formatRulePath(steps.slice(1))].filter(Boolean).join('.')
      return { path, message: `${path} ${message}` }
    })

/** Empty rules match everyone, so a list has no effect until a rule uses it with `$inGroup`. */
export const listWarnings = (rules: object, size: number): RuleWarning[] =>
  size === 0 || Object.keys(rules).length > 0
    ? []
    : [
        {
          path: 'rules',
          message: 'rules are empty, so the audience is everybody, also who is not in its list; use $inGroup',
        },
      ]

/** What names an audience, and so keeps it from being deleted. A flag is called `new_checkout (PROD)`. */
export interface AudienceReference {
  /** The kind of object: `flag`, `experiment`, `placement`. */
  type: string
  id: string
  name: string
}

/** An object that can name audiences, by their ids or by their names; all users of one question name them alike. */
export interface AudienceUser extends AudienceReference {
  audiences: readonly (string | null | undefined)[]
  /** Rules documents of the object: `$inGroup` names audiences by their names. */
  documents?: readonly unknown[]
}

/** What names the audience. If anything does, deleting it is refused with 409 `audience_in_use`. */
export const referencesTo = (audience: string, users: readonly AudienceUser[], name?: string): AudienceReference[] =>
  users
    .filter(({ audiences, documents = [] }) => audiences.includes(audience) || documents.some(names(name)))
    .map(({ type, id, name: user }) => ({ type, id, name: user }))

const names =
  (name: string | undefined) =>
  (document: unknown): boolean => {
    if (name === undefined) return false
    const parsed = parseRules(document ?? null)
    return parsed.ok && groupsNamedIn(parsed.rules).some((group) => group.name === name)
  }

/** The sentence of the 409 `CONFLICT` that answers any change of the default audience. */
export const DEFAULT_FIXED = 'All users is the audience of everybody; it cannot be changed, renamed or deleted'
