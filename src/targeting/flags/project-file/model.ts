import { sectionKey } from '../../../projects/project-file/model'
import type { FlagEnvironment, FlagType } from '../model'

/** A rule with its audience by name. */
export interface FlagRuleState {
  audience: string | null
  conditions: Record<string, unknown> | null
  value: unknown
  rolloutPercentage: number | null
}

/** A flag in one environment: an object of its own, as it is a row of its own. */
export interface FlagState {
  type: FlagType
  description: string | null
  isEnabled: boolean
  defaultValue: unknown
  rules: FlagRuleState[]
}

/** A flag as the file writes it, under one key. */
export interface FlagEntry {
  type: FlagType
  environments: Partial<Record<FlagEnvironment, FlagState>>
}

/** Its objects are called by key and environment. */
export const FLAGS = sectionKey<FlagState, FlagEntry>('flags', 'flag')

export const ENVIRONMENTS: readonly FlagEnvironment[] = ['PROD', 'STAGING', 'DEVELOPMENT']

/** `new_checkout (PROD)`; keys have no spaces. */
export const flagName = (key: string, env: string): string => `${key} (${env})`

/** The other way round. */
export function splitFlagName(name: string): { key: string; env: string } {
  const at = name.lastIndexOf(' ')
  return { key: name.slice(0, at), env: name.slice(at + 2, -1) }
}
