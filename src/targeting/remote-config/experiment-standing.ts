import type { Context } from '../../base/context'
import { anonymousSubject } from '../../core/audience/subject'
import type { Subject } from '../../core/rules/model'
import { firstDeviceKey } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { createSubject } from '../audiences/built-ins'
import type { EvaluationTarget } from '../audiences/evaluation-target'
import { type Assigned, assign } from '../experiments/assign'
import { heldVariants } from '../experiments/holdings'
import { gatherFacts } from './facts'
import type { FactsNeeded } from './needs'
import { heldBy, reportFaults } from './service'
import { memberHash, surroundingsOf } from './surroundings'

/** A caller as rules see them, and the decision of every experiment of the project for them. */
export interface ExperimentStanding {
  subject: Subject
  assigned: Assigned
}

/** What an answer needs to read of a subscriber. */
export interface AnswerNeeds {
  facts: FactsNeeded
  /** Whether an experiment may answer; if not, no assignments are read. */
  experiments: boolean
}

/**
 * Decides the experiments for a known subscriber as the configuration does, without queueing draws. `use` may queue
 * them; it runs synchronously, so that no other call can draw in between.
 */
export async function withExperimentStanding<Result>(
  ctx: Context,
  project: ProjectState,
  target: EvaluationTarget,
  { facts: needs, experiments }: AnswerNeeds,
  use: (standing: ExperimentStanding) => Result,
): Promise<Result> {
  const { subscriber } = target
  const waiting = ctx.state.assignments.of(target)
  const [facts, saved] = await Promise.all([
    gatherFacts(ctx, project, subscriber, needs, {}),
    experiments && project.remote.isAnyRunning ? heldVariants(ctx, subscriber.id) : new Map<string, string>(),
  ])
  const held = heldBy(saved, [...waiting, ...ctx.state.assignments.of(target)])
  return use(
    standingOf(
      ctx,
      project,
      createSubject(facts, inProd(ctx, project, firstDeviceKey(subscriber))),
      firstDeviceKey(subscriber),
      held,
    ),
  )
}

/** The standing of a caller without a row and without attributes; a device key is the one that the row will have. */
export const anonymousStanding = (ctx: Context, project: ProjectState, deviceKey: string | null): ExperimentStanding =>
  standingOf(ctx, project, anonymousSubject({}, ctx.clock.now(), inProd(ctx, project, deviceKey)), deviceKey, new Map())

/** The standing of a web visitor, who is not a subscriber yet. The facts of the visit are the attributes. */
export async function visitorStanding(
  ctx: Context,
  project: ProjectState,
  visitorId: string,
  attributes: Readonly<Record<string, string>>,
): Promise<ExperimentStanding> {
  const held = project.remote.isAnyRunning ? await heldVariants(ctx, visitorId) : new Map<string, string>()
  const subject = anonymousSubject(attributes, ctx.clock.now(), inProd(ctx, project, visitorId))
  return standingOf(ctx, project, subject, visitorId, held)
}

/** Placements and offerings have no environment: their rules read the flags of PROD. */
const inProd = (ctx: Context, project: ProjectState, bucketingId: string | null) =>
  surroundingsOf(project.remote, 'PROD', bucketingId, memberHash(ctx, project))

function standingOf(
  ctx: Context,
  project: ProjectState,
  subject: Subject,
  bucketingId: string | null,
  held: ReadonlyMap<string, string>,
): ExperimentStanding {
  const { experiments } = project.remote
  const { holdoutPercentage } = project.settings
  const assigned = assign({ experiments, subject, bucketingId, held, holdoutPercentage })
  reportFaults(ctx, project, assigned.faults)
  return { subject, assigned }
}
