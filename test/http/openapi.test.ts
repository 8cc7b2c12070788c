import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { ERRORS } from '../../src/base/error-codes'
import { buildOpenApi, type Routed } from '../../src/docs/api/openapi'
import { type TestApp, type TestContext, testApp, testContext } from '../support/context'

interface Media {
  schema: Record<string, unknown>
  example?: unknown
}

interface Operation {
  tags: string[]
  summary: string
  description?: string
  operationId: string
  security?: object[]
  parameters: {
    $ref?: string
    name?: string
    in?: string
    description?: string
    required?: boolean
    schema?: object
  }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, Media> }>
}

interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string; license: object }
  security: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, object>; schemas: Record<string, unknown> }
}

const TAGS = [
  'Commerce',
  'Data subject requests',
  'Experiments',
  'Funnel visitors',
  'Funnels',
  'Placements',
  'Remote config',
  'Subscribers',
  'Telemetry',
  'Virtual currencies',
  'Webhooks',
]

let ctx: TestContext
let app: TestApp
let document: OpenApi

beforeAll(async () => {
  ctx = await testContext()
  app = testApp(ctx)
  const answer = await call('GET', '/openapi.json')
  document = (await answer.json()) as OpenApi
})

afterAll(() => ctx.close())

const call = (method: string, path: string) => app.handle(new Request(`http://localhost${path}`, { method }))

const operationsOf = ({ paths }: OpenApi): [where: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]): [string, Operation] => [`${verb.toUpperCase()} ${path}`, operation]),
  )

const isPublic = ({ security }: Operation): boolean => security?.length === 0

test('the document says what it is, under which licence', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.info).toMatchObject({ version: '1.0.0', license: { identifier: 'AGPL-3.0-only' } })
  expect(document.info.description).toContain('/v1/web/{publicKey}')
  expect(document.security).toEqual([{ apiKey: [] }])
})

