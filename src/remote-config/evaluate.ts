import type { SubjectFacts } from '../audiences/built-ins'
import { createSubject } from '../audiences/subject'
import { assign, type Draw, type ExperimentAnswer, experimentAnswers } from '../experiments/assign'
import { evaluateFlag } from '../flags/evaluate'
import type { FlagEnvironment } from '../flags/model'
import type { Fault } from '../lib/matches'
import type { RemoteSnapshot } from './snapshot'

/** Flag values and experiments by key. */
export interface Configuration {
  flags: Record<string, unknown>
  experiments: Record<string, ExperimentAnswer>
}

interface Asked {
  env: FlagEnvironment
  facts: SubjectFacts
  bucketingId: string
  /** Variant id by experiment id, of all that the subscriber holds. */
  held: ReadonlyMap<string, string>
  /** 0..100. */
  holdoutPercentage: number
}

/** Everything of a snapshot for one subscriber; `draws` are to be saved, `faults` to be reported. */
export function evaluateSnapshot(
  { environments, experiments, isAnyRunning }: RemoteSnapshot,
  { env, facts, bucketingId, held, holdoutPercentage }: Asked,
): { configuration: Configuration; draws: Draw[]; faults: Fault[] } {
  const subject = createSubject(facts)
  const faults: Fault[] = []
  const values: [key: string, value: unknown][] = []
  for (const flag of environments[env].flags) {
    if (!flag.isEnabled) continue
    const { value, fault } = evaluateFlag(flag, subject, bucketingId)
    values.push([flag.key, value])
    if (fault) faults.push({ ...fault, path: `${flag.key}.${fault.path}` })
  }
  // Not member by member: a flag may be called `__proto__`.
  const flags = Object.fromEntries(values)
  if (!isAnyRunning) return { configuration: { flags, experiments: {} }, draws: [], faults }
  const assigned = assign({ experiments, subject, bucketingId, held, holdoutPercentage })
  const answers = experimentAnswers(experiments, assigned).map((answer) => [answer.key, answer] as const)
  return {
    configuration: { flags, experiments: Object.fromEntries(answers) },
    draws: assigned.draws,
    faults: [...faults, ...assigned.faults],
  }
}
