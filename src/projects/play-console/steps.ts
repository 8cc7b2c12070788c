import { AppError } from '../../base/errors'
import type { PubSubAnswer, PubSubRefusal } from '../../stores/android/pubsub-answer'
import type { PubSubClient, PushSubscription, PushTarget, TopicPolicy } from '../../stores/android/pubsub-client'
import { projectIn } from './names'
import { pubsubFault } from './refusals'

/** One change of a connection that is running. */
export interface Work {
  client: PubSubClient
  clientEmail: string
  /** What was changed at Google so far, for the audit log. */
  done: string[]
}

/** The account with which Google Play publishes its notifications. */
export const PLAY_PUBLISHER = 'serviceAccount:google-play-developer-notifications@system.gserviceaccount.com'
const PUBLISHER_ROLE = 'roles/pubsub.publisher'

// Each step can be repeated: it makes only what is missing, so that a change that broke off half way can run again.

export async function ensureTopic(work: Work, topic: string, isOwn: boolean): Promise<void> {
  const found = await work.client.getTopic(topic)
  if (found.ok) return
  if (found.kind !== 'not_found') throw faultOf(work, found, topic, 'read the topic')
  if (!isOwn) throw new AppError('PUBSUB_TOPIC_NOT_FOUND', { gcpProject: projectIn(topic) })
  const made = await work.client.createTopic(topic)
  if (!made.ok && made.kind !== 'exists') throw faultOf(work, made, topic, 'make the topic')
  work.done.push('topic')
}

/** Lets Google Play publish to the topic. */
export async function ensurePublisher(work: Work, topic: string): Promise<void> {
  const read = await work.client.getPolicy(topic)
  if (!read.ok) throw faultOf(work, read, topic, 'read the permissions of the topic')
  if (mayPublish(read.body)) return
  const answer = await work.client.setPolicy(topic, withPublisher(read.body))
  if (!answer.ok && answer.kind === 'precondition')
    throw new AppError('PUBSUB_ORG_POLICY', { gcpProject: projectIn(topic) })
  if (!answer.ok) throw faultOf(work, answer, topic, 'let Google Play publish to the topic')
  work.done.push('publisher')
}

/** A binding with a condition may not hold, so it does not count. */
export const mayPublish = ({ bindings }: TopicPolicy): boolean =>
  (bindings ?? []).some((binding) => isPublisherRole(binding) && (binding.members ?? []).includes(PLAY_PUBLISHER))

type Binding = NonNullable<TopicPolicy['bindings']>[number]

const isPublisherRole = (binding: Binding): boolean => binding.role === PUBLISHER_ROLE && !('condition' in binding)

function withPublisher(policy: TopicPolicy): TopicPolicy {
  const bindings = policy.bindings ?? []
  const there = bindings.find(isPublisherRole)
  const added = { role: PUBLISHER_ROLE, members: [...(there?.members ?? []), PLAY_PUBLISHER] }
  return { ...policy, bindings: [...bindings.filter((one) => one !== there), added] }
}

/** The subscription as it has to be: of this topic, pushing to this deployment. One that differs is set right. */
export async function ensureSubscription(work: Work, name: string, topic: string, target: PushTarget): Promise<void> {
  const found = await work.client.getSubscription(name)
  if (!found.ok && found.kind !== 'not_found') throw faultOf(work, found, name, 'read the subscription')
  if (found.ok && isOfTopic(found.body, topic)) return ensureTarget(work, name, found.body, target)
  // The topic of a subscription cannot be changed; a deleted topic leaves its subscriptions behind.
  if (found.ok) await remove(work, name, () => work.client.deleteSubscription(name))
  const made = await work.client.createSubscription(name, topic, target)
  if (!made.ok) throw faultOf(work, made, name, 'make the subscription')
  work.done.push('subscription')
}

export const isOfTopic = (found: PushSubscription, topic: string): boolean =>
  found.topic === topic && found.detached !== true

async function ensureTarget(work: Work, name: string, found: PushSubscription, target: PushTarget): Promise<void> {
  if (isTarget(found, target)) return
  const answer = await work.client.setPushTarget(name, target)
  if (!answer.ok) throw faultOf(work, answer, name, 'change the subscription')
  work.done.push('push address')
}

export const isTarget = ({ pushConfig }: PushSubscription, { endpoint, serviceAccount }: PushTarget): boolean =>
  pushConfig?.pushEndpoint === endpoint &&
  pushConfig.oidcToken?.serviceAccountEmail === serviceAccount &&
  pushConfig.oidcToken.audience === endpoint

/** Deletes a topic or subscription. One that is not there any more is no error. */
export async function remove(work: Work, name: string, call: () => Promise<PubSubAnswer<unknown>>): Promise<void> {
  const answer = await call()
  if (!answer.ok && answer.kind !== 'not_found') throw faultOf(work, answer, name, `delete ${name}`)
}

export const faultOf = (
  work: Pick<Work, 'clientEmail'>,
  refusal: PubSubRefusal,
  name: string,
  what: string,
): AppError => pubsubFault(refusal, { gcpProject: projectIn(name), clientEmail: work.clientEmail }, what)
