import { readerOf } from '../../../../core/rules/compile'
import { matches, type Person, subjectOf } from './match'
import { sha256Head } from './sha256'

const BUCKETS = 10_000

export interface RuleToEvaluate {
  audienceId?: string | null
  conditions?: unknown
  value: unknown
  rolloutPercentage?: number | null
  /** The attribute by which the rollout is drawn. */
  bucketBy?: string | null
}

export interface FlagToEvaluate {
  key: string
  isEnabled: boolean
  defaultValue: unknown
  rules: readonly RuleToEvaluate[]
}

/** Why a rule gives its value or not. */
export type Outcome = 'HIT' | 'AUDIENCE' | 'CONDITIONS' | 'ROLLOUT' | 'NOT_REACHED'

export interface Evaluated {
  value: unknown
  reason: 'DISABLED' | 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH'
  /** Index of the rule that decides; null = the default. */
  rule: number | null
  outcomes: Outcome[]
}

/** 0 to 9999: the place of a person in the rollout of a rule. */
export const placeOf = (bucketingId: string, key: string, rule: number): number =>
  sha256Head(`${bucketingId}:${key}:${rule}`) % BUCKETS

/** What a flag gives one person, and what became of each rule. Audiences are rules documents by id. */
export function evaluate(
  flag: FlagToEvaluate,
  person: Person & { bucketingId: string },
  audiences: ReadonlyMap<string, unknown>,
): Evaluated {
  if (!flag.isEnabled)
    return { value: flag.defaultValue, reason: 'DISABLED', rule: null, outcomes: flag.rules.map(() => 'NOT_REACHED') }
  const tested = flag.rules.map((rule, index) => outcomeOf(rule, index, flag.key, person, audiences))
  const hit = tested.indexOf('HIT')
  const outcomes = tested.map((outcome, index): Outcome => (hit >= 0 && index > hit ? 'NOT_REACHED' : outcome))
  const rule = flag.rules[hit]
  if (rule) return { value: rule.value, reason: 'TARGETING_MATCH', rule: hit, outcomes }
  return { value: flag.defaultValue, reason: tested.length > 0 ? 'DEFAULT' : 'STATIC', rule: null, outcomes }
}

function outcomeOf(
  rule: RuleToEvaluate,
  index: number,
  key: string,
  person: Person & { bucketingId: string },
  audiences: ReadonlyMap<string, unknown>,
): Outcome {
  const { audienceId = null, conditions = null, rolloutPercentage = null, bucketBy = null } = rule
  if (audienceId !== null && !(audiences.has(audienceId) && matches(audiences.get(audienceId), person)))
    return 'AUDIENCE'
  if (!matches(conditions, person)) return 'CONDITIONS'
  const drawnBy = bucketBy === null ? person.bucketingId : readerOf(bucketBy)(subjectOf(person))
  if (drawnBy === undefined) return 'ROLLOUT'
  return isInside(rolloutPercentage, placeOf(drawnBy, key, index)) ? 'HIT' : 'ROLLOUT'
}

function isInside(percentage: number | null, place: number): boolean {
  if (percentage === null || percentage >= 1) return true
  return percentage > 0 && place < percentage * BUCKETS
}
