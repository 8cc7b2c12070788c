import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import {
  auditedActions,
  BEHIND_PROXY,
  codeOf,
  eightTimes,
  enableTwoFactor,
  letters,
  makeUser,
  signedIn,
  tokenIn,
  work,
} from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const CONFLICT = [409, 'CONFLICT']
const INVALID = [400, 'VALIDATION_ERROR']
const SECOND = '/api/auth/two-factor'
const OWN = '/dashboard/me/two-factor'

let s: Stage
let count = 0
beforeAll(async () => {
  s = await stage({ env: { ...BEHIND_PROXY, SVC_ADMIN_EMAIL_DOMAINS: 'platform.example' } })
})
afterAll(() => s.close())
afterEach(() => s.ctx.clock.advance(HOUR))

interface Person {
  email: string
  visitor: Visitor
  url: string
  backupCodes: string[]
}

async function newPerson(): Promise<Person> {
  const email = `two${++count}@platform.example`
  await makeUser(s, email)
  const visitor = await signedIn(s, email)
  const kept = await enableTwoFactor(s, visitor)
  s.ctx.clock.advance(MINUTE)
  return { email, visitor, ...kept }
}

/** A browser that has given the password, and not the second factor. */
async function challenged(email: string, ip?: string): Promise<Visitor> {
  const visitor = new Visitor(s, ip)
  const answer = await visitor.signIn(email)
  expect(answer.body).toEqual({ data: { next: 'TWO_FACTOR', user: null } })
  expect([...visitor.cookies.keys()]).toEqual(['svc_challenge'])
  return visitor
}

/** A code that is none. */
const wrongCode = (url: string): string => {
  const right = [-1, 0, 1].map((step) => codeOf(s, url, step))
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) ?? ''
}

