import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { enqueue } from '../../base/jobs/queue'
import { listPurchases } from '../../people/purchases/holdings'
import { assertLive, findReferenced } from '../../people/subscribers/service'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import { RECONCILED } from './stores'
import { syncJob } from './sync'

/** What became of the wish to ask the stores. */
export interface QueuedSync {
  /** False when there is nothing to ask about. */
  queued: boolean
  /** The connected stores that are asked. */
  stores: Store[]
}

/**
 * Queues a sync for a person. One that waits already is not queued a second time. `reference`: as in wire 1.8. 400
 * `STORE_NOT_CONFIGURED` when no store that would be asked is connected.
 */
export async function queueSync(
  ctx: Context,
  project: ProjectState,
  reference: string | null,
  actor: Actor,
): Promise<QueuedSync> {
  const { id: projectId } = project
  const subscriberId = reference === null ? null : await findLiveId(ctx, projectId, reference)
  const asked = subscriberId === null ? STORES : await soldBy(ctx, subscriberId)
  if (asked.length === 0) return { queued: false, stores: [] }
  const stores = await connected(ctx, project, asked)
  if (stores.length === 0) throw new AppError('STORE_NOT_CONFIGURED', undefined, { message: connectFirst(asked) })
  await ctx.write(async (tx) => {
    const dedupeKey = `${projectId}:${subscriberId ?? ''}`
    const jobId = await enqueue(tx, syncJob, { projectId, subscriberId }, { dedupeKey })
    if (jobId === null) return
    const target = { type: 'sync', id: jobId }
    await recordAudit(tx, projectId, actor, [
      { action: 'transactions.sync', target, before: null, after: { subscriberId } },
    ])
  })
  return { queued: true, stores }
}

async function findLiveId(ctx: Context, projectId: string, reference: string): Promise<string> {
  const subscriber = await findReferenced(ctx, { projectId, presented: 'secret' }, reference)
  if (!subscriber) throw notFound('subscriber', reference)
  return assertLive(subscriber).id
}

const NAMES: Readonly<Record<Store, string>> = {
  IOS_STORE: 'the App Store',
  ANDROID_STORE: 'Google Play',
  PAYMENT: 'the payment account',
  MANUAL: 'grants',
}

/** The stores that can be asked about purchases. */
const STORES = (Object.keys(NAMES) as Store[]).filter((store) => RECONCILED[store])

async function soldBy(ctx: Context, subscriberId: string): Promise<Store[]> {
  const sold = new Set((await listPurchases(ctx, subscriberId)).map(({ store }) => store))
  return STORES.filter((store) => sold.has(store))
}

async function connected(ctx: Context, project: ProjectState, stores: readonly Store[]): Promise<Store[]> {
  const answers = await Promise.all(
    stores.map(async (store) => (await RECONCILED[store]?.canAsk(ctx, project)) ?? false),
  )
  return stores.filter((_, index) => answers[index])
}

const connectFirst = (stores: readonly Store[]): string =>
  `No store can be asked: connect ${stores.map((store) => NAMES[store]).join(' or ')} first`
