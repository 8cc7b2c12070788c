import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type TestApp, type TestContext, testApp, testContext } from '../support/context'
import { isOperatorRoute, OPERATOR_ROUTES } from '../support/operator-routes'

interface Operation {
  tags: string[]
  summary: string
  description?: string
  operationId: string
  security?: object[]
  parameters: { $ref?: string }[]
  requestBody?: {
    content: Record<string, { schema: { additionalProperties?: boolean; $ref?: string }; example?: object }>
  }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: object }> }>
}

interface OpenApi {
  info: { title: string }
  security: object[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes: object }
}

let ctx: TestContext
let app: TestApp
let document: OpenApi

beforeAll(async () => {
  ctx = await testContext()
  app = testApp(ctx)
  const answer = await app.handle(new Request('http://localhost/openapi-dashboard.json'))
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
  document = (await answer.json()) as OpenApi
})
afterAll(() => ctx.close())

const operations = (): [where: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]): [string, Operation] => [`${verb.toUpperCase()} ${path}`, operation]),
  )

const plain = (route: string): string => route.replace(/:(\w+)/g, '{}').replace(/\{\w+\}/g, '{}')
const failing = (isWrong: (operation: Operation, where: string) => boolean): string[] =>
  operations().flatMap(([where, operation]) => (isWrong(operation, where) ? [where] : []))

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
    const options = { cwd: folder, env, stdout: 'pipe', stderr: 'ignore' } as const
    const lint = Bun.spawn([redocly, 'lint', 'openapi.json', '--format=json'], options)
    const { totals, problems } = JSON.parse(await new Response(lint.stdout).text())
    expect({ problems, errors: totals.errors }).toEqual({ problems: [], errors: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)

test('the example of a password or a code is none of a time', () => {
  const given = operations().flatMap(([where, { requestBody }]) =>
    Object.entries(requestBody?.content['application/json']?.example ?? {}).flatMap(([name, value]) =>
      ['password', 'code'].includes(name) ? [[where, value]] : [],
    ),
  )
  expect(given).toContainEqual(['POST /api/auth/sign-up', 'a long secret of yours'])
  expect(given).toContainEqual(['POST /dashboard/me/two-factor/confirm', '123456'])
  expect(given.filter(([, value]) => /^\d{4}-/.test(String(value)))).toEqual([])
})

test('every route for operators is described once, and nothing else is', () => {
  const webhooks = / \/webhooks\//
  const routes = app.routes.filter((route) => isOperatorRoute(route) && !webhooks.test(route)).map(plain)
  expect(
    operations()
      .map(([where]) => plain(where))
      .sort(),
  ).toEqual([...routes].sort())
})

test('each says who may call it, as the table does', () => {
  const byRoute = new Map(OPERATOR_ROUTES.map(({ method, path, who }) => [plain(`${method} ${path}`), who]))
  expect(
    failing(({ description = '', security }, where) => {
      const who = byRoute.get(plain(where)) ?? ''
      if (/^(open|page|challenge)$/.test(who)) return security?.length !== 0
      if (who === 'admin') return !description.includes('platform administrator')
      if (who === 'me session') return !description.includes('personal access tokens are refused')
      return who !== 'me' && !description.includes(`\`${who}\``)
    }),
  ).toEqual([])
})

test('operation ids are unique, and each operation has a summary and a known group', () => {
  const ids = operations().map(([, { operationId }]) => operationId)
  expect(ids.filter((id, index) => id === undefined || ids.indexOf(id) !== index)).toEqual([])
  const groups = document.tags.map(({ name }) => name)
  expect(failing(({ summary, tags }) => !summary || tags.length !== 1 || !groups.includes(tags[0] ?? ''))).toEqual([])
})

/** Where browsers go: they answer with a page or send the browser on. */
const PAGES = /^GET \/(api\/auth\/oauth\/.*|dashboard\/payment\/connect\/callback|unsubscribe)$/

test('every body is closed, and every success has a schema', () => {
  const open = failing(({ requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema
    return schema !== undefined && schema.$ref === undefined && schema.additionalProperties !== false
  })
  expect(open).toEqual([])
  const isBare = ([status, { content }]: [string, Operation['responses'][string]]) =>
    /^20[0-3]$/.test(status) && !content
  expect(failing(({ responses }, where) => !PAGES.test(where) && Object.entries(responses).some(isBare))).toEqual([])
})

// Their handlers do not read the header: one connection, one waiting action, one file of a project, a thread of one person.
const UNREVISED =
  /^DELETE .*\/(apps\/android\/pubsub|subscriptions\/\{purchaseId\}\/schedule|project-file\/drift|assistant\/threads\/\{id\})$/

test('bodies that are no JSON are described too', () => {
  const typesOf = (path: string, verb: string) =>
    Object.keys((document.paths[path]?.[verb] as { requestBody?: { content: object } })?.requestBody?.content ?? {})
  expect(typesOf('/dashboard/projects/{projectId}/audiences/{id}/members', 'put')).toEqual(['text/plain'])
  expect(typesOf('/dashboard/projects/{projectId}/imports/{id}/parts', 'post')).toContain('text/csv')
})

test('changes of one object take If-Match and can be refused with 409', () => {
  const isChange = (where: string) =>
    /^(PATCH|PUT|DELETE) \/dashboard\/projects\//.test(where) && !UNREVISED.test(where)
  expect(
    failing(({ parameters, responses }, where) => {
      const takes = parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch'))
      return isChange(where) && !(takes && responses['409'])
    }),
  ).toEqual([])
})

test('objects that come back are named', () => {
  expect(Object.keys(document.components.schemas).length).toBeGreaterThan(40)
})
