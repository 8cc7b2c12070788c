import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'

/** An app as App Store Connect describes it (developer.apple.com, App Store Connect API, object App). */
export interface ConnectApp {
  type: 'apps'
  id: string
  attributes: {
    name: string
    bundleId: string
    subscriptionStatusUrl: string | null
    subscriptionStatusUrlVersion: 'V1' | 'V2' | null
    subscriptionStatusUrlForSandbox: string | null
    subscriptionStatusUrlVersionForSandbox: 'V1' | 'V2' | null
  }
}

interface InAppPurchase {
  type: 'inAppPurchases'
  id: string
  attributes: {
    name: string
    productId: string
    inAppPurchaseType: 'CONSUMABLE' | 'NON_CONSUMABLE' | 'NON_RENEWING_SUBSCRIPTION'
    state: string
  }
}

interface Subscription {
  type: 'subscriptions'
  id: string
  attributes: { name: string; productId: string; state: string; subscriptionPeriod: string | null }
}

interface Recorded {
  method: string
  path: string
  body: unknown
  claims: Record<string, unknown> | null
}

/** A fault of the next answers; `path` restricts it to a method and path. */
interface Trouble {
  status: number
  code?: string
  detail?: string
  asked?: RegExp
  text?: string
}

export interface ConnectServer {
  url: string
  apps: ConnectApp[]
  /** The role of each key by its id; other keys are refused with 401. */
  roles: Map<string, 'ADMIN' | 'READER' | 'NONE'>
  purchases: InAppPurchase[]
  /** Subscriptions by group. */
  groups: Map<string, Subscription[]>
  pageSize: number
  trouble: Trouble | null
  requests: Recorded[]
  close(): Promise<void>
}

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
/** The private key of every key in these tests. */
export const CONNECT_PEM = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const publicKey = createPublicKey(CONNECT_PEM)

export const newApp = (bundleId: string, id = '1234567890'): ConnectApp => ({
  type: 'apps',
  id,
  attributes: {
    name: 'Sleep',
    bundleId,
    subscriptionStatusUrl: null,
    subscriptionStatusUrlVersion: null,
    subscriptionStatusUrlForSandbox: null,
    subscriptionStatusUrlVersionForSandbox: null,
  },
})

/** A stand-in for the App Store Connect API on loopback. It verifies every token as Apple documents it. */
export function startConnectServer(now: () => number): ConnectServer {
  const listener = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => serve(server, request, now()) })
  const server: ConnectServer = {
    url: `http://127.0.0.1:${listener.port}`,
    apps: [],
    roles: new Map(),
    purchases: [],
    groups: new Map(),
    pageSize: 200,
    trouble: null,
    requests: [],
    close: () => listener.stop(true),
  }
  return server
}

async function serve(server: ConnectServer, request: Request, now: number): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const text = await request.text()
  const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const caller = await identify(token, now)
  const body = text === '' ? null : JSON.parse(text)
  server.requests.push({ method: request.method, path: pathname, body, claims: caller?.claims ?? null })
  const { trouble } = server
  if (trouble && (trouble.asked?.test(`${request.method} ${pathname}`) ?? true))
    return trouble.text === undefined
      ? refuse(trouble.status, trouble.code ?? 'ERROR', trouble.detail ?? 'Troubled.')
      : new Response(trouble.text, { status: trouble.status })
  const role = caller && server.roles.get(caller.keyId)
  if (!role) return refuse(401, 'NOT_AUTHORIZED', 'Provide a properly configured and signed bearer token.')
  if (role === 'NONE' || (role === 'READER' && request.method !== 'GET'))
    return refuse(403, 'FORBIDDEN_ERROR', 'The API key in use does not allow this request')
  return answer(server, `${request.method} ${pathname}`, searchParams, body)
}

/** Null for a token that Apple would refuse: another audience, a longer life, a wrong signature. */
async function identify(token: string, now: number) {
  try {
    const currentDate = new Date(now)
    const { payload } = await jwtVerify(token, publicKey, { audience: 'appstoreconnect-v1', currentDate })
    const { kid = '', alg } = decodeProtectedHeader(token)
    const life = (payload.exp ?? 0) - (payload.iat ?? 0)
    const isRight = alg === 'ES256' && life > 0 && life <= 20 * 60 && typeof payload.iss === 'string'
    return isRight ? { keyId: kid, claims: { ...payload } } : null
  } catch {
    return null
  }
}

const refuse = (status: number, code: string, detail: string): Response =>
  Response.json({ errors: [{ id: 'e1', status: String(status), code, title: 'Refused.', detail }] }, { status })

function answer(server: ConnectServer, asked: string, query: URLSearchParams, body: unknown): Response {
  const id = /^\w+ \/v1\/\w+\/([^/]+)/.exec(asked)?.[1] ?? ''
  const app = server.apps.find((one) => one.id === id)
  if (asked === 'GET /v1/apps') {
    const wanted = query.get('filter[bundleId]') ?? ''
    return page(
      server,
      query,
      server.apps.filter(({ attributes }) => attributes.bundleId.startsWith(wanted)),
      asked,
    )
  }
  if (/^GET \/v1\/subscriptionGroups\/[^/]+\/subscriptions$/.test(asked))
    return page(server, query, server.groups.get(id) ?? [], asked)
  if (!app) return refuse(404, 'NOT_FOUND', 'There is no resource of that id')
  if (asked.endsWith('/inAppPurchasesV2')) return page(server, query, server.purchases, asked)
  if (asked.endsWith('/subscriptionGroups')) {
    const groups = [...server.groups.keys()].map((group) => ({ type: 'subscriptionGroups', id: group }))
    return page(server, query, groups, asked)
  }
  const { data } = body as { data: { type: string; id: string; attributes: Partial<ConnectApp['attributes']> } }
  if (data.type !== 'apps' || data.id !== app.id) return refuse(409, 'ENTITY_ERROR', 'The ids differ')
  Object.assign(app.attributes, data.attributes)
  return Response.json({ data: app, links: { self: asked } })
}

function page(server: ConnectServer, query: URLSearchParams, items: object[], asked: string): Response {
  const from = Number(query.get('cursor') ?? 0)
  const to = from + server.pageSize
  const self = `${server.url}${asked.split(' ')[1]}`
  const next = to < items.length ? { next: `${self}?cursor=${to}` } : {}
  return Response.json({ data: items.slice(from, to), links: { self, ...next } })
}
