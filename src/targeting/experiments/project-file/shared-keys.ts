import { live } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import type { Checking } from '../../../projects/project-file/section'
import { sharedKey } from '../../flags/key'
import { FLAGS, splitFlagName } from '../../flags/project-file/model'
import type { ExperimentState } from '../file-state'
import { claimsKey } from '../key'
import { EXPERIMENTS } from './model'

type Given = Pick<Checking<unknown, unknown, ExperimentState>, 'pairs' | 'planned'>

/**
 * Refuses a key that both a flag and an experiment have: clients name only the key (wire 2.23). Keys that are already
 * saved for both are not reported, because the file did not cause that.
 */
export function sharedKeys({ pairs, planned }: Given): Problem[] {
  const byKey = Map.groupBy(live(planned.of(FLAGS)), ({ name }) => splitFlagName(name).key)
  return live(pairs).flatMap((experiment) => {
    const key = experiment.name
    const named = byKey.get(key)
    if (!named || !claimsKey(experiment.after.status)) return []
    const added = [experiment, ...named].find(({ name, formerName }) => name !== formerName)
    if (!added) return []
    const [section, taker] = added === experiment ? ([EXPERIMENTS, 'flag'] as const) : ([FLAGS, 'experiment'] as const)
    return [problem([section.name, key], sharedKey(key, taker), 'CONFLICT')]
  })
}
