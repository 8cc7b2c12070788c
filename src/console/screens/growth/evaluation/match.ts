import { compileAudience } from '../../../../core/rules/compile'
import type { Subject } from '../../../../core/rules/model'
import { parseIso } from '../../../../core/time/iso'

/** What rules read of one person. Every value is text. */
export interface Person {
  attributes: Readonly<Record<string, string>>
  /** The `svc.` values; null = missing. */
  builtIns: Readonly<Record<string, string | null>>
  /** What the flags give the person, by key. */
  flags?: ReadonlyMap<string, unknown>
  /** Which of the person's values are in the list of which audience. */
  groups?: readonly { audience: string; values: readonly string[] }[]
}

/** Whether a rules document holds for a person. The server decides by the same code. */
export const matches = (document: unknown, person: Person): boolean =>
  compileAudience(document ?? null).matches(subjectOf(person))

export function subjectOf({ attributes, builtIns, flags, groups = [] }: Person): Subject {
  const builtIn = (name: string) => (Object.hasOwn(builtIns, name) ? (builtIns[name] ?? undefined) : undefined)
  return {
    custom: (name) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined),
    builtIn,
    instant: (name) => parseIso(builtIn(name) ?? '') ?? undefined,
    flag: (key) => (flags?.has(key) ? flagText(flags.get(key)) : undefined),
    isInGroup: (name, text) => groups.some(({ audience, values }) => audience === name && values.includes(text)),
  }
}

const flagText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
