import type { Context } from '../../context'
import { heldVariantsOfAll } from '../../experiments/holdings'
import type { FlagEnvironment } from '../../flags/model'
import type { ProjectState } from '../../projects/state'
import { listPurchasesOfAll, type PurchaseRow } from '../../purchases/holdings'
import { findByDevices, type SubscriberRow } from '../../subscribers/service'
import { factsOf, type Holdings, spentBy } from '../facts'
import { type Evaluation, evaluateRead, everything } from '../service'

/** What a device sees now, and whom it leads to. */
export interface View {
  subscriber: SubscriberRow
  evaluation: Evaluation
}

interface Asking {
  deviceKey: string
  env: FlagEnvironment
}

/**
 * Evaluates many devices of a project by what is saved of them now, with a few reads for all of them together. Calls
 * `onView` for each, in order, with null for one that leads to nobody.
 */
export async function evaluateMany<Each extends Asking>(
  ctx: Context,
  project: ProjectState,
  devices: readonly Each[],
  onView: (device: Each, view: View | null) => void,
): Promise<void> {
  const rows = await findByDevices(ctx, project.id, [...new Set(devices.map(({ deviceKey }) => deviceKey))])
  const present = devices.filter(({ deviceKey }) => rows.has(deviceKey))
  // Before the read: what it is too early to find is then still waiting.
  const askers = new Map([...rows].map(([deviceKey, subscriber]) => [deviceKey, { deviceKey, subscriber }]))
  const waiting = new Map([...askers].map(([deviceKey, asker]) => [deviceKey, ctx.assignments.of(asker)]))
  const ids = [...new Set([...rows.values()].map(({ id }) => id))]
  const [saved, holdings] = await Promise.all([
    project.remote.isAnyRunning ? heldVariantsOfAll(ctx, ids) : new Map<string, Map<string, string>>(),
    readHoldings(ctx, project, [...rows.values()], new Set(present.map(({ env }) => env))),
  ])
  for (const device of devices) {
    const asker = askers.get(device.deviceKey)
    if (!asker) {
      onView(device, null)
      continue
    }
    const { subscriber } = asker
    const facts = factsOf(ctx, project, subscriber, holdings(subscriber), {})
    const reading = {
      facts,
      saved: saved.get(subscriber.id) ?? NONE,
      waiting: waiting.get(device.deviceKey) ?? new Map(),
    }
    onView(device, {
      subscriber,
      evaluation: evaluateRead(ctx, project, asker, everything(project, device.env), reading),
    })
  }
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Purchases and money of the rows, as far as the rules of these environments ask for them. */
async function readHoldings(
  ctx: Context,
  project: ProjectState,
  rows: readonly SubscriberRow[],
  envs: ReadonlySet<FlagEnvironment>,
): Promise<(row: SubscriberRow) => Holdings> {
  const needs = [...envs].map((env) => project.remote.environments[env].needs)
  const live = rows.filter(({ erasedAt }) => erasedAt === null)
  const purchases = needs.some((need) => need.purchases)
    ? await listPurchasesOfAll(
        ctx,
        live.map(({ id }) => id),
      )
    : new Map<string, PurchaseRow[]>()
  const spent = new Map<string, number | null>()
  if (needs.some(({ spend }) => spend)) for (const row of live) spent.set(row.id, await spentBy(ctx, project, row))
  return ({ id }) => ({
    purchases: purchases.get(id) ?? [],
    spentUsdMicros: spent.has(id) ? (spent.get(id) ?? null) : 0,
  })
}
