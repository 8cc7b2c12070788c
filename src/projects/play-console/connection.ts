import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import type { PushTarget } from '../../stores/android/pubsub-client'
import { type CredentialLock, requireLock, withCredentialLock } from '../credential-lock/lock'
import type { LockedAction } from '../credential-lock/tables'
import { conflict, editProject, isSame, type ProjectActor } from '../project/edit'
import { type PubSubAccess, requireAccess, requireCloudProject, requireEndpoint, targetOf } from './access'
import { ownTopic, readTopicName, subscriptionName } from './names'
import { deleteSetup, writeSetup } from './queries'
import { credentialsInvalid } from './refusals'
import { type PubSubSetup, readSetup } from './setup'
import { toView } from './status'
import { ensurePublisher, ensureSubscription, ensureTopic, faultOf, remove, type Work } from './steps'
import type { PubSubConnection } from './wire'

type Saved = PubSubSetup | null | 'invalid'

/** A change of the connection that holds the lock. */
interface Change extends Work {
  ctx: Context
  by: ProjectActor
  lock: CredentialLock
  access: PubSubAccess
  action: LockedAction
}

/**
 * Makes topic, permission and subscription at Google, or repairs them, and saves what was made. Without `existingTopic`
 * the topic is the project's own. Refusals: wire 7.4, "Pub/Sub, in order".
 */
export const connectPubSub = (
  ctx: Context,
  by: ProjectActor,
  existingTopic: string | null,
): Promise<PubSubConnection> =>
  pushing(ctx, by, 'connect', async (change, target) => {
    const named = existingTopic === null ? null : requireTopic(change, existingTopic)
    const cloudProject = requireCloudProject(change.access)
    const saved = requireReadable(await readSetup(ctx, by.projectId))
    const isSaved = saved !== null && (named === null || named === saved.topic)
    if (saved && !isSaved) throw conflict(`Pub/Sub is connected with ${saved.topic}; disconnect it first`)
    const topic = named ?? ownTopic(cloudProject, by.projectId)
    const subscription = subscriptionName(cloudProject, by.projectId, 1)
    const wanted = saved ?? { topic, isOwnTopic: named === null, subscription, serial: 1, retired: null }
    return repair(change, saved, wanted, target)
  })

/** Makes what is missing at Google, and sets right what differs. 409 `CONFLICT` when nothing is connected. */
export const recreatePubSub = (ctx: Context, by: ProjectActor): Promise<PubSubConnection> =>
  pushing(ctx, by, 'recreate', async (change, target) => {
    requireCloudProject(change.access)
    const saved = requireConnected(await readSetup(ctx, by.projectId))
    return repair(change, saved, saved, target)
  })

/** Pushes through a new subscription, and deletes the one before. Messages may come through both, and count once. */
export const rotatePubSub = (ctx: Context, by: ProjectActor): Promise<PubSubConnection> =>
  pushing(ctx, by, 'rotate', async (change, target) => {
    const cloudProject = requireCloudProject(change.access)
    const saved = requireConnected(await readSetup(ctx, by.projectId))
    await retire(change, saved)
    const serial = saved.serial + 1
    const subscription = subscriptionName(cloudProject, by.projectId, serial)
    await ensureSubscription(change, subscription, saved.topic, target)
    const next = { ...saved, subscription, serial, retired: saved.subscription }
    await save(change, saved, next)
    return retire(change, next)
  })

/** Deletes at Google what svc made there. The topic stays when it was there before. 404 when nothing is connected. */
export const disconnectPubSub = async (ctx: Context, by: ProjectActor): Promise<PubSubConnection> => {
  await requireAccess(ctx, by.projectId)
  return locked(ctx, by, 'disconnect', async (change) => {
    const saved = await readSetup(ctx, by.projectId)
    if (saved === null) throw notFound('connection to Pub/Sub')
    if (saved !== 'invalid') await removeAll(change, saved)
    await save(change, saved, null)
    return show(change, 'DISCONNECTED', null)
  })
}

/**
 * Publishes a message as Google Play's own test does. It arrives a moment later, as a notification with the id that is
 * returned; then `lastMessageAt` is later than before.
 */
export async function testPubSub(ctx: Context, projectId: string): Promise<string> {
  const access = await requireAccess(ctx, projectId)
  const { topic } = requireConnected(await readSetup(ctx, projectId))
  const eventTimeMillis = String(ctx.clock.now())
  const { packageName } = access
  const message = { version: '1.0', packageName, eventTimeMillis, testNotification: { version: '1.0' } }
  const answer = await access.client.publish(topic, message)
  if (!answer.ok) throw faultOf(access, answer, topic, 'publish a message')
  return answer.body
}

