import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import type { Db } from '../../src/base/db/handle'
import { MINUTE } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { createKey, type KeyInput } from '../../src/projects/project/service'
import { type Answer, type Stage, stage } from '../support/cast'

const APP = 'https://app.example.com'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_IP: '2000' } })
})
afterAll(() => s.close())

const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.error?.code]

const CORS_NAMES = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
  'access-control-allow-credentials',
  'vary',
]

const corsOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(CORS_NAMES.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]))

const EXPOSED =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replay, ETag, X-Svc-Dropped, X-Svc-Experiment'

const onWeb = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED,
  vary: 'Origin',
})

interface WebCall {
  path?: string
  inPath?: string
  key?: string | null
  origin?: string | null
  method?: string
  headers?: Record<string, string>
  raw?: string
}

/** A call of the browser routes, as a page of the app makes it. */
function web({
  path = '/offerings',
  key = s.project.publicKey,
  inPath,
  origin = APP,
  method = 'GET',
  ...rest
}: WebCall) {
  const headers = { ...(origin === null ? {} : { origin }), ...rest.headers }
  const raw = rest.raw === undefined ? {} : { raw: rest.raw }
  return s.call(method, `/v1/web/${inPath ?? key ?? s.project.publicKey}${path}`, { key, headers, ...raw })
}

const makeKey = async (input: Partial<KeyInput>) => {
  const { key, publicKey } = await createKey(s.ctx, s.project.id, { label: 'test', ...input })
  return { ...key, publicKey: publicKey ?? '' }
}

describe('a preflight', () => {
  const allowed = {
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers':
      'Content-Type, Authorization, Idempotency-Key, If-None-Match, traceparent, X-Svc-Identity-Token, X-Svc-App-User-Id, X-Svc-User-Id, X-Svc-Platform, X-Svc-Env, X-Svc-Funnel-Session',
    'access-control-max-age': '86400',
  }

  test('of the browser surface is 204 for any origin, key and path, without credentials', async () => {
    for (const origin of [APP, 'https://evil.example', 'null'])
      for (const inPath of [s.project.publicKey, 'nobody', '%ff'])
        for (const path of ['/offerings', '/nowhere', '/virtual-currencies/a/coins/transactions']) {
          const answer = await web({ method: 'OPTIONS', key: null, inPath, path, origin })
          expect([answer.status, answer.body]).toEqual([204, null])
          expect(corsOf(answer)).toEqual({ ...onWeb(origin), ...allowed })
          expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
        }
  })

  test('without an origin allows any', async () =>
    expect(corsOf(await web({ method: 'OPTIONS', key: null, origin: null }))).toEqual({ ...onWeb('*'), ...allowed }))

  test('elsewhere is 204 and allows no origin', async () => {
    for (const path of ['/v1/offerings', '/v1/nowhere', '/health', '/v1/web', '/v1/webs/x/me', '/']) {
      const answer = await s.call('OPTIONS', path, { key: null, headers: { origin: APP } })
      expect([path, answer.status, corsOf(answer)]).toEqual([path, 204, {}])
    }
  })
})

