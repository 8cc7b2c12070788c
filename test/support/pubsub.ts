import type { pubsub_v1 } from 'googleapis/build/src/apis/pubsub'
import { toIso } from '../../src/base/lib/time'
import { PLAY_PUBLISHER } from '../../src/projects/play-console/steps'
import type { AndroidServer } from '../../src/test-store/stores/android-server'
import type { Answer } from './cast'

/** A push on its way to the app. */
export interface CloudPush {
  url: string
  body: string
  authorization: string
}

export interface CloudRequest {
  /** `PUT projects/simulated/topics/play`, `POST projects/simulated/topics/play:publish`. */
  call: string
  body: Record<string, unknown>
}

interface Parts {
  /** Gives access tokens and signs the pushes. */
  google: AndroidServer
  clock: { now(): number }
  deliver: (push: CloudPush) => Promise<Answer>
}

type Policy = pubsub_v1.Schema$Policy
type Subscription = pubsub_v1.Schema$Subscription

/** Pub/Sub on loopback: topics, permissions and subscriptions. What is published is pushed before it is answered. */
export class PubSubServer {
  readonly topics = new Map<string, Policy>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly requests: CloudRequest[] = []
  /** The answers of the app to the pushes. */
  readonly delivered: Answer[] = []
  /** An answer in place of the right one; null = the right one. */
  fault: (call: string) => Response | null | Promise<Response | null> = () => null
  readonly #server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.#answer(request) })
  #messages = 0

  constructor(readonly parts: Parts) {}

  get url(): string {
    return this.#server.url.origin
  }

  /** The calls since the last time, as `PUT projects/…`. */
  takeCalls(): string[] {
    return this.requests.splice(0).map(({ call }) => call)
  }

  /** Publishes as Google Play does; false when it may not. */
  async publishAsPlay(topic: string, data: string): Promise<boolean> {
    const policy = this.topics.get(topic)
    const isAllowed = policy?.bindings?.some(
      ({ role, members }) => role === 'roles/pubsub.publisher' && members?.includes(PLAY_PUBLISHER),
    )
    if (isAllowed) await this.#push(topic, data)
    return isAllowed ?? false
  }

  close(): Promise<void> {
    return this.#server.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const call = `${request.method} ${decodeURIComponent(pathname).replace(/^\/v1\//, '')}`
    const text = await request.text()
    const body = text === '' ? {} : JSON.parse(text)
    this.requests.push({ call, body })
    const fault = await this.fault(call)
    if (fault) return fault
    if (!this.parts.google.hasGiven(request.headers.get('authorization'))) return cloudError(401, 'UNAUTHENTICATED')
    for (const [pattern, handle] of ROUTES) {
      const match = pattern.exec(call)
      if (match) return handle(this, match[1] ?? '', body)
    }
    return cloudError(404, 'NOT_FOUND')
  }

  /** Pushes to every subscription of the topic; the result is the id of the message. */
  async #push(topic: string, data: string): Promise<string> {
    this.#messages += 1
    const messageId = String(19_000_000_000_000 + this.#messages)
    const publishTime = toIso(this.parts.clock.now())
    for (const [name, { topic: from, pushConfig }] of [...this.subscriptions]) {
      if (from !== topic || !pushConfig?.pushEndpoint) continue
      const { serviceAccountEmail, audience } = pushConfig.oidcToken ?? {}
      const identity = { audience: audience ?? pushConfig.pushEndpoint, email: serviceAccountEmail ?? '' }
      const body = JSON.stringify({ message: { data, messageId, publishTime }, subscription: name })
      const authorization = `Bearer ${await this.parts.google.pushToken(identity)}`
      this.delivered.push(await this.parts.deliver({ url: pushConfig.pushEndpoint, body, authorization }))
    }
    return messageId
  }

