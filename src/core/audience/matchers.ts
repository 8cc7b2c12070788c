import { compileAudience, readerOf } from '../rules/compile'
import type { Matchers, Matches } from '../rules/matches'
import { type BuiltIn, type CompiledAudience, flagKeyOf, isBuiltIn, type Subject } from '../rules/model'

/** Compiled audiences by id. */
export type Audiences = ReadonlyMap<string, CompiledAudience>

export function compileAudiences(audiences: Iterable<{ id: string; rules: unknown }>): Audiences {
  const compiled = new Map<string, CompiledAudience>()
  for (const { id, rules } of audiences) {
    const audience = compileAudience(rules)
    compiled.set(id, { ...audience, matches: oncePer(audience.matches) })
  }
  return compiled
}

/**
 * One call evaluates everything for one subject, and thousands of its rules may name one audience. The audience is
 * evaluated once.
 */
function oncePer(matches: Matches<Subject>): Matches<Subject> {
  let last: Subject | null = null
  let isMatch = false
  return (subject) => {
    if (subject === last) return isMatch
    isMatch = matches(subject)
    last = subject
    return isMatch
  }
}

/** What rules mention, while they are compiled. */
export interface Mentioned {
  builtIns: Set<BuiltIn>
  flags: Set<string>
}

export const nothingMentioned = (): Mentioned => ({ builtIns: new Set(), flags: new Set() })

/** Matchers over compiled audiences. They add the built-in attributes and flags that they read to `mentioned`. */
export function matchersOver(audiences: Audiences, mentioned: Mentioned): Matchers<Subject> {
  const usable = (compiled: CompiledAudience) => {
    if (compiled.fault) throw new TypeError(compiled.fault.message)
    for (const name of compiled.reads.builtIns) mentioned.builtIns.add(name)
    for (const key of compiled.reads.flags) mentioned.flags.add(key)
    return compiled.matches
  }
  return {
    audience(id) {
      const compiled = audiences.get(id)
      return compiled ? usable(compiled) : null
    },
    conditions: (document) => usable(compileAudience(document)),
    attribute(name) {
      if (isBuiltIn(name)) mentioned.builtIns.add(name)
      const key = flagKeyOf(name)
      if (key !== null) mentioned.flags.add(key)
      return readerOf(name)
    },
  }
}
