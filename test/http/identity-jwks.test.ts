import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { FRESH_MS, RETRY_PAUSE_MS, UNKNOWN_PAUSE_MS } from '../../src/projects/identity-tokens/key-cache'
import { type Answer, type Stage, stage } from '../support/cast'
import { changeSettings, everything } from '../support/facts'
import {
  identifyWith,
  jwkOf,
  type KeyServer,
  KINDS,
  keyServer,
  makeSecret,
  NOT_VALID,
  REQUIRED,
  refusalOf,
  tokenFor,
} from '../support/identity'

const ES = KINDS.ES256()
const RSA = KINDS.RS256()
const ED = KINDS.EdDSA()

let s: Stage
let keys: KeyServer
beforeEach(async () => {
  keys = keyServer([jwkOf(ES.publicKey, 'es'), jwkOf(RSA.publicKey, 'rsa'), jwkOf(ED.publicKey, 'ed')])
  s = await stage({
    settings: { identityVerification: 'labels', identityJwksUrl: null },
    env: { SVC_ALLOW_PRIVATE_TARGETS: '1' },
  })
  await changeSettings(s, { identityVerification: 'labels', identityJwksUrl: keys.url })
})
afterEach(async () => {
  await s.close()
  await keys.stop()
})

let people = 0
/** Identifies somebody new with a token that is signed with this key. */
async function enter(key: KeyObject, kid: string | undefined, header: object = {}): Promise<Answer> {
  const label = `user_${++people}`
  const named = kid === undefined ? {} : { kid }
  return identifyWith(s, `svc_${people}`, label, await tokenFor(s, label, { key, header: { ...named, ...header } }))
}

const UNAVAILABLE = [
  503,
  {
    code: 'FEATURE_NOT_CONFIGURED',
    message: "The project's identityJwksUrl gives no keys now",
    details: { feature: 'identity_verification', reason: 'jwks_unavailable' },
  },
]

describe('a token that a published key signed', () => {
  for (const [name, key, kid] of [
    ['ES256', ES.privateKey, 'es'],
    ['RS256', RSA.privateKey, 'rsa'],
    ['EdDSA', ED.privateKey, 'ed'],
  ] as const)
    test(`is valid with ${name}`, async () => expect((await enter(key, kid)).status).toBe(200))

  test('is refused when another key signed it, or it names another or no key', async () => {
    expect(refusalOf(await enter(KINDS.ES256().privateKey, 'es'))).toEqual(NOT_VALID)
    expect(refusalOf(await enter(ES.privateKey, 'rsa'))).toEqual(NOT_VALID)
    expect(refusalOf(await enter(ES.privateKey, 'nobody'))).toEqual(NOT_VALID)
    expect(refusalOf(await enter(ES.privateKey, undefined))).toEqual(NOT_VALID)
    expect(await everything(s)).toEqual([])
  })

  test('is refused for another label, as with a secret', async () => {
    const token = await tokenFor(s, 'user_other', { key: ES.privateKey, header: { kid: 'es' } })
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', token))).toEqual(NOT_VALID)
  })

  test('is as good as one of the secret, when the project has both', async () => {
    const secret = await makeSecret(s)
    await changeSettings(s, { identityVerification: 'labels', identityJwksUrl: keys.url })
    expect((await enter(ES.privateKey, 'es')).status).toBe(200)
    const token = await tokenFor(s, 'user_1', { key: secret })
    expect((await identifyWith(s, 'svc_secret', 'user_1', token)).status).toBe(200)
    expect(keys.asked).toBe(1)
  })

  test('is refused when the project publishes no keys, and no address is called', async () => {
    await changeSettings(s, { identityVerification: 'labels' })
    expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(NOT_VALID)
    expect(keys.asked).toBe(0)
  })

  test('that is missing calls no address either', async () => {
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', null))).toEqual(REQUIRED)
    expect(keys.asked).toBe(0)
  })
})

describe('a key is believed for its own algorithm only', () => {
  const published = (key: KeyObject) => [
    key.export({ type: 'spki', format: 'pem' }).toString(),
    key.export({ type: 'spki', format: 'der' }).toString('base64'),
    key.export({ format: 'jwk' }).n ?? '',
    JSON.stringify(key.export({ format: 'jwk' })),
  ]

  test('HS256 with a published key as the secret is refused', async () => {
    for (const secret of published(RSA.publicKey)) {
      const token = await tokenFor(s, 'user_1', { key: secret, header: { kid: 'rsa' } })
      expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', token))).toEqual(NOT_VALID)
    }
  })

  test('a published symmetric key is none', async () => {
    const k = Buffer.from('a secret that everybody can read, for 256 bits').toString('base64url')
    keys.answer = { keys: [{ kty: 'oct', k, kid: 'oct', alg: 'HS256' }] }
    const token = await tokenFor(s, 'user_1', { key: Buffer.from(k, 'base64url').toString(), header: { kid: 'oct' } })
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', token))).toEqual(NOT_VALID)
  })

  test('other algorithms of the same keys are refused', async () => {
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    keys.answer = { keys: [jwkOf(RSA.publicKey, 'rsa'), jwkOf(p384.publicKey, 'p384')] }
    for (const [key, kid, alg] of [
      [RSA.privateKey, 'rsa', 'PS256'],
      [RSA.privateKey, 'rsa', 'RS512'],
      [p384.privateKey, 'p384', 'ES384'],
    ] as const)
      expect([alg, ...refusalOf(await enter(key, kid, { alg }))]).toEqual([alg, ...NOT_VALID])
  })
})

