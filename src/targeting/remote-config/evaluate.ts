import type { CompiledFlag } from '../../core/flag/compile'
import { evaluateFlags, type FlagResult } from '../../core/flag/evaluate'
import type { FlagEnvironment } from '../../core/flag/names'
import type { Subject } from '../../core/rules/model'
import type { Fault } from '../../core/text/fault'
import { createSubject, type SubjectFacts } from '../audiences/built-ins'
import { assign, type Draw, type ExperimentAnswer, experimentAnswers } from '../experiments/assign'
import type { RemoteSnapshot } from './snapshot'
import { type HashMember, surroundingsOf } from './surroundings'

/** Flag values and experiments by key. */
export interface Configuration {
  flags: Record<string, unknown>
  experiments: Record<string, ExperimentAnswer>
}

interface EvaluationInput {
  /** The environment whose flags rules can read. */
  env: FlagEnvironment
  hash: HashMember
  /** Flags of one environment; disabled flags are left out. */
  flags: readonly CompiledFlag<Subject>[]
  withExperiments: boolean
  facts: SubjectFacts
  bucketingId: string
  /** Variant id by experiment id, of all that the subscriber holds. */
  held: ReadonlyMap<string, string>
  /** 0..100. */
  holdoutPercentage: number
}

export interface Evaluated {
  /** By key, in the order given. */
  results: Map<string, FlagResult>
  /** Answers of the running experiments that the target is in, in order. */
  answers: ExperimentAnswer[]
  /** To be saved. */
  draws: Draw[]
  /** To be logged. */
  faults: Fault[]
}

/** Evaluates a snapshot for one subscriber. */
export function evaluateSnapshot(snapshot: RemoteSnapshot, input: EvaluationInput): Evaluated {
  const { experiments, isAnyRunning } = snapshot
  const { env, hash, flags, withExperiments, facts, bucketingId, held, holdoutPercentage } = input
  const subject = createSubject(facts, surroundingsOf(snapshot, env, bucketingId, hash))
  const results = evaluateFlags(flags, subject, bucketingId)
  const faults: Fault[] = []
  for (const [key, { fault }] of results) if (fault) faults.push({ ...fault, path: `${key}.${fault.path}` })
  if (!withExperiments || !isAnyRunning) return { results, answers: [], draws: [], faults }
  const assigned = assign({ experiments, subject, bucketingId, held, holdoutPercentage })
  return {
    results,
    answers: experimentAnswers(experiments, assigned),
    draws: assigned.draws,
    faults: [...faults, ...assigned.faults],
  }
}

/** Built from entries, because a flag may be called `__proto__`. */
export function toConfiguration({ results, answers }: Pick<Evaluated, 'results' | 'answers'>): Configuration {
  const values: [key: string, value: unknown][] = []
  for (const [key, { value }] of results) values.push([key, value])
  return {
    flags: Object.fromEntries(values),
    experiments: Object.fromEntries(answers.map((answer) => [answer.key, answer])),
  }
}