test('the document is served as cacheable JSON without a key', async () => {
  const answer = await call('GET', '/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  expect(await answer.text()).toBe(JSON.stringify(document))
})

test('a validator finds the document to be OpenAPI 3.1', async () => {
  expect(await new Validator().validate({ ...structuredClone(document) })).toEqual({ valid: true })
})

test('redocly finds no error, and every example satisfies its schema', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'))
  try {
    await Bun.write(join(folder, 'openapi.json'), JSON.stringify(document))
    const rules = { extends: ['spec'], rules: { 'no-invalid-media-type-examples': 'error' } }
    await Bun.write(join(folder, 'redocly.yaml'), JSON.stringify(rules))
    const redocly = join(import.meta.dir, '../../node_modules/.bin/redocly')
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const lint = Bun.spawn([redocly, 'lint', 'openapi.json', '--format=json'], {
      cwd: folder,
      env,
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const { totals, problems } = JSON.parse(await new Response(lint.stdout).text())
    expect({ problems, errors: totals.errors }).toEqual({ problems: [], errors: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)

test('operation ids are unique', () => {
  const ids = operationsOf(document).map(([, { operationId }]) => operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every route of the interface is described once, and nothing else is', () => {
  const isInterface = (route: string) =>
    / \/(v1|ofrep|\.well-known|public\/(funnels|funnel-sessions|placements|host))\//.test(route) &&
    !route.includes(' /v1/web/')
  const routes = app.routes.filter(isInterface).map((route) => route.replace(/:(\w+)/g, '{$1}'))
  expect(
    operationsOf(document)
      .map(([where]) => where)
      .sort(),
  ).toEqual(routes.sort())
})

test('every operation has a tag of the interface, a summary, refusals and examples', () => {
  const faults: string[] = []
  for (const [where, { tags, summary, responses, requestBody, ...operation }] of operationsOf(document)) {
    const isTagged = tags.length === 1 && tags.every((tag) => TAGS.includes(tag))
    if (!isTagged) faults.push(`${where} has the tags [${tags.join(', ')}]`)
    if (summary === '') faults.push(`${where} has no summary`)
    const isOpen = operation.security?.length === 0
    for (const status of [400, ...(isOpen ? [] : [401]), 429, 500, 503])
      if (!(status in responses)) faults.push(`${where} lacks ${status}`)
    const answered = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    if (answered.length === 0) faults.push(`${where} has no success`)
    const media = [requestBody, ...answered.map(([, response]) => response)].map(
      (part) => part?.content?.['application/json'],
    )
    if (media.some((part) => part && !('example' in part))) faults.push(`${where} lacks an example`)
  }
  expect(faults).toEqual([])
})

test('operations answer 401 without a key where they say so, and only there', async () => {
  const faults: string[] = []
  for (const [where, operation] of operationsOf(document)) {
    const [method = '', path = ''] = where.split(' ')
    const { status } = await call(method, path.replace(/\{\w+\}/g, 'x'))
    if ((status === 401) === isPublic(operation)) faults.push(`${where}: ${status}`)
  }
  expect(faults).toEqual([])
})

test('the operations that ask for an identity token name its header and the refusal', () => {
  const asks = Object.entries(document.paths).filter(([, { post }]) =>
    post?.parameters.some(({ name, in: place }) => name === 'X-Svc-Identity-Token' && place === 'header'),
  )
  expect(asks.map(([path]) => path).sort()).toEqual(['/v1/billing-portal', '/v1/identify'])
  for (const [path, { post }] of asks) expect([path, post?.responses['403'] !== undefined]).toEqual([path, true])
})

test('tags are described, in the order of the interface', () => {
  const names = document.tags.map(({ name }) => name)
  expect(names).toEqual(TAGS.filter((tag) => names.includes(tag)))
  expect(document.tags.filter(({ description }) => !description)).toEqual([])
})

test("the page and its files are the own server's", async () => {
  const page = await call('GET', '/docs')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toStartWith("default-src 'self';")
  const html = await page.text()
  expect(html).not.toMatch(/https?:|\/\/[a-z]/)
  const links = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThanOrEqual(4)
  for (const link of links) {
    const file = await call('GET', link)
    expect([link, file.status]).toEqual([link, 200])
    expect(file.headers.get('cache-control')).toMatch(/\d/.test(link) ? /immutable/ : /max-age=300/)
  }
})

// What the OpenAPI code makes of single routes, each in its own application.

const describeRoutes = (routed: Routed): OpenApi => buildOpenApi(routed) as unknown as OpenApi

function describeRoute(routed: Routed): Operation {
  const [first] = operationsOf(describeRoutes(routed))
  if (!first) throw new Error('no operation')
  return first[1]
}

const jsonOf = (part: { content?: Record<string, Media> } | undefined): Media => {
  const media = part?.content?.['application/json']
  if (!media) throw new Error('no JSON content')
  return media
}

const closed = { additionalProperties: false } as const

test('schemas keep null, lose $id, and turn records and literal unions into their plain form', () => {
  const body = Type.Object(
    {
      attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
      store: Type.Union([Type.Literal('IOS_STORE'), Type.Literal('ANDROID_STORE'), Type.Null()]),
      $id: Type.String(),
    },
    { ...closed, $id: 'Body' },
  )
  const { requestBody } = describeRoute(new Elysia().post('/v1/a', () => '', { body }))
  expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/json'])
  expect(jsonOf(requestBody).schema).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['attributes', 'store', '$id'],
    properties: {
      attributes: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      store: { anyOf: [{ type: 'string', enum: ['IOS_STORE', 'ANDROID_STORE'] }, { type: 'null' }] },
      $id: { type: 'string' },
    },
  })
})

test('numbers of a query are numbers, and path parameters are declared', () => {
  const query = t.Object({ limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })) })
  const { parameters, responses } = describeRoute(new Elysia().get('/v1/a/:id', () => '', { query }))
  expect(parameters).toEqual([
    {
      name: 'id',
      in: 'path',
      description: 'Id of the object, as its list gives it',
      required: true,
      schema: { type: 'string' },
    },
    {
      name: 'limit',
      in: 'query',
      description: 'The largest number of items in the answer',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200 },
    },
    { $ref: '#/components/parameters/RequestId' },
  ])
  expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' })
})

test('answers without a body have no content', () => {
  const response = {
    200: Type.Object({ data: Type.String() }, closed),
    202: Type.Void(),
    204: Type.Null(),
    304: Type.Undefined(),
  }
  const { responses, parameters } = describeRoute(new Elysia().get('/v1/a', () => ({ data: '' }), { response }))
  for (const status of ['202', '204', '304']) expect(responses[status]).not.toHaveProperty('content')
  expect(jsonOf(responses['200']).schema).toMatchObject({ additionalProperties: false })
  expect(responses['200']?.headers).toHaveProperty('ETag')
  expect(parameters).toContainEqual({ $ref: '#/components/parameters/IfNoneMatch' })
})

test('what a route tells the description is moved in place', () => {
  const detail = {
    'x-key-kind': 'secret',
    'x-identity': 'device',
    'x-errors': ['RECEIPT_IN_USE', 'STORE_API_ERROR'],
    'x-tagged': true,
    'x-example-request': { appUserId: 'user_7' },
    'x-example-response': { data: 'told' },
    description: 'First.',
    responses: { 410: { description: 'Gone.' } },
  } as const
  const options = {
    body: Type.Object({ appUserId: Type.String() }),
    response: Type.Object({ data: Type.String() }),
    detail,
  }
  const operation = describeRoute(new Elysia().post('/v1/a', () => ({ data: '' }), options))
  expect(Object.keys(operation).filter((name) => name.startsWith('x-'))).toEqual([])
  expect(operation.description).toBe(
    'First. Needs a secret key. Errors only this call returns: `RECEIPT_IN_USE` (409), `STORE_API_ERROR` (502).',
  )
  expect(jsonOf(operation.requestBody).example).toEqual({ appUserId: 'user_7' })
  expect(jsonOf(operation.responses['200']).example).toEqual({ data: 'told' })
  expect(Object.keys(operation.responses)).toEqual(
    [200, 304, 400, 401, 403, 408, 409, 410, 413, 422, 429, 500, 502, 503].map(String),
  )
  expect(operation.parameters.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1))).toEqual([
    'X-Svc-App-User-Id',
    'X-Svc-Platform',
    'IdempotencyKey',
    'IfNoneMatch',
    'RequestId',
  ])
})

