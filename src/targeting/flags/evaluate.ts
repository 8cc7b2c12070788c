import { bucket, isInRollout } from '../../base/lib/bucket'
import { messageOf } from '../../base/lib/matches'
import type { CompiledFlag, CompiledRule, FlagResult } from './model'

/**
 * Evaluates the rules in their order. The first rule whose targeting matches, and whose rollout includes the
 * subscriber, gives its value; else the default is given.
 */
export function evaluateFlag<Subject>(flag: CompiledFlag<Subject>, subject: Subject, bucketingId: string): FlagResult {
  if (!flag.isEnabled) return { value: flag.defaultValue, reason: 'DISABLED', variant: null }
  for (const rule of flag.rules) {
    const isHit = hits(rule, subject, bucketingId)
    if (typeof isHit === 'string') return { ...missed(flag), fault: { path: rule.variant, message: isHit } }
    if (isHit) return { value: rule.value, reason: 'TARGETING_MATCH', variant: rule.variant }
  }
  return missed(flag)
}

const missed = <Subject>(flag: CompiledFlag<Subject>): FlagResult => ({
  value: flag.defaultValue,
  reason: flag.hasRules ? 'DEFAULT' : 'STATIC',
  variant: null,
})

/** A text says why the rule could not be evaluated: one broken rule must not fail the whole configuration. */
function hits<Subject>(rule: CompiledRule<Subject>, subject: Subject, bucketingId: string): boolean | string {
  try {
    if (!rule.matches(subject)) return false
  } catch (thrown) {
    return messageOf(thrown) || 'the rule failed'
  }
  const id = rule.bucketBy === null ? bucketingId : rule.bucketBy(subject)
  if (id === undefined) return false
  return rule.rolloutPercentage === null || isInRollout(bucket(id, rule.salt), rule.rolloutPercentage)
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
