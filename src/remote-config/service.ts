import type { Context } from '../context'
import type { Draw } from '../experiments/assign'
import { heldVariants } from '../experiments/holdings'
import type { FlagEnvironment } from '../flags/model'
import type { Fault } from '../lib/matches'
import type { ProjectState } from '../projects/state'
import type { Asker } from './assignments'
import { type Configuration, evaluateSnapshot } from './evaluate'
import { gatherFacts } from './facts'

export type { Configuration }

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
  return (await evaluateAnswer(ctx, project, asker, env, extra)).configuration
}

/** As `evaluateConfig`; `isSettled` when the same rows and configuration would give the same, and write nothing. */
export async function evaluateAnswer(
  ctx: Context,
  project: ProjectState,
  asker: Asker,
  env: FlagEnvironment,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<{ configuration: Configuration; isSettled: boolean }> {
  const { environments, isAnyRunning } = project.remote
  const { needs } = environments[env]
  const { subscriber } = asker
  // Before the read: what it is too early to find is then still waiting.
  const waiting = ctx.assignments.of(asker)
  const [facts, saved] = await Promise.all([
    gatherFacts(ctx, project, subscriber, needs, extra),
    isAnyRunning ? heldVariants(ctx, subscriber.id) : new Map<string, string>(),
  ])
  // From here on nothing is awaited, so that two calls at once cannot both draw.
  const { id: subscriberId, deviceKey, projectId } = subscriber
  const drawn = [...waiting, ...ctx.assignments.of(asker)]
  const { configuration, draws, faults } = evaluateSnapshot(project.remote, {
    env,
    facts,
    bucketingId: deviceKey,
    held: heldBy(saved, drawn),
    holdoutPercentage: project.settings.holdoutPercentage,
  })
  for (const draw of draws)
    ctx.assignments.add({ ...draw, projectId, subscriberId, deviceKey, assignedAt: ctx.clock.now() })
  tellFaults(ctx, project, faults)
  return { configuration, isSettled: needs.isSteady && drawn.length + draws.length + faults.length === 0 }
}

/** The saved row wins, but over a draw that replaces it. */
function heldBy(saved: ReadonlyMap<string, string>, waiting: readonly [string, Draw][]): Map<string, string> {
  const held = new Map(saved)
  for (const [experimentId, { variantId, replaces }] of waiting) {
    const there = saved.get(experimentId)
    if (there === undefined || there === replaces) held.set(experimentId, variantId)
  }
  return held
}

/** Compiled rules never fail; should one, it has matched nobody, and somebody must hear of it. */
function tellFaults(ctx: Context, project: ProjectState, faults: readonly Fault[]): void {
  for (const { path, message } of faults)
    ctx.log.error('targeting failed and matched nobody', { projectId: project.id, path, fault: message })
}