test('a public route needs no key and cannot answer 401', () => {
  const operation = describeRoute(new Elysia().get('/v1/a', () => '', { detail: { security: [] } }))
  expect(operation.security).toEqual([])
  expect(Object.keys(operation.responses)).toEqual(['200', '400', '413', '429', '500', '503'])
})

test('hidden routes, wildcards, the browser mount and other surfaces are left out', () => {
  const router = () =>
    new Elysia()
      .get('/a', () => '')
      .get('/b', () => '', { detail: { hide: true } })
      .all('/*', () => '')
  const routed = new Elysia()
    .use(new Elysia({ prefix: '/v1' }).use(router()))
    .use(new Elysia({ prefix: '/v1/web/:publicKey' }).use(router()))
    .get('/health', () => '')
  expect(operationsOf(describeRoutes(routed)).map(([where]) => where)).toEqual(['GET /v1/a'])
})

test('schemas with a name stand once, and routes refer to them', () => {
  const { schemas } = document.components
  const names = ['AccessEntry', 'Event', 'Offering', 'PurchaseView', 'SubscriberView', 'Transfer']
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(names))
  expect(Object.keys(schemas).length).toBeGreaterThanOrEqual(20)
  const text = JSON.stringify(document)
  for (const name of Object.keys(schemas)) expect(text).toContain(`"$ref":"#/components/schemas/${name}"`)
  expect(text).not.toContain('"title":"AccessEntry"')
})

test('two different schemas of one name are a fault of the build', () => {
  const named = (member: string) => Type.Object({ [member]: Type.String() }, { ...closed, title: 'Thing' })
  const routed = (second: string) =>
    new Elysia().post('/v1/a', () => '', { body: named('a') }).post('/v1/b', () => '', { body: named(second) })
  expect(describeRoutes(routed('a')).components.schemas).toHaveProperty('Thing')
  expect(() => describeRoutes(routed('b'))).toThrow('Two different schemas have the title Thing')
})