describe('a set of keys', () => {
  const publish = (...sets: object[]) => {
    keys.answer = { keys: sets }
  }

  test('gives no key that is published with its private part, is for another use, or has no id', async () => {
    publish({ ...ES.privateKey.export({ format: 'jwk' }), kid: 'es' })
    expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(NOT_VALID)
    for (const more of [{ use: 'enc' }, { alg: 'ES384' }, { key_ops: ['sign'] }, { key_ops: 'verify' }, { kid: 7 }]) {
      s.ctx.clock.advance(FRESH_MS)
      publish(jwkOf(ES.publicKey, 'es', more))
      expect([more, ...refusalOf(await enter(ES.privateKey, 'es'))]).toEqual([more, ...NOT_VALID])
    }
  })

  test('gives no RSA key of 512 or 1,024 bits, and none with the exponent 1', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const n = (bits: number) => Buffer.alloc(bits / 8, 255).toString('base64url')
    publish(
      jwkOf(weak.publicKey, 'k1024'),
      { kty: 'RSA', n: n(512), e: 'AQAB', kid: 'k512' },
      { ...RSA.publicKey.export({ format: 'jwk' }), e: 'AQ', kid: 'one' },
      { kty: 'RSA', n: n(16_384), e: 'AQAB', kid: 'k16384' },
    )
    for (const kid of ['k512', 'k1024', 'one', 'k16384'])
      expect([kid, ...refusalOf(await enter(RSA.privateKey, kid))]).toEqual([kid, ...NOT_VALID])
  })

  test('may hold a thousand keys and keys that are none, beside the good one', async () => {
    const others = Array.from({ length: 1000 }, (_, index) => ({
      kty: 'EC',
      crv: 'P-256',
      x: 'AA',
      y: 'AA',
      kid: `k${index}`,
    }))
    publish(...others, { kid: 'none' }, null as never, 'text' as never, [] as never, jwkOf(ES.publicKey, 'es'))
    expect((await enter(ES.privateKey, 'es')).status).toBe(200)
    expect(refusalOf(await enter(ES.privateKey, 'k7'))).toEqual(NOT_VALID)
  })

  const broken: [name: string, answer: () => Response][] = [
    ['of 10 MB', () => new Response(Buffer.alloc(10_000_000, ' '))],
    ['that is no JSON', () => new Response('<html>')],
    ['that is JSON of another form', () => Response.json([])],
    ['whose keys are no list', () => Response.json({ keys: {} })],
    ['with status 500', () => new Response('{"keys":[]}', { status: 500 })],
    ['with status 404', () => new Response('{"keys":[]}', { status: 404 })],
    ['that leads elsewhere', () => Response.redirect('http://127.0.0.1:1/', 302)],
  ]
  for (const [name, answer] of broken)
    test(`${name} lets nobody in, and is no fault of the caller: 503`, async () => {
      keys.answer = answer
      const refused = await enter(ES.privateKey, 'es')
      expect(refusalOf(refused)).toEqual(UNAVAILABLE)
      expect(refused.headers.get('retry-after')).toBe(String(RETRY_PAUSE_MS / SECOND))
      expect(await everything(s)).toEqual([])
    })
})

describe('the keys are asked for', () => {
  test('once, and again after ten minutes', async () => {
    for (const _ of [1, 2, 3]) await enter(ES.privateKey, 'es')
    expect(keys.asked).toBe(1)
    s.ctx.clock.advance(FRESH_MS - 1)
    await enter(ES.privateKey, 'es')
    expect(keys.asked).toBe(1)
    s.ctx.clock.advance(1)
    await enter(ES.privateKey, 'es')
    expect(keys.asked).toBe(2)
  })

  test('once by many calls at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(ES.privateKey, 'es')))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(keys.asked).toBe(1)
  })

  test('again for an unknown key id, at most once a minute', async () => {
    await enter(ES.privateKey, 'es')
    s.ctx.clock.advance(UNKNOWN_PAUSE_MS)
    const fresh = KINDS.ES256()
    keys.answer = { keys: [jwkOf(fresh.publicKey, 'fresh')] }
    expect((await enter(fresh.privateKey, 'fresh')).status).toBe(200)
    expect(keys.asked).toBe(2)
    for (const kid of ['a', 'b', 'c', 'fresh ', 'FRESH'])
      expect(refusalOf(await enter(fresh.privateKey, kid))).toEqual(NOT_VALID)
    s.ctx.clock.advance(UNKNOWN_PAUSE_MS - 1)
    expect(refusalOf(await enter(fresh.privateKey, 'a'))).toEqual(NOT_VALID)
    expect(keys.asked).toBe(2)
    s.ctx.clock.advance(1)
    expect(refusalOf(await enter(fresh.privateKey, 'a'))).toEqual(NOT_VALID)
    expect(keys.asked).toBe(3)
  })

  test('at a new address at once, when the setting changes', async () => {
    await enter(ES.privateKey, 'es')
    const other = keyServer([jwkOf(ED.publicKey, 'new')])
    await changeSettings(s, { identityVerification: 'labels', identityJwksUrl: other.url })
    expect((await enter(ED.privateKey, 'new')).status).toBe(200)
    expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(NOT_VALID)
    expect([keys.asked, other.asked]).toEqual([1, 1])
    await other.stop()
  })
})

