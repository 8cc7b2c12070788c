import { builtInReader, type SubjectFacts } from './built-ins'
import type { BuiltIn, Subject } from './model'

/**
 * A subscriber as rules see them. A built-in is computed once, when a rule first reads it: the rules of all flags of a
 * call share one subject. Custom attributes are read by their literal key.
 */
export function createSubject(facts: SubjectFacts): Subject {
  const { attributes, person } = facts
  const compute = builtInReader(facts)
  const known = new Map<BuiltIn, string | undefined>()
  return {
    custom: (name) => ownText(attributes, name),
    builtIn(name) {
      const value = known.get(name)
      if (value !== undefined || known.has(name)) return value
      const computed = compute(name)
      known.set(name, computed)
      return computed
    },
    instant: (name) => (name === 'svc.firstSeenAt' ? person.firstSeenAt : person.lastSeenAt),
  }
}

/** An unknown subscriber: every built-in is missing, and the only attributes are those of the call. */
export const anonymousSubject = (attributes: Readonly<Record<string, string>> = {}): Subject => ({
  custom: (name) => ownText(attributes, name),
  builtIn: () => undefined,
  instant: () => undefined,
})

/** A name such as `constructor` is an attribute only where somebody has set it. */
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
