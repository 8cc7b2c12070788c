import type { Fault, Matches } from '../../base/lib/matches'

export type FlagType = 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'
export type FlagEnvironment = 'PROD' | 'STAGING' | 'DEVELOPMENT'

/**
 * A rule applies when its conditions and its audience both match, and its rollout, if there is one, includes the
 * subscriber.
 */
export interface FlagRule {
  audienceId?: string | null
  conditions?: unknown
  value: unknown
  /** Fraction 0..1. */
  rolloutPercentage?: number | null
  /**
   * The attribute by which the rollout is drawn; without one it is drawn by the bucketing id. Where the attribute is
   * missing, the rule is skipped.
   */
  bucketBy?: string | null
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
  /** The name of the rule in answers: `rule:0`. */
  variant: string
  /** `<flagKey>:<ruleIndex>`. */
  salt: string
  matches: Matches<Subject>
  value: unknown
  rolloutPercentage: number | null
  /** Null = by the bucketing id. */
  bucketBy: ((subject: Subject) => string | undefined) | null
}

export interface CompiledFlag<Subject> {
  id: string
  key: string
  env: FlagEnvironment
  type: FlagType
  isEnabled: boolean
  defaultValue: unknown
  /** Rules whose audience is missing are left out, and so are the first broken rule and all after it. */
  rules: readonly CompiledRule<Subject>[]
  /** Whether any rule is stored, usable or not: the difference between STATIC and DEFAULT. */
  hasRules: boolean
}

export interface FlagCompilation<Subject> {
  /**
   * Null when the row cannot be evaluated at all; the app then uses its own default, as for a flag that does not exist.
   */
  flag: CompiledFlag<Subject> | null
  /** What is broken in the stored row, to be reported. */
  faults: Fault[]
}

/**
 * STATIC: no rule is stored. DEFAULT: there are rules, and none applied. TARGETING_MATCH: a rule applied, with a
 * rollout or without.
 */
export type FlagReason = 'STATIC' | 'TARGETING_MATCH' | 'DEFAULT' | 'DISABLED'

export interface FlagResult {
  value: unknown
  reason: FlagReason
  /** `rule:<index>` of the rule that applied. */
  variant: string | null
  /** Why a rule could not be evaluated; the default was given instead. It is logged and never sent. */
  fault?: Fault
}
