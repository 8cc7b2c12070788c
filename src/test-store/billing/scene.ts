import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { outsideNow, SECOND } from '../../base/lib/clock'
import { receiveBillingEvent, signBilling } from '../../operators/plan-billing/webhook'
import { changeBillingAccount } from '../../projects/billing/account-queries'
import { planOf, requireCloud } from '../../projects/billing/service'
import type { Trouble } from '../stores/world'
import { readWorld, saveWorld } from './queries'
import { type BillingWorld, type Scene, settleDue, type TestEvent } from './world'

/** Changes the test store of a project, after what came due there. Two changes at once run one after the other. */
export const changeScene = <Result>(
  ctx: Context,
  projectId: string,
  work: (scene: Scene) => Result,
  advanceMs = 0,
): Promise<Result> =>
  ctx.write(async (tx) => {
    await tx.lock(`simulator-billing:${projectId}`)
    const world = await readWorld(tx, projectId)
    world.leadMs += advanceMs
    const scene = sceneOf(ctx, projectId, world)
    settleDue(scene)
    const result = work(scene)
    await saveWorld(tx, projectId, world)
    if (advanceMs > 0) await changeBillingAccount(tx, projectId, { leadMs: world.leadMs })
    return result
  })

export function sceneOf(ctx: Context, projectId: string, world: BillingWorld): Scene {
  const cloud = requireCloud(ctx)
  return {
    ...{ projectId, world },
    now: ctx.clock.now() + world.leadMs,
    priceOf: (tier) => planOf(cloud, tier).monthly ?? { amountMicros: 0, currency: 'USD' },
  }
}

/** As a call of the provider: 503 while the simulated provider is away. What it causes is delivered afterwards. */
export async function callStore<Result>(
  ctx: Context,
  projectId: string,
  work: (scene: Scene) => Result,
): Promise<Result> {
  const result = await changeScene(ctx, projectId, (scene) => {
    if (scene.world.trouble.isStoreDown) throw new AppError('STORE_UNAVAILABLE')
    return work(scene)
  })
  await deliverBilling(ctx, projectId)
  return result
}

/** Delivers the events that are due, or all, with the simulated faults. Returns their types. */
export async function deliverBilling(ctx: Context, projectId: string, isForced = false): Promise<string[]> {
  const { due, trouble } = await changeScene(ctx, projectId, ({ world, now }) => ({
    due: listDue(world, isForced ? Infinity : now),
    trouble: world.trouble,
  }))
  if (due.length === 0) return []
  const events = withTrouble(ctx, due, trouble)
  for (const event of events) await post(ctx, event)
  // Only now: a process that ends in between delivers them once more when it has started again.
  await changeScene(ctx, projectId, ({ world }) => forget(world, due))
  return events.map(({ type }) => type)
}

const listDue = ({ waiting }: BillingWorld, now: number): TestEvent[] =>
  waiting.filter(({ deliverAt }) => deliverAt <= now).map(({ event }) => event)

function forget(world: BillingWorld, delivered: readonly TestEvent[]): void {
  const ids = new Set(delivered.map(({ id }) => id))
  world.waiting = world.waiting.filter(({ event }) => !ids.has(event.id))
}

/** What of the events is delivered, how often, and in which order. */
function withTrouble(
  ctx: Context,
  due: readonly TestEvent[],
  { duplicates, isReordered, dropRate }: Trouble,
): TestEvent[] {
  const kept = due.filter(() => Number.parseInt(ctx.ids.uuid().slice(0, 8), 16) / 2 ** 32 >= dropRate)
  const all = kept.flatMap((event) => Array.from({ length: duplicates + 1 }, () => event))
  return isReordered ? all.reverse() : all
}

async function post(ctx: Context, { id, type, created, data }: TestEvent): Promise<void> {
  const text = JSON.stringify({ id, object: 'event', type, created, livemode: false, data })
  const body = new TextEncoder().encode(text)
  await receiveBillingEvent(ctx, body, signBilling(ctx, text, Math.floor(outsideNow(ctx) / SECOND)))
}
