import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Answer, type Stage, stage } from '../support/cast'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_IP: '2000' } })
})
afterAll(() => s.close())

const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.error?.code]

describe('methods', () => {
  test('HEAD is GET without its body', async () => {
    const get = await s.get('/v1/offerings')
    const head = await s.call('HEAD', '/v1/offerings')
    expect([head.status, head.body]).toEqual([200, null])
    for (const name of ['etag', 'cache-control', 'content-type', 'x-ratelimit-limit'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect((await s.call('HEAD', '/v1/offerings', { key: null })).status).toBe(401)
    expect((await s.call('HEAD', '/v1/nowhere')).status).toBe(404)
    expect((await s.call('HEAD', '/v1/identify')).status).toBe(404)
    const headers = { 'if-none-match': get.headers.get('etag') ?? '' }
    expect((await s.call('HEAD', '/v1/offerings', { headers })).status).toBe(304)
  })

  test('another method on a known path is 404, with a key and without', async () => {
    for (const [method, path] of [
      ['PUT', '/v1/me'],
      ['PATCH', '/v1/me'],
      ['DELETE', '/v1/me/attributes'],
      ['POST', '/v1/me'],
      ['GET', '/v1/identify'],
      ['POST', '/health'],
    ] as const)
      for (const key of [null, s.project.publicKey])
        expect([method, path, ...codeOf(await s.call(method, path, { key }))]).toEqual([method, path, 404, 'NOT_FOUND'])
  })
})

describe('what was not found is named', () => {
  test.each([
    ['GET', '/v1/subscribers/svc_ada/acces', 'There is no route GET /v1/subscribers/svc_ada/acces'],
    ['PUT', '/v1/offerings', 'PUT is not a method of /v1/offerings; it has GET'],
    ['DELETE', '/v1/me/attributes', 'DELETE is not a method of /v1/me/attributes; it has POST'],
    ['PUT', '/v1/web/pk/offerings', 'PUT is not a method of /v1/web/pk/offerings; it has GET'],
    ['PUT', '/dashboard/me/tokens', 'PUT is not a method of /dashboard/me/tokens; it has GET, POST'],
    ['GET', '/v1/subscribers/nobody/access', 'There is no subscriber nobody'],
    ['GET', '/v1/subscribers/svc_ada/access/gold/explain', 'There is no access gold'],
    ['GET', '/v1/offerings/summer', 'There is no offering summer'],
    ['POST', '/v1/virtual-currencies/svc_ada/GEMS/transactions', 'There is no currency GEMS'],
    ['GET', `/v1/subscribers/${'x'.repeat(65)}/access`, `There is no subscriber ${'x'.repeat(63)}…`],
    ['GET', `/v1/subscribers/${'x'.repeat(64)}/access`, `There is no subscriber ${'x'.repeat(64)}`],
    ['GET', '/v1/subscribers/a%0Ab%1B%E2%80%AEc%C2%85%E2%80%A8/access', 'There is no subscriber abc'],
    [
      'GET',
      `/v1/subscribers/${'x'.repeat(62)}%F0%9F%98%80%F0%9F%98%80/access`,
      `There is no subscriber ${'x'.repeat(62)}…`,
    ],
    ['GET', '/v1/subscribers/%20/access', 'There is no such subscriber'],
  ] as const)('%s %s', async (method, path, message) => {
    await s.get('/v1/me', 'svc_ada')
    const body = method === 'POST' ? { amount: 5, idempotencyKey: 'k1' } : undefined
    const answer = await s.call(method, path, { key: s.project.secretKey, ...(body && { body }) })
    expect(answer.body.error).toEqual({ code: 'NOT_FOUND', message })
    expect(answer.status).toBe(404)
  })
})

describe('paths', () => {
  test('that only look like a route are 404 and never a redirect', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/',
      '/v1/me/',
      '/v1//me',
      '//v1/me',
      '/V1/me',
      '/v1/Me',
      '/v1/%6de',
      '/v1/me%2Faccess',
      '/v1/me;x=1',
      '/v2/me',
      '/v1/web',
      '/v1/web/',
      '/health/',
      `/v1/${'a'.repeat(10_000)}`,
    ]) {
      const answer = await s.get(path, 'svc_web')
      expect([path, ...codeOf(answer)]).toEqual([path, 404, 'NOT_FOUND'])
      expect(Object.keys(answer.body)).toEqual(['error'])
    }
  })

  /** Sets attributes of the subscriber in the path; returns the device key of the resolved subscriber. */
  async function deviceOf(reference: string, key = s.project.publicKey): Promise<[number, string | undefined]> {
    const answer = await s.post(`/v1/subscribers/${reference}/attributes`, { attributes: {} }, { key })
    const { subscribers } = s.ctx.tables
    const id = answer.body.data?.subscriber.id ?? ''
    const [row] = await s.ctx.db.select().from(subscribers).where(eq(subscribers.id, id))
    return [answer.status, row?.deviceKey]
  }

  test('are decoded once', async () => {
    for (const [reference, device] of [
      ['a%2Fb', 'a/b'],
      ['a%252Fb', 'a%2Fb'],
      ['%E2%82%AC', '€'],
      ['%F0%9F%98%80', '😀'],
      ['a+b', 'a+b'],
      ['a%20b', 'a b'],
      ['%3Fx%23y', '?x#y'],
      ['a;b=1', 'a;b=1'],
      ['__proto__', '__proto__'],
      ['x'.repeat(128), 'x'.repeat(128)],
    ] as const)
      expect([reference, ...(await deviceOf(reference))]).toEqual([reference, 200, device])
  })

  test('that are no text name nobody and make nobody, with either key', async () => {
    const { subscribers } = s.ctx.tables
    const before = await s.ctx.db.select().from(subscribers)
    for (const reference of ['%00', 'a%00b', '%ff', '%fe', '%zz', '%', 'a%E2%82', '%C0%AF', '%ED%A0%80'])
      for (const key of [s.project.publicKey, s.project.secretKey]) {
        const [status, device] = await deviceOf(reference, key)
        expect([reference, [400, 404].includes(status), device]).toEqual([reference, true, undefined])
        const read = await s.call('GET', `/v1/subscribers/${reference}/access`, { key })
        expect([400, 404]).toContain(read.status)
      }
    expect(await s.ctx.db.select().from(subscribers)).toEqual(before)
  })

  test('a query that is no text is 400', async () => {
    for (const query of ['subscriberId=%00', 'subscriberId=%ff', 'x=%zz', '%'])
      expect([query, ...codeOf(await s.get(`/v1/offerings?${query}`))]).toEqual([query, 400, 'VALIDATION_ERROR'])
    for (const query of ['', 'x', '&&', 'a=1&a=2', '__proto__=1', `x=${'y'.repeat(8000)}`])
      expect([query, (await s.get(`/v1/offerings?${query}`)).status]).toEqual([query, 200])
  })
})

