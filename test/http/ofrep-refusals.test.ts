import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createApp } from '../../src/app'
import type { Db } from '../../src/base/db/handle'
import { MINUTE } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { createKey, revokeKey } from '../../src/projects/project/service'
import { type Answer, type Stage, stage } from '../support/cast'
import { everything } from '../support/facts'
import { evaluateAll, evaluateOne } from '../support/ofrep'
import { configure } from '../support/remote'

const APP = 'https://app.example.com'
const ADA = { targetingKey: 'svc_ada' }

let s: Stage
beforeAll(async () => {
  s = await stage()
  await configure(s, {
    flags: [{ key: 'new_checkout', rules: [{ conditions: { country: 'TR' }, value: true }] }],
    experiments: [{ key: 'checkout_test' }],
  })
  await s.get('/v1/me', 'svc_ada')
})
afterAll(() => s.close())

/** The refusal of one flag with its whole body, so that additional members would be found. */
const refusalOf = ({ status, body }: Answer) => [status, body]

const one = (context: unknown, options = {}) => evaluateOne(s, 'new_checkout', context, options)

describe('the key', () => {
  const refusals: [name: string, headers: Record<string, string>, code: string][] = [
    ['none', {}, 'BEARER_REQUIRED'],
    ['blank in X-API-Key', { 'x-api-key': '  ' }, 'BEARER_REQUIRED'],
    ['of no form in X-API-Key', { 'x-api-key': 'abc' }, 'INVALID_API_KEY_FORMAT'],
    ['with a scheme in X-API-Key', { 'x-api-key': `Bearer svc_sec_${'1'.repeat(43)}` }, 'INVALID_API_KEY_FORMAT'],
    ['unknown in X-API-Key', { 'x-api-key': `svc_pub_${'0'.repeat(32)}` }, 'INVALID_API_KEY'],
    ['unknown as Bearer', { authorization: `Bearer svc_pub_${'0'.repeat(32)}` }, 'INVALID_API_KEY'],
    [
      'unknown as Bearer beside a good X-API-Key',
      { authorization: `Bearer svc_pub_${'0'.repeat(32)}`, 'x-api-key': `svc_pub_${'1'.repeat(32)}` },
      'INVALID_API_KEY',
    ],
  ]
  test.each(refusals)('%s is refused, before the body is looked at', async (_name, headers, code) => {
    const bodies = [
      await evaluateOne(s, 'new_checkout', ADA, { key: null, headers }),
      await s.post('/ofrep/v1/evaluate/flags', undefined, { key: null, headers, raw: '{broken' }),
    ]
    for (const { status, body } of bodies) {
      expect([status, body.error.code, body.errorCode]).toEqual([401, code, 'GENERAL'])
      expect(Object.keys(body).sort()).toEqual(['error', 'errorCode'])
    }
  })

  test('in X-API-Key does as well as Bearer, beside another scheme too, and of either kind', async () => {
    const basic = `Basic ${btoa('a:b')}`
    for (const key of [s.project.publicKey, s.project.secretKey])
      for (const headers of [{ 'x-api-key': key }, { 'x-api-key': ` ${key} `, authorization: basic }])
        expect((await one(ADA, { key: null, headers })).status).toBe(200)
  })

  test('in X-API-Key opens no other route', async () => {
    const headers = { 'x-api-key': s.project.publicKey }
    const { body } = await s.call('GET', '/v1/config?subscriberId=svc_ada', { key: null, headers })
    expect(body).toEqual({ error: expect.objectContaining({ code: 'BEARER_REQUIRED' }) })
  })

  test('that was revoked is refused from then on', async () => {
    const { key, publicKey } = await createKey(s.ctx, s.project.id, { label: 'test' })
    expect((await one(ADA, { key: publicKey })).status).toBe(200)
    await revokeKey(s.ctx, key.id)
    const { status, body } = await one(ADA, { key: publicKey })
    expect([status, body.error.code, body.errorCode]).toEqual([401, 'INVALID_API_KEY', 'GENERAL'])
  })

  test('has its rate limit, and the refusal says when to come again', async () => {
    const { publicKey } = await createKey(s.ctx, s.project.id, { label: 'test', ratePerMinute: 2 })
    await one(ADA, { key: publicKey })
    const last = await evaluateAll(s, ADA, { key: null, headers: { 'x-api-key': publicKey ?? '' } })
    expect(last.headers.get('x-ratelimit-remaining')).toBe('0')
    for (const refused of [await one(ADA, { key: publicKey }), await evaluateAll(s, ADA, { key: publicKey })]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(refused.body).toMatchObject({ error: { code: 'RATE_LIMITED' }, errorCode: 'GENERAL' })
      expect(Object.keys(refused.body)).toHaveLength(2)
    }
    s.ctx.clock.advance(MINUTE)
    expect((await one(ADA, { key: publicKey })).status).toBe(200)
  })
})