describe('a key that is withdrawn', () => {
  test('is not believed for longer than ten minutes', async () => {
    await enter(ES.privateKey, 'es')
    keys.answer = { keys: [] }
    s.ctx.clock.advance(FRESH_MS - 1)
    expect((await enter(ES.privateKey, 'es')).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(NOT_VALID)
  })

  test('is not believed once a call for a newer key has read the set', async () => {
    await enter(ES.privateKey, 'es')
    s.ctx.clock.advance(UNKNOWN_PAUSE_MS)
    keys.answer = { keys: [jwkOf(ED.publicKey, 'new')] }
    expect((await enter(ED.privateKey, 'new')).status).toBe(200)
    expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(NOT_VALID)
  })
})

describe('while the address fails', () => {
  const fail = () => {
    keys.answer = () => new Response(null, { status: 500 })
  }

  test('keys that were read are used for their ten minutes and no longer', async () => {
    await enter(ES.privateKey, 'es')
    fail()
    s.ctx.clock.advance(FRESH_MS - 1)
    expect((await enter(ES.privateKey, 'es')).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(UNAVAILABLE)
  })

  test('a key id that is not known is 503 and not 403: it may be in the set that could not be read', async () => {
    await enter(ES.privateKey, 'es')
    fail()
    s.ctx.clock.advance(UNKNOWN_PAUSE_MS)
    for (const _ of [1, 2]) expect(refusalOf(await enter(ED.privateKey, 'new'))).toEqual(UNAVAILABLE)
    expect(keys.asked).toBe(2)
    expect((await enter(ES.privateKey, 'es')).status).toBe(200)
  })

  test('it is tried again after a pause, and then all is well', async () => {
    fail()
    for (const _ of [1, 2, 3]) expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(UNAVAILABLE)
    expect(keys.asked).toBe(1)
    const logged = s.ctx.lines.filter((line) => line.includes('identity keys could not be read'))
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ projectId: s.project.id, reason: 'status 500' }])
    keys.answer = { keys: [jwkOf(ES.publicKey, 'es')] }
    s.ctx.clock.advance(RETRY_PAUSE_MS)
    expect((await enter(ES.privateKey, 'es')).status).toBe(200)
    expect(keys.asked).toBe(2)
  })

  test('tokens of the secret are valid as ever', async () => {
    fail()
    const secret = await makeSecret(s)
    await changeSettings(s, { identityVerification: 'labels', identityJwksUrl: keys.url })
    const token = await tokenFor(s, 'user_1', { key: secret })
    expect((await identifyWith(s, 'svc_1', 'user_1', token)).status).toBe(200)
  })
})

test('an address that hangs is given up in time, by all calls together, and holds up no other', async () => {
  const stopped = Promise.withResolvers<void>()
  keys.answer = async () => {
    await stopped.promise
    return new Response()
  }
  const waiting = Promise.all([1, 2, 3].map(() => enter(ES.privateKey, 'es')))
  expect((await s.get('/v1/me', 'svc_other')).status).toBe(200)
  for (const answer of await waiting) expect(refusalOf(answer)).toEqual(UNAVAILABLE)
  expect(keys.asked).toBe(1)
  stopped.resolve()
}, 600_000)

test('an address in a private network is never called, however it came into the settings', async () => {
  const strict = await stage({ settings: { identityVerification: 'labels', identityJwksUrl: keys.url } })
  try {
    const token = await tokenFor(strict, 'user_1', { key: ES.privateKey, header: { kid: 'es' } })
    expect(refusalOf(await identifyWith(strict, 'svc_1', 'user_1', token))).toEqual(UNAVAILABLE)
    expect(keys.asked).toBe(0)
  } finally {
    await strict.close()
  }
})

test('a clock that was set back keeps no key for longer', async () => {
  await enter(ES.privateKey, 'es')
  keys.answer = { keys: [] }
  s.ctx.clock.advance(-60 * MINUTE)
  expect(refusalOf(await enter(ES.privateKey, 'es'))).toEqual(NOT_VALID)
})
