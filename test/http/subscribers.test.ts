import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { flushPresence } from '../../src/people/subscribers/presence'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, damage, everything, expectRefused, give, identify, rowOf } from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const secret = () => ({ key: s.project.secretKey })
const read = (reference: string, options = {}) =>
  s.get(`/v1/subscribers/${encodeURIComponent(reference)}/access`, undefined, options)
const write = (reference: string, attributes: object, options = {}) =>
  s.post(`/v1/subscribers/${encodeURIComponent(reference)}/attributes`, { attributes }, options)
const rows = () => s.ctx.db.select().from(s.ctx.tables.subscribers)

const READS = ['/v1/me', '/v1/me/access', '/v1/me/entitlements'] as const

describe('the first call of a device', () => {
  test('makes its row: on reads of /me, on attributes, on identify, on receipts and balances', async () => {
    for (const path of READS) await s.get(path, `svc ${path}`)
    await s.post('/v1/me/attributes', { attributes: {} }, { headers: { 'x-svc-app-user-id': 'svc attributes' } })
    await write('svc named', {})
    await identify(s, 'svc identify', 'ada')
    await s.receipt('svc receipt', s.buy(MONTHLY))
    await s.get('/v1/virtual-currencies/me', 'svc balances')
    const keys = (await rows()).map(({ deviceKey }) => deviceKey)
    const named = ['attributes', 'named', 'identify', 'receipt', 'balances'].map((name) => `svc ${name}`)
    expect(keys.sort()).toEqual([...READS.map((path) => `svc ${path}`), ...named].sort())
    expect(
      (await rows()).every(({ isSynthetic, mergedInto, erasedAt }) => !isSynthetic && !mergedInto && !erasedAt),
    ).toBe(true)
  })

  test('gives an id, no label, no attributes, no access and no event', async () => {
    const { status, body } = await s.get('/v1/me', 'svc_ada')
    const { id } = await rowOf(s, 'svc_ada')
    expect([status, body]).toEqual([200, { data: { subscriber: { id, appUserId: null, attributes: {} }, access: {} } }])
    expect(id).toMatch(/^sub_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    expect(await s.events(id)).toEqual([])
  })

  test('many at once give one row, whatever they ask', async () => {
    const calls = Array.from({ length: 24 }, (_, index) => s.get(READS[index % 3] ?? '', 'svc_ada'))
    const posts = Array.from({ length: 8 }, () => identify(s, 'svc_ada', 'ada'))
    const answers = await Promise.all([...calls, ...posts])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await rows()).toHaveLength(1)
    expect((await s.events((await rowOf(s, 'svc_ada')).id)).map(({ type }) => type)).toEqual(['subscriber.identified'])
  })

  test('writes the platform it names, trimmed and in lower case; later ones and unknown ones write nothing', async () => {
    const call = (device: string, platform: string) =>
      s.get('/v1/me', device, { headers: { 'x-svc-platform': platform } })
    for (const [device, platform, attributes] of [
      ['svc_1', ' iOS ', { platform: 'ios' }],
      ['svc_2', 'WEB', { platform: 'web' }],
      ['svc_3', 'toaster', {}],
      ['svc_4', '', {}],
    ] as const) {
      expect((await call(device, platform)).body.data.subscriber.attributes).toEqual(attributes)
      expect((await call(device, 'android')).body.data.subscriber.attributes).toEqual(attributes)
    }
    expect((await rowOf(s, 'svc_1')).attributes.platform).toEqual({
      value: 'ios',
      source: 'sdk',
      updatedAt: s.ctx.clock.now(),
    })
  })

  test('needs a device key: absent, blank, too long, reserved or with control characters is 400, and makes nobody', async () => {
    for (const path of READS)
      for (const device of [
        undefined,
        '',
        '   ',
        'x'.repeat(129),
        'ios:1',
        'android:1',
        'payment:1',
        'import:1',
        'a\u0007',
      ]) {
        const { status, body } = await s.get(path, device)
        expect([path, device, status, body.error.code]).toEqual([path, device, 400, 'VALIDATION_ERROR'])
      }
    expect(await rows()).toEqual([])
  })

  test('takes the key trimmed, up to 128 characters of any script', async () => {
    await s.get('/v1/me', '  svc_ada  ')
    await s.get('/v1/me', 'x'.repeat(128))
    expect((await rows()).map(({ deviceKey }) => deviceKey).sort()).toEqual(['svc_ada', 'x'.repeat(128)])
  })
})