describe('the context', () => {
  const missing: [name: string, body: string][] = [
    ['no body', ''],
    ['an empty body', '{}'],
    ['an empty context', '{"context":{}}'],
    ['an empty key', '{"context":{"targetingKey":""}}'],
    ['a number', '{"context":{"targetingKey":7}}'],
    ['null', '{"context":{"targetingKey":null}}'],
    ['a list', '{"context":{"targetingKey":["svc_ada"]}}'],
    ['an object', '{"context":{"targetingKey":{"toString":"svc_ada"}}}'],
    ['a key beside the context', '{"targetingKey":"svc_ada"}'],
    ['a key in another case', '{"context":{"targetingkey":"svc_ada"}}'],
    ['a key of the prototype', '{"context":{"__proto__":{"targetingKey":"svc_ada"}}}'],
  ]
  test.each(missing)('with %s names nobody', async (_name, raw) => {
    const refusal = {
      errorCode: 'TARGETING_KEY_MISSING',
      errorDetails: 'Send the device key as targetingKey in the context',
    }
    const path = '/ofrep/v1/evaluate/flags'
    expect(refusalOf(await s.post(`${path}/new_checkout`, undefined, { raw }))).toEqual([
      400,
      { key: 'new_checkout', ...refusal },
    ])
    expect(refusalOf(await s.post(path, undefined, { raw }))).toEqual([400, refusal])
  })

  const long = 'x'.repeat(501)
  const manyOf = (count: number, value: unknown = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`name_${index}`, value]))
  const invalid: [name: string, context: unknown, details: string][] = [
    ['null', null, 'context must be an object'],
    ['a text', 'svc_ada', 'context must be an object'],
    ['a list', [ADA], 'context must be an object'],
    ['a long device key', { targetingKey: 'x'.repeat(129) }, 'targetingKey must have 1 to 128 characters'],
    ['a control character', { targetingKey: 'a\u0007' }, 'targetingKey must not hold control characters'],
    [
      'the key of a synthetic subscriber',
      { targetingKey: 'ios:1' },
      'targetingKey must not begin with ios:, android:, payment: or import:',
    ],
    ['a long value', { ...ADA, bio: long }, 'context.bio must have at most 500 characters'],
    ['a long name', { ...ADA, ['n'.repeat(41)]: 1 }, 'context: a name must have at most 40 characters, and one has 41'],
    ['many attributes', { ...ADA, ...manyOf(51) }, 'context must have at most 50 attributes, and this one has 51'],
    [
      'a number that is none any more',
      { ...ADA, id: 2 ** 53 },
      'context.id must be within ±(2^53−1); send a longer number as text',
    ],
  ]
  test.each(invalid)('of %s is invalid', async (_name, context, errorDetails) => {
    const refusal = { errorCode: 'INVALID_CONTEXT', errorDetails }
    expect(refusalOf(await one(context))).toEqual([400, { key: 'new_checkout', ...refusal }])
    expect(refusalOf(await evaluateAll(s, context))).toEqual([400, refusal])
  })

  test('of infinity is invalid, which JSON can write', async () => {
    const raw = '{"context":{"targetingKey":"svc_ada","size":1e999}}'
    const { status, body } = await s.post('/ofrep/v1/evaluate/flags/new_checkout', undefined, { raw })
    expect([status, body.errorCode]).toEqual([400, 'INVALID_CONTEXT'])
  })

  test('at its borders is taken', async () => {
    const longest = { ['n'.repeat(40)]: 'x'.repeat(500), ...manyOf(49), id: undefined }
    expect((await one({ ...ADA, ...longest })).status).toBe(200)
    expect((await one({ ...ADA, id: -(2 ** 53 - 1), share: -0.5e-7 })).status).toBe(200)
    // A value that cannot be an attribute is not counted and not read.
    expect((await one({ ...ADA, ...manyOf(1000, { deep: long }), ['n'.repeat(400)]: null })).status).toBe(200)
    expect((await one({ targetingKey: 'x'.repeat(128) })).status).toBe(200)
    const secret = { key: s.project.secretKey }
    expect((await one({ targetingKey: 'ios:1' }, secret)).status).toBe(200)
    expect((await one({ targetingKey: 'x'.repeat(255) }, secret)).status).toBe(200)
    expect((await one({ targetingKey: 'x'.repeat(256) }, secret)).body.errorDetails).toBe(
      'targetingKey must have at most 255 characters',
    )
  })
})

