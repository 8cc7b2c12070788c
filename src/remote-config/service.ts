import type { SubjectFacts } from '../audiences/built-ins'
import type { Subject } from '../audiences/model'
import { createSubject } from '../audiences/subject'
import type { Context } from '../context'
import { type Assigned, assign, type Draw, type ExperimentAnswer, experimentAnswers } from '../experiments/assign'
import { heldVariants } from '../experiments/holdings'
import { evaluateFlags } from '../flags/evaluate'
import type { CompiledFlag, FlagEnvironment, FlagResult } from '../flags/model'
import type { Fault } from '../lib/matches'
import type { ProjectState } from '../projects/state'
import type { SubscriberRow } from '../subscribers/service'
import type { Asker } from './assignments'
import { gatherFacts } from './facts'

/** Flag values and experiments by key. */
export interface Configuration {
  flags: Record<string, unknown>
  experiments: Record<string, ExperimentAnswer>
}

/** Flag values and experiments of one environment for a subscriber. `extra` are attributes of this call alone. */
export async function evaluateConfig(
  ctx: Context,
  project: ProjectState,
  asker: Asker,
  env: FlagEnvironment,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<Configuration> {
  return configurationOf(await evaluate(ctx, project, asker, { ...everything(project, env), extra }))
}

/** All that an environment has to answer. */
export const everything = ({ remote }: ProjectState, env: FlagEnvironment): Question => ({
  env,
  flags: remote.environments[env].flags,
  withExperiments: true,
  extra: {},
})

/** What `/v1/config` tells of an evaluation. */
export const configurationOf = ({ results, answers }: Evaluation): Configuration => ({
  flags: Object.fromEntries([...results].map(([key, { value }]) => [key, value])),
  experiments: Object.fromEntries(answers.map((answer) => [answer.key, answer])),
})

/** What a call asks of a project's remote configuration. */
export interface Question {
  env: FlagEnvironment
  /** Of that environment; disabled ones are not asked. */
  flags: readonly CompiledFlag<Subject>[]
  withExperiments: boolean
  /** Attributes of this call alone. */
  extra: Readonly<Record<string, unknown>>
  /** Nobody has a row of the asker: nothing is read of them, and what is drawn is not kept. */
  isStranger?: boolean
}

export interface Evaluation {
  /** By key, in the order given. */
  results: Map<string, FlagResult>
  /** Of the running experiments that the asker is in, in order. */
  answers: ExperimentAnswer[]
}

/**
 * Evaluates flags of one environment and the running experiments for a subscriber: the one place where both surfaces
 * get their answers from. Variants drawn by this call are queued and hold from now on.
 */
export async function evaluate(
  ctx: Context,
  project: ProjectState,
  asker: Asker,
  { env, flags, withExperiments, extra, isStranger = false }: Question,
): Promise<Evaluation> {
  const { environments, isAnyRunning } = project.remote
  const isDrawing = withExperiments && isAnyRunning
  const { subscriber } = asker
  // Before the read: what it is too early to find is then still waiting.
  const waiting = ctx.assignments.of(asker)
  const [facts, saved] = await Promise.all([
    gatherFacts(ctx, project, subscriber, isStranger ? NOTHING : environments[env].needs, extra),
    isDrawing && !isStranger ? heldVariants(ctx, subscriber.id) : new Map<string, string>(),
  ])
  return evaluateRead(ctx, project, asker, { flags, withExperiments, isStranger }, { facts, saved, waiting })
}

/** What was read of a subscriber for an evaluation. */
export interface Reading {
  facts: SubjectFacts
  /** Variant id by experiment id, as saved. */
  saved: ReadonlyMap<string, string>
  /** What waited to be saved before `saved` was read. */
  waiting: ReadonlyMap<string, Draw>
}

/** As `evaluate`, from what was read. Nothing is awaited, so that two calls at once cannot both draw. */
export function evaluateRead(
  ctx: Context,
  project: ProjectState,
  asker: Asker,
  { flags, withExperiments, isStranger = false }: Pick<Question, 'flags' | 'withExperiments' | 'isStranger'>,
  { facts, saved, waiting }: Reading,
): Evaluation {
  const { subscriber } = asker
  const subject = createSubject(facts)
  const held = heldBy(saved, [...waiting, ...ctx.assignments.of(asker)])
  const results = evaluateFlags(flags, subject, subscriber.deviceKey)
  tellFaults(
    ctx,
    project,
    [...results].flatMap(([key, { fault }]) => (fault ? [{ ...fault, path: `${key}.${fault.path}` }] : [])),
  )
  if (!withExperiments || !project.remote.isAnyRunning) return { results, answers: [] }
  const assigned = assignFor(ctx, project, subscriber, subject, held)
  if (!isStranger) keepDraws(ctx, subscriber, assigned.draws)
  return { results, answers: experimentAnswers(project.remote.experiments, assigned) }
}

const NOTHING = { purchases: false, spend: false }

/** The saved row wins, but over a draw that replaces it. */
export function heldBy(saved: ReadonlyMap<string, string>, waiting: readonly [string, Draw][]): Map<string, string> {
  const held = new Map(saved)
  for (const [experimentId, { variantId, replaces }] of waiting) {
    const there = saved.get(experimentId)
    if (there === undefined || there === replaces) held.set(experimentId, variantId)
  }
  return held
}

function assignFor(
  ctx: Context,
  project: ProjectState,
  { deviceKey }: SubscriberRow,
  subject: Subject,
  held: ReadonlyMap<string, string>,
): Assigned {
  const { experiments } = project.remote
  const { holdoutPercentage } = project.settings
  const assigned = assign({ experiments, subject, bucketingId: deviceKey, held, holdoutPercentage })
  tellFaults(ctx, project, assigned.faults)
  return assigned
}

export function keepDraws(ctx: Context, { id, projectId, deviceKey }: SubscriberRow, draws: readonly Draw[]): void {
  const drawn = { projectId, subscriberId: id, deviceKey, assignedAt: ctx.clock.now() }
  for (const draw of draws) ctx.assignments.add({ ...draw, ...drawn })
}

/** Compiled rules never fail; should one, it has matched nobody, and somebody must hear of it. */
export function tellFaults(ctx: Context, project: ProjectState, faults: readonly Fault[]): void {
  for (const { path, message } of faults)
    ctx.log.error('targeting failed and matched nobody', { projectId: project.id, path, fault: message })
}
