import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { pubsub_v1 } from 'googleapis/build/src/apis/pubsub'
import { type CircuitBreaker, throughCircuit } from '../../base/lib/circuit'
import { type Clock, SECOND } from '../../base/lib/clock'
import { boundedFetch, presentFetch } from '../answer-text'
import { AccessTokens, PUBSUB_SCOPE } from './access-token'
import { failureOf } from './answer'
import { type CallOptions, optionsFor } from './client'
import { type PubSubAnswer, readPubSubAnswer, refusalOf, unreadableAnswer } from './pubsub-answer'
import type { ServiceAccount } from './service-account'

/** Address of the Pub/Sub API. */
export const PUBSUB_API_URL = 'https://pubsub.googleapis.com'
const TIMEOUT_MS = 8 * SECOND

interface Parts {
  account: ServiceAccount
  /** `PUBSUB_API_URL`, or the deployment's `SVC_PUBSUB_API_URL`. */
  apiUrl: string
  tokenUrl: string
  clock: Clock
  /** Shared by all projects, because it describes the API and not one cloud project. */
  circuit: CircuitBreaker
}

type Api = pubsub_v1.Pubsub
type Call = (api: Api, options: CallOptions) => Promise<{ status: number; data: unknown }>

const Text = Type.Union([Type.String(), Type.Null()])
/** In protobuf's JSON a member that is empty is absent. */
const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

const Policy = Type.Object({
  version: Maybe(Type.Integer()),
  etag: Maybe(Type.String()),
  bindings: Maybe(Type.Array(Type.Object({ role: Maybe(Type.String()), members: Maybe(Type.Array(Type.String())) }))),
})

const Subscription = Type.Object({
  topic: Maybe(Text),
  detached: Maybe(Type.Boolean()),
  pushConfig: Maybe(
    Type.Object({
      pushEndpoint: Maybe(Text),
      oidcToken: Maybe(Type.Object({ serviceAccountEmail: Maybe(Text), audience: Maybe(Text) })),
    }),
  ),
})

const Published = Type.Object({ messageIds: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) })

/** Who may do what with a topic. What this program does not know of it stays as it is. */
export type TopicPolicy = Static<typeof Policy>
export type PushSubscription = Static<typeof Subscription>

/** Where a subscription pushes to, and as whom Google signs the pushes. */
export interface PushTarget {
  endpoint: string
  serviceAccount: string
}