describe('last seen', () => {
  const lastSeen = async (device: string) => (await rowOf(s, device)).lastSeenAt

  test('is written behind the reads, by one later flush, and changes nothing else', async () => {
    const first = s.ctx.clock.now()
    await s.get('/v1/me', 'svc_ada')
    await s.get('/v1/me', 'svc_bo')
    await flushPresence(s.ctx)
    const before = await rowOf(s, 'svc_ada')
    s.ctx.clock.advance(5 * MINUTE)
    await s.get('/v1/me/access', 'svc_ada')
    expect(await lastSeen('svc_ada')).toBe(first)
    await flushPresence(s.ctx)
    expect(await rowOf(s, 'svc_ada')).toEqual({ ...before, lastSeenAt: first + 5 * MINUTE })
    expect(await lastSeen('svc_bo')).toBe(first)
  })

  test('is moved by receipts and by identify too', async () => {
    for (const device of ['svc_ada', 'svc_bo']) await s.get('/v1/me', device)
    s.ctx.clock.advance(MINUTE)
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_bo', 'bo')
    await flushPresence(s.ctx)
    expect([await lastSeen('svc_ada'), await lastSeen('svc_bo')]).toEqual([s.ctx.clock.now(), s.ctx.clock.now()])
  })

  test("is not moved by the customer's server, which is not the device", async () => {
    await s.get('/v1/me', 'svc_ada')
    const first = s.ctx.clock.now()
    s.ctx.clock.advance(MINUTE)
    await read('svc_ada', secret())
    await write('svc_ada', { plan: 'gold' }, secret())
    await flushPresence(s.ctx)
    expect(await lastSeen('svc_ada')).toBe(first)
  })
})

