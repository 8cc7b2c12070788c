import type { Context } from '../../../base/context'
import type { FlagEnvironment } from '../../../core/flag/names'
import { findByDevices, type SubscriberRow, unlessUnresolvable } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import type { EvaluationTarget } from '../../audiences/evaluation-target'
import { heldVariantsOfAll } from '../../experiments/holdings'
import { factsOf, readHoldingsOfAll } from '../facts'
import { findReferencedTarget } from '../referenced-target'
import { type Evaluation, evaluateRead, everything } from '../service'
import type { Listener } from './client'

/** The subscriber of a device and its evaluation at this moment. */
export interface View {
  subscriber: SubscriberRow
  evaluation: Evaluation
}

type Device = Pick<Listener, 'deviceKey' | 'reference' | 'env'>

/**
 * Evaluates many devices of a project from what is saved now, with a few reads for all of them together. Calls `onView`
 * for each, in order; with null for one without a subscriber.
 */
export async function evaluateMany<Each extends Device>(
  ctx: Context,
  project: ProjectState,
  devices: readonly Each[],
  onView: (device: Each, view: View | null) => void,
): Promise<void> {
  const targets = await findTargets(ctx, project.id, devices)
  const present = devices.filter((device) => targets.has(nameOf(device)))
  // Before the read: a draw that the read does not find yet is still waiting here.
  const waiting = new Map([...targets].map(([name, target]) => [name, ctx.state.assignments.of(target)]))
  const rows = new Map([...targets.values()].map(({ subscriber }) => [subscriber.id, subscriber]))
  const ids = [...rows.keys()]
  const [saved, holdings] = await Promise.all([
    project.remote.isAnyRunning ? heldVariantsOfAll(ctx, ids) : new Map<string, Map<string, string>>(),
    readHoldingsOfAll(ctx, project, [...rows.values()], needsOf(project, new Set(present.map(({ env }) => env)))),
  ])
  for (const device of devices) {
    const target = targets.get(nameOf(device))
    if (!target) {
      onView(device, null)
      continue
    }
    const { subscriber } = target
    const facts = factsOf(ctx, project, subscriber, holdings(subscriber), {})
    const reading = {
      facts,
      saved: saved.get(subscriber.id) ?? NONE,
      waiting: waiting.get(nameOf(device)) ?? new Map(),
    }
    onView(device, {
      subscriber,
      evaluation: evaluateRead(ctx, project, target, everything(project, device.env), reading),
    })
  }
}

const NONE: ReadonlyMap<string, string> = new Map()

/** A name for either kind; no device key starts with a line break. */
const nameOf = ({ deviceKey, reference }: Pick<Device, 'deviceKey' | 'reference'>): string =>
  reference === null ? deviceKey : `\n${reference}`

/**
 * The targets of the devices and of the references, by name; those without a subscriber are left out. Each reference is
 * looked up by itself.
 */
async function findTargets(
  ctx: Context,
  projectId: string,
  all: readonly Device[],
): Promise<Map<string, EvaluationTarget>> {
  const deviceKeys = all.flatMap(({ deviceKey, reference }) => (reference === null ? deviceKey : []))
  const rows = await findByDevices(ctx, projectId, [...new Set(deviceKeys)])
  const targets = new Map<string, EvaluationTarget>()
  for (const [deviceKey, subscriber] of rows) targets.set(deviceKey, { deviceKey, subscriber })
  for (const reference of new Set(all.map((each) => each.reference))) {
    const target =
      reference === null ? null : await findReferencedTarget(ctx, projectId, reference).catch(unlessUnresolvable)
    if (target) targets.set(nameOf({ deviceKey: '', reference }), target)
  }
  return targets
}

/** What the rules of some of these environments need. */
function needsOf({ remote }: ProjectState, envs: ReadonlySet<FlagEnvironment>) {
  const needs = [...envs].map((env) => remote.environments[env].needs)
  return { purchases: needs.some(({ purchases }) => purchases), spend: needs.some(({ spend }) => spend) }
}
