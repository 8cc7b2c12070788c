import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { NOW } from '../support/context'
import { changeSettings, eventTypes, everything, identify, rowOf } from '../support/facts'
import {
  HEADER,
  identifyWith,
  makeSecret,
  NOT_VALID,
  REQUIRED,
  refusalOf,
  rotateSecret,
  type Signing,
  tokenFor,
} from '../support/identity'

let s: Stage
let key: string
const labels = { identityVerification: 'labels' } as const
const setUp = async () => {
  s = await stage({ settings: labels })
  key = await makeSecret(s)
}
beforeEach(setUp)
afterEach(() => s.close())

const sign = (label: string, signing: Partial<Signing> = {}) => tokenFor(s, label, { key, ...signing })

describe('with the setting off, which is the default', () => {
  test('a public key takes a label without a token, and a token in the call changes nothing', async () => {
    await changeSettings(s, {})
    expect((await identify(s, 'svc_1', 'user_1')).status).toBe(200)
    for (const token of ['nonsense', await sign('user_9')])
      expect((await identifyWith(s, 'svc_1', 'user_1', token)).status).toBe(200)
  })
})

describe('with the setting labels, a public key', () => {
  test('takes a label with a token of the server, and answer and events are those without the setting', async () => {
    const answer = await identifyWith(s, 'svc_1', 'user_1', await sign('user_1'))
    const { id } = await rowOf(s, 'svc_1')
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { subscriberId: id, appUserId: 'user_1', transferred: false } },
    ])
    expect(await eventTypes(s, id)).toEqual(['subscriber.identified'])
  })

  test('joins a label of another row with a token', async () => {
    await identifyWith(s, 'svc_1', 'user_1', await sign('user_1'))
    const joined = await identifyWith(s, 'svc_2', 'user_1', await sign('user_1'))
    expect([joined.status, joined.body.data.transferred]).toEqual([200, true])
  })

  test('gives the token in the body instead, and may give it in both places alike', async () => {
    const identityToken = await sign('user_1')
    const body = { deviceKey: 'svc_1', appUserId: 'user_1', identityToken }
    expect((await s.post('/v1/identify', body)).status).toBe(200)
    expect((await s.post('/v1/identify', body, { headers: { [HEADER]: identityToken } })).status).toBe(200)
    const other = await sign('user_1', { claims: { n: 2 } })
    const both = await s.post('/v1/identify', body, { headers: { [HEADER]: other } })
    expect([both.status, both.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is refused without a token, in the same words whether the label is taken, free or its own', async () => {
    await identifyWith(s, 'svc_1', 'user_1', await sign('user_1'))
    const before = await everything(s)
    for (const token of [null, '', '   '])
      for (const label of ['user_1', 'user_2'])
        for (const device of ['svc_1', 'svc_new'])
          expect(refusalOf(await identifyWith(s, device, label, token))).toEqual(REQUIRED)
    expect(await everything(s)).toEqual(before)
  })

  test('is refused with a token for another label, in the same words whether the label is taken or free', async () => {
    await identifyWith(s, 'svc_1', 'user_1', await sign('user_1'))
    const before = await everything(s)
    for (const label of ['user_1', 'user_2', 'USER_1', 'user_1 '])
      expect(refusalOf(await identifyWith(s, 'svc_thief', label, await sign('user_3')))).toEqual(NOT_VALID)
    expect(await everything(s)).toEqual(before)
  })

  test('cannot hold a guessable label before its owner comes', async () => {
    for (const device of ['svc_thief_1', 'svc_thief_2']) await identifyWith(s, device, 'owner@example.com', null)
    const owner = await identifyWith(s, 'svc_owner', 'owner@example.com', await sign('owner@example.com'))
    expect(owner.body.data.transferred).toBe(false)
    expect((await rowOf(s, 'svc_owner')).appUserId).toBe('owner@example.com')
  })

  test('with a token, and one without, at the same time: only the first takes the label', async () => {
    const token = await sign('user_1')
    const answers = await Promise.all([
      identifyWith(s, 'svc_thief', 'user_1', null),
      identifyWith(s, 'svc_1', 'user_1', token),
      identifyWith(s, 'svc_2', 'user_1', token),
      identifyWith(s, 'svc_thief', 'user_1', 'x.y.z'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 200, 200, 403])
    const path = '/v1/subscribers/user_1/access'
    expect((await s.get(path, undefined, { key: s.project.secretKey })).status).toBe(200)
    expect((await s.ctx.db.select().from(s.ctx.tables.subscribers)).map(({ deviceKey }) => deviceKey).sort()).toEqual([
      'svc_1',
      'svc_2',
    ])
  })

  test('is refused on the browser mount as well', async () => {
    const path = `/v1/web/${s.project.publicKey}/identify`
    const origin = 'https://app.example.com'
    const body = { deviceKey: 'svc_1', appUserId: 'user_1' }
    expect(refusalOf(await s.post(path, body, { headers: { origin } }))).toEqual(REQUIRED)
    const token = await sign('user_1')
    expect((await s.post(path, { ...body, identityToken: token }, { headers: { origin } })).status).toBe(200)
    const preflight = await s.call('OPTIONS', path, { key: null, headers: { origin } })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Svc-Identity-Token')
  })

  test('is told of a malformed call first, and of a missing key before that', async () => {
    const call = (key: string | null) => s.post('/v1/identify', { deviceKey: 'svc_1' }, { key })
    expect([(await call(s.project.publicKey)).status, (await call(null)).status]).toEqual([400, 401])
  })
})

test('a secret key needs no token, and a wrong one changes nothing', async () => {
  const body = { deviceKey: 'svc_1', appUserId: 'user_1' }
  for (const headers of [{}, { [HEADER]: 'x.y.z' }])
    expect((await s.post('/v1/identify', body, { key: s.project.secretKey, headers })).status).toBe(200)
})

test('what a public key does without a label needs no token', async () => {
  expect((await s.get('/v1/me', 'svc_1')).status).toBe(200)
  expect((await s.post('/v1/me/attributes', { attributes: { plan: 'gold' } }, atDevice('svc_1'))).status).toBe(200)
  expect((await s.post('/v1/subscribers/user_1/attributes', { attributes: {} })).status).toBe(200)
  expect((await rowOf(s, 'user_1')).appUserId).toBeNull() // With a public key the reference is a device key.
})
const atDevice = (device: string) => ({ headers: { 'x-svc-app-user-id': device } })

describe('a token', () => {
  // One stage is enough: no call of these succeeds in writing anything.
  const refused: [name: string, signing: () => Partial<Signing>][] = [
    ['of another project', () => ({ claims: { aud: s.other.id } })],
    ['for several projects', () => ({ claims: { aud: [s.project.id, s.other.id] } })],
    ['without an audience', () => ({ claims: { aud: undefined } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['with a subject that is a number', () => ({ claims: { sub: 1 } })],
    ['with a subject that is a list', () => ({ claims: { sub: ['user_1'] } })],
    ['without an end', () => ({ claims: { exp: undefined } })],
    ['without a time of issue', () => ({ claims: { iat: undefined } })],
    ['with an end that is text', () => ({ claims: { exp: String(NOW / SECOND + 600) } })],
    ['with a time of issue that is text', () => ({ claims: { iat: String(NOW / SECOND) } })],
    ['with an end that is null', () => ({ claims: { exp: null } })],
    ['that ended 61 seconds ago', () => ({ claims: times(-600, -61) })],
    ['that ended exactly 60 seconds ago', () => ({ claims: times(-600, -60) })],
    ['issued 61 seconds in the future', () => ({ claims: times(61, 600) })],
    ['that lives for more than an hour and a minute', () => ({ claims: times(-1, 3660) })],
    ['that lives for a year', () => ({ claims: times(0, 31_536_000) })],
    ['that is not valid yet', () => ({ claims: { nbf: NOW / SECOND + 61 } })],
    ['for another device', () => ({ claims: { dk: 'svc_2' } })],
    ['for a device that is no text', () => ({ claims: { dk: 7 } })],
    ['for the device null', () => ({ claims: { dk: null } })],
    ['of another secret', () => ({ key: `svc_idk_${'a'.repeat(43)}` })],
    ['of no secret', () => ({ key: ' ' })],
    ['of the project id as secret', () => ({ key: s.project.id })],
    ['of the public key as secret', () => ({ key: s.project.publicKey })],
    [
      'signed by an RSA key, with HS256 in mind',
      () => ({ key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, header: { kid: 'k1' } }),
    ],
    ['with a key of its own', () => ({ header: { jwk: { kty: 'oct', k: 'YQ' } } })],
    ['with an address of keys', () => ({ header: { jku: 'https://evil.example/jwks.json' } })],
    ['with a certificate', () => ({ header: { x5c: ['YQ=='] } })],
    ['that is packed', () => ({ header: { zip: 'DEF' } })],
    ['that is larger than 4,096 characters', () => ({ claims: { more: 'x'.repeat(4096) } })],
  ]
  const times = (iat: number, exp: number) => ({ iat: NOW / SECOND + iat, exp: NOW / SECOND + exp })

  for (const [name, signing] of refused)
    test(`${name} is not valid`, async () => {
      expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', await sign('user_1', signing())))).toEqual(NOT_VALID)
      expect(await everything(s)).toEqual([])
    })

  test('that names critical headers is not valid', async () => {
    const [header = '', ...rest] = (await sign('user_1')).split('.')
    const read = JSON.parse(Buffer.from(header, 'base64url').toString())
    const critical = Buffer.from(JSON.stringify({ ...read, crit: ['exp'], exp: 1 })).toString('base64url')
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', [critical, ...rest].join('.')))).toEqual(NOT_VALID)
  })

  test('with no signature, or another algorithm, is not valid', async () => {
    const [, payload] = (await sign('user_1')).split('.')
    const header = (alg: unknown) => Buffer.from(JSON.stringify({ alg })).toString('base64url')
    const mac = (alg: string, hash: string) =>
      `${header(alg)}.${payload}.${new Bun.CryptoHasher(hash as 'sha512', key).update(`${header(alg)}.${payload}`).digest('base64url')}`
    const tokens = [
      `${header('none')}.${payload}.`,
      `${header('None')}.${payload}.AA`,
      `${header('hs256')}.${payload}.AA`,
      `${header(undefined)}.${payload}.AA`,
      `${header(256)}.${payload}.AA`,
      mac('HS512', 'sha512'),
      mac('HS384', 'sha384'),
    ]
    for (const token of tokens)
      expect([token, ...refusalOf(await identifyWith(s, 'svc_1', 'user_1', token))]).toEqual([token, ...NOT_VALID])
  })

  test('that is none is not valid', async () => {
    const texts = ['x', 'a.b', 'a.b.c', '..', 'a.b.c.d', '{}', 'Bearer x', `${'x'.repeat(7000)}`]
    for (const text of texts)
      expect([text, ...refusalOf(await identifyWith(s, 'svc_1', 'user_1', text))]).toEqual([text, ...NOT_VALID])
  })

  const accepted: [name: string, claims: () => Record<string, unknown>][] = [
    ['that ended 59 seconds ago', () => times(-600, -59)],
    ['issued 60 seconds in the future', () => times(60, 600)],
    ['that lives for an hour', () => times(0, 3600)],
    ['for this device', () => ({ dk: 'svc_1' })],
    ['whose audience is a list of one', () => ({ aud: [s.project.id] })],
    ['with further claims', () => ({ role: 'admin', iss: 'https://example.com' })],
  ]
  for (const [name, claims] of accepted)
    test(`${name} is valid`, async () => {
      const answer = await identifyWith(s, 'svc_1', 'user_1', await sign('user_1', { claims: claims() }))
      expect(answer.status).toBe(200)
    })
})

describe('the identity secret', () => {
  test('of another project signs nothing here', async () => {
    const foreign = await makeSecret(s, s.other)
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', await sign('user_1', { key: foreign })))).toEqual(
      NOT_VALID,
    )
  })

  test('has the form of a key and is unlike any other', async () => {
    expect(key).toMatch(/^svc_idk_[0-9A-Za-z]{43}$/)
    expect(await makeSecret(s, s.other)).not.toBe(key)
  })

  test('before a rotation is valid until the overlap ends, and not at its end', async () => {
    const fresh = await rotateSecret(s, 2)
    const withOld = async () => identifyWith(s, 'svc_1', 'user_1', await sign('user_1'))
    const withNew = async () => identifyWith(s, 'svc_1', 'user_1', await sign('user_1', { key: fresh }))
    expect([(await withOld()).status, (await withNew()).status]).toEqual([200, 200])
    s.ctx.clock.advance(2 * HOUR - 1)
    expect((await withOld()).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(refusalOf(await withOld())).toEqual(NOT_VALID)
    expect((await withNew()).status).toBe(200)
  })

  test('before a rotation without an overlap is not valid, and the one before the last never is', async () => {
    const second = await rotateSecret(s, 24)
    const third = await rotateSecret(s, 24)
    const status = async (one: string) =>
      (await identifyWith(s, 'svc_1', 'user_1', await sign('user_1', { key: one }))).status
    expect([await status(key), await status(second), await status(third)]).toEqual([403, 200, 200])
    await rotateSecret(s, 0)
    expect([await status(second), await status(third)]).toEqual([403, 403])
  })

  test('that is missing lets nobody in', async () => {
    await s.ctx.write((tx) => tx.db.delete(tx.tables.identitySecrets))
    s.ctx.state.projects.forget(s.project.id)
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', await sign('user_1')))).toEqual(NOT_VALID)
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', null))).toEqual(REQUIRED)
  })

  test('that does not open is our trouble: 503 and no 403, for any token that it should check', async () => {
    const sealed = 'v1.00000000.a.b.c'
    await s.ctx.write((tx) => tx.db.update(tx.tables.identitySecrets).set({ sealed }))
    s.ctx.state.projects.forget(s.project.id)
    const answer = await identifyWith(s, 'svc_1', 'user_1', await sign('user_1'))
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      503,
      'FEATURE_NOT_CONFIGURED',
      { feature: 'credential_encryption' },
    ])
    expect(await everything(s)).toEqual([])
  })
})

describe('an Idempotency-Key', () => {
  const repeat = { 'idempotency-key': 'once' }

  test('replays the answer to a caller with a valid token', async () => {
    const token = await sign('user_1')
    const first = await identifyWith(s, 'svc_1', 'user_1', token, repeat)
    const again = await identifyWith(s, 'svc_1', 'user_1', await sign('user_1', { claims: { n: 2 } }), repeat)
    expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([200, first.body, 'true'])
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
  })

  test('replays nothing to a caller without one, or with one that has ended', async () => {
    const token = await sign('user_1')
    await identifyWith(s, 'svc_1', 'user_1', token, repeat)
    const without = await identifyWith(s, 'svc_1', 'user_1', null, repeat)
    expect([...refusalOf(without), without.headers.get('idempotent-replay')]).toEqual([...REQUIRED, null])
    s.ctx.clock.advance(20 * MINUTE)
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', token, repeat))).toEqual(NOT_VALID)
    const fresh = await identifyWith(s, 'svc_1', 'user_1', await sign('user_1'), repeat)
    expect([fresh.status, fresh.headers.get('idempotent-replay')]).toEqual([200, 'true'])
  })

  test('of a refused call is free again', async () => {
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', null, repeat))).toEqual(REQUIRED)
    const answer = await identifyWith(s, 'svc_1', 'user_1', await sign('user_1'), repeat)
    expect([answer.status, answer.headers.get('idempotent-replay')]).toEqual([200, null])
  })
})

test('no token and no secret is written to the log', async () => {
  const token = await sign('user_1')
  await identifyWith(s, 'svc_1', 'user_1', token)
  await identifyWith(s, 'svc_1', 'user_2', token)
  expect(s.ctx.lines.join('\n')).not.toContain(token.slice(-20))
  expect(s.ctx.lines.join('\n')).not.toContain(key.slice(8))
})