describe('an entity tag', () => {
  const ask = (headers: Record<string, string> = {}, path = '/v1/me', device = 'svc_tag') =>
    s.get(path, device, { headers })
  const tagOf = async (path?: string, device?: string) => (await ask({}, path, device)).headers.get('etag') ?? ''

  test('is strong, 32 hex characters, and the same while nothing changes', async () => {
    const tag = await tagOf()
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await tagOf()).toBe(tag)
  })

  test('differs between subscribers and routes with the same payload', async () => {
    const tags = [
      await tagOf('/v1/me/access'),
      await tagOf('/v1/me/access', 'svc_other_tag'),
      await tagOf('/v1/me/entitlements'),
      await tagOf('/v1/offerings'),
      await tagOf('/v1/offerings', 'svc_other_tag'),
      (await s.get('/v1/offerings')).headers.get('etag'),
    ]
    expect(new Set(tags).size).toBe(tags.length)
  })

  test('that the caller names is 304 without a body and with the same headers', async () => {
    const full = await ask()
    const tag = full.headers.get('etag') ?? ''
    for (const given of [tag, `W/${tag}`, '*', `"other", ${tag}`, `"a","b" , W/${tag},"c"`]) {
      const answer = await ask({ 'if-none-match': given })
      expect([given, answer.status, answer.body]).toEqual([given, 304, null])
      for (const name of ['etag', 'cache-control', 'x-ratelimit-limit', 'ratelimit-policy'])
        expect(answer.headers.get(name)).toBe(full.headers.get(name))
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      expect(answer.headers.has('content-type')).toBe(false)
    }
  })

  test('that the caller does not name is answered in full', async () => {
    const tag = await tagOf()
    for (const given of ['', '"other"', tag.replaceAll('"', ''), tag.slice(0, -2), `${tag.slice(0, -1)}x"`])
      expect([given, (await ask({ 'if-none-match': given })).status]).toEqual([given, 200])
  })

  test('changes with the answer', async () => {
    const tag = await tagOf()
    await s.post('/v1/me/attributes', { attributes: { plan: 'a' } }, { headers: { 'x-svc-app-user-id': 'svc_tag' } })
    const answer = await ask({ 'if-none-match': tag })
    expect([answer.status, answer.body.data.subscriber.attributes]).toEqual([200, { plan: 'a' }])
  })

  test('of one subscriber does not spare another their answer', async () => {
    const answer = await ask({ 'if-none-match': await tagOf() }, '/v1/me', 'svc_third_tag')
    expect(answer.status).toBe(200)
  })

  test('is not on refusals nor on a POST', async () => {
    expect((await s.get('/v1/offerings/none')).headers.has('etag')).toBe(false)
    const headers = { 'x-svc-app-user-id': 'svc_tag', 'if-none-match': '*' }
    const post = await s.post('/v1/me/attributes', { attributes: {} }, { headers })
    expect([post.status, post.headers.has('etag')]).toEqual([200, false])
  })
})
