import type { Subject } from '../audiences/model'
import { createSubject } from '../audiences/subject'
import type { Context } from '../context'
import { assign, type Draw, type ExperimentAnswer, experimentAnswers } from '../experiments/assign'
import { heldVariants } from '../experiments/holdings'
import { evaluateFlags } from '../flags/evaluate'
import type { FlagEnvironment } from '../flags/model'
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

/**
 * Evaluates a project's flags of one environment and its running experiments for a subscriber. Variants drawn by this
 * call are queued and hold from now on. `extra` are attributes of this call alone.
 */
export async function evaluateConfig(
  ctx: Context,
  project: ProjectState,
  asker: Asker,
  env: FlagEnvironment,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<Configuration> {
  const { environments, isAnyRunning } = project.remote
  const { flags, needs } = environments[env]
  const { subscriber } = asker
  // Before the read: what it is too early to find is then still waiting.
  const waiting = ctx.assignments.of(asker)
  const [facts, saved] = await Promise.all([
    gatherFacts(ctx, project, subscriber, needs, extra),
    isAnyRunning ? heldVariants(ctx, subscriber.id) : new Map<string, string>(),
  ])
  // From here on nothing is awaited, so that two calls at once cannot both draw.
  const subject = createSubject(facts)
  const held = heldBy(saved, [...waiting, ...ctx.assignments.of(asker)])
  const results = evaluateFlags(flags, subject, subscriber.deviceKey)
  tellFaults(
    ctx,
    project,
    [...results].flatMap(([key, { fault }]) => (fault ? [{ ...fault, path: `${key}.${fault.path}` }] : [])),
  )
  return {
    flags: Object.fromEntries([...results].map(([key, { value }]) => [key, value])),
    experiments: isAnyRunning ? experimentsFor(ctx, project, subscriber, subject, held) : {},
  }
}

/** The saved row wins, but over a draw that replaces it. */
export function heldBy(saved: ReadonlyMap<string, string>, waiting: readonly [string, Draw][]): Map<string, string> {
  const held = new Map(saved)
  for (const [experimentId, { variantId, replaces }] of waiting) {
    const there = saved.get(experimentId)
    if (there === undefined || there === replaces) held.set(experimentId, variantId)
  }
  return held
}

function experimentsFor(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  subject: Subject,
  held: ReadonlyMap<string, string>,
): Configuration['experiments'] {
  const { experiments } = project.remote
  const { holdoutPercentage } = project.settings
  const { id: subscriberId, deviceKey } = subscriber
  const assigned = assign({ experiments, subject, bucketingId: deviceKey, held, holdoutPercentage })
  tellFaults(ctx, project, assigned.faults)
  const drawn = { projectId: project.id, subscriberId, deviceKey, assignedAt: ctx.clock.now() }
  for (const draw of assigned.draws) ctx.assignments.add({ ...draw, ...drawn })
  return Object.fromEntries(experimentAnswers(experiments, assigned).map((answer) => [answer.key, answer]))
}

/** Compiled rules never fail; should one, it has matched nobody, and somebody must hear of it. */
export function tellFaults(ctx: Context, project: ProjectState, faults: readonly Fault[]): void {
  for (const { path, message } of faults)
    ctx.log.error('targeting failed and matched nobody', { projectId: project.id, path, fault: message })
}