describe('the request', () => {
  const unreadable: [name: string, raw: string, headers: Record<string, string>, details: string][] = [
    ['broken JSON', '{"context":', {}, 'The body is not valid JSON'],
    ['a list', '[]', {}, 'The body must be a JSON object'],
    ['a text', '"x"', {}, 'The body must be a JSON object'],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 'Content-Type must be application/json'],
    ['NUL', '{"context":{"targetingKey":"a\\u0000"}}', {}, 'Text must not hold NUL or unpaired surrogates'],
    ['half a character', '{"context":{"targetingKey":"\\ud800"}}', {}, 'Text must not hold NUL or unpaired surrogates'],
    ['an abyss', `{"context":${'['.repeat(65)}${']'.repeat(65)}}`, {}, 'The body is nested deeper than 64 levels'],
    [
      'a compressed body',
      '{}',
      { 'content-encoding': 'gzip' },
      'Content-Encoding is not supported; send the body as it is',
    ],
    ['an unknown environment', '{}', { 'x-svc-env': 'qa' }, 'env must be one of prod, staging, development'],
  ]
  test.each(unreadable)('with %s cannot be read', async (_name, raw, headers, errorDetails) => {
    const refusal = { errorCode: 'PARSE_ERROR', errorDetails }
    const path = '/ofrep/v1/evaluate/flags'
    expect(refusalOf(await s.post(`${path}/new_checkout`, undefined, { raw, headers }))).toEqual([
      400,
      { key: 'new_checkout', ...refusal },
    ])
    expect(refusalOf(await s.post(path, undefined, { raw, headers }))).toEqual([400, refusal])
  })

  test('that is too large keeps our envelope beside what a client reads', async () => {
    const raw = JSON.stringify({ context: { ...ADA, big: 'x'.repeat(1024 * 1024) } })
    const { status, body } = await s.post('/ofrep/v1/evaluate/flags/new_checkout', undefined, { raw })
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(body).toMatchObject({ key: 'new_checkout', errorCode: 'GENERAL', errorDetails: body.error.message })
  })

  test('for a path that is none says so, and for a flag with an impossible name that it is not there', async () => {
    const post = (path: string) => s.post(`/ofrep/v1/evaluate/flags${path}`, { context: ADA })
    for (const [path, key] of [
      ['/', ''],
      ['/a/b', 'a/b'],
      ['/a/', 'a/'],
      ['/%00', '\0'],
      ['/%ff', '%ff'],
      ['/%', '%'],
      ['/%2e%2e%2f', '../'],
      ['/new_checkout%20', 'new_checkout '],
      ['/NEW_CHECKOUT', 'NEW_CHECKOUT'],
      [`/${'x'.repeat(4000)}`, 'x'.repeat(4000)],
      ['/__proto__', '__proto__'],
    ] as const) {
      const { status, body } = await post(path)
      expect([path, status, body.key, body.errorCode]).toEqual([path, 404, key, 'FLAG_NOT_FOUND'])
    }
    expect((await post('/new_checkout?x=%ff')).body.errorCode).toBe('PARSE_ERROR')
    expect((await post('/new%5Fcheckout')).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/ofrep/v1/configuration'],
      ['POST', '/ofrep/v1/evaluate'],
      ['GET', '/ofrep/v1/evaluate/flags'],
      ['POST', '/ofrep/'],
    ] as const) {
      const { status, body } = await s.call(method, path)
      expect([status, body.error.code, body.errorCode, 'key' in body]).toEqual([404, 'NOT_FOUND', 'GENERAL', false])
    }
    expect(Object.keys((await s.post('/ofrepx/v1/evaluate/flags/a', {})).body)).toEqual(['error'])
  })

  test('about somebody whose merges lead nowhere is refused as everywhere', async () => {
    await s.get('/v1/me', 'svc_lost')
    await s.ctx.write(async (tx) => {
      const { subscribers } = tx.tables
      const lost = (await tx.db.select().from(subscribers)).find(({ deviceKey }) => deviceKey === 'svc_lost')
      await tx.db
        .insert(subscribers)
        .values({ ...(lost as typeof lost & object), id: 'sub_x', deviceKey: 'svc_adrift', mergedInto: 'sub_gone' })
    })
    const { status, body } = await one({ targetingKey: 'svc_adrift' })
    expect([status, body.error.code, body.errorCode]).toEqual([409, 'SUBSCRIBER_UNRESOLVABLE', 'GENERAL'])
  })

  test('that meets a fault of the server gets both error forms, and nothing of the cause', async () => {
    for (const [error, status, code] of [
      [new Error('secret cause'), 500, 'INTERNAL_ERROR'],
      [Object.assign(new Error('the disk'), { code: 'SQLITE_IOERR' }), 503, 'DATABASE_UNAVAILABLE'],
    ] as const) {
      const db: Db = new Proxy(s.ctx.db, {
        get(target, name) {
          if (name === 'select') throw error
          return Reflect.get(target, name)
        },
      })
      const storage = { ...s.ctx.storage, db, close: async () => {} }
      const app = createApp(await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log, storage }))
      const headers = { authorization: `Bearer ${s.project.publicKey}`, 'content-type': 'application/json' }
      const url = 'http://localhost/ofrep/v1/evaluate/flags/new_checkout'
      const answer = await app.handle(new Request(url, { method: 'POST', headers, body: '{"context":{}}' }))
      const body = (await answer.json()) as Answer['body']
      expect([answer.status, body.error.code]).toEqual([status, code])
      expect(body).toMatchObject({ key: 'new_checkout', errorCode: 'GENERAL', errorDetails: body.error.message })
      expect(JSON.stringify(body)).not.toContain('secret cause')
    }
  })
})

