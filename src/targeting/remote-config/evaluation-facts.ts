import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import type { FlagReason } from '../../core/flag/evaluate'
import type { FlagEnvironment } from '../../core/flag/names'
import { BUILT_INS, type BuiltIn } from '../../core/rules/model'
import { findSubscriber, firstDeviceKey, resolveRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { builtInReader } from '../audiences/built-ins'
import { heldVariants } from '../experiments/holdings'
import { evaluateSnapshot } from './evaluate'
import { gatherFacts } from './facts'
import { factsNeeded } from './needs'
import { heldBy, reportFaults } from './service'
import { memberHash } from './surroundings'

/** What a browser needs to evaluate a draft for one person, and what the saved flags give them now. */
export interface EvaluationFacts {
  subscriberId: string
  env: FlagEnvironment
  attributes: Readonly<Record<string, string>>
  /** Every `svc.` value as text; null where the person has none. */
  builtIns: Record<BuiltIn, string | null>
  bucketingId: string
  /** The variants that the person holds, in experiments of any status. */
  heldVariants: { experimentId: string; variantId: string }[]
  flags: { key: string; value: unknown; reason: FlagReason; variant: string | null }[]
  /** Which of the values above are in the list of ids of which audience. */
  groups: { audience: string; values: string[] }[]
}

/** 404 for an unknown id. A merged subscriber is answered with the one it was merged into. Nothing is drawn or saved. */
export async function evaluationFacts(
  ctx: Context,
  project: ProjectState,
  id: string,
  env: FlagEnvironment,
): Promise<EvaluationFacts> {
  const row = await findSubscriber(ctx, project.id, id)
  if (!row) throw notFound('subscriber', id)
  const subscriber = await resolveRow(ctx, row)
  const target = { subscriber, deviceKey: subscriber.deviceKey }
  const waiting = ctx.state.assignments.of(target)
  const [facts, saved] = await Promise.all([
    gatherFacts(ctx, project, subscriber, factsNeeded(new Set(BUILT_INS)), {}),
    heldVariants(ctx, subscriber.id),
  ])
  const bucketingId = firstDeviceKey(subscriber)
  const held = heldBy(saved, [...waiting, ...ctx.state.assignments.of(target)])
  const { flags } = project.remote.environments[env]
  const { holdoutPercentage } = project.settings
  const hash = memberHash(ctx, project)
  const question = { env, hash, flags, withExperiments: false, facts, bucketingId, held, holdoutPercentage }
  const { results, faults } = evaluateSnapshot(project.remote, question)
  reportFaults(ctx, project, faults)
  const read = builtInReader(facts)
  const values = [...Object.values(facts.attributes), ...BUILT_INS.flatMap((name) => read(name) ?? [])]
  return {
    subscriberId: subscriber.id,
    env,
    attributes: facts.attributes,
    // The names are exactly those of the type.
    builtIns: Object.fromEntries(BUILT_INS.map((name) => [name, read(name) ?? null])) as Record<BuiltIn, string | null>,
    bucketingId,
    heldVariants: [...held].map(([experimentId, variantId]) => ({ experimentId, variantId })),
    flags: [...results].map(([key, { value, reason, variant }]) => ({ key, value, reason, variant })),
    groups: [...project.remote.groups].map(([audience, group]) => ({
      audience,
      values: [...new Set(values)].filter((value) => group.has(hash(value))),
    })),
  }
}