/** The Pub/Sub API with one service account. Names are whole: `projects/<project>/topics/<name>`. Nothing is retried. */
export class PubSubClient {
  readonly #parts: Parts
  readonly #tokens: AccessTokens
  #api: Promise<Api> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#tokens = new AccessTokens({ ...parts, scope: PUBSUB_SCOPE })
  }

  getTopic(topic: string) {
    return this.#call((api, options) => api.projects.topics.get({ topic }, options))
  }

  createTopic(name: string) {
    return this.#call((api, options) => api.projects.topics.create({ name, requestBody: {} }, options))
  }

  deleteTopic(topic: string) {
    return this.#call((api, options) => api.projects.topics.delete({ topic }, options))
  }

  getPolicy(resource: string): Promise<PubSubAnswer<TopicPolicy>> {
    const params = { resource, 'options.requestedPolicyVersion': 3 }
    return this.#read(Policy, (api, options) => api.projects.topics.getIamPolicy(params, options))
  }

  setPolicy(resource: string, policy: TopicPolicy) {
    const requestBody = { policy: policy as pubsub_v1.Schema$Policy } // As Google gave it, with one more member.
    return this.#call((api, options) => api.projects.topics.setIamPolicy({ resource, requestBody }, options))
  }

  getSubscription(subscription: string): Promise<PubSubAnswer<PushSubscription>> {
    return this.#read(Subscription, (api, options) => api.projects.subscriptions.get({ subscription }, options))
  }

  /** Messages that are not taken in are pushed again for seven days. The subscription itself never expires. */
  createSubscription(name: string, topic: string, target: PushTarget) {
    const requestBody: pubsub_v1.Schema$Subscription = {
      topic,
      pushConfig: toPushConfig(target),
      ackDeadlineSeconds: 60,
      messageRetentionDuration: '604800s',
      expirationPolicy: {},
      retryPolicy: { minimumBackoff: '10s', maximumBackoff: '600s' },
    }
    return this.#call((api, options) => api.projects.subscriptions.create({ name, requestBody }, options))
  }

  setPushTarget(subscription: string, target: PushTarget) {
    const requestBody = { pushConfig: toPushConfig(target) }
    return this.#call((api, options) =>
      api.projects.subscriptions.modifyPushConfig({ subscription, requestBody }, options),
    )
  }

  deleteSubscription(subscription: string) {
    return this.#call((api, options) => api.projects.subscriptions.delete({ subscription }, options))
  }

  /** Publishes one message; the result is its id, which the push will have too. */
  async publish(topic: string, message: object): Promise<PubSubAnswer<string>> {
    const data = Buffer.from(JSON.stringify(message)).toString('base64')
    const answer = await this.#read(Published, (api, options) =>
      api.projects.topics.publish({ topic, requestBody: { messages: [{ data }] } }, options),
    )
    return answer.ok ? { ok: true, body: answer.body.messageIds[0] ?? '' } : answer
  }

  async #read<Schema extends TSchema>(schema: Schema, call: Call): Promise<PubSubAnswer<Static<Schema>>> {
    const answer = await this.#call(call)
    if (!answer.ok) return answer
    return Value.Check(schema, answer.body) ? { ok: true, body: answer.body } : unreadableAnswer(200)
  }

  async #call(call: Call): Promise<Outcome['answer']> {
    const { circuit, clock } = this.#parts
    const whenOpen: Outcome = { answer: { ok: false, kind: 'unavailable' }, status: null }
    const { answer } = await throughCircuit({ circuit, clock, whenOpen, isOutage }, () => this.#send(call))
    return answer
  }

  async #send(call: Call): Promise<Outcome> {
    this.#api ??= this.#load()
    const api = await this.#api
    try {
      // The deadline includes the time in which an access token is requested.
      const { status, data } = await call(api, optionsFor(AbortSignal.timeout(TIMEOUT_MS)))
      if (status === 401) this.#tokens.forget()
      const answer = status === 401 ? ACCOUNT_REFUSED : readPubSubAnswer(status, toText(data))
      return { answer, status }
    } catch (error) {
      const failure = failureOf(error)
      return { answer: refusalOf(failure), status: failure.status }
    }
  }

  /** As in `PlayClient`: the library asks our token source for each call. */
  async #load(): Promise<Api> {
    const [{ pubsub }, { OAuth2Client }] = await Promise.all([
      import('googleapis/build/src/apis/pubsub'),
      import('google-auth-library'),
    ])
    const auth = new OAuth2Client()
    auth.refreshHandler = async () => ({
      access_token: await this.#tokens.get(AbortSignal.timeout(TIMEOUT_MS)),
      expiry_date: 1,
    })
    const fetchImplementation = boundedFetch(presentFetch)
    return pubsub({ version: 'v1', auth, rootUrl: this.#parts.apiUrl, fetchImplementation })
  }
}

interface Outcome {
  answer: PubSubAnswer<Record<string, unknown>>
  status: number | null
}

const ACCOUNT_REFUSED: Outcome['answer'] = { ok: false, kind: 'account' }

/** A limit of calls (429) concerns one cloud project only. */
const isOutage = ({ answer, status }: Outcome): boolean => !answer.ok && answer.kind === 'unavailable' && status !== 429

const toText = (data: unknown): string => (typeof data === 'string' ? data : '')

const toPushConfig = ({ endpoint, serviceAccount }: PushTarget): pubsub_v1.Schema$PushConfig => ({
  pushEndpoint: endpoint,
  oidcToken: { serviceAccountEmail: serviceAccount, audience: endpoint },
})