/** A change after which Google pushes to this deployment. */
async function pushing(
  ctx: Context,
  by: ProjectActor,
  action: LockedAction,
  work: (change: Change, target: PushTarget) => Promise<PubSubSetup>,
): Promise<PubSubConnection> {
  await requireAccess(ctx, by.projectId)
  const endpoint = requireEndpoint(ctx, by.projectId)
  return locked(ctx, by, action, async (change) => {
    const setup = await work(change, targetOf(change.access, endpoint))
    return show(change, 'CONNECTED', setup)
  })
}

/** Runs a change under the lock, with the credentials that are saved then: they cannot be replaced meanwhile. */
const locked = (
  ctx: Context,
  by: ProjectActor,
  action: LockedAction,
  work: (change: Change) => Promise<PubSubConnection>,
): Promise<PubSubConnection> =>
  withCredentialLock(ctx, by.projectId, action, async (lock) => {
    const access = await requireAccess(ctx, by.projectId)
    const { client, clientEmail } = access
    return work({ ctx, by, lock, access, action, client, clientEmail, done: [] })
  })

const show = (
  { ctx, by, access }: Change,
  status: PubSubConnection['status'],
  setup: PubSubSetup | null,
): Promise<PubSubConnection> => toView(ctx, by.projectId, { status, setup, access })

function requireTopic(change: Change, given: string): string {
  const { cloudProject } = change.access
  const name = readTopicName(given, cloudProject.ok ? cloudProject.id : 'unknown')
  if (!name.ok) throw credentialsInvalid('existingTopic', name.reason)
  return name.topic
}

function requireReadable(saved: Saved): PubSubSetup | null {
  if (saved === 'invalid') throw credentialsInvalid('existingTopic', 'stored_setup_invalid')
  return saved
}

function requireConnected(saved: Saved): PubSubSetup {
  const setup = requireReadable(saved)
  if (!setup) throw conflict('Pub/Sub is not connected; connect it first')
  return setup
}

async function repair(
  change: Change,
  saved: PubSubSetup | null,
  wanted: PubSubSetup,
  target: PushTarget,
): Promise<PubSubSetup> {
  const { topic, subscription } = wanted
  await ensureTopic(change, topic, wanted.isOwnTopic)
  await ensurePublisher(change, topic)
  await ensureSubscription(change, subscription, topic, target)
  const clean = await retire(change, wanted)
  await save(change, saved, clean)
  return clean
}

/** Deletes the subscription before the last rotation, if it is still there. */
async function retire(change: Change, setup: PubSubSetup): Promise<PubSubSetup> {
  const { retired } = setup
  if (retired === null) return setup
  await remove(change, retired, () => change.client.deleteSubscription(retired))
  const clean = { ...setup, retired: null }
  await change.ctx.write(async (tx) => {
    await requireLock(tx, change.lock)
    const now = tx.clock.now()
    await writeSetup(tx, {
      projectId: change.by.projectId,
      setup: JSON.stringify(clean),
      createdAt: now,
      updatedAt: now,
    })
  })
  return clean
}

async function removeAll(change: Change, setup: PubSubSetup): Promise<void> {
  const { client } = change
  const { subscription, retired, topic, isOwnTopic } = setup
  // A rotation that broke off may have made the next subscription without saving it.
  for (const name of [subscription, retired, nextSubscription(setup)])
    if (name !== null) await remove(change, name, () => client.deleteSubscription(name))
  if (isOwnTopic) await remove(change, topic, () => client.deleteTopic(topic))
}

const nextSubscription = ({ subscription, serial }: PubSubSetup): string =>
  subscription.replace(/-\d+$/, `-${serial + 1}`)

/** Saves the set-up with one audit row. Neither is written when nothing has changed, here or at Google. */
async function save(change: Change, before: Saved, after: PubSubSetup | null): Promise<void> {
  const { ctx, by, lock, action, done } = change
  if (before !== null && before !== 'invalid' && after && isSame(before, after) && done.length === 0) return
  await editProject(ctx, by, async ({ tx, projectId, now, entries }) => {
    await requireLock(tx, lock)
    const row = { projectId, createdAt: now, updatedAt: now }
    if (after) await writeSetup(tx, { ...row, setup: JSON.stringify(after) })
    else await deleteSetup(tx, projectId)
    entries.push({
      action: `pubsub.${action}`,
      target: { type: 'pubsub', id: 'android.pubsub' },
      before: before === 'invalid' ? {} : before,
      after: after && { ...after, made: done },
    })
  })
}
