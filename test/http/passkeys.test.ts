import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { auditedActions, eightTimes, enableTwoFactor, makeUser, signedIn } from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import { type Stage, stage } from '../support/cast'
import { refusal, Visitor } from '../support/visitor'

let s: Stage
let ada: Visitor
beforeEach(async () => {
  s = await stage({ env: { SVC_TRUSTED_PROXIES: '1' } })
  await makeUser(s, 'ada@example.com')
  ada = await signedIn(s, 'ada@example.com')
})
afterEach(() => s.close())

const UNAUTHORIZED = [401, 'UNAUTHORIZED']

async function register(visitor: Visitor, name = 'Laptop', key?: Authenticator) {
  const authenticator = key ?? (await Authenticator.make())
  const options = (await visitor.post('/dashboard/me/passkeys/options')).body.data
  const credential = await authenticator.create(options)
  return { authenticator, options, answer: await visitor.post('/dashboard/me/passkeys', { name, credential }) }
}

const asked = async (visitor: Visitor) => (await visitor.post('/api/auth/passkey/options')).body.data

const me = async (visitor: Visitor) => (await visitor.get('/dashboard/me')).body

describe('a passkey', () => {
  test('is made, listed and used: it is both factors', async () => {
    await enableTwoFactor(s, ada)
    const { authenticator, options, answer } = await register(ada)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'svc' },
      user: { name: 'ada@example.com' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    expect([answer.status, answer.body.data.name, answer.body.data.lastUsedAt]).toEqual([201, 'Laptop', null])
    const visitor = new Visitor(s)
    const request = await asked(visitor)
    expect(request).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    const signedInAs = await visitor.post('/api/auth/passkey', { credential: await authenticator.get(request) })
    expect([signedInAs.status, signedInAs.body.data.user.email]).toEqual([200, 'ada@example.com'])
    expect((await me(visitor)).data.twoFactorEnabled).toBe(true)
    expect([...visitor.cookies.keys()]).toEqual(['svc_session'])
    const sessions = await s.ctx.db.select().from(s.ctx.tables.userSessions)
    const tokenHash = sha256Hex(visitor.cookies.get('svc_session') ?? '')
    const session = sessions.find((row) => row.tokenHash === tokenHash)
    expect(session?.secondFactorAt).toBe(s.ctx.clock.now())
    const { items } = (await visitor.get('/dashboard/me/passkeys')).body.data
    expect(items).toMatchObject([{ name: 'Laptop', lastUsedAt: expect.any(String) }])
    expect(await auditedActions(s)).toContain('passkey.create')
  })

  test('is not made twice, and others are excluded by the next options', async () => {
    const { authenticator } = await register(ada)
    const { options, answer } = await register(ada, 'Again', authenticator)
    expect(options.excludeCredentials).toMatchObject([{ id: authenticator.id }])
    expect(refusal(answer)).toEqual([409, 'CONFLICT'])
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['no verification of the user', { isUnverified: true }],
    ['an answer to a sign-in', { type: 'webauthn.get' }],
    ['another challenge', { challenge: 'b3RoZXI' }],
  ])('is not made with %s', async (_name, wrong) => {
    const authenticator = await Authenticator.make()
    const options = (await ada.post('/dashboard/me/passkeys/options')).body.data
    const credential = await authenticator.create(options, wrong)
    expect(refusal(await ada.post('/dashboard/me/passkeys', { name: 'x', credential }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect((await ada.get('/dashboard/me/passkeys')).body.data.items).toEqual([])
  })

  test("is not made with another person's challenge, a late one, or one that was used", async () => {
    await makeUser(s, 'bo@example.com')
    const bo = await signedIn(s, 'bo@example.com')
    const authenticator = await Authenticator.make()
    const credential = await authenticator.create((await ada.post('/dashboard/me/passkeys/options')).body.data)
    bo.cookies.set('svc_challenge', ada.cookies.get('svc_challenge') ?? '')
    expect(refusal(await bo.post('/dashboard/me/passkeys', { name: 'x', credential }))).toEqual(UNAUTHORIZED)
    expect((await ada.post('/dashboard/me/passkeys', { name: 'x', credential })).status).toBe(201)
    const { id } = (await ada.get('/dashboard/me/passkeys')).body.data.items[0]
    await ada.delete(`/dashboard/me/passkeys/${id}`)
    expect(refusal(await ada.post('/dashboard/me/passkeys', { name: 'x', credential }))).toEqual(UNAUTHORIZED)
  })

  test('changes need a session of at most ten minutes, and the person themselves', async () => {
    const { answer } = await register(ada)
    const { id } = answer.body.data
    await makeUser(s, 'bo@example.com')
    const bo = await signedIn(s, 'bo@example.com')
    expect(refusal(await bo.delete(`/dashboard/me/passkeys/${id}`))).toEqual([404, 'NOT_FOUND'])
    s.ctx.clock.advance(10 * MINUTE + 1)
    for (const path of ['/dashboard/me/passkeys/options']) expect(refusal(await ada.post(path))).toEqual(UNAUTHORIZED)
    expect(refusal(await ada.delete(`/dashboard/me/passkeys/${id}`))).toEqual(UNAUTHORIZED)
    expect((await ada.get('/dashboard/me/passkeys')).body.data.items).toHaveLength(1)
  })

  test('there are at most twenty', async () => {
    for (let index = 0; index < 20; index++) expect((await register(ada, `Key ${index}`)).answer.status).toBe(201)
    expect(refusal((await register(ada)).answer)).toEqual([409, 'CONFLICT'])
  })
})

describe('a sign-in with a passkey', () => {
  let authenticator: Authenticator
  beforeEach(async () => {
    authenticator = (await register(ada)).authenticator
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['no verification of the user', { isUnverified: true }],
    ['an answer to a registration', { type: 'webauthn.create' }],
    ['another challenge', { challenge: 'b3RoZXI' }],
  ])('is refused with %s', async (_name, wrong) => {
    const visitor = new Visitor(s)
    const credential = await authenticator.get(await asked(visitor), wrong)
    expect(refusal(await visitor.post('/api/auth/passkey', { credential }))).toEqual(UNAUTHORIZED)
    expect((await me(visitor)).error.code).toBe('UNAUTHORIZED')
  })

  test('is refused for an unknown passkey and a wrong signature, with the same answer', async () => {
    const visitor = new Visitor(s)
    const stranger = await Authenticator.make()
    const unknown = await visitor.post('/api/auth/passkey', { credential: await stranger.get(await asked(visitor)) })
    const forged = { ...(await stranger.get(await asked(visitor))), id: authenticator.id, rawId: authenticator.id }
    const wrong = await visitor.post('/api/auth/passkey', { credential: forged })
    expect(refusal(unknown)).toEqual(UNAUTHORIZED)
    expect(wrong.body).toEqual(unknown.body)
  })

  test('is refused without the challenge of this browser, in time', async () => {
    const visitor = new Visitor(s)
    const credential = await authenticator.get(await asked(visitor))
    expect(refusal(await new Visitor(s).post('/api/auth/passkey', { credential }))).toEqual(UNAUTHORIZED)
    s.ctx.clock.advance(10 * MINUTE)
    expect(refusal(await visitor.post('/api/auth/passkey', { credential }))).toEqual(UNAUTHORIZED)
  })

  test('succeeds once with one answer, whoever repeats it', async () => {
    const visitor = new Visitor(s)
    const credential = await authenticator.get(await asked(visitor))
    const cookies = `svc_challenge=${visitor.cookies.get('svc_challenge')}`
    const answers = await eightTimes(() =>
      new Visitor(s).call('POST', '/api/auth/passkey', { credential }, { cookies }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
  })

  test('is refused when the counter of the authenticator went back: somebody has copied it', async () => {
    const visitor = new Visitor(s)
    await visitor.post('/api/auth/passkey', { credential: await authenticator.get(await asked(visitor)) })
    authenticator.counter = 0
    const again = new Visitor(s)
    expect(
      refusal(await again.post('/api/auth/passkey', { credential: await authenticator.get(await asked(again)) })),
    ).toEqual(UNAUTHORIZED)
  })

  test('is refused after the passkey was deleted', async () => {
    const [{ id }] = (await ada.get('/dashboard/me/passkeys')).body.data.items
    const visitor = new Visitor(s)
    const credential = await authenticator.get(await asked(visitor))
    expect((await ada.delete(`/dashboard/me/passkeys/${id}`)).status).toBe(200)
    expect(refusal(await ada.delete(`/dashboard/me/passkeys/${id}`))).toEqual([404, 'NOT_FOUND'])
    expect(refusal(await visitor.post('/api/auth/passkey', { credential }))).toEqual(UNAUTHORIZED)
  })

  test('needs a credential in the form of the standard', async () => {
    const credential = await authenticator.get(await asked(ada))
    for (const body of [
      {},
      { credential: {} },
      { credential: { ...credential, more: 1 } },
      { credential: { ...credential, id: '!' } },
    ])
      expect(refusal(await new Visitor(s).post('/api/auth/passkey', body))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('the last way to sign in stays', async () => {
  const { answer } = await register(ada)
  await s.ctx.write((tx) => tx.db.update(tx.tables.users).set({ passwordHash: null }))
  expect(refusal(await ada.delete(`/dashboard/me/passkeys/${answer.body.data.id}`))).toEqual([409, 'CONFLICT'])
})

test('without a public address passkeys work on the machine itself only', async () => {
  const at = (host: string) =>
    s.app.handle(
      new Request(`http://${host}/api/auth/passkey/options`, { method: 'POST', headers: { origin: `http://${host}` } }),
    )
  expect((await at('localhost')).status).toBe(200)
  const elsewhere = await at('svc.example.com')
  const { error } = (await elsewhere.json()) as { error: { code: string; details: object } }
  expect([elsewhere.status, error.code, error.details]).toEqual([
    503,
    'FEATURE_NOT_CONFIGURED',
    { feature: 'passkeys' },
  ])
})
