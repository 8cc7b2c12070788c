import type { Fault, Matches } from '../../base/lib/matches'

export type FlagType = 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'
export type FlagEnvironment = 'PROD' | 'STAGING' | 'DEVELOPMENT'

/** Conditions and audience must both match, and the rollout must be won where one is set. */
export interface FlagRule {
  audienceId?: string | null
  conditions?: unknown
  value: unknown
  /** Fraction 0..1. */
  rolloutPercentage?: number | null
}

/** One row per key and environment. */
export interface FlagRow {
  id: string
  key: string
  env: FlagEnvironment
  type: FlagType
  isEnabled: boolean
  defaultValue: unknown
  rules: readonly FlagRule[]
}

export interface CompiledRule<Subject> {
  /** `rule:0`: what an answer names. */
  variant: string
  /** `<flagKey>:<ruleIndex>`. */
  salt: string
  matches: Matches<Subject>
  value: unknown
  rolloutPercentage: number | null
}

export interface CompiledFlag<Subject> {
  id: string
  key: string
  env: FlagEnvironment
  type: FlagType
  isEnabled: boolean
  defaultValue: unknown
  /** Without the rules whose audience is missing, and without those from the first broken one on. */
  rules: readonly CompiledRule<Subject>[]
  /** Whether any rule is written, usable or not: tells STATIC from DEFAULT. */
  hasRules: boolean
}

export interface FlagCompilation<Subject> {
  /** Null when the row cannot answer at all; the app then keeps its own default, as for a flag that is not there. */
  flag: CompiledFlag<Subject> | null
  /** What is broken in the stored row, to be reported. */
  faults: Fault[]
}

/** STATIC: no rule is written; DEFAULT: rules, and none hit. A hit is TARGETING_MATCH, won by a rollout or not. */
export type FlagReason = 'STATIC' | 'TARGETING_MATCH' | 'DEFAULT' | 'DISABLED'

export interface FlagResult {
  value: unknown
  reason: FlagReason
  /** `rule:<index>` of the rule that hit. */
  variant: string | null
  /** Why a rule could not be asked; the default was given instead. To be reported, never sent. */
  fault?: Fault
}
