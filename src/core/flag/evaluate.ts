import { isInRollout } from '../bucket/bucket'
import { type Fault, messageOf } from '../text/fault'
import type { CompiledFlag, CompiledRule } from './compile'

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

/** Why a rule gives its value or not. Without the attribute that it is drawn by, a rollout includes no one. */
export type RuleOutcome = 'HIT' | 'AUDIENCE' | 'CONDITIONS' | 'ROLLOUT' | 'NOT_REACHED'

/**
 * Evaluates the rules in their order. The first rule whose targeting matches, and whose rollout includes the
 * subscriber, gives its value; else the default is given. `onRule` gets the outcome of each rule that is reached.
 */
export function evaluateFlag<Subject>(
  flag: CompiledFlag<Subject>,
  subject: Subject,
  bucketingId: string,
  onRule?: (rule: CompiledRule<Subject>, outcome: RuleOutcome) => void,
): FlagResult {
  if (!flag.isEnabled) return { value: flag.defaultValue, reason: 'DISABLED', variant: null }
  for (const rule of flag.rules) {
    const outcome = outcomeOf(rule, subject, bucketingId)
    if (typeof outcome !== 'string') return { ...missed(flag), fault: outcome }
    onRule?.(rule, outcome)
    if (outcome === 'HIT') return { value: rule.value, reason: 'TARGETING_MATCH', variant: rule.variant }
  }
  return missed(flag)
}

const missed = <Subject>(flag: CompiledFlag<Subject>): FlagResult => ({
  value: flag.defaultValue,
  reason: flag.ruleCount > 0 ? 'DEFAULT' : 'STATIC',
  variant: null,
})

/** A fault says why the rule could not be evaluated: one broken rule must not fail the whole configuration. */
function outcomeOf<Subject>(rule: CompiledRule<Subject>, subject: Subject, bucketingId: string): RuleOutcome | Fault {
  try {
    if (!rule.isInAudience(subject)) return 'AUDIENCE'
    if (!rule.meetsConditions(subject)) return 'CONDITIONS'
  } catch (thrown) {
    return { path: rule.variant, message: messageOf(thrown) || 'the rule failed' }
  }
  const id = rule.bucketBy === null ? bucketingId : rule.bucketBy(subject)
  if (id === undefined) return 'ROLLOUT'
  const { rolloutPercentage } = rule
  return rolloutPercentage === null || isInRollout(rule.place(id), rolloutPercentage) ? 'HIT' : 'ROLLOUT'
}

/** Every enabled flag by its key, in the order given; disabled flags are left out. */
export function evaluateFlags<Subject>(
  flags: readonly CompiledFlag<Subject>[],
  subject: Subject,
  bucketingId: string,
): Map<string, FlagResult> {
  const enabled = flags.filter(({ isEnabled }) => isEnabled)
  return new Map(enabled.map((flag) => [flag.key, evaluateFlag(flag, subject, bucketingId)]))
}

export interface FlagExplanation extends FlagResult {
  /** Index of the rule that decides; null = the default. */
  rule: number | null
  /** Of each stored rule. */
  outcomes: RuleOutcome[]
}

/** What a flag gives one subscriber, and what became of each rule. */
export function explainFlag<Subject>(
  flag: CompiledFlag<Subject>,
  subject: Subject,
  bucketingId: string,
): FlagExplanation {
  const outcomes = Array<RuleOutcome>(flag.ruleCount).fill('NOT_REACHED')
  const result = evaluateFlag(flag, subject, bucketingId, ({ index }, outcome) => {
    outcomes[index] = outcome
  })
  const hit = outcomes.indexOf('HIT')
  return { ...result, rule: hit < 0 ? null : hit, outcomes }
}