describe('an Idempotency-Key', () => {
  test('gives the same answer again, and is free again after a refusal or a 304', async () => {
    const tag = (await evaluateAll(s, ADA)).headers.get('etag') ?? ''
    const ask = (name: string, more: Record<string, string> = {}, context: object = ADA) =>
      evaluateAll(s, context, { headers: { 'idempotency-key': name, ...more } })
    expect((await ask('one', { 'if-none-match': tag })).status).toBe(304)
    expect((await ask('one', { 'if-none-match': tag })).status).toBe(304)
    expect((await ask('one')).headers.get('idempotent-replay')).toBeNull()
    expect((await ask('one')).headers.get('idempotent-replay')).toBe('true')
    const other = await ask('one', {}, { ...ADA, country: 'TR' })
    expect([other.status, other.body.error.code, other.body.errorCode]).toEqual([422, 'HTTP_ERROR', 'GENERAL'])
    expect((await ask('two', {}, {})).status).toBe(400)
    expect((await ask('two')).status).toBe(200)
    const onWeb = await s.post(
      `/v1/web/${s.project.publicKey}/ofrep/v1/evaluate/flags`,
      { context: ADA },
      { headers: { origin: APP, 'idempotency-key': 'one' } },
    )
    expect([onWeb.status, onWeb.headers.get('idempotent-replay')]).toEqual([200, 'true'])
  })
})