test('addresses say their format, though the schema does not check it', () => {
  const body = Type.Object({ url: Type.String({ 'x-format': 'uri' }) }, closed)
  const { requestBody } = describeRoute(new Elysia().post('/v1/a', () => '', { body }))
  expect(jsonOf(requestBody).schema.properties).toEqual({ url: { type: 'string', format: 'uri' } })
  const formats = [...JSON.stringify(document).matchAll(/"format":"([a-z-]+)"/g)].map(([, format]) => format)
  expect(formats.filter((format) => format?.startsWith('uri')).length).toBeGreaterThanOrEqual(5)
})

const statusesOf = (where: string) => {
  const [, operation] = operationsOf(document).find(([name]) => name === where) ?? []
  return Object.keys(operation?.responses ?? {})
}

test('routes list the refusals that they have, and no other', () => {
  expect(statusesOf('GET /v1/placements/{identifier}')).not.toContain('404')
  for (const where of ['POST /v1/subscribers/transfer', 'POST /v1/receipts/android'])
    expect(statusesOf(where)).toContain('404')
  expect(statusesOf('POST /v1/receipts/android')).toContain('502')
})

test('the balances of the calling device name the header of the device', () => {
  const [, operation] = operationsOf(document).find(([name]) => name === 'GET /v1/virtual-currencies/me') ?? []
  expect(operation?.parameters.map(({ name }) => name)).toContain('X-Svc-App-User-Id')
})

test('two builds of the same routes are the same text', () => {
  const forward = new Elysia().get('/v1/a', () => '').get('/v1/b', () => '')
  const backward = new Elysia().get('/v1/b', () => '').get('/v1/a', () => '')
  expect(JSON.stringify(buildOpenApi(forward))).toBe(JSON.stringify(buildOpenApi(backward)))
})

test('every status that an error code can have is describable', () => {
  const codes = Object.keys(ERRORS) as (keyof typeof ERRORS)[]
  const routed = new Elysia().get('/v1/a', () => '', { detail: { 'x-errors': codes } })
  expect(() => buildOpenApi(routed)).not.toThrow()
})

test('amounts and balances of virtual currencies are 64-bit integers, and their words say so', () => {
  const int64 = { type: 'integer', format: 'int64', description: expect.stringMatching(/2\^53/) }
  const post = document.paths['/v1/virtual-currencies/{appUserId}/{code}/transactions']?.post
  const body = post?.requestBody?.content['application/json']?.schema
  expect(resolved(body)).toMatchObject({ properties: { amount: int64 } })
  expect(answerOf(post)).toMatchObject({ properties: { balance: int64 } })
  for (const path of ['/v1/virtual-currencies/me', '/v1/virtual-currencies/{appUserId}'])
    expect(answerOf(document.paths[path]?.get)).toMatchObject({
      properties: { balances: { additionalProperties: int64 } },
    })
  for (const path of ['/v1/receipts/ios', '/v1/receipts/android'])
    expect(answerOf(document.paths[path]?.post)).toMatchObject({
      properties: { virtualCurrencyBalances: { additionalProperties: int64 } },
    })
  const transfer = answerOf(document.paths['/v1/subscribers/transfer']?.post)
  expect(transfer).toMatchObject({ properties: { balances: { additionalProperties: int64 } } })
  expect(transfer).toMatchObject({ properties: { creditsTransferred: { type: 'integer' } } })
  expect(document.info.description).toContain('64-bit integers')
})

/** The schema of `data` in the answer of an operation. */
function answerOf(operation: Operation | undefined): unknown {
  const schema = operation?.responses['200']?.content?.['application/json']?.schema as
    | { properties: { data: unknown } }
    | undefined
  return resolved(schema?.properties.data)
}

/** The schema itself, where the document refers to a named one; a copy, because `toMatchObject` writes into what it gets. */
function resolved(schema: unknown): unknown {
  const name = (schema as { $ref?: string } | undefined)?.$ref?.split('/').at(-1)
  return structuredClone(name === undefined ? schema : document.components.schemas[name])
}
