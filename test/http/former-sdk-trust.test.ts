import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { ANONYMOUS, SDK_HEADERS, sdk, sdkRefusal, setSdkDoor } from '../support/former-sdk'
import { refusal } from '../support/visitor'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

describe('while it is off', () => {
  test('a receipt is 503 with Retry-After, whatever the key', async () => {
    for (const key of [undefined, 'appl_other', 'test_x', 'AbCdEfGhIjKl', null]) {
      const answer = await sdk(s, 'ios').post('/v1/receipts', { app_user_id: 'ada', fetch_token: 'x' }, keyed(key))
      expect([key, answer.status, answer.headers.get('retry-after')]).toEqual([key, 503, '60'])
    }
  })

  test('a person is refused with the code of a wrong key, and no row is made', async () => {
    expect(sdkRefusal(await sdk(s, 'ios').person('ada'))).toEqual([401, 7225])
    expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toEqual([])
  })
})

const keyed = (key: string | null | undefined) => (key === undefined ? {} : { key })

describe('while it is on', () => {
  beforeEach(() => setSdkDoor(s, { enabled: true }))

  test.each(['appl_', 'mac_', 'goog_', 'amzn_', 'galx_', 'rcb_', 'strp_', 'pdl_', 'rcb_sb_', 'strp_sb_'])(
    'our public key is accepted behind %s',
    async (prefix) => {
      const answer = await sdk(s, 'ios').person('ada', { key: prefix + s.project.publicKey })
      expect(answer.status).toBeLessThan(300)
    },
  )

  test('an unknown key, a secret key behind a prefix and a missing key are 401 with 7225', async () => {
    const unknown = `appl_svc_pub_${'9'.repeat(32)}`
    for (const key of [unknown, 'appl_x', `appl_${s.project.secretKey}`, 'LegacyKeyWithoutPrefix', null])
      expect([key, ...sdkRefusal(await sdk(s, 'ios').person('ada', { key }))]).toEqual([key, 401, 7225])
  })

  test('the same keys are 503 on receipts', async () => {
    const unknown = `appl_svc_pub_${'9'.repeat(32)}`
    for (const key of [unknown, 'appl_x', `appl_${s.project.secretKey}`, 'LegacyKeyWithoutPrefix', null])
      expect([key, (await sdk(s, 'ios').post('/v1/receipts', {}, { key })).status]).toEqual([key, 503])
  })

  test('the key of a revoked pair is refused', async () => {
    const { apiKeys } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(apiKeys).set({ revokedAt: s.ctx.clock.now() }))
    expect(sdkRefusal(await sdk(s, 'ios').person('ada'))).toEqual([401, 7225])
    expect((await sdk(s, 'ios').post('/v1/receipts', {})).status).toBe(503)
  })

  test('a project that has it off stays closed', async () => {
    const key = `appl_${s.other.publicKey}`
    expect(sdkRefusal(await sdk(s, 'ios').person('ada', { key }))).toEqual([401, 7225])
  })

  test('a test_ key is refused with 7103 until the test store is on', async () => {
    const key = `test_${s.project.publicKey}`
    expect(sdkRefusal(await sdk(s, 'web').person('ada', { key }))).toEqual([400, 7103])
    await setSdkDoor(s, { testStore: true })
    expect((await sdk(s, 'web').person('ada', { key })).status).toBe(201)
  })

  test.each([
    '',
    ' ',
    'no_user',
    'null',
    'None',
    'nil',
    '(null)',
    'NaN',
    'undefined',
    'unknown',
    'a/b',
    'a\u0007b',
    'x'.repeat(256),
  ])('the id %p is no person: 400 with 7220', async (id) => {
    expect(sdkRefusal(await sdk(s, 'web').person(id))).toEqual(id === '' ? [404, undefined] : [400, 7220])
  })

  test.each(['a+b', 'ä😀', 'user@example.com', 'x'.repeat(255), ANONYMOUS])('the id %p is a person', async (id) => {
    const first = await sdk(s, 'android').person(id)
    expect([first.status, first.body.subscriber.original_app_user_id]).toEqual([201, id])
    expect((await sdk(s, 'android').person(id)).status).toBe(200)
  })

  test('a person with an id of the app is a label, under a device key that no client can send', async () => {
    await sdk(s, 'ios').person('ada')
    const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    expect([row?.appUserId, row?.deviceKey]).toEqual(['ada', 'rc:label:ada'])
    expect(refusal(await s.get('/v1/me', 'rc:label:ada'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('a page of an origin that the project does not name is refused, on receipts with 503', async () => {
    const headers = { origin: 'https://evil.example' }
    expect(sdkRefusal(await sdk(s, 'web').person('ada', { headers }))).toEqual([403, 7225])
    expect((await sdk(s, 'web').call('POST', '/v1/receipts', { body: {}, headers })).status).toBe(503)
    const named = await sdk(s, 'web').person('ada', { headers: { origin: 'https://app.example.com' } })
    expect(named.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  })

  test('the preflight of the web SDK is answered, and every other one as before', async () => {
    const preflight = (path: string, asked: string) =>
      s.call('OPTIONS', path, {
        key: null,
        headers: { origin: 'https://app.example.com', 'access-control-request-headers': asked },
      })
    const asked = 'authorization,content-type,x-is-sandbox,x-platform,x-version'
    for (const path of ['/v1/subscribers/ada', '/v1/receipts', '/v1/events', '/rcbilling/v1/branding']) {
      const { status, headers } = await preflight(path, asked)
      expect([status, headers.get('access-control-allow-headers')]).toEqual([204, asked])
      const other = await preflight(path, 'authorization,content-type')
      expect([path, other.headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
  })

  test('our own callers are answered as before on the same paths, to the byte', async () => {
    const on = await ownAnswers()
    await setSdkDoor(s, { enabled: false })
    expect(on).toEqual(await ownAnswers())
    expect(on[0]).toContain('"a":"b"')
    expect((await s.call('GET', '/v1/health', { key: null })).status).toBe(404)
    expect((await sdk(s, 'ios').get('/v1/health')).status).toBe(401)
  })
})

/** What calls with our own keys are answered, with and without the headers of an SDK. */
async function ownAnswers(): Promise<string[]> {
  const answers: string[] = []
  for (const headers of [{}, SDK_HEADERS.ios])
    for (const key of [s.project.publicKey, s.project.secretKey]) {
      const attributes = { attributes: { a: 'b' } }
      for (const [path, body] of [
        ['/v1/subscribers/device-1/attributes', attributes],
        ['/v1/events', { name: 'opened' }],
        ['/v1/subscribers/identify', {}],
        ['/v1/receipts', {}],
      ] as const) {
        const answer = await s.post(path, body, { key, headers })
        const lasting = [...answer.headers].filter(([name]) => !/^(x-request-id|ratelimit|x-ratelimit)/.test(name))
        answers.push(JSON.stringify([path, answer.status, lasting, answer.body]))
      }
    }
  return answers
}

describe('with identity tokens', () => {
  beforeEach(async () => {
    await s.close()
    s = await stage({ settings: { identityVerification: 'labels' } })
    await setSdkDoor(s, { enabled: true })
  })

  test('a labelled person is refused without one, the same whether or not they exist', async () => {
    await s.post('/v1/identify', { deviceKey: 'phone', appUserId: 'ada' }, { key: s.project.secretKey })
    const [known, unknown] = [await sdk(s, 'ios').person('ada'), await sdk(s, 'ios').person('eve')]
    expect(sdkRefusal(known)).toEqual([403, 7225])
    expect(known.body).toEqual(unknown.body)
  })

  test('offerings are those of everybody', async () => {
    expect((await sdk(s, 'ios').get('/v1/subscribers/ada/offerings')).body.current_offering_id).toBe('standard')
  })

  test('an anonymous person is readable', async () => {
    expect((await sdk(s, 'ios').person(ANONYMOUS)).status).toBe(201)
  })

  test('a receipt call without a token sets no attribute of a labelled person', async () => {
    const attributes = { $email: { value: 'eve@example.com', updated_at_ms: s.ctx.clock.now() } }
    const body = { app_user_id: 'ada', fetch_token: '', attributes }
    expect((await sdk(s, 'ios').post('/v1/receipts', body)).status).toBe(503)
    const rows = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    expect(rows.map((row) => row.attributes.$email)).toEqual([undefined])
  })

  test('a receipt of a labelled person is booked, and answered with 503', async () => {
    const fetch_token = s.sign(s.buy(MONTHLY))
    const answer = await sdk(s, 'ios').post('/v1/receipts', { app_user_id: 'ada', fetch_token, product_id: 'x' })
    expect(answer.status).toBe(503)
    const held = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(held.map(({ fold }) => fold.storeProductId)).toEqual([MONTHLY.productId])
    expect(JSON.stringify(answer.body)).not.toContain(COINS.productId)
  })
})
