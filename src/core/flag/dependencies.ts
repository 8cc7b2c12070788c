import { type DependencyFault, dependencyFault } from '../rules/dependencies'
import { flagKeyOf } from '../rules/model'
import { parseRules } from '../rules/rules'
import { readsOf } from '../rules/walk'
import type { FlagRow } from './schema'

/** A flag with what decides which other flags it reads. Audiences are named as the map of them names them. */
export interface ReadingFlag {
  key: string
  env: string
  rules: readonly { audience: string | null; conditions: unknown; bucketBy: string | null }[]
}

/** Rules documents, by the id or the name of the audience. */
type Documents = ReadonlyMap<string, unknown>

/** The keys of the flags that a rules document reads. */
export function flagsReadIn(document: unknown): readonly string[] {
  const parsed = parseRules(document ?? null)
  return parsed.ok ? readsOf(parsed.rules).flags : []
}

/** The keys of the flags that a flag reads, also through its audiences. */
export const flagsReadBy = ({ rules }: ReadingFlag, audiences: Documents): string[] => [
  ...new Set(
    rules.flatMap(({ audience, conditions, bucketBy }) => [
      ...flagsReadIn(conditions),
      ...(audience === null ? [] : flagsReadIn(audiences.get(audience))),
      ...(bucketBy === null ? [] : (flagKeyOf(bucketBy) ?? [])),
    ]),
  ),
]

/** The fault of flags that read each other, in the first environment that has one; null = no fault. */
export function dependencyFaultIn(flags: readonly ReadingFlag[], audiences: Documents): DependencyFault | null {
  for (const [, own] of Map.groupBy(flags, ({ env }) => env)) {
    const fault = dependencyFault(new Map(own.map((flag) => [flag.key, flagsReadBy(flag, audiences)])))
    if (fault) return fault
  }
  return null
}

/** A stored flag as one that reads others. */
export const toReading = ({ key, env, rules }: Pick<FlagRow, 'key' | 'env' | 'rules'>): ReadingFlag => ({
  key,
  env,
  // Rules that were damaged in the database read no flags.
  rules: (Array.isArray(rules) ? rules : []).map((rule) => ({
    audience: rule?.audienceId ?? null,
    conditions: rule?.conditions ?? null,
    bucketBy: rule?.bucketBy ?? null,
  })),
})
