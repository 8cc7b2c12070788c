import type { Context } from '../../../base/context'
import { anonymousSubject } from '../../../core/audience/subject'
import type { CompiledFlag } from '../../../core/flag/compile'
import { evaluateFlag } from '../../../core/flag/evaluate'
import type { FlagEnvironment } from '../../../core/flag/names'
import type { Subject } from '../../../core/rules/model'
import { findReferenced, isSubscriberId, newSubscriber } from '../../../people/subscribers/service'
import type { KeyState, ProjectState } from '../../../projects/project/state'
import type { EvaluationTarget } from '../../audiences/evaluation-target'
import { evaluate } from '../service'
import { bulkAnswers } from './bulk'
import { flagAnswer, type OfrepAnswer, outsideAnswer, splitAnswer } from './wire'

/** For whom an environment's flags are evaluated. */
export interface OfrepTarget {
  /** As it was sent: with a secret key it can be any subscriber reference. */
  targetingKey: string
  target: EvaluationTarget
  /** There is no row of the target, and this call creates none. */
  isUnknown: boolean
  env: FlagEnvironment
  /** Attributes of this call alone. */
  extra: Readonly<Record<string, unknown>>
}

/**
 * The subscriber that a targeting key means: with a secret key any subscriber reference. A key that names no subscriber
 * becomes a new device key, so that a server that asks first gets what the app will get; nothing is written.
 */
export async function targetOf(
  ctx: Context,
  key: KeyState,
  targetingKey: string,
): Promise<Pick<OfrepTarget, 'target' | 'isUnknown'>> {
  const subscriber = await findReferenced(ctx, key, targetingKey)
  if (!subscriber) {
    const nobody = newSubscriber(ctx, key.projectId, targetingKey, null)
    return { target: { subscriber: nobody, deviceKey: targetingKey }, isUnknown: true }
  }
  // A label is not the key of a device, although a device may choose the same text as its key.
  const isNoDevice =
    key.presented === 'secret' && (subscriber.appUserId === targetingKey || isSubscriberId(targetingKey))
  return { target: { subscriber, deviceKey: isNoDevice ? subscriber.deviceKey : targetingKey }, isUnknown: false }
}

/** One flag or running experiment by its key; null when the environment has neither. */
export async function evaluateOne(
  ctx: Context,
  project: ProjectState,
  who: OfrepTarget,
  key: string,
): Promise<OfrepAnswer | null> {
  const flag = project.remote.environments[who.env].flags.find((candidate) => candidate.key === key)
  return flag ? evaluateOneFlag(ctx, project, who, flag) : evaluateOneExperiment(ctx, project, who, key)
}

async function evaluateOneFlag(
  ctx: Context,
  project: ProjectState,
  who: OfrepTarget,
  flag: CompiledFlag<Subject>,
): Promise<OfrepAnswer> {
  // A disabled flag is the same for everybody, so nothing is read of the subscriber.
  if (!flag.isEnabled) return flagAnswer(flag, evaluateFlag(flag, anonymousSubject(), ''))
  const { results } = await evaluate(ctx, project, who.target, { ...who, flags: [flag], withExperiments: false })
  const result = results.get(flag.key)
  if (!result) throw new Error('an enabled flag was not evaluated')
  return flagAnswer(flag, result)
}

async function evaluateOneExperiment(
  ctx: Context,
  project: ProjectState,
  who: OfrepTarget,
  key: string,
): Promise<OfrepAnswer | null> {
  const experiment = project.remote.experiments.find((candidate) => candidate.key === key)
  if (experiment?.status !== 'RUNNING' || experiment.variants.length === 0) return null
  const { answers } = await evaluate(ctx, project, who.target, { ...who, flags: [], withExperiments: true })
  const answer = answers.find((candidate) => candidate.key === key)
  return answer ? splitAnswer(answer) : outsideAnswer(experiment)
}

/** Every enabled flag of the environment, and every experiment that the subscriber is in. */
export async function evaluateAll(ctx: Context, project: ProjectState, who: OfrepTarget): Promise<OfrepAnswer[]> {
  const { flags } = project.remote.environments[who.env]
  return bulkAnswers(flags, await evaluate(ctx, project, who.target, { ...who, flags, withExperiments: true }))
}