describe('the browser surface', () => {
  const web = (
    path = '/new_checkout',
    { origin = APP, method = 'POST', key = s.project.publicKey, headers = {}, body = { context: ADA } as unknown } = {},
  ) =>
    s.call(method, `/v1/web/${s.project.publicKey}/ofrep/v1/evaluate/flags${path}`, {
      key: null,
      headers: { origin, ...(method === 'POST' && { 'x-api-key': key }), ...headers },
      ...(method === 'POST' && { body }),
    })

  test('lets a listed page call with its key in X-API-Key', async () => {
    const answer = await web()
    expect([answer.status, answer.body.value]).toEqual([200, false])
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
    const all = await web('')
    const again = await web('', { headers: { 'if-none-match': all.headers.get('etag') ?? '' } })
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, APP])
    expect(again.headers.get('access-control-expose-headers')).toContain('ETag')
    expect(all.body.eventStreams[0].url).toStartWith('http://localhost/v1/config/stream?')
  })

  test('lets X-API-Key through a preflight, here and nowhere else', async () => {
    const allowed = async (path: string) =>
      (await s.call('OPTIONS', path, { key: null, headers: { origin: APP } })).headers.get(
        'access-control-allow-headers',
      )
    const onWeb = `/v1/web/${s.project.publicKey}`
    expect(await allowed(`${onWeb}/ofrep/v1/evaluate/flags`)).toBe(`${await allowed(`${onWeb}/config`)}, X-API-Key`)
    expect(await allowed(`${onWeb}/config`)).not.toContain('X-API-Key')
    expect(await allowed('/ofrep/v1/evaluate/flags')).toBeNull()
  })

  test('refuses as it does elsewhere, in words that both can read', async () => {
    const refused: [Answer, number, string][] = [
      [await web('', { key: s.project.secretKey }), 403, 'API_KEY_KIND_MISMATCH'],
      [await web('', { key: s.other.publicKey }), 403, 'FORBIDDEN'],
      [await web('', { origin: 'https://evil.example' }), 403, 'ORIGIN_NOT_ALLOWED'],
      [await web('', { key: '' }), 401, 'BEARER_REQUIRED'],
    ]
    for (const [answer, status, code] of refused) {
      expect([answer.status, answer.body.error.code, answer.body.errorCode]).toEqual([status, code, 'GENERAL'])
      expect(answer.headers.get('access-control-allow-origin')).not.toBeNull()
    }
    expect(refusalOf(await web('/none'))).toEqual([404, { key: 'none', errorCode: 'FLAG_NOT_FOUND' }])
    const unreadable = await web('/new_checkout', { body: { context: {} } })
    expect([unreadable.status, unreadable.body.errorCode]).toEqual([400, 'TARGETING_KEY_MISSING'])
    expect(unreadable.headers.get('access-control-allow-origin')).toBe(APP)
    const plain = await one(ADA, { headers: { origin: APP } })
    expect([plain.status, plain.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })
})

describe('whatever is sent', () => {
  const SEED = Number(process.env.SVC_TEST_SEED ?? 20_261_120)

  test(`is answered or refused in the words of the protocol, and writes nothing (seed ${SEED})`, async () => {
    await s.ctx.state.assignments.flush()
    const before = await everything(s)
    const context = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.string(), fc.jsonValue()).map((members) => ({ ...members, targetingKey: 'svc_ada_2' })),
    )
    await fc.assert(
      fc.asyncProperty(context, fc.string(), fc.boolean(), async (sent, key, isSecret) => {
        const options = isSecret ? { key: s.project.secretKey } : {}
        for (const { status, body } of [
          await evaluateOne(s, key, sent, options),
          await evaluateAll(s, sent, options),
        ]) {
          expect([200, 400, 404]).toContain(status)
          expect(status === 200 || typeof body.errorCode === 'string').toBe(true)
        }
      }),
      { seed: SEED, numRuns: Number(process.env.SVC_TEST_RUNS ?? 60) },
    )
    await s.ctx.state.assignments.flush()
    expect(await everything(s)).toEqual(before)
  })
})
