import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import type { Clock } from '../../base/lib/clock'
import type { SigningKey } from '../../stores/test-keys/service'
import { answerPlay, failure } from './android-api'
import { answerCatalog, emptyCatalog, type SimulatedCatalog } from './android-catalog'
import {
  type PushIdentity,
  publishedKey,
  pushBody,
  type SimulatedNotification,
  type SimulatedPush,
  signPushToken,
} from './android-push'
import { AndroidStore } from './android-store'

/** Faults to simulate; an absent member simulates none. */
export interface AndroidFaults {
  /** Status of each answer of the API, of the token endpoint and of the key set. */
  status?: number
  tokenStatus?: number
  keysStatus?: number
  /** Seconds in the `Retry-After` of the answer with `status`. */
  retryAfter?: number
  /** Google's reason in the answer with `status`. */
  reason?: string
  delayMs?: number
  /** Answers only after this promise is fulfilled. */
  until?: Promise<void>
  /** Behaves like Google before `purchases.productsv2` existed. */
  hasNoProductsV2?: boolean
  /** Status of each answer about an order: 403 to a service account that may not see financial data. */
  orderStatus?: number
  /** Answers with half of a JSON text and status 200. */
  isMalformed?: boolean
  /** The text of an answer with status 200, in place of the right one; null = the right one. */
  reply?: (path: string) => string | null
  /** Sends each push twice. */
  isDoubled?: boolean
  /** Sends the last push first. */
  isReordered?: boolean
}

export interface RecordedRequest {
  method: string
  path: string
  query: string
  authorization: string | null
}

interface Options {
  clock: Clock
  packageName: string
  /** Equal seeds give equal tokens and orders. */
  seed?: string
}

/** Google Play's own, and that of Pub/Sub. */
const SCOPES = ['androidpublisher', 'pubsub'].map((name) => `https://www.googleapis.com/auth/${name}`)

const ACCOUNT = 'svc@simulated.iam.gserviceaccount.com'

/** Google Play on loopback: the Developer API, the token endpoint, the keys of push tokens, and the pushes. */
export class AndroidServer {
  readonly store: AndroidStore
  readonly requests: RecordedRequest[] = []
  catalog: SimulatedCatalog = emptyCatalog()
  faults: AndroidFaults = {}
  readonly #server: ReturnType<typeof Bun.serve>
  readonly #notifications: { notification: SimulatedNotification; now: number; messageId: string }[] = []
  readonly #tokens = new Set<string>()
  #messages = 0

  private constructor(
    private readonly options: Options,
    private readonly accountKey: SigningKey,
    private pushKey: SigningKey,
  ) {
    this.store = new AndroidStore(options.clock, options.seed ?? 'android', (notification, now) => {
      this.#messages += 1
      this.#notifications.push({ notification, now, messageId: String(13_000_000_000_000 + this.#messages) })
    })
    this.#server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.#answer(request) })
  }

  static async start(options: Options): Promise<AndroidServer> {
    firstKeys ??= Promise.all([makeKey('account-1'), makeKey('push-1')])
    const [account, push] = await firstKeys
    return new AndroidServer(options, account, push)
  }

  get apiUrl(): string {
    return this.#server.url.origin
  }

  get tokenUrl(): string {
    return `${this.apiUrl}/token`
  }

  get keysUrl(): string {
    return `${this.apiUrl}/certs`
  }

  /** The key file of a service account that the token endpoint accepts. */
  async serviceAccountFile(): Promise<Record<string, string>> {
    return {
      type: 'service_account',
      private_key_id: this.accountKey.id,
      private_key: await exportPKCS8(this.accountKey.privateKey),
      client_email: ACCOUNT,
      token_uri: this.tokenUrl,
    }
  }

