import { afterEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { auditedActions, BEHIND_PROXY, eightTimes, letters, makeUser, tokenIn, work } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

let s: Stage
afterEach(() => s.close())

const ADA = { email: 'ada@example.com', password: PASSWORD, name: 'Ada' }
const OTHER_PASSWORD = 'another good password'
const UP = '/api/auth/sign-up'
const FORBIDDEN = [403, 'FORBIDDEN']
const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const VERIFY = { data: { next: 'VERIFY_EMAIL' } }

const opened = async (): Promise<Visitor> => {
  s = await stage({ env: { ...BEHIND_PROXY, SVC_OPEN_SIGNUP: '1' } })
  return new Visitor(s)
}

const users = () => s.ctx.db.select().from(s.ctx.tables.users)
const sessions = () => s.ctx.db.select().from(s.ctx.tables.userSessions)

describe('an open sign-up', () => {
  test('opens nothing before the address is confirmed', async () => {
    const ada = await opened()
    await makeUser(s, 'first@example.com')
    expect((await ada.get('/api/auth/options')).body.data.signUp).toBe('OPEN')
    expect((await ada.post(UP, ADA)).body).toEqual(VERIFY)
    const early = await ada.signIn(ADA.email)
    expect([early.status, early.body]).toEqual([200, { data: { next: 'VERIFY_EMAIL', user: null } }])
    expect([ada.cookies.size, await sessions()]).toEqual([0, []])
    expect((await ada.post('/api/auth/verify-email', { token: await tokenIn(s, 'verify_email') })).body).toEqual({
      data: { next: 'SIGN_IN' },
    })
    expect((await ada.signIn(ADA.email)).body.data.user).toMatchObject({ emailVerified: true, hasPassword: true })
    expect((await auditedActions(s)).slice(1)).toEqual(['user.sign_up', 'user.verify_email', 'session.create'])
  })

  test('(1) sign-ups of one address at once: one row, equal answers', async () => {
    await opened()
    const spellings = ['ada@example.com', 'ADA@example.com', 'ada@EXAMPLE.com']
    const answers = await eightTimes((n) =>
      new Visitor(s).post(UP, { ...ADA, email: spellings[n % 3], password: `${PASSWORD} ${n}` }),
    )
    for (const { status, body } of answers) expect([status, body]).toEqual([200, VERIFY])
    expect(await users()).toHaveLength(1)
    for (const { to } of await letters(s)) expect(to).toBe((await users())[0]?.email ?? '')
  })

  test('of an address that has an account answers alike, changes nothing and tells its owner', async () => {
    const stranger = await opened()
    await makeUser(s, ADA.email)
    const before = await users()
    expect((await stranger.post(UP, { ...ADA, password: OTHER_PASSWORD, name: 'Eve' })).body).toEqual(VERIFY)
    expect(await users()).toEqual(before)
    expect((await letters(s)).map(({ kind, to }) => [kind, to])).toEqual([['sign_up_again', ADA.email]])
    expect(refusal(await stranger.signIn(ADA.email, OTHER_PASSWORD))).toEqual(UNAUTHORIZED)
  })

  test('(9) a pre-registered address is never linked: each link confirms the password of its own sign-up', async () => {
    const ada = await opened()
    const eve = new Visitor(s, '203.0.113.66')
    await eve.post(UP, { ...ADA, password: 'the password of eve' })
    s.ctx.clock.advance(1)
    await ada.post(UP, ADA)
    const token = await tokenIn(s, 'verify_email')
    s.ctx.clock.advance(1)
    await eve.post(UP, { ...ADA, password: 'the password of eve' })
    const others = (await s.ctx.db.select().from(s.ctx.tables.mailTokens)).length
    expect(others).toBe(3)
    expect((await ada.post('/api/auth/verify-email', { token })).status).toBe(200)
    expect((await ada.signIn(ADA.email)).body.data.next).toBeNull()
    expect(refusal(await eve.signIn(ADA.email, 'the password of eve'))).toEqual(UNAUTHORIZED)
    const late = await ada.post('/api/auth/verify-email', { token: await tokenIn(s, 'verify_email') })
    expect(refusal(late)).toEqual(UNAUTHORIZED)
  })

  test('a link works once, for a day', async () => {
    const ada = await opened()
    await ada.post(UP, ADA)
    const token = await tokenIn(s, 'verify_email')
    for (const wrong of ['nobody', token.toLowerCase(), `${token}x`])
      expect(refusal(await ada.post('/api/auth/verify-email', { token: wrong }))).toEqual(UNAUTHORIZED)
    s.ctx.clock.advance(DAY)
    expect(refusal(await ada.post('/api/auth/verify-email', { token }))).toEqual(UNAUTHORIZED)
    expect((await users())[0]?.emailVerifiedAt).toBeNull()

    expect((await ada.post('/api/auth/verify-email/resend', { email: ADA.email })).body.data).toEqual({
      accepted: true,
    })
    await work(s)
    const fresh = await tokenIn(s, 'verify_email')
    const answers = await eightTimes(() => new Visitor(s).post('/api/auth/verify-email', { token: fresh }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await ada.signIn(ADA.email)).body.data.next).toBeNull()
  })

  test('a confirmation is mailed again to nobody who needs none', async () => {
    const visitor = await opened()
    await makeUser(s, ADA.email)
    for (const email of [ADA.email, 'nobody@example.com'])
      expect((await visitor.post('/api/auth/verify-email/resend', { email })).body.data).toEqual({ accepted: true })
    await work(s)
    expect(await letters(s)).toEqual([])
  })
})

describe('a closed sign-up', () => {
  /** A deployment whose project has invited Ada, with a token that came by mail. */
  const withInvitation = async () => {
    s = await stage({ env: BEHIND_PROXY })
    const now = s.ctx.clock.now()
    await s.ctx.write((tx) =>
      tx.db.insert(tx.tables.invitations).values({
        ...{ id: tx.ids.next('inv'), projectId: s.project.id, email: 'Ada@example.com', emailKey: 'ada@example.com' },
        ...{ role: 'DEVELOPER', tokenHash: sha256Hex('invited'), mailId: 'mal_1' },
        ...{ expiresAt: now + DAY, createdAt: now, updatedAt: now },
      }),
    )
  }

  test('admits who was invited, and the invitation proves the address', async () => {
    await withInvitation()
    await makeUser(s, 'first@example.com')
    const ada = new Visitor(s)
    expect((await ada.get('/api/auth/options')).body.data.signUp).toBe('INVITATION')
    expect((await ada.post(UP, { ...ADA, invitationToken: 'invited' })).body).toEqual({ data: { next: 'SIGN_IN' } })
    expect((await ada.signIn(ADA.email)).body.data.user.emailVerified).toBe(true)
    const again = await ada.post(UP, { ...ADA, password: OTHER_PASSWORD, invitationToken: 'invited' })
    expect(again.body).toEqual({ data: { next: 'SIGN_IN' } })
    expect(refusal(await ada.signIn(ADA.email, OTHER_PASSWORD))).toEqual(UNAUTHORIZED)
    expect(await letters(s)).toEqual([])
  })

  test('refuses everybody else, whether the address has an account or not', async () => {
    await withInvitation()
    await makeUser(s, ADA.email)
    const stranger = new Visitor(s)
    const refused: unknown[] = []
    for (const email of [ADA.email, 'eve@example.com'])
      for (const more of [{}, { invitationToken: 'unknown' }, { setupToken: 'unknown' }]) {
        const answer = await stranger.post(UP, { ...ADA, email, ...more })
        expect(refusal(answer)).toEqual(FORBIDDEN)
        refused.push(answer.body)
      }
    expect(refused.slice(3)).toEqual(refused.slice(0, 3))
    const other = { ...ADA, email: 'eve@example.com', invitationToken: 'invited' }
    expect(refusal(await stranger.post(UP, other))).toEqual(FORBIDDEN)
    expect(await users()).toHaveLength(1)
    expect(await letters(s)).toEqual([])
  })
})

test.each<[name: string, body: unknown]>([
  ['no address', { email: undefined }],
  ['no name', { name: '' }],
  ['two addresses', { email: 'ada@example.com,eve@example.com' }],
  ['an address with a name', { email: 'Ada <ada@example.com>' }],
  ['an address with a line', { email: 'ada@example.com\nBcc: eve@example.com' }],
  ['a domain that only looks like another', { email: 'ada@exampl\u212a.com' }],
  ['no domain', { email: 'ada@' }],
  ['a short password', { password: 'a'.repeat(9) }],
  ['a long password', { password: 'a'.repeat(129) }],
  ['a password that is no text', { password: 1234567890 }],
  ['another member', { role: 'OWNER' }],
])('%s is refused', async (_name, members) => {
  const visitor = await opened()
  expect(refusal(await visitor.post(UP, { ...ADA, ...(members as object) }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(await users()).toEqual([])
})
