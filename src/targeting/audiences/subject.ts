import { builtInReader, type SubjectFacts } from './built-ins'
import type { BuiltIn, Subject } from './model'

/**
 * Somebody as rules see them. Built-ins are computed when a rule first asks for them, and once: the rules of all flags
 * of a call share one subject. Custom attributes are read by their literal key.
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

/** Nobody that we know: every built-in is missing, and of attributes there are only those that the call brings. */
export const anonymousSubject = (attributes: Readonly<Record<string, string>> = {}): Subject => ({
  custom: (name) => ownText(attributes, name),
  builtIn: () => undefined,
  instant: () => undefined,
})

/** Names such as `constructor` are of no attribute unless somebody has set it. */
const ownText = (attributes: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

/**
 * The attributes of one call: the saved ones and those of its context, which win and are not saved (wire 2.23). Of the
 * context only texts, numbers and booleans join.
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