describe('a subscriber reference', () => {
  test('with a public key is the exact device key and nothing else', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const { body } = await identify(s, 'svc_ada', 'ada')
    expect((await read('svc_ada')).body.data.access).toHaveProperty('pro')
    for (const reference of [body.data.subscriberId, 'ada', 'SVC_ADA', 'svc_ada ', 'svc_ad'])
      await expectRefused(s, () => read(reference), 404, 'NOT_FOUND')
  })

  test('with a secret key is an id, a label or a device key', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const { body } = await identify(s, 'svc_ada', 'user/1 \u00fc?%')
    for (const reference of [body.data.subscriberId, 'user/1 \u00fc?%', 'svc_ada'])
      expect((await read(reference, secret())).body.data.access).toHaveProperty('pro')
    for (const reference of ['user/1', 'svc_bo', `sub_${'0'.repeat(26)}`])
      await expectRefused(s, () => read(reference, secret()), 404, 'NOT_FOUND')
  })

  test('a device calling itself user_1 never gets what is booked for label user_1', async () => {
    const { body } = await identify(s, 'svc_ada', 'user_1')
    await s.receipt('svc_ada', s.buy(YEARLY))
    const thief = await s.get('/v1/me', 'user_1')
    expect(thief.body.data.access).toEqual({})
    // The server's booking for user_1 belongs to the label, although a device has this key.
    await give(s, 'user_1', 42, 'gift')
    const named = await write('user_1', { vip: 'yes' }, secret())
    expect(named.body.data.subscriber).toMatchObject({ id: body.data.subscriberId, attributes: { vip: 'yes' } })
    expect((await read('user_1', secret())).body.data.access).toHaveProperty('pro')
    const after = await s.get('/v1/me', 'user_1')
    expect(after.body).toEqual(thief.body)
    expect((await s.get('/v1/virtual-currencies/me', 'user_1')).body.data.balances).toEqual({})
    expect((await s.get('/v1/virtual-currencies/me', 'svc_ada')).body.data.balances).toEqual({ coins: 500, gems: 42 })
    // With a public key the same text means the device.
    expect((await read('user_1')).body.data.access).toEqual({})
  })

  test('of sub_ form never creates a row', async () => {
    const id = `sub_${'0'.repeat(26)}`
    for (const key of [s.project.publicKey, s.project.secretKey])
      await expectRefused(s, () => write(id, { plan: 'gold' }, { key }), 404, 'NOT_FOUND')
  })

  test('that nobody has makes a device on attributes, and nobody on access', async () => {
    await expectRefused(s, () => read('svc_new'), 404, 'NOT_FOUND')
    const { body } = await write('svc_new', { plan: 'gold' })
    expect(body.data.subscriber.attributes).toEqual({ plan: 'gold' })
    expect((await read('svc_new')).body.data.access).toEqual({})
  })

  test("of a synthetic subscriber is the server's alone", async () => {
    await s.get('/v1/me', 'svc_ada')
    const { id } = await rowOf(s, 'svc_ada')
    await damage(s, id, { deviceKey: 'ios:2000000000000001', isSynthetic: true })
    expect((await read('ios:2000000000000001', secret())).status).toBe(200)
    for (const call of [() => read('ios:2000000000000001'), () => write('ios:2000000000000001', {})])
      await expectRefused(s, call, 400, 'VALIDATION_ERROR')
    await expectRefused(s, () => write('ios:2', {}, secret()), 400, 'VALIDATION_ERROR')
  })

  test('of another project, in any form, is one that does not exist', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const { body } = await identify(s, 'svc_ada', 'ada')
    for (const reference of [body.data.subscriberId, 'ada', 'svc_ada'])
      await expectRefused(s, () => read(reference, { key: s.other.secretKey }), 404, 'NOT_FOUND')
    await expectRefused(s, () => write(body.data.subscriberId, {}, { key: s.other.secretKey }), 404, 'NOT_FOUND')
    // In the other project the same text is another subscriber.
    await write('svc_ada', { plan: 'gold' }, { key: s.other.publicKey })
    expect((await s.get('/v1/me', 'svc_ada')).body.data.subscriber.attributes).toEqual({})
  })

  test('with NUL, over its length or in broken escapes is 400 or 404, never 500', async () => {
    for (const options of [{}, secret()])
      for (const path of ['a%00b', 'a'.repeat(256), '%E0%A4%A', '%FF'])
        for (const suffix of ['access', 'attributes']) {
          const method = suffix === 'access' ? 'GET' : 'POST'
          const answer = await s.call(method, `/v1/subscribers/${path}/${suffix}`, {
            ...options,
            ...(method === 'POST' && { body: { attributes: {} } }),
          })
          expect([400, 404]).toContain(answer.status)
        }
    expect(await everything(s)).toEqual([])
  })

  test('follows merges, by every name of the merged row', async () => {
    await s.get('/v1/me', 'svc_old')
    const old = await rowOf(s, 'svc_old')
    await identify(s, 'svc_old', 'ada')
    await identify(s, 'svc_new', 'ada')
    await s.receipt('svc_new', s.buy(MONTHLY))
    for (const reference of [old.id, 'svc_old', 'ada'])
      expect((await read(reference, secret())).body.data.access).toHaveProperty('pro')
    expect((await write(old.id, { plan: 'gold' }, secret())).body.data.subscriber.id).toBe(
      (await rowOf(s, 'svc_new')).id,
    )
    expect((await rowOf(s, 'svc_old')).attributes).toEqual(old.attributes)
  })

  test("works on the browser's address as well", async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const headers = { origin: 'https://app.example.com' }
    const path = `/v1/web/${s.project.publicKey}/subscribers/svc_ada`
    expect((await s.get(`${path}/access`, undefined, { headers })).body.data.access).toHaveProperty('pro')
    const answer = await s.post(`${path}/attributes`, { attributes: { plan: 'gold' } }, { headers })
    expect(answer.body.data.subscriber.attributes).toEqual({ plan: 'gold' })
  })
})

describe('tags', () => {
  const PATHS = [...READS, '/v1/subscribers/svc_ada/access']

  test('repeat while the answer does, and then give 304 without a body', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    for (const path of PATHS) {
      const first = await s.get(path, 'svc_ada')
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
      for (const seen of [etag, `"other", ${etag}`, '*', `W/${etag}`]) {
        const again = await s.get(path, 'svc_ada', { headers: { 'if-none-match': seen } })
        expect([path, seen, again.status, again.body]).toEqual([path, seen, 304, null])
        expect(again.headers.get('etag')).toBe(etag)
      }
      const other = await s.get(path, 'svc_ada', { headers: { 'if-none-match': '"0123"' } })
      expect(other.status).toBe(200)
    }
  })

  test('differ between subscribers with equal answers, and between routes', async () => {
    const tags: (string | null)[] = []
    for (const device of ['svc_ada', 'svc_bo'])
      for (const path of READS.slice(1)) tags.push((await s.get(path, device)).headers.get('etag'))
    await s.get('/v1/me', 'svc_ada')
    for (const device of ['svc_ada', 'svc_bo']) tags.push((await read(device)).headers.get('etag'))
    expect(new Set(tags).size).toBe(6)
  })

  test('of one person never confirm the answer of the next on the same device', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'ada')
    const etag = (await s.get('/v1/me/access', 'svc_ada')).headers.get('etag') ?? ''
    await identify(s, 'svc_ada', 'bo')
    const next = await s.get('/v1/me/access', 'svc_ada', { headers: { 'if-none-match': etag } })
    expect([next.status, next.body]).toEqual([200, { data: { access: {} } }])
  })

  test('move when access ends by the clock alone', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const etag = (await s.get('/v1/me/access', 'svc_ada')).headers.get('etag') ?? ''
    s.ctx.clock.set(Date.UTC(2026, 11, 20, 8))
    const ended = await s.get('/v1/me/access', 'svc_ada', { headers: { 'if-none-match': etag } })
    expect([ended.status, ended.body]).toEqual([200, { data: { access: {} } }])
  })
})