describe('enabling', () => {
  test('takes a first code, and the session gets a new token that has passed both factors', async () => {
    const email = `two${++count}@platform.example`
    await makeUser(s, email)
    const visitor = await signedIn(s, email)
    const before = (await auditedActions(s)).length
    const enabled = await visitor.post(`${OWN}/enable`, { password: PASSWORD })
    const { otpauthUrl, backupCodes } = enabled.body.data
    expect(otpauthUrl).toStartWith('otpauth://totp/svc:')
    expect(new Set(backupCodes).size).toBe(10)
    for (const code of backupCodes) expect(code).toMatch(/^[0-9a-f]{5}(-[0-9a-f]{5}){3}$/)
    expect((await visitor.get('/dashboard/me')).body.data.twoFactorEnabled).toBe(false)
    expect((await new Visitor(s).signIn(email)).body.data.next).toBeNull()

    const old = visitor.cookies.get('svc_session')
    expect(refusal(await visitor.post(`${OWN}/confirm`, { code: wrongCode(otpauthUrl) }))).toEqual(UNAUTHORIZED)
    expect(refusal(await visitor.post(`${OWN}/confirm`, { code: backupCodes[0] }))).toEqual(UNAUTHORIZED)
    expect((await visitor.post(`${OWN}/confirm`, { code: codeOf(s, otpauthUrl) })).body).toEqual({
      data: { enabled: true },
    })
    expect(refusal(await visitor.get('/dashboard/me', { cookies: `svc_session=${old}` }))).toEqual(UNAUTHORIZED)
    expect((await visitor.get('/dashboard/me')).body.data).toMatchObject({
      twoFactorEnabled: true,
      platformAdmin: true,
    })
    const opened = ['two_factor.prepare', 'session.create', 'two_factor.enable']
    expect((await auditedActions(s)).slice(before)).toEqual(opened)
    const found = await s.ctx.state.sessions.findSession(visitor.cookies.get('svc_session') ?? '')
    expect(found?.hasPassedTwoFactor).toBe(true)
  })

  test('ends the sessions of before, which passed one factor, and neither tokens nor sessions of others', async () => {
    const email = `two${++count}@platform.example`
    await makeUser(s, email)
    const [visitor, before] = [await signedIn(s, email), await signedIn(s, email)]
    const [other] = [await newPerson()]
    const token = (await visitor.post('/dashboard/me/tokens', { name: 'ci' })).body.data.token
    const { otpauthUrl } = (await visitor.post(`${OWN}/enable`, { password: PASSWORD })).body.data
    expect((await visitor.post(`${OWN}/confirm`, { code: wrongCode(otpauthUrl) })).status).toBe(401)
    expect((await before.get('/dashboard/me')).status).toBe(200)
    expect((await visitor.post(`${OWN}/confirm`, { code: codeOf(s, otpauthUrl) })).status).toBe(200)
    expect(refusal(await before.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
    for (const staying of [visitor, other.visitor]) expect((await staying.get('/dashboard/me')).status).toBe(200)
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    expect((await new Visitor(s).get('/dashboard/me', bearer)).status).toBe(200)
  })

  test('needs the person: the password, or a session of at most 10 minutes', async () => {
    const email = `two${++count}@platform.example`
    await makeUser(s, email)
    const visitor = await signedIn(s, email)
    expect(refusal(await visitor.post(`${OWN}/enable`, { password: 'wrong' }))).toEqual(UNAUTHORIZED)
    s.ctx.clock.advance(10 * MINUTE)
    expect((await visitor.post(`${OWN}/enable`)).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(refusal(await visitor.post(`${OWN}/enable`))).toEqual(UNAUTHORIZED)
    expect((await visitor.post(`${OWN}/enable`, { password: PASSWORD })).status).toBe(200)
  })

  test('is refused where it is on, and the rest where it is off', async () => {
    const { visitor, url } = await newPerson()
    expect(refusal(await visitor.post(`${OWN}/enable`, { password: PASSWORD }))).toEqual(CONFLICT)
    expect(refusal(await visitor.post(`${OWN}/confirm`, { code: codeOf(s, url) }))).toEqual(CONFLICT)
    const email = `two${++count}@platform.example`
    await makeUser(s, email)
    const other = await signedIn(s, email)
    for (const route of ['confirm', 'disable', 'backup-codes'])
      expect(refusal(await other.post(`${OWN}/${route}`, { code: '123456' }))).toEqual(CONFLICT)
    for (const route of ['confirm', 'disable', 'backup-codes'])
      expect(refusal(await other.post(`${OWN}/${route}`, {}))).toEqual(INVALID)
  })

  test('ten wrong codes in 15 minutes are the most', async () => {
    const { visitor, url, email } = await newPerson()
    s.ctx.clock.advance(15 * MINUTE)
    for (let time = 0; time < 10; time++)
      expect(refusal(await visitor.post(`${OWN}/disable`, { code: wrongCode(url) }))).toEqual(UNAUTHORIZED)
    expect(refusal(await visitor.post(`${OWN}/disable`, { code: codeOf(s, url) }))).toEqual([429, 'RATE_LIMITED'])
    await challenged(email)
  })

  test('what was shown once is not kept for a repetition', async () => {
    const email = `two${++count}@platform.example`
    await makeUser(s, email)
    const visitor = await signedIn(s, email)
    const headers = { 'idempotency-key': 'enable' }
    const enabled = await visitor.post(`${OWN}/enable`, {}, { headers })
    expect(enabled.status).toBe(200)
    expect(refusal(await visitor.post(`${OWN}/enable`, {}, { headers }))).toEqual(CONFLICT)
    const kept = JSON.stringify(await s.ctx.db.select().from(s.ctx.tables.idempotencyKeys))
    expect(kept).not.toContain(enabled.body.data.backupCodes[0])
    expect(kept).not.toContain('otpauth')
  })

  test('without a master key there is none', async () => {
    const bare = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    await makeUser(bare, 'ada@example.com')
    const visitor = await signedIn(bare, 'ada@example.com')
    const answer = await visitor.post(`${OWN}/enable`)
    expect(refusal(answer)).toEqual([503, 'FEATURE_NOT_CONFIGURED'])
    expect(answer.body.error.details).toEqual({ feature: 'credential_encryption' })
    await bare.close()
  })
})

describe('the second step of a sign-in', () => {
  test('takes a code of the app', async () => {
    const { email, url } = await newPerson()
    const visitor = await challenged(email)
    const planted = visitor.cookies.get('svc_challenge')
    const answer = await visitor.post(SECOND, { code: codeOf(s, url) })
    expect([answer.status, answer.body.data.user.email]).toEqual([200, email])
    expect([...visitor.cookies.keys()]).toEqual(['svc_session'])
    expect(visitor.cookies.get('svc_session')).not.toBe(planted)
    expect((await visitor.get('/dashboard/me')).status).toBe(200)
    expect(refusal(await visitor.get('/dashboard/me', { cookies: `svc_session=${planted}` }))).toEqual(UNAUTHORIZED)
  })

  test.each([-1, 1])('takes the code of the step beside, %p', async (step) => {
    const { email, url } = await newPerson()
    expect((await (await challenged(email)).post(SECOND, { code: codeOf(s, url, step) })).status).toBe(200)
  })

  test.each([-2, 2])('refuses the code two steps away, %p', async (step) => {
    const { email, url } = await newPerson()
    const visitor = await challenged(email)
    expect(refusal(await visitor.post(SECOND, { code: codeOf(s, url, step) }))).toEqual(UNAUTHORIZED)
    expect(visitor.cookies.has('svc_session')).toBe(false)
  })

  test('refuses the code with which it was enabled, and an older one than was used', async () => {
    const { email, url } = await newPerson()
    expect((await (await challenged(email)).post(SECOND, { code: codeOf(s, url, 1) })).status).toBe(200)
    const again = await challenged(email)
    for (const step of [1, 0])
      expect(refusal(await again.post(SECOND, { code: codeOf(s, url, step) }))).toEqual(UNAUTHORIZED)
  })

  test('takes each backup code once, however it is written', async () => {
    const { email, backupCodes } = await newPerson()
    const [first = '', second = ''] = backupCodes
    expect((await (await challenged(email)).post(SECOND, { backupCode: first })).status).toBe(200)
    const visitor = await challenged(email)
    expect(refusal(await visitor.post(SECOND, { backupCode: first }))).toEqual(UNAUTHORIZED)
    const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `
    expect((await visitor.post(SECOND, { backupCode: typed })).status).toBe(200)
  })

  test('refuses the codes of somebody else', async () => {
    const [ada, bo] = [await newPerson(), await newPerson()]
    const visitor = await challenged(ada.email)
    expect(refusal(await visitor.post(SECOND, { backupCode: bo.backupCodes[0] }))).toEqual(UNAUTHORIZED)
    expect((await (await challenged(bo.email)).post(SECOND, { backupCode: bo.backupCodes[0] })).status).toBe(200)
  })

  test('needs the challenge, which lives for 10 minutes', async () => {
    const { email, url, visitor: member } = await newPerson()
    expect(refusal(await new Visitor(s).post(SECOND, { code: codeOf(s, url) }))).toEqual(UNAUTHORIZED)
    expect(refusal(await member.post(SECOND, { code: codeOf(s, url) }))).toEqual(UNAUTHORIZED)
    const visitor = await challenged(email)
    s.ctx.clock.advance(10 * MINUTE)
    expect(refusal(await visitor.post(SECOND, { code: codeOf(s, url) }))).toEqual(UNAUTHORIZED)
    const other = await challenged(email)
    const challenge = `svc_session=${other.cookies.get('svc_challenge')}`
    expect(refusal(await other.get('/dashboard/me', { cookies: challenge }))).toEqual(UNAUTHORIZED)
  })

  test.each<[name: string, body: object]>([
    ['nothing', {}],
    ['two codes', { code: '123456', backupCode: '12345-12345' }],
    ['a short code', { code: '12345' }],
    ['a number', { code: 123456 }],
    ['another member', { code: '123456', trust: true }],
  ])('refuses %s', async (_name, body) => {
    const { email } = await newPerson()
    expect(refusal(await (await challenged(email)).post(SECOND, body))).toEqual(INVALID)
  })

  test('(2) a TOTP code and a backup code used twice at once: one winner', async () => {
    const { email, url, backupCodes } = await newPerson()
    for (const body of [{ code: codeOf(s, url) }, { backupCode: backupCodes[3] }]) {
      const visitors: Visitor[] = []
      for (let n = 0; n < 8; n++) visitors.push(await challenged(email, `198.51.100.${n}`))
      const answers = await Promise.all(visitors.map((visitor) => visitor.post(SECOND, body)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
      expect(visitors.filter(({ cookies }) => cookies.has('svc_session'))).toHaveLength(1)
    }
  })

  test('(3) wrong codes in parallel: five attempts, then the challenge is dead', async () => {
    const { email, url } = await newPerson()
    const visitor = await challenged(email)
    const answers = await eightTimes(() => visitor.post(SECOND, { code: wrongCode(url) }))
    for (const answer of answers) expect(refusal(answer)).toEqual(UNAUTHORIZED)
    const attempts = (await s.ctx.db.select().from(s.ctx.tables.challenges)).map((row) => row.attempts)
    expect(Math.max(...attempts)).toBe(5)
    expect(refusal(await visitor.post(SECOND, { code: codeOf(s, url) }))).toEqual(UNAUTHORIZED)
    expect(visitor.cookies.has('svc_session')).toBe(false)
    expect((await (await challenged(email, '198.51.100.99')).post(SECOND, { code: codeOf(s, url) })).status).toBe(200)
  })

  test('the fifth attempt still counts when it is right', async () => {
    const { email, url } = await newPerson()
    const visitor = await challenged(email)
    for (let time = 0; time < 4; time++) await visitor.post(SECOND, { code: wrongCode(url) })
    expect((await visitor.post(SECOND, { code: codeOf(s, url) })).status).toBe(200)
  })

  const wrongMails = async (email: string) =>
    (await letters(s)).filter(({ kind, to }) => kind === 'wrong_second_factor' && to === email)

  test('five wrong codes after the password are mailed to the person, once a day', async () => {
    const { email, url, backupCodes } = await newPerson()
    const wrong = async (times: number, ip?: string) => {
      const visitor = await challenged(email, ip)
      for (let time = 0; time < times; time++)
        expect(refusal(await visitor.post(SECOND, { code: wrongCode(url) }))).toEqual(UNAUTHORIZED)
      return visitor
    }
    // A person who types it wrong and then right is told nothing.
    expect((await (await wrong(4)).post(SECOND, { code: codeOf(s, url) })).status).toBe(200)
    // From two addresses, and with a wrong backup code.
    await wrong(4, '198.51.100.7')
    expect(await wrongMails(email)).toEqual([])
    const last = await challenged(email, '198.51.100.8')
    expect(refusal(await last.post(SECOND, { backupCode: 'no such code' }))).toEqual(UNAUTHORIZED)
    const [mail, ...more] = await wrongMails(email)
    expect(more).toEqual([])
    const letter = JSON.stringify(mail)
    expect(letter).toContain('198.51.100.8')
    for (const secret of ['no such code', ...backupCodes, PASSWORD]) expect(letter).not.toContain(secret)
    await eightTimes(() => last.post(SECOND, { backupCode: 'none' }))
    expect(await wrongMails(email)).toHaveLength(1)
    s.ctx.clock.advance(DAY + 1)
    await wrong(4)
    expect(await wrongMails(email)).toHaveLength(1)
    const visitor = await challenged(email)
    await eightTimes(() => visitor.post(SECOND, { code: wrongCode(url) }))
    expect(await wrongMails(email)).toHaveLength(2)
  })

  test('(5) a reset ends a sign-in that waits for its second factor', async () => {
    const { email, url } = await newPerson()
    const visitor = await challenged(email)
    await visitor.post('/api/auth/password-reset', { email })
    await work(s)
    const token = await tokenIn(s, 'password_reset')
    const reset = { token, password: 'a brand new password' }
    expect((await new Visitor(s).post('/api/auth/password-reset/confirm', reset)).status).toBe(200)
    expect(refusal(await visitor.post(SECOND, { code: codeOf(s, url) }))).toEqual(UNAUTHORIZED)
    const again = await new Visitor(s).signIn(email, 'a brand new password')
    expect(again.body.data.next).toBe('TWO_FACTOR')
  })
})

describe('with two factors on', () => {
  test('a code turns them off, and a backup code does', async () => {
    for (const kind of ['app', 'backup']) {
      const { email, visitor, url, backupCodes } = await newPerson()
      expect(refusal(await visitor.post(`${OWN}/disable`, { code: wrongCode(url) }))).toEqual(UNAUTHORIZED)
      const before = (await auditedActions(s)).length
      const code = kind === 'app' ? codeOf(s, url) : backupCodes[0]
      expect((await visitor.post(`${OWN}/disable`, { code })).body).toEqual({ data: { enabled: false } })
      expect((await auditedActions(s)).slice(before)).toEqual(['two_factor.disable'])
      expect((await new Visitor(s).signIn(email)).body.data.next).toBeNull()
    }
  })

  test('new backup codes take the place of the old ones', async () => {
    const { email, visitor, url, backupCodes } = await newPerson()
    const renewed = await visitor.post(`${OWN}/backup-codes`, { code: codeOf(s, url) })
    const fresh: string[] = renewed.body.data.backupCodes
    expect(fresh.filter((code) => backupCodes.includes(code))).toEqual([])
    const next = await challenged(email)
    expect(refusal(await next.post(SECOND, { backupCode: backupCodes[5] }))).toEqual(UNAUTHORIZED)
    expect((await next.post(SECOND, { backupCode: fresh[5] })).status).toBe(200)
  })
})
