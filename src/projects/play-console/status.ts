import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toIsoOrNull } from '../../base/lib/time'
import type { PushTarget } from '../../stores/android/pubsub-client'
import type { Store } from '../../stores/observation'
import { pushEndpoint } from '../connections/push-endpoint'
import { findAccess, type PubSubAccess, targetOf } from './access'
import { type PubSubSetup, readSetup } from './setup'
import { faultOf, isOfTopic, isTarget, mayPublish } from './steps'
import type { PubSubConnection } from './wire'

type PubSubStatus = PubSubConnection['status']

declare module '../../base/state' {
  interface SliceHooks {
    /** When the newest notification of a store arrived here; null = none is known. */
    lastArrival: (handle: Handle, projectId: string, store: Store) => Promise<number | null>
  }
}

/** The connection as Google reports it at this moment; 503 `STORE_UNAVAILABLE` when Google does not answer. */
export async function readPubSubStatus(ctx: Context, projectId: string): Promise<PubSubConnection> {
  const access = await findAccess(ctx, projectId)
  const setup = await readSetup(ctx, projectId)
  const status = access && setup ? await statusOf(ctx, projectId, access, setup) : 'DISCONNECTED'
  return toView(ctx, projectId, { status, setup, access })
}

interface Standing {
  status: PubSubStatus
  setup: PubSubSetup | null | 'invalid'
  access: PubSubAccess | null
}

export async function toView(
  ctx: Context,
  projectId: string,
  { status, setup, access }: Standing,
): Promise<PubSubConnection> {
  const shown = status === 'DISCONNECTED' || setup === 'invalid' ? null : setup
  const [lastArrival] = ctx.hooks.lastArrival ?? []
  return {
    status,
    topic: shown?.topic ?? null,
    subscription: shown?.subscription ?? null,
    endpoint: pushEndpoint(ctx, projectId),
    serviceAccount: access?.clientEmail ?? null,
    lastMessageAt: toIsoOrNull((await lastArrival?.(ctx, projectId, 'ANDROID_STORE')) ?? null),
  }
}

async function statusOf(
  ctx: Context,
  projectId: string,
  access: PubSubAccess,
  setup: PubSubSetup | 'invalid',
): Promise<PubSubStatus> {
  const endpoint = pushEndpoint(ctx, projectId)
  if (setup === 'invalid' || setup.retired !== null || endpoint === null) return 'BROKEN'
  const isWhole = await isWorking(access, setup, targetOf(access, endpoint))
  return isWhole ? 'CONNECTED' : 'BROKEN'
}

/** Whether Google Play may publish to the topic, and the subscription pushes it to this deployment. */
async function isWorking(access: PubSubAccess, setup: PubSubSetup, target: PushTarget): Promise<boolean> {
  const { client } = access
  const [subscription, policy] = await Promise.all([
    client.getSubscription(setup.subscription),
    client.getPolicy(setup.topic),
  ])
  for (const answer of [subscription, policy])
    if (!answer.ok && answer.kind === 'unavailable') throw faultOf(access, answer, setup.topic, 'answer')
  if (!subscription.ok || !isOfTopic(subscription.body, setup.topic)) return false
  // A topic of another account may hide its permissions; then only a message shows that it works.
  const isHidden = !policy.ok && policy.kind === 'forbidden' && !setup.isOwnTopic
  return isTarget(subscription.body, target) && (isHidden || (policy.ok && mayPublish(policy.body)))
}
