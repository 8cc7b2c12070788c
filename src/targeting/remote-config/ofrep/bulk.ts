import { etagOf } from '../../../base/http/etag'
import type { CompiledFlag } from '../../../core/flag/compile'
import type { Subject } from '../../../core/rules/model'
import type { Evaluation } from '../service'
import { flagAnswer, type OfrepAnswer, splitAnswer } from './wire'

/** `flags` of a bulk answer: flags by key, then experiments in their order. */
export function bulkAnswers(flags: readonly CompiledFlag<Subject>[], { results, answers }: Evaluation): OfrepAnswer[] {
  const ofFlags = flags.flatMap((flag) => {
    const result = results.get(flag.key)
    return result ? [flagAnswer(flag, result)] : []
  })
  return [...ofFlags, ...answers.map(splitAnswer)]
}

/** The name of a bulk evaluation in its entity tag. The tag covers the flags and nothing else of the answer. */
export const BULK_ROUTE = '/ofrep/v1/evaluate/flags'

/**
 * The entity tag of the bulk answer of a subscriber (null = an unknown one), for an evaluation of all these flags and
 * of the experiments.
 */
export const bulkEtag = (
  subscriberId: string | null,
  flags: readonly CompiledFlag<Subject>[],
  evaluation: Evaluation,
): string => etagOf(subscriberId, BULK_ROUTE, bulkAnswers(flags, evaluation))
