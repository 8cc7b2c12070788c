import { ERRORS } from '../../base/error-codes'
import type { ErrorCode } from '../../base/errors'
import { type Json, liftSchema } from '../../base/lib/json-schema'
import { exampleOf } from './openapi-example'
import { identityParameters, KNOWN_PARAMETERS, refusalRef, SUCCESS } from './openapi-shared'

/** One operation from the plugin, with the responses and parameters that the route itself declares. */
interface Mapped {
  verb: string
  path: string
  operation: Json
  given: Json
}

/** The operation in OpenAPI 3.1.0, with shared parameters, refusals and examples. Its members are in a fixed order. */
export function liftOperation(mapped: Mapped): Json {
  const { operation } = mapped
  const isPublic = isOpen(operation)
  const responses = liftResponses(mapped)
  const parameters = liftParameters(mapped, '304' in responses)
  return {
    tags: operation.tags ?? [],
    summary: operation.summary ?? '',
    ...member('description', describe(operation)),
    operationId: operation.operationId,
    ...(isPublic && { security: [] }),
    ...(operation.deprecated === true && { deprecated: true }),
    parameters,
    ...member('requestBody', liftRequestBody(operation)),
    responses: { ...responses, ...refusals(mapped, isPublic, responses) },
  }
}

const isOpen = ({ security, 'x-door': door }: Json): boolean =>
  door === 'public' || (Array.isArray(security) && security.length === 0)

const member = (name: string, value: unknown): Json => (value === undefined ? {} : { [name]: value })

function describe(operation: Json): string | undefined {
  const kind = operation['x-key-kind']
  const codes = ownCodes(operation).map((code) => `\`${code}\` (${ERRORS[code].status.join(', ')})`)
  const sentences = [
    operation.description,
    kind === 'secret' && 'Needs a secret key.',
    kind === 'public' && 'Needs a public key.',
    needOf(operation),
    codes.length > 0 && `Errors only this call returns: ${codes.join(', ')}.`,
  ]
  return sentences.filter(Boolean).join(' ') || undefined
}

/** Who may call a route of the dashboard. */
function needOf(operation: Json): string | undefined {
  const { 'x-door': door, 'x-who': who } = operation
  if (door === 'operator' && String(who).includes(':')) return `Needs the capability \`${who}\`.`
  if (door === 'operator') return `Needs the role \`${who}\` or a higher one.`
  if (door === 'admin')
    return 'Needs a platform administrator who has signed in with two factors, at most 12 hours ago.'
  return door === 'account' && who === 'me (session only)'
    ? 'Needs a session; personal access tokens are refused.'
    : undefined
}

// The type is checked at the route, in `detail`. Here it is the same list after a conversion to JSON.
const ownCodes = (operation: Json): ErrorCode[] => (operation['x-errors'] ?? []) as ErrorCode[]

function liftParameters({ verb, operation, given }: Mapped, isTagged: boolean): Json[] {
  const identity = identityParameters(operation['x-identity'])
  const descriptions = new Map(identity.map((parameter) => [placeOf(parameter), parameter.description]))
  const drawn = [...list(operation.parameters), ...list(given.parameters)].map((parameter) =>
    liftParameter(parameter, descriptions.get(placeOf(parameter))),
  )
  const named = drawn.map(placeOf)
  return [
    ...drawn,
    ...identity.filter((parameter) => !named.includes(placeOf(parameter))),
    ...(verb === 'post' && operation['x-door'] !== 'public' ? [shared('IdempotencyKey')] : []),
    ...(takesRevision(verb, operation) ? [shared('IfMatch')] : []),
    ...(isTagged ? [shared('IfNoneMatch')] : []),
    shared('RequestId'),
  ]
}

/** Whether a change can be refused because another person was faster (wire 7.1). */
const takesRevision = (verb: string, operation: Json): boolean =>
  operation['x-revised'] === true ||
  (operation['x-door'] === 'operator' && operation['x-unrevised'] !== true && ['patch', 'put', 'delete'].includes(verb))

const placeOf = ({ in: place, name }: Json): string => `${place} ${String(name).toLowerCase()}`

const shared = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : [])

/** `known` is what the name means for the routes of its family. */
function liftParameter(parameter: Json, known: unknown): Json {
  if ('$ref' in parameter) return parameter
  const { name, in: place, description, required, schema } = parameter
  return {
    name,
    in: place,
    ...member('description', description ?? known ?? KNOWN_PARAMETERS[String(name)]),
    required: place === 'path' || required === true,
    schema: liftSchema((schema ?? { type: 'string' }) as Json),
  }
}

