import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { createServedApp } from '../../src/served-app'
import { eventually, type TestContext, testContext } from '../support/context'

// A server mounts what people and web pages call at the first such call. Nobody may notice.

let ctx: TestContext
let app: ReturnType<typeof createServedApp>
let url: string
beforeAll(async () => {
  ctx = await testContext()
  app = createServedApp(ctx).listen({ hostname: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${app.server?.port}`
})
afterAll(async () => {
  await app.server?.stop(true)
  await ctx.close()
})

const ID = 'req_00000000000000000000000001'

/** What was recorded of a route; recording follows the answer. */
const recorded = async (route: string) =>
  (await ctx.metrics.text()).split('\n').filter((line) => line.includes('_count{') && line.includes(`"${route}"`))

const untilRecorded = (route: string) => eventually(async () => (await recorded(route)).length > 0)

test('the first call of a person is answered, recorded once and has its own request id', async () => {
  const answer = await fetch(`${url}/dashboard/projects`, { headers: { 'x-request-id': ID } })
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([401, ID])
  await untilRecorded('/dashboard/projects')
  await fetch(`${url}/health`)
  await untilRecorded('/health')
  expect(await recorded('/dashboard/projects')).toEqual([expect.stringMatching(/status="401"\} 1$/)])
})

test('every place of people and of web pages is found, with a slash, a query or nothing behind it', async () => {
  const asked = ['/dashboard/me', '/dashboard/me?x=1', '/api/auth/session', '/admin/users', '/dashboard']
  asked.push('/dashboard/projects', '/dashboard/projects/', '/dashboard/projects/x', '/dashboard/projects/x/overview')
  asked.push('/v1/web/nobody/offerings', '/v1/web/nobody/offerings?x=1', '/v1/web', '/v1/web/', '/v1/website')
  const alone = createApp(ctx)
  for (const path of asked) {
    const answer = await fetch(url + path)
    const expected = await alone.handle(new Request(url + path))
    expect([path, answer.status, codeOf(await answer.json())]).toEqual([
      path,
      expected.status,
      codeOf(await expected.json()),
    ])
  }
})

const codeOf = (body: unknown) => (body as { error?: { code: string } }).error?.code

test('an unknown place is answered as everywhere', async () => {
  for (const path of [
    '/dashboard/nothing',
    '/admin/nothing',
    '/api/auth/nothing',
    '/dashboards',
    '/apix',
    '/v1/web/',
    '/v1/webs',
  ]) {
    const answer = await fetch(url + path, { headers: { accept: 'application/json' } })
    expect([path, answer.status, codeOf(await answer.json())]).toEqual([path, 404, 'NOT_FOUND'])
  }
})

test('the documents of the API name every route', async () => {
  for (const path of ['/openapi.json', '/openapi-dashboard.json']) {
    const served = await pathsOf(await fetch(url + path))
    expect(served.length).toBeGreaterThan(20)
    expect(served).toEqual(await pathsOf(await createApp(ctx).handle(new Request(url + path))))
  }
})

const pathsOf = async (answer: Response) => Object.keys(((await answer.json()) as { paths: object }).paths).sort()

test('what a person does is refused without its origin, as everywhere', async () => {
  const body = JSON.stringify({ email: 'a@example.com', password: 'nothing of use' })
  const headers = { 'content-type': 'application/json', origin: 'https://elsewhere.example' }
  const answer = await fetch(`${url}/api/auth/sign-in`, { method: 'POST', headers, body })
  expect([answer.status, codeOf(await answer.json())]).toEqual([403, 'FORBIDDEN'])
})
