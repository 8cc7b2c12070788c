import type { Context } from '../../base/context'
import type { CompiledFlag } from '../../core/flag/compile'
import type { FlagEnvironment } from '../../core/flag/names'
import type { Subject } from '../../core/rules/model'
import type { Fault } from '../../core/text/fault'
import { firstDeviceKey, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { builtInsChangeAt, type SubjectFacts } from '../audiences/built-ins'
import type { EvaluationTarget } from '../audiences/evaluation-target'
import type { Draw } from '../experiments/assign'
import { heldVariants } from '../experiments/holdings'
import { type Configuration, type Evaluated, evaluateSnapshot, toConfiguration } from './evaluate'
import { factsOf, readHoldings } from './facts'
import type { FactsNeeded } from './needs'
import { memberHash } from './surroundings'

export type { Configuration }

/** Flag values and experiments of one environment for a subscriber. */
export const evaluateConfig = async (
  ctx: Context,
  project: ProjectState,
  target: EvaluationTarget,
  env: FlagEnvironment,
): Promise<Configuration> => toConfiguration(await evaluate(ctx, project, target, everything(project, env)))

/** The question for everything that an environment can answer. */
export const everything = ({ remote }: ProjectState, env: FlagEnvironment): Question => ({
  env,
  flags: remote.environments[env].flags,
  withExperiments: true,
  extra: {},
})

/** What a call asks of a project's remote configuration. */
export interface Question {
  env: FlagEnvironment
  /** Flags of that environment; disabled flags are left out. */
  flags: readonly CompiledFlag<Subject>[]
  withExperiments: boolean
  /** Attributes of this call alone. */
  extra: Readonly<Record<string, unknown>>
  /** The target has no row: nothing is read of it, and draws are not kept. */
  isUnknown?: boolean
}

export interface Evaluation extends Pick<Evaluated, 'results' | 'answers'> {
  /** Whether the same rows and configuration give the same answer for a time, and nothing was written or reported. */
  isSettled: boolean
}

/** An evaluation, and what it was made from besides the row of the subscriber. */
export interface SourcedEvaluation extends Evaluation {
  at: number
  /** When the clock alone may change a settled answer; null = never. */
  changesAt: number | null
  /** The ids of the purchases that were read. */
  purchaseIds: string[]
}

/**
 * Evaluates flags of one environment and the running experiments for a subscriber. Both interfaces, configuration and
 * OFREP, get their answers from here. Variants drawn by this call are queued and are kept from now on.
 */
export async function evaluate(
  ctx: Context,
  project: ProjectState,
  target: EvaluationTarget,
  question: Question,
): Promise<SourcedEvaluation> {
  const { env, withExperiments, extra, isUnknown = false } = question
  const { remote } = project
  const { subscriber } = target
  // Before the read: a draw that the read does not find yet is still waiting here.
  const waiting = ctx.state.assignments.of(target)
  const needs = isUnknown ? NOTHING : remote.environments[env].needs
  const [holdings, saved] = await Promise.all([
    readHoldings(ctx, project, subscriber, needs),
    withExperiments && remote.isAnyRunning && !isUnknown ? heldVariants(ctx, subscriber.id) : new Map<string, string>(),
  ])
  const facts = factsOf(ctx, project, subscriber, holdings, extra)
  return {
    ...evaluateRead(ctx, project, target, question, { facts, saved, waiting }),
    at: facts.now,
    changesAt: builtInsChangeAt(facts, needs.names),
    purchaseIds: holdings.purchases.map(({ id }) => id),
  }
}

/** What was read of a subscriber for an evaluation. */
export interface Reading {
  facts: SubjectFacts
  /** Variant id by experiment id, as saved. */
  saved: ReadonlyMap<string, string>
  /** The draws that waited to be saved before `saved` was read. */
  waiting: ReadonlyMap<string, Draw>
}

/** As `evaluate`, from what was read. It is synchronous, so that two calls at once cannot both draw. */
export function evaluateRead(
  ctx: Context,
  project: ProjectState,
  target: EvaluationTarget,
  { env, flags, withExperiments, isUnknown = false }: Question,
  { facts, saved, waiting }: Reading,
): Evaluation {
  const { remote, settings } = project
  const { subscriber } = target
  const drawn = [...waiting, ...ctx.state.assignments.of(target)]
  const { results, answers, draws, faults } = evaluateSnapshot(remote, {
    env,
    hash: memberHash(ctx, project),
    flags,
    withExperiments,
    facts,
    bucketingId: firstDeviceKey(subscriber),
    held: heldBy(saved, drawn),
    holdoutPercentage: settings.holdoutPercentage,
  })
  reportFaults(ctx, project, faults)
  if (!isUnknown) keepDraws(ctx, subscriber, draws)
  const isSteady = remote.environments[env].needs.isSteady
  return { results, answers, isSettled: isSteady && drawn.length + draws.length + faults.length === 0 }
}

const NOTHING: FactsNeeded = { purchases: false, spend: false, isSteady: true, names: [] }

/** A saved assignment comes before a waiting draw, unless the draw replaces it. */
export function heldBy(saved: ReadonlyMap<string, string>, waiting: readonly [string, Draw][]): Map<string, string> {
  const held = new Map(saved)
  for (const [experimentId, { variantId, replaces }] of waiting) {
    const there = saved.get(experimentId)
    if (there === undefined || there === replaces) held.set(experimentId, variantId)
  }
  return held
}

export function keepDraws(ctx: Context, { id, projectId, deviceKey }: SubscriberRow, draws: readonly Draw[]): void {
  const drawn = { projectId, subscriberId: id, deviceKey, assignedAt: ctx.clock.now() }
  for (const draw of draws) ctx.state.assignments.add({ ...draw, ...drawn })
}

/** Logs faults of compiled rules. None are expected; a rule with one has matched no subscriber. */
export function reportFaults(ctx: Context, project: ProjectState, faults: readonly Fault[]): void {
  for (const { path, message } of faults)
    ctx.log.error('targeting failed and matched nobody', { projectId: project.id, path, fault: message })
}