  async publish(topic: string, { messages }: pubsub_v1.Schema$PublishRequest): Promise<string[]> {
    const ids: string[] = []
    for (const { data } of messages ?? []) ids.push(await this.#push(topic, data ?? ''))
    return ids
  }
}

/** An error as Google's APIs answer it. */
export const cloudError = (code: number, status: string, reason?: string): Response => {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }
  const details = reason === undefined ? {} : { details: [info] }
  return Response.json({ error: { code, message: `${status}.`, status, ...details } }, { status: code })
}

type Handle = (server: PubSubServer, name: string, body: Record<string, unknown>) => Response | Promise<Response>

const TOPIC = '(projects/[^/]+/topics/[^/:]+)'
const SUBSCRIPTION = '(projects/[^/]+/subscriptions/[^/:]+)'
const NOT_FOUND = () => cloudError(404, 'NOT_FOUND')

const route = (pattern: string, handle: Handle): readonly [RegExp, Handle] => [new RegExp(`^${pattern}$`), handle]

const ROUTES = [
  route(`PUT ${TOPIC}`, ({ topics }, name) => {
    if (topics.has(name)) return cloudError(409, 'ALREADY_EXISTS')
    topics.set(name, { etag: 'ACAB' })
    return Response.json({ name } satisfies pubsub_v1.Schema$Topic)
  }),
  route(`GET ${TOPIC}`, ({ topics }, name) =>
    topics.has(name) ? Response.json({ name } satisfies pubsub_v1.Schema$Topic) : NOT_FOUND(),
  ),
  route(`DELETE ${TOPIC}`, ({ topics, subscriptions }, name) => {
    if (!topics.delete(name)) return NOT_FOUND()
    for (const subscription of subscriptions.values())
      if (subscription.topic === name) subscription.topic = '_deleted-topic_'
    return Response.json({})
  }),
  route(`GET ${TOPIC}:getIamPolicy`, ({ topics }, name) => {
    const policy = topics.get(name)
    return policy ? Response.json(policy) : NOT_FOUND()
  }),
  route(`POST ${TOPIC}:setIamPolicy`, ({ topics }, name, { policy }: pubsub_v1.Schema$SetIamPolicyRequest) => {
    const held = topics.get(name)
    if (!held || !policy) return NOT_FOUND()
    if (policy.etag !== held.etag) return cloudError(409, 'ABORTED')
    topics.set(name, { ...policy, etag: `${held.etag}A` })
    return Response.json(policy)
  }),
  route(`POST ${TOPIC}:publish`, async (server, name, body) => {
    if (!server.topics.has(name)) return NOT_FOUND()
    const messageIds = await server.publish(name, body)
    return Response.json({ messageIds } satisfies pubsub_v1.Schema$PublishResponse)
  }),
  route(`PUT ${SUBSCRIPTION}`, ({ topics, subscriptions }, name, body: Subscription) => {
    if (subscriptions.has(name)) return cloudError(409, 'ALREADY_EXISTS')
    if (!topics.has(body.topic ?? '')) return NOT_FOUND()
    const made: Subscription = { ...body, name, state: 'ACTIVE' }
    subscriptions.set(name, made)
    return Response.json(made)
  }),
  route(`GET ${SUBSCRIPTION}`, ({ subscriptions }, name) => {
    const held = subscriptions.get(name)
    return held ? Response.json(held) : NOT_FOUND()
  }),
  route(`POST ${SUBSCRIPTION}:modifyPushConfig`, ({ subscriptions }, name, body) => {
    const held = subscriptions.get(name)
    const { pushConfig } = body as pubsub_v1.Schema$ModifyPushConfigRequest // The library's own request.
    if (!held || !pushConfig) return NOT_FOUND()
    subscriptions.set(name, { ...held, pushConfig })
    return Response.json({})
  }),
  route(`DELETE ${SUBSCRIPTION}`, ({ subscriptions }, name) =>
    subscriptions.delete(name) ? Response.json({}) : NOT_FOUND(),
  ),
]