  /** The signed pushes since the last call, in the order and as often as they are to be delivered. */
  async takePushes(identity: PushIdentity): Promise<SimulatedPush[]> {
    const pushes = await Promise.all(this.#notifications.splice(0).map((one) => this.#sign(one, identity)))
    const ordered = this.faults.isReordered ? pushes.toReversed() : pushes
    return this.faults.isDoubled ? ordered.flatMap((push) => [push, push]) : ordered
  }

  /** A token for pushes, correct except for the members that `identity` sets. */
  pushToken(identity: PushIdentity, now = this.options.clock.now()): Promise<string> {
    return signPushToken(this.pushKey, identity, now)
  }

  /** Replaces the signing key; the old one is no longer published. */
  async rotateKeys(id: string): Promise<void> {
    this.pushKey = await makeKey(id)
  }

  /** Whether the token endpoint has given this `Authorization` header. Other services of Google accept it as well. */
  hasGiven(authorization: string | null): boolean {
    return this.#tokens.has(authorization ?? '')
  }

  /** Makes all access tokens given so far invalid. */
  forgetTokens(): void {
    this.#tokens.clear()
  }

  close(): Promise<void> {
    return this.#server.stop(true)
  }

  async #sign(
    { notification, now, messageId }: { notification: SimulatedNotification; now: number; messageId: string },
    identity: PushIdentity,
  ): Promise<SimulatedPush> {
    const body = pushBody(this.options.packageName, notification, { messageId, now })
    const token = await this.pushToken(identity)
    return { messageId, type: notification.type, body, authorization: `Bearer ${token}` }
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url)
    const path = decodeURIComponent(pathname)
    const authorization = request.headers.get('authorization')
    this.requests.push({ method: request.method, path, query: search, authorization })
    if (this.faults.delayMs) await Bun.sleep(this.faults.delayMs)
    await this.faults.until
    const garbage = this.faults.reply?.(path) ?? null
    if (garbage !== null) return new Response(garbage, JSON_TYPE)
    if (pathname === '/token') return this.#giveToken(await request.text())
    if (pathname === '/certs') return this.#giveKeys()
    const { status, reason = 'backendError', isMalformed, retryAfter } = this.faults
    if (status) return failure(status, reason, retryAfter)
    if (isMalformed) return new Response('{"kind":"androidpublisher#subscr', JSON_TYPE)
    if (!this.#tokens.has(authorization ?? '')) return failure(401, 'authError')
    const { packageName } = this.options
    const ofApp = `/androidpublisher/v3/applications/${packageName}/`
    const listed = path.startsWith(ofApp) ? answerCatalog(this.catalog, path.slice(ofApp.length), searchParams) : null
    if (listed) return listed
    const body: unknown = await request.json().catch(() => null)
    return answerPlay(this.store, { method: request.method, path, query: searchParams, packageName, body }, this.faults)
  }

  async #giveToken(form: string): Promise<Response> {
    const { tokenStatus } = this.faults
    if (tokenStatus) return Response.json({ error: 'simulated' }, { status: tokenStatus })
    if (!(await this.#isBelieved(new URLSearchParams(form).get('assertion') ?? ''))) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    const token = `ya29.${this.#tokens.size + 1}`
    this.#tokens.add(`Bearer ${token}`)
    return Response.json({ access_token: token, expires_in: 3599, token_type: 'Bearer' })
  }

  async #isBelieved(assertion: string): Promise<boolean> {
    const currentDate = new Date(this.options.clock.now())
    const expected = { audience: this.tokenUrl, issuer: ACCOUNT, algorithms: ['RS256'], currentDate }
    return jwtVerify(assertion, this.accountKey.publicKey, expected).then(
      ({ payload }) => SCOPES.includes(String(payload.scope)),
      () => false,
    )
  }

  async #giveKeys(): Promise<Response> {
    const { keysStatus, isMalformed } = this.faults
    if (keysStatus) return failure(keysStatus, 'backendError')
    return isMalformed
      ? new Response('{"keys":[', JSON_TYPE)
      : Response.json({ keys: [await publishedKey(this.pushKey)] })
  }
}

const JSON_TYPE = { headers: { 'content-type': 'application/json; charset=UTF-8' } }

/** Shared by all servers of this process: RSA keys are slow to generate, and no test depends on which key it is. */
let firstKeys: Promise<[SigningKey, SigningKey]> | undefined

async function makeKey(id: string): Promise<SigningKey> {
  return { id, ...(await generateKeyPair('RS256', { extractable: true })) }
}
