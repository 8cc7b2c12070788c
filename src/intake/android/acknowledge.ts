import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { DAY, HOUR, SECOND } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { androidClient } from '../../projects/connections/android-store'
import type { ProjectState } from '../../projects/project/state'
import { type AndroidLook, storeFault } from './fetch'

/** Google refunds an order that is not acknowledged within this time. */
const DEADLINE_MS = 3 * DAY

const Order = Type.Object(
  {
    projectId: Type.String(),
    purchaseToken: Type.String(),
    storeProductId: Type.String(),
    isSubscription: Type.Boolean(),
    deadlineAt: Type.Integer(),
  },
  { additionalProperties: false },
)

/** Acknowledges a purchase to Google. Attempts continue after the deadline; the first one after it logs the failure. */
export const androidAcknowledge = defineJob({
  name: 'purchases.android-acknowledge',
  payload: Order,
  maxAttempts: 200,
  backoff: { baseMs: 10 * SECOND, capMs: HOUR },
  handle: acknowledge,
})

type Order = (typeof Order)['static']

async function acknowledge(ctx: Context, order: Order): Promise<void> {
  const { projectId, purchaseToken, storeProductId, isSubscription, deadlineAt } = order
  const project = await ctx.state.projects.find(projectId)
  if (!project?.settings.androidAcknowledge) return
  if (ctx.clock.now() > deadlineAt) {
    ctx.log.error('a purchase was not acknowledged in time, and the store gives it back', { projectId })
    return
  }
  const client = await androidClient(ctx, project, purchaseToken)
  const answer = isSubscription
    ? await client.acknowledgeSubscription(purchaseToken, storeProductId)
    : await client.acknowledgeProduct(purchaseToken, storeProductId)
  if (answer.kind === 'ok') return
  // The purchase is unknown, refunded or acknowledged by the app: another attempt would get the same answer.
  if (answer.kind === 'not_found') ctx.log.warn('a purchase could not be acknowledged', { projectId, ...answer })
  else throw storeFault(answer)
}

/** Queues the acknowledgement in the caller's transaction, once for each purchase. */
export async function queueAcknowledgement(tx: Tx, project: ProjectState, look: AndroidLook): Promise<void> {
  if (look.isAcknowledged || !project.settings.androidAcknowledge) return
  const { purchaseToken, lines, family, startedAt, fetchedAt } = look
  const deadlineAt = startedAt + DEADLINE_MS
  if (fetchedAt > deadlineAt) return
  // Google knows the whole purchase by any of its products.
  const storeProductId = lines[0]?.lineKey ?? ''
  const order = { projectId: project.id, purchaseToken, storeProductId, isSubscription: family === 'SUBSCRIPTION' }
  const dedupeKey = `${project.id}:${sha256Hex(purchaseToken)}`
  await enqueue(tx, androidAcknowledge, { ...order, deadlineAt }, { dedupeKey })
}
