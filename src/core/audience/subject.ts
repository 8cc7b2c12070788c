import type { BuiltIn, Subject, TimeBuiltIn } from '../rules/model'
import { parseIso, toIso } from '../time/iso'

/** What rules read besides the subscriber: the other flags of the environment, and the lists of ids of audiences. */
export interface Surroundings {
  /** The text of the value of a flag for this subject; undefined for a flag that is off or missing. */
  flag(key: string, subject: Subject): string | undefined
  isInGroup(audienceId: string, text: string): boolean
}

/** No flags and no groups. */
export const ALONE: Surroundings = { flag: () => undefined, isInGroup: () => false }

/** The facts about a subscriber that rules can read; times are also given in milliseconds. */
export interface SubjectSource {
  /** Custom attributes, read by their literal key. */
  attributes: Readonly<Record<string, string>>
  builtIn(name: BuiltIn): string | undefined
  instant(name: TimeBuiltIn): number | undefined
}

/**
 * A subscriber as rules see them. A built-in is computed once, when a rule first reads it: the rules of all flags of a
 * call share one subject.
 */
export function subjectFrom({ attributes, builtIn, instant }: SubjectSource, surroundings: Surroundings): Subject {
  const known = new Map<BuiltIn, string | undefined>()
  const subject: Subject = {
    custom: (name) => ownText(attributes, name),
    builtIn(name) {
      const value = known.get(name)
      if (value !== undefined || known.has(name)) return value
      const computed = builtIn(name)
      known.set(name, computed)
      return computed
    },
    instant,
    ...flagReader(surroundings, () => subject),
    isInGroup: surroundings.isInGroup,
  }
  return subject
}

/** A subscriber whose built-in values are there as text; null = missing. */
export function textSubject(
  attributes: Readonly<Record<string, string>>,
  builtIns: Readonly<Record<string, string | null>>,
  surroundings: Surroundings = ALONE,
): Subject {
  const builtIn = (name: string) => (Object.hasOwn(builtIns, name) ? (builtIns[name] ?? undefined) : undefined)
  const instant = (name: string) => parseIso(builtIn(name) ?? '') ?? undefined
  return subjectFrom({ attributes, builtIn, instant }, surroundings)
}

/**
 * An unknown subscriber: every built-in but the time is missing, and the only attributes are those of the call. Without
 * a time, `svc.now` is missing too.
 */
export const anonymousSubject = (
  attributes: Readonly<Record<string, string>> = {},
  now?: number,
  surroundings: Surroundings = ALONE,
): Subject =>
  subjectFrom(
    {
      attributes,
      builtIn: (name) => (name === 'svc.now' && now !== undefined ? toIso(now) : undefined),
      instant: (name) => (name === 'svc.now' ? now : undefined),
    },
    surroundings,
  )

/** Each flag is evaluated once. While it is, it is missing: flags that depend on each other in a circle end there. */
function flagReader({ flag }: Surroundings, self: () => Subject): Pick<Subject, 'flag'> {
  const known = new Map<string, string | undefined>()
  return {
    flag(key) {
      if (known.has(key)) return known.get(key)
      known.set(key, undefined)
      const text = flag(key, self())
      known.set(key, text)
      return text
    },
  }
}

/** A name such as `constructor` is an attribute only where it was set. */
const ownText = (attributes: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

/**
 * The attributes of one call: the saved ones and those of its context (wire 2.23). Those of the context win and are not
 * saved; only texts, numbers and booleans of it are taken.
 */
export function withContext(
  saved: Readonly<Record<string, string>>,
  context: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const joining = Object.entries(context).flatMap(([key, value]) => {
    const text = key === 'targetingKey' ? undefined : textOf(value)
    return text === undefined ? [] : [[key, text] as const]
  })
  return Object.fromEntries([...Object.entries(saved), ...joining])
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
