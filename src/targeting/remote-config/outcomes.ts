import type { Context } from '../../base/context'
import { firstDeviceKey } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Subject } from '../audiences/model'
import { anonymousSubject, createSubject } from '../audiences/subject'
import { type Assigned, assign } from '../experiments/assign'
import { heldVariants } from '../experiments/holdings'
import type { Asker } from './assignments'
import { gatherFacts } from './facts'
import type { FactsNeeded } from './needs'
import { heldBy, tellFaults } from './service'

/** A caller as rules see them, and what every experiment of the project decides for them. */
export interface Standing {
  subject: Subject
  assigned: Assigned
}

/** What an answer needs to know of a subscriber. */
export interface Asked {
  facts: FactsNeeded
  /** Whether an experiment may answer: else nobody's assignments are read. */
  experiments: boolean
}

/**
 * Decides the experiments for a known subscriber as configuration would, and queues nothing: `use` may, and runs at
 * once, so that two calls cannot draw between.
 */
export async function withStanding<Result>(
  ctx: Context,
  project: ProjectState,
  asker: Asker,
  { facts: needs, experiments }: Asked,
  use: (standing: Standing) => Result,
): Promise<Result> {
  const { subscriber } = asker
  const waiting = ctx.state.assignments.of(asker)
  const [facts, saved] = await Promise.all([
    gatherFacts(ctx, project, subscriber, needs, {}),
    experiments && project.remote.isAnyRunning ? heldVariants(ctx, subscriber.id) : new Map<string, string>(),
  ])
  const held = heldBy(saved, [...waiting, ...ctx.state.assignments.of(asker)])
  return use(standingOf(ctx, project, createSubject(facts), firstDeviceKey(subscriber), held))
}

/** Of somebody whom no row stands for: without attributes; with a device key the one that they will be known by. */
export const anonymousStanding = (ctx: Context, project: ProjectState, deviceKey: string | null): Standing =>
  standingOf(ctx, project, anonymousSubject(), deviceKey, new Map())

function standingOf(
  ctx: Context,
  project: ProjectState,
  subject: Subject,
  bucketingId: string | null,
  held: ReadonlyMap<string, string>,
): Standing {
  const { experiments } = project.remote
  const { holdoutPercentage } = project.settings
  const assigned = assign({ experiments, subject, bucketingId, held, holdoutPercentage })
  tellFaults(ctx, project, assigned.faults)
  return { subject, assigned }
}