function liftRequestBody(operation: Json): Json | undefined {
  const mapped = operation.requestBody as { required?: boolean; content: Record<string, Json> } | undefined
  const drawn = mapped?.content['application/json']?.schema as Json | undefined
  if (!drawn) return mapped && Object.keys(mapped.content).length > 0 ? { ...mapped } : undefined
  const schema = liftSchema(drawn)
  const example = operation['x-example-request'] ?? exampleOf(schema)
  // A missing body counts as {}, so it is required only when a member is.
  return { required: list(schema.required).length > 0, content: { 'application/json': { schema, example } } }
}

function liftResponses({ verb, operation, given }: Mapped): Json {
  const lifted: Json = {}
  const declared: Record<string, Json | null> = {
    ...responseSchemas(given.response),
    ...(operation['x-tagged'] === true && { '304': null }),
  }
  const codes = Object.keys({ ...declared, ...(given.responses as Json) })
  if (!codes.some((code) => code.startsWith('2'))) codes.push('200')
  const isTagged = codes.includes('304')
  for (const code of codes) {
    const own = (given.responses as Json | undefined)?.[code] as Json | undefined
    const schema = declared[code] ?? null
    lifted[code] = own ? { ...own, ...ownContent(own) } : jsonResponse(code, schema, operation['x-example-response'])
    if (!own) Object.assign(lifted[code] as Json, { headers: successHeaders(verb, isTagged, operation) })
  }
  return lifted
}

/** The schemas by status. They come from the route, because the plugin loses whether a response is closed. */
function responseSchemas(response: unknown): Record<string, Json | null> {
  if (typeof response !== 'object' || response === null) return {}
  const isSchema = !Object.keys(response).every((key) => /^\d{3}$/.test(key))
  const byStatus = (isSchema ? { '200': response } : response) as Record<string, Json>
  return Object.fromEntries(Object.entries(byStatus).map(([code, schema]) => [code, isEmpty(schema) ? null : schema]))
}

const isEmpty = ({ type }: Json): boolean => type === 'void' || type === 'undefined' || type === 'null'

function jsonResponse(code: string, drawn: Json | null, given: unknown): Json {
  const description = String(drawn?.description ?? SUCCESS[code] ?? 'Done.')
  if (!drawn) return { description }
  const schema = liftSchema(drawn)
  const isSuccess = code.startsWith('2')
  const example = (isSuccess ? given : undefined) ?? exampleOf(schema)
  return { description, content: { 'application/json': { schema, example } } }
}

/** Content that the route describes itself, for example a stream. Its schemas are converted as well. */
function ownContent({ content }: Json): Json {
  if (typeof content !== 'object' || content === null) return {}
  const lifted = Object.entries(content as Record<string, Json>).map(([type, { schema, ...rest }]): [string, Json] => [
    type,
    { ...(schema !== undefined && { schema: liftSchema(schema as Json) }), ...rest },
  ])
  return { content: Object.fromEntries(lifted) }
}

function successHeaders(verb: string, isTagged: boolean, operation: Json): Json {
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(isTagged && { ETag: { $ref: '#/components/headers/ETag' } }),
    ...(operation['x-experiment'] === true && { 'X-Svc-Experiment': { $ref: '#/components/headers/Experiment' } }),
    ...(verb === 'post' && { 'Idempotent-Replay': { $ref: '#/components/headers/IdempotentReplay' } }),
  }
}

/** A subscriber whose row leads nowhere is refused wherever one is named. */
const namesSubscriber = (path: string, operation: Json): boolean =>
  path.includes('{appUserId}') || operation['x-identity'] !== undefined

/** A page of another origin is refused with 403 wherever a cookie counts. */
const DOOR_STATUSES: Record<string, readonly number[]> = {
  operator: [403, 404],
  account: [403],
  admin: [403],
  public: [403],
}

const EVERYWHERE = [400, 413, 429, 500, 503]
const ON_POST = [408, 409, 422]

function refusals({ verb, path, operation }: Mapped, isPublic: boolean, responses: Json): Json {
  const kind = operation['x-key-kind']
  const statuses = new Set<number>([
    ...EVERYWHERE,
    ...(isPublic ? [] : [401]),
    ...(kind === 'secret' || kind === 'public' ? [403] : []),
    ...(DOOR_STATUSES[String(operation['x-door'])] ?? []),
    ...(takesRevision(verb, operation) ? [409] : []),
    ...(path.includes('{') && operation['x-always-found'] !== true ? [404] : []),
    ...(verb === 'post' ? ON_POST : []),
    ...(namesSubscriber(path, operation) ? ERRORS.SUBSCRIBER_UNRESOLVABLE.status : []),
    ...ownCodes(operation).flatMap((code) => ERRORS[code].status),
  ])
  const missing = [...statuses].filter((status) => !(status in responses))
  return Object.fromEntries(missing.map((status) => [status, refusalRef(status)]))
}
