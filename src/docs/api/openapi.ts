import { filterPaths, registerSchemaPath } from '@elysiajs/swagger/utils'
import type { InternalRoute } from 'elysia'
import type { ErrorCode } from '../../base/errors'
import type { Json } from '../../base/lib/json-schema'
import type { Hooks } from '../../base/state'
import { VERSION } from '../../base/version'
import type { IdentityFamily } from '../../people/subscribers/device-key'
import { webhooksOf, withEvents } from './openapi-events'
import { nameSchemas } from './openapi-named'
import { liftOperation } from './openapi-operation'
import { components } from './openapi-shared'

declare module 'elysia' {
  /** What a route can declare in addition to OpenAPI's own members. `buildOpenApi` replaces it by standard members. */
  interface DocumentDecoration {
    'x-example-request'?: unknown
    'x-example-response'?: unknown
    /** The kind of key that the route needs. `api` sets it from its guard. A caller with another kind gets 403. */
    'x-key-kind'?: 'any' | 'secret' | 'public'
    /** What authenticates the caller of a dashboard route. The doors set it; `public`: without a sign-in. */
    'x-door'?: 'operator' | 'account' | 'admin' | 'public' | 'report'
    /** The role, the capability or the person that such a route needs. */
    'x-who'?: string
    /** How the route identifies the calling device. Adds the parameters of that family. */
    'x-identity'?: IdentityFamily
    /** The answer has an ETag, and the route handles `If-None-Match`. */
    'x-tagged'?: boolean
    /** An experiment can change the answer. A header then names the experiment. */
    'x-experiment'?: boolean
    /** A change that no revision guards: the route does not read `If-Match`. */
    'x-unrevised'?: boolean
    /** A command that the revision of an object guards: the route reads `If-Match` although it is a POST. */
    'x-revised'?: boolean
    /** Every value in the path has an answer, so the route has no 404. */
    'x-always-found'?: boolean
    /** Error codes of this route, in addition to those that every route has. */
    'x-errors'?: readonly ErrorCode[]
  }
}

/** A group of operations in the OpenAPI document. */
export interface Tag {
  name: string
  description: string
}

declare module '../../base/state' {
  interface SliceHooks {
    tags: readonly Tag[]
    /** Prefixes of paths outside of `/v1/` that are part of the public interface. */
    describedPaths: readonly string[]
  }
}

/** The part of an application that `buildOpenApi` needs. `createApp(ctx)` returns one. */
export interface Routed {
  readonly routes: readonly InternalRoute[]
}

/** One of the documents: which routes it describes, and the text about all of them. */
interface Plan {
  title: string
  description: string
  /** Beginnings of the paths. */
  prefixes: (hooks: Hooks) => readonly string[]
  securitySchemes: Json
  security: readonly Json[]
  /** Whether the document also has what is sent to webhook endpoints. */
  hasWebhooks: boolean
}

export type DocumentName = 'api' | 'dashboard'

/**
 * The OpenAPI 3.1.0 document of an application's routes: `api` is what apps and servers call, `dashboard` what people
 * and their scripts call. `@elysiajs/swagger` maps each route to OpenAPI 3.0. This function converts the result to 3.1,
 * in which TypeBox schemas are valid, and adds what all operations share.
 */
export function buildOpenApi({ routes }: Routed, hooks: Hooks = {}, name: DocumentName = 'api'): Json {
  const { title, description, security, securitySchemes, hasWebhooks, ...plan } = PLANS[name]
  const paths: Json = {}
  const prefixes = plan.prefixes(hooks)
  for (const route of routes) if (isDescribed(route, prefixes)) addOperation(paths, route)
  const named = nameSchemas(paths)
  const sent = hasWebhooks ? webhooksOf() : null
  const schemas = { ...withEvents(named.schemas), ...sent?.schemas, ...components.schemas }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: VERSION,
      description,
      license: { name: 'GNU Affero General Public License v3.0 only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: '/', description: 'The server that this description came from' }],
    security,
    tags: tagsOf(hooks, { ...paths, ...sent?.webhooks }),
    paths: sortMembers(named.paths),
    ...(sent && { webhooks: sent.webhooks }),
    components: { ...components, securitySchemes, schemas: sortMembers(schemas) },
  }
}