describe('the checks of the browser surface', () => {
  test('pass a public key whose page is listed', async () => expect((await web({})).status).toBe(200))

  test('come in order: kind, key in the path, origin', async () => {
    const secret = { key: s.project.secretKey, inPath: 'nobody', origin: 'https://evil.example' }
    const kind = await web(secret)
    expect([...codeOf(kind), kind.body.error.details]).toEqual([403, 'API_KEY_KIND_MISMATCH', { required: 'public' }])
    const path = await web({ inPath: s.other.publicKey, origin: 'https://evil.example' })
    expect([...codeOf(path), path.body.error.message]).toEqual([
      403,
      'FORBIDDEN',
      'The key in the path and the Bearer key differ',
    ])
    const origin = await web({ origin: 'https://evil.example' })
    expect([...codeOf(origin), origin.body.error.details]).toEqual([
      403,
      'ORIGIN_NOT_ALLOWED',
      { origin: 'https://evil.example' },
    ])
  })

  test('come after the key check and before the route and the body', async () => {
    expect(codeOf(await web({ key: null, origin: null }))).toEqual([401, 'BEARER_REQUIRED'])
    expect(codeOf(await web({ key: `svc_pub_${'0'.repeat(32)}`, origin: null }))).toEqual([401, 'INVALID_API_KEY'])
    const refused = { path: '/identify', method: 'POST', raw: '{"broken', origin: 'https://evil.example' }
    expect(codeOf(await web(refused))).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    expect(codeOf(await web({ ...refused, origin: APP }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(codeOf(await web({ path: '/virtual-currencies/nobody' }))).toEqual([403, 'FORBIDDEN'])
  })

  test('refuse a missing origin and tell null', async () => {
    const answer = await web({ origin: null })
    expect([...codeOf(answer), answer.body.error.details]).toEqual([403, 'ORIGIN_NOT_ALLOWED', { origin: null }])
  })

  for (const origin of [
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com/',
    'https://App.Example.com',
    'https://x.app.example.com',
    'https://app.example.com.evil.example',
    'https://app.example.comm',
    'app.example.com',
    'null',
    `${APP}, ${APP}`,
  ])
    test(`refuse ${origin}, which only looks listed`, async () =>
      expect(codeOf(await web({ origin }))).toEqual([403, 'ORIGIN_NOT_ALLOWED']))

  test('take the list of the key, the one of the project when the key has none, and nothing from an empty one', async () => {
    const own = await makeKey({ allowedOrigins: ['HTTPS://Shop.Example.com:443', 'http://localhost:5173'] })
    expect(own.allowedOrigins).toEqual(['https://shop.example.com', 'http://localhost:5173'])
    const statusOf = (publicKey: string, origin: string) => web({ key: publicKey, origin }).then(({ status }) => status)
    for (const origin of own.allowedOrigins ?? []) expect(await statusOf(own.publicKey, origin)).toBe(200)
    expect(await statusOf(own.publicKey, APP)).toBe(403)
    const none = await makeKey({ allowedOrigins: [] })
    for (const origin of [APP, 'https://shop.example.com']) expect(await statusOf(none.publicKey, origin)).toBe(403)
    const project = await makeKey({ allowedOrigins: null })
    expect(await statusOf(project.publicKey, APP)).toBe(200)
    expect(await statusOf(project.publicKey, 'https://shop.example.com')).toBe(403)
  })

  test('do not stand before the plain surface: an origin is nothing there', async () =>
    expect((await s.call('GET', '/v1/offerings', { headers: { origin: 'https://evil.example' } })).status).toBe(200))
})

describe('every answer', () => {
  /** One call for each status, with the same result under both prefixes. */
  async function collect(prefix: string): Promise<Answer[]> {
    const headers = { origin: APP, 'x-svc-app-user-id': 'svc_web' }
    const good = await s.call('GET', `${prefix}/me`, { headers })
    const etag = good.headers.get('etag') ?? ''
    const post = (raw: string, more: Record<string, string> = {}) =>
      s.post(`${prefix}/me/attributes`, undefined, { raw, headers: { ...headers, ...more } })
    const key = { 'idempotency-key': `web ${prefix}`.replaceAll(/\W/g, '_') }
    await post('{"attributes":{}}', key)
    return [
      good,
      await s.call('GET', `${prefix}/me`, { headers: { ...headers, 'if-none-match': etag } }),
      await post('{"broken'),
      await post('{"attributes":{}}', key),
      await post('{"attributes":{"a":"b"}}', key),
      await post('{}', { 'content-length': '9999999' }),
      await s.call('GET', `${prefix}/me`, { headers, key: null }),
      await s.call('GET', `${prefix}/virtual-currencies/ada`, { headers }),
      await s.call('GET', `${prefix}/nowhere`, { headers }),
      await s.call('DELETE', `${prefix}/me`, { headers }),
      await s.call('GET', `${prefix}/me/`, { headers }),
    ]
  }
  const statuses = [200, 304, 400, 200, 422, 413, 401, 403, 404, 404, 404]

  test('of the browser surface lets the page read it', async () => {
    const answers = await collect(`/v1/web/${s.project.publicKey}`)
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    for (const answer of answers) expect(corsOf(answer)).toEqual(onWeb(APP))
  })

  test('of the plain surface carries no CORS header', async () => {
    const answers = await collect('/v1')
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    for (const answer of answers) expect(corsOf(answer)).toEqual({})
  })

  test('429, 500 and 503 too', async () => {
    const failing = (error: Error) => async () => {
      const db: Db = new Proxy(s.ctx.db, {
        get(target, name) {
          if (name === 'select') throw error
          return Reflect.get(target, name)
        },
      })
      const storage = { ...s.ctx.storage, db, close: async () => {} }
      const app = createApp(await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log, storage }))
      const headers = { authorization: `Bearer ${s.project.publicKey}`, origin: APP }
      return app.handle(new Request(`http://localhost/v1/web/${s.project.publicKey}/offerings`, { headers }))
    }
    const used = async () => {
      for (let index = 0; index < 2000; index++) await s.call('GET', '/nowhere', { key: null })
      const answer = await web({})
      s.ctx.clock.advance(MINUTE)
      return answer
    }
    const diskFault = Object.assign(new Error('the disk'), { code: 'SQLITE_IOERR' })
    for (const [status, answer] of [
      [500, await failing(new Error('secret cause'))()],
      [503, await failing(diskFault)()],
      [429, await used()],
    ] as const) {
      expect([answer.status, corsOf(answer)]).toEqual([status, onWeb(APP)])
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    }
  })

  test('carries a request id, its own or a new one', async () => {
    const sent = async (id: string, path = '/v1/offerings') =>
      (await s.call('GET', path, { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    for (const id of ['12345678', 'A_b-9'.padEnd(64, 'x')])
      for (const path of ['/v1/offerings', '/v1/me', '/nowhere', '/health', '/openapi.json'])
        expect(await sent(id, path)).toBe(id)
    const made = new Set<string | null>()
    for (const id of [
      '',
      '1234567',
      'x'.repeat(65),
      'with blank',
      'semi;colon',
      'caf\u00e9-1234',
      '12345678, 12345678',
    ])
      made.add(await sent(id))
    expect(made.size).toBe(7)
    for (const id of made) expect(id).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  })

  test('is told not to be stored, but for what has an entity tag', async () => {
    for (const [path, rule] of [
      ['/v1/me', 'private, no-cache'],
      ['/v1/offerings', 'private, no-cache'],
      ['/v1/virtual-currencies/me', 'no-store'],
      ['/v1/offerings/none', 'no-store'],
      ['/nowhere', 'no-store'],
      ['/health', 'no-store'],
    ] as const)
      expect([path, (await s.get(path, 'svc_web')).headers.get('cache-control')]).toEqual([path, rule])
  })
})
