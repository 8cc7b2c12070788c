import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Answer, type Stage, stage } from '../support/cast'

let s: Stage
beforeAll(async () => {
  s = await stage()
  for (const device of ['svc_query', 'svc_user', 'svc_app']) await s.get('/v1/me', device)
})
afterAll(() => s.close())

const known = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.subscribers)).map(({ deviceKey }) => deviceKey).sort()

describe('a device key', () => {
  type Carrier = [name: string, call: (device: string) => Promise<Answer>]
  const carriers: Carrier[] = [
    ['X-Svc-App-User-Id of /me', (device) => s.get('/v1/me', device)],
    ['X-Svc-App-User-Id of balances', (device) => s.get('/v1/virtual-currencies/me', device)],
    ['deviceKey of identify', (deviceKey) => s.post('/v1/identify', { deviceKey, appUserId: 'somebody' })],
    ['svcId of identify', (svcId) => s.post('/v1/identify', { svcId, appUserId: 'somebody' })],
    [
      'appUserId of a receipt',
      (appUserId) => s.post('/v1/receipts/ios', { receipt: 'x', appUserId, productId: 'pro_monthly' }),
    ],
    ['the path, with a public key', (device) => s.get(`/v1/subscribers/${encodeURIComponent(device)}/access`)],
    ['subscriberId of offerings', (device) => s.get(`/v1/offerings?subscriberId=${encodeURIComponent(device)}`)],
    [
      'X-Svc-User-Id of offerings',
      (device) => s.get('/v1/offerings', undefined, { headers: { 'x-svc-user-id': device } }),
    ],
    ['X-Svc-App-User-Id of offerings', (device) => s.get('/v1/offerings', device)],
  ]
  const bad = ['ios:1', 'android:x', 'payment:cus_1', 'import:1', 'ios:', 'x'.repeat(129), 'a\u0085b', 'a\u009fb']
  const badInText = ['a\u0001b', 'a\tb', 'a\nb', 'a\u007fb']

  for (const [name, call] of carriers)
    test(`in ${name} must be one that a device may have`, async () => {
      const before = await known()
      const inHeader = name.startsWith('X-Svc')
      // A header cannot contain control characters at all.
      for (const device of inHeader ? bad.map(asHeader) : [...bad, ...badInText]) {
        const { status, body } = await call(device)
        expect([device, status, body.error?.code]).toEqual([device, 400, 'VALIDATION_ERROR'])
      }
      expect(await known()).toEqual(before)
    })

  test('may be any other text of 1 to 128 characters', async () => {
    for (const device of ['x', 'IOS:1', 'iosx:1', 'with blank', 'é€😀', '../..', '"\'<>', 'y'.repeat(128)]) {
      expect((await s.get('/v1/me', asHeader(device))).status).toBe(200)
      expect(await known()).toContain(device)
    }
  })

  test('is the same person by header, body and path', async () => {
    const byHeader = await s.get('/v1/me', asHeader('é€'))
    const byBody = await s.post('/v1/identify', { deviceKey: 'é€', appUserId: 'same' })
    const byPath = await s.post(`/v1/subscribers/${encodeURIComponent('é€')}/attributes`, { attributes: {} })
    expect(byBody.body.data.subscriberId).toBe(byHeader.body.data.subscriber.id)
    expect(byPath.body.data.subscriber.id).toBe(byHeader.body.data.subscriber.id)
  })

  test('may end in a character whose last byte is a blank elsewhere', async () => {
    for (const device of ['voilà', 'Р']) {
      const byHeader = await s.get('/v1/me', asHeader(`${device} `))
      const byBody = await s.post('/v1/identify', { deviceKey: device, appUserId: `label of ${device}` })
      expect(byBody.body.data.subscriberId).toBe(byHeader.body.data.subscriber.id)
    }
  })

  test('is compared byte for byte', async () => {
    const ids = new Set<string>()
    for (const device of ['Case', 'case', 'caf\u00e9', 'cafe\u0301'])
      ids.add((await s.get('/v1/me', asHeader(device))).body.data.subscriber.id)
    expect(ids.size).toBe(4)
  })
})

/** UTF-8 as a header contains it: one character for each byte. */
const asHeader = (text: string): string => Buffer.from(text).toString('latin1')

describe('identity', () => {
  test('in a header is trimmed, and blank equals absent', async () => {
    const plain = await s.get('/v1/me', 'svc_trim')
    const trimmed = await s.get('/v1/me', '  svc_trim ')
    expect(trimmed.body.data.subscriber.id).toBe(plain.body.data.subscriber.id)
    for (const device of [undefined, '', '   ']) {
      const { status, body } = await s.get('/v1/me', device)
      expect([status, body.error.message]).toEqual([400, 'Send the device key in X-Svc-App-User-Id'])
    }
  })

  /** The ETag of the offerings. It differs between subscribers. */
  const tagOf = async (query: string, headers: Record<string, string>) =>
    (await s.get(`/v1/offerings${query}`, undefined, { headers })).headers.get('etag')

  test('of offerings is the query, then X-Svc-User-Id, then X-Svc-App-User-Id, else nobody', async () => {
    const [user, app] = [{ 'x-svc-user-id': 'svc_user' }, { 'x-svc-app-user-id': 'svc_app' }]
    const alone = {
      query: await tagOf('?subscriberId=svc_query', {}),
      user: await tagOf('', user),
      app: await tagOf('', app),
      nobody: await tagOf('', {}),
    }
    expect(new Set(Object.values(alone)).size).toBe(4)
    expect(await tagOf('?subscriberId=svc_query', { ...user, ...app })).toBe(alone.query)
    expect(await tagOf('', { ...user, ...app })).toBe(alone.user)
    expect(await tagOf('?subscriberId=', { ...app, 'x-svc-user-id': ' ' })).toBe(alone.app)
    expect(await tagOf('?subscriberId=%20', { 'x-svc-user-id': '', 'x-svc-app-user-id': '  ' })).toBe(alone.nobody)
  })

  test('of offerings that nobody has makes nobody', async () => {
    const before = await known()
    expect((await s.get('/v1/offerings', 'svc_stranger')).status).toBe(200)
    expect(await known()).toEqual(before)
  })

  test('of /me is its own header alone', async () => {
    const headers = { 'x-svc-user-id': 'svc_user' }
    expect((await s.get('/v1/me?subscriberId=svc_query', undefined, { headers })).status).toBe(400)
  })

  test('that is new is made once, however many ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => s.get('/v1/me', 'svc_at_once')))
    expect(new Set(answers.map(({ body }) => body.data.subscriber.id)).size).toBe(1)
    const { subscribers } = s.ctx.tables
    expect(await s.ctx.db.select().from(subscribers).where(eq(subscribers.deviceKey, 'svc_at_once'))).toHaveLength(1)
  })
})