const DESCRIPTION = `Receipts and store notifications in; entitlements, flags, balances and ordered events out.

Every call is scoped to the project that owns the API key presented as \`Authorization: Bearer <key>\`.
A success is \`{"data": ...}\`, a failure \`{"error": {"code", "message", "details"?}}\`; act on \`code\`.
Instants are ISO 8601 in UTC with milliseconds, money is integer micros with an ISO 4217 currency.
Amounts and balances of virtual currencies are 64-bit integers within ±(2^63−1), written as plain digits. They may exceed
2^53, so JavaScript clients read their digits: \`JSON.parse\` rounds them.
Bodies are JSON objects; no value is coerced. Every POST takes an \`Idempotency-Key\`. Every answer carries
\`X-Request-Id\`, and the state of the rate limits in \`X-RateLimit-*\`, \`RateLimit\` and \`RateLimit-Policy\`. The public
and the secret half of a key count apart. With a public key one address creates at most 120 subscribers in a minute.

Browsers call the same operations below \`/v1/web/{publicKey}\` in place of \`/v1\`: the key in the path equals the Bearer
key, is a public one, and the page's origin is among the allowed origins of the key or its project. Refusals there are
403 \`API_KEY_KIND_MISMATCH\`, \`FORBIDDEN\` and \`ORIGIN_NOT_ALLOWED\`.

Below \`/public/\` visitors of web funnels call without a key, from any site. \`project\` is the slug of the project. A session
is presented by its cookie, \`svc_fs_<session id>\`, or by its token in the header \`X-Svc-Funnel-Session\`.

\`/ofrep/v1\` speaks the OpenFeature Remote Evaluation Protocol to its stock clients: answers have no \`data\` around them,
and a refusal also carries the protocol's \`errorCode\`. Browsers find it at \`/v1/web/{publicKey}/ofrep/v1\`.`

const DASHBOARD_DESCRIPTION = `What the console, scripts and \`svc apply --url\` call, for people who are signed in.

Sign in below \`/api/auth\`, which sets a session cookie, or send a personal access token:
\`Authorization: Bearer svc_pat_...\`, with the rights of the person who made it. With a cookie, a request that changes
something must carry the \`Origin\` of the console.
A success is \`{"data": ...}\`, a failure \`{"error": {"code", "message", "details"?}}\`; act on \`code\`.
A project of which the caller is no member answers like one that does not exist. Objects carry a \`revision\`: PATCH, PUT
and DELETE with \`If-Match: "<revision>"\` are refused with 409 \`CONFLICT\` when somebody else was faster. Every POST
takes an \`Idempotency-Key\`. Every change is in the audit log.`

const PLANS: Record<DocumentName, Plan> = {
  api: {
    title: 'svc API',
    description: DESCRIPTION,
    prefixes: (hooks) => ['/v1/', ...(hooks.describedPaths ?? [])],
    securitySchemes: components.securitySchemes,
    security: [{ apiKey: [] }],
    hasWebhooks: true,
  },
  dashboard: {
    title: 'svc console API',
    description: DASHBOARD_DESCRIPTION,
    prefixes: () => ['/dashboard/', '/admin/', '/api/auth/', '/invitations/', '/unsubscribe'],
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: '`__Host-svc_session` on https.' },
      token: { type: 'http', scheme: 'bearer', description: 'A personal access token (`svc_pat_...`).' },
    },
    security: [{ session: [] }, { token: [] }],
    hasWebhooks: false,
  },
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Whether a route is part of the public interface. The browser mount is left out, as it repeats routes of `/v1`. */
function isDescribed({ method, path, hooks }: InternalRoute, prefixes: readonly string[]): boolean {
  if (hooks.detail?.hide === true || path.includes('*') || path.startsWith('/v1/web/')) return false
  return METHODS.includes(method) && prefixes.some((prefix) => path.startsWith(prefix))
}

function addOperation(paths: Json, { method, path, hooks }: InternalRoute): void {
  const { responses, parameters, ...detail } = hooks.detail ?? {} // In the plugin, these would replace what it derives.
  const drawn = {}
  registerSchemaPath({ schema: drawn, path, method, hook: { ...hooks, detail }, models: {} })
  const plain = asJson(filterPaths(drawn, { excludeStaticFile: false, exclude: [] }))
  for (const [name, item] of Object.entries(plain)) {
    const verb = method.toLowerCase()
    const operation = (item as Json)[verb] as Json
    const given = asJson({ response: hooks.response, responses, parameters })
    paths[name] = { ...(paths[name] as Json), [verb]: liftOperation({ verb, path: name, operation, given }) }
  }
}

/** A plain JSON copy of the plugin's result: no TypeBox symbols, no undefined members, nothing shared with a route. */
const asJson = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json

/** The groups that have at least one operation, sorted by name. */
function tagsOf(hooks: Hooks, paths: Json): Tag[] {
  const used = usedTags(paths)
  const tags = (hooks.tags ?? []).filter(({ name }) => used.has(name))
  return tags.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function usedTags(paths: Json): Set<unknown> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as Json) as Json[])
  return new Set(operations.flatMap(({ tags }) => tags))
}

const sortMembers = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