describe('an erased row', () => {
  beforeEach(async () => {
    await s.receipt('svc_cy', s.buy(MONTHLY))
    await s.post('/v1/me/attributes', { attributes: { plan: 'gold' } }, { headers: { 'x-svc-app-user-id': 'svc_cy' } })
    await damage(s, (await rowOf(s, 'svc_cy')).id, { erasedAt: s.ctx.clock.now() })
  })

  test('answers reads as an empty subscriber', async () => {
    const { id } = await rowOf(s, 'svc_cy')
    const me = await s.get('/v1/me', 'svc_cy')
    expect(me.body.data).toEqual({ subscriber: { id, appUserId: null, attributes: {} }, access: {} })
    expect(await access(s, 'svc_cy')).toEqual({})
    expect((await s.get('/v1/me/entitlements', 'svc_cy')).body.data).toEqual({ entitlements: {} })
    for (const reference of [id, 'svc_cy']) expect((await read(reference, secret())).body.data).toEqual({ access: {} })
  })

  test('answers attribute writes 200 and keeps nothing of them', async () => {
    const before = await everything(s)
    const headers = { 'x-svc-app-user-id': 'svc_cy' }
    for (const answer of [
      await s.post('/v1/me/attributes', { attributes: { plan: 'silver' } }, { headers }),
      await write('svc_cy', { plan: 'silver', $email: 'a@b.co' }, secret()),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.body.data.subscriber.attributes).toEqual({})
    }
    expect(await everything(s)).toEqual(before)
  })

  test('refuses receipts and identify with 409', async () => {
    await expectRefused(s, () => s.receipt('svc_cy', s.buy(YEARLY)), 409, 'SUBSCRIBER_UNRESOLVABLE')
    await expectRefused(s, () => identify(s, 'svc_cy', 'cy'), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })
})

describe('a broken chain', () => {
  test('is 409 on reads and writes alike, and nothing is written', async () => {
    await s.get('/v1/me', 'svc_ada')
    const { id } = await rowOf(s, 'svc_ada')
    await damage(s, id, { mergedInto: id })
    const calls = [
      ...READS.map((path) => () => s.get(path, 'svc_ada')),
      () => read(id, secret()),
      () => read('svc_ada'),
      () => write('svc_ada', { plan: 'gold' }),
      () => s.receipt('svc_ada', s.buy(MONTHLY)),
    ]
    for (const call of calls) await expectRefused(s, call, 409, 'SUBSCRIBER_UNRESOLVABLE')
  })
})

describe('without a key', () => {
  test('every route is 401, before anything else is looked at', async () => {
    const calls: [method: string, path: string][] = [
      ...READS.map((path): [string, string] => ['GET', path]),
      ['POST', '/v1/me/attributes'],
      ['GET', '/v1/subscribers/svc_ada/access'],
      ['POST', '/v1/subscribers/svc_ada/attributes'],
      ['POST', '/v1/receipts/ios'],
    ]
    for (const [method, path] of calls) {
      const { status, body } = await s.call(method, path, { key: null, ...(method === 'POST' && { raw: '{broken' }) })
      expect([method, path, status, body.error.code]).toEqual([method, path, 401, 'BEARER_REQUIRED'])
    }
    expect(await everything(s)).toEqual([])
  })
})

test('a label is unique in a project, and the database says so', async () => {
  await identify(s, 'svc_ada', 'ada')
  await s.get('/v1/me', 'svc_bo')
  const { subscribers: t } = s.ctx.tables
  const isBo = and(eq(t.projectId, s.project.id), eq(t.deviceKey, 'svc_bo'))
  const steal = s.ctx.write((tx) => tx.db.update(t).set({ appUserId: 'ada' }).where(isBo))
  expect(await steal.catch((error: unknown) => error)).toBeInstanceOf(Error)
  expect((await rowOf(s, 'svc_bo')).appUserId).toBeNull()
})
