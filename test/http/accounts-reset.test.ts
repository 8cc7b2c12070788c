import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import {
  auditedActions,
  BEHIND_PROXY,
  eightTimes,
  letters,
  makeUser,
  openBeside,
  signedIn,
  tokenIn,
  work,
} from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const RESET = '/api/auth/password-reset'
const CONFIRM = '/api/auth/password-reset/confirm'
const NEW = 'a brand new password'

let s: Stage
let count = 0
beforeAll(async () => {
  s = await stage({ env: { ...BEHIND_PROXY, PUBLIC_BASE_URL: 'http://localhost' } })
})
afterAll(() => s.close())
afterEach(() => s.ctx.clock.advance(HOUR))

const newUser = async (): Promise<string> => {
  const email = `reset${++count}@example.com`
  await makeUser(s, email)
  return email
}

/** Asks for a link and reads it from the mail. */
async function mailedToken(email: string): Promise<string> {
  await new Visitor(s).post(RESET, { email })
  await work(s)
  return tokenIn(s, 'password_reset')
}

test('a new password is chosen with the mailed link, and no session opens', async () => {
  const email = await newUser()
  const visitor = new Visitor(s)
  const token = await mailedToken(email)
  const before = (await auditedActions(s)).length
  const done = await visitor.post(CONFIRM, { token, password: NEW })
  expect([done.status, done.body, visitor.cookies.size]).toEqual([200, { data: { next: 'SIGN_IN' } }, 0])
  expect((await auditedActions(s)).slice(before)).toEqual(['user.reset_password'])
  expect(refusal(await visitor.signIn(email))).toEqual(UNAUTHORIZED)
  expect((await visitor.signIn(email, NEW)).body.data.next).toBeNull()
  const mailed = await letters(s)
  expect(mailed.findLast(({ kind }) => kind === 'password_reset')?.action?.url).toStartWith(
    'http://localhost/reset-password/',
  )
  expect(mailed.at(-1)).toMatchObject({ kind: 'password_changed', to: email })
  expect(mailed.at(-1)?.paragraphs.join(' ')).toContain('Personal access tokens keep working')
})

test('(4) known and unknown addresses answer alike at the reset, and the same work is done', async () => {
  const email = await newUser()
  const told: unknown[] = []
  const written: unknown[] = []
  for (const to of [email, 'unknown@example.com']) {
    const before = await s.ctx.db.select().from(s.ctx.tables.jobs)
    const { status, body } = await new Visitor(s).post(RESET, { email: to })
    told.push([status, body])
    const added = (await s.ctx.db.select().from(s.ctx.tables.jobs)).slice(before.length)
    written.push(added.map(({ name, payload }) => [name, payload]))
    const [job] = added
    expect(JSON.stringify(job?.payload)).toBe(JSON.stringify({ email: to }))
  }
  expect(told).toEqual([
    [200, { data: { accepted: true } }],
    [200, { data: { accepted: true } }],
  ])
  expect(written).toEqual([
    [['sign-in.mail-password-reset', { email }]],
    [['sign-in.mail-password-reset', { email: 'unknown@example.com' }]],
  ])
  const before = await letters(s)
  await work(s)
  expect((await letters(s)).slice(before.length).map(({ to }) => to)).toEqual([email])
})

test('the mail goes to the stored address, not to the one that was typed', async () => {
  await makeUser(s, 'kay@example.com')
  await new Visitor(s).post(RESET, { email: '\u212aay@example.com' })
  await work(s)
  expect((await letters(s)).at(-1)).toMatchObject({ kind: 'password_reset', to: 'kay@example.com' })
})

test('a link works for an hour, and a mailbox is not filled', async () => {
  const email = await newUser()
  const token = await mailedToken(email)
  for (const wrong of ['nobody', `${token}x`, token.slice(1)])
    expect(refusal(await new Visitor(s).post(CONFIRM, { token: wrong, password: NEW }))).toEqual(UNAUTHORIZED)
  s.ctx.clock.advance(HOUR - 1)
  expect(refusal(await new Visitor(s).post(CONFIRM, { token, password: 'short' }))).toEqual([400, 'VALIDATION_ERROR'])
  const before = (await letters(s)).length
  for (let time = 0; time < 9; time++) await mailedToken(email)
  expect((await letters(s)).length - before).toBe(4)
  s.ctx.clock.advance(1)
  expect(refusal(await new Visitor(s).post(CONFIRM, { token, password: NEW }))).toEqual(UNAUTHORIZED)
  expect((await new Visitor(s).signIn(email)).body.data.next).toBeNull()
})

test('a link of another kind resets nothing', async () => {
  const email = await newUser()
  const token = await mailedToken(email)
  expect(refusal(await new Visitor(s).post('/api/auth/verify-email', { token }))).toEqual(UNAUTHORIZED)
  expect((await new Visitor(s).post(CONFIRM, { token, password: NEW })).status).toBe(200)
})

test('(2) a reset token used twice at once: one winner', async () => {
  const email = await newUser()
  const token = await mailedToken(email)
  const answers = await eightTimes((n) => new Visitor(s).post(CONFIRM, { token, password: `${NEW} ${n}` }))
  const winners = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
  expect(winners).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(refusal(answer)).toEqual(UNAUTHORIZED)
  expect((await new Visitor(s).signIn(email, `${NEW} ${winners[0]}`)).body.data.next).toBeNull()
})

describe('(5) a reset', () => {
  test('ends every session at once, by every process, and every other link', async () => {
    const email = await newUser()
    const [here, there] = [await signedIn(s, email), await signedIn(s, email)]
    const other = await openBeside(s)
    const [first, token] = [await mailedToken(email), await mailedToken(email)]
    expect((await new Visitor(s).post(CONFIRM, { token, password: NEW })).status).toBe(200)
    for (const visitor of [here, there]) {
      expect(refusal(await visitor.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
      expect(await other.state.sessions.findSession(visitor.cookies.get('svc_session') ?? '')).toBeNull()
    }
    expect(refusal(await new Visitor(s).post(CONFIRM, { token: first, password: NEW }))).toEqual(UNAUTHORIZED)
    await other.close()
  })

  test('and a sign-in that overlaps it gets none', async () => {
    const email = await newUser()
    const token = await mailedToken(email)
    const visitor = new Visitor(s)
    const plain = Bun.password.verify
    // The password is compared, and found right, before the reset; the session would be opened after it.
    const verify = spyOn(Bun.password, 'verify').mockImplementation(async (password, hash) => {
      const isRight = await plain(password, hash)
      verify.mockRestore()
      expect((await new Visitor(s).post(CONFIRM, { token, password: NEW })).status).toBe(200)
      return isRight
    })
    expect(refusal(await visitor.signIn(email))).toEqual(UNAUTHORIZED)
    expect(visitor.cookies.size).toBe(0)
    const { userSessions, users } = s.ctx.tables
    const id = (await s.ctx.db.select().from(users)).find((user) => user.email === email)?.id
    expect((await s.ctx.db.select().from(userSessions)).filter(({ userId }) => userId === id)).toEqual([])
  })

  test('while eight sign-ins run: none of them has a session afterwards', async () => {
    const email = await newUser()
    const token = await mailedToken(email)
    const visitors = Array.from({ length: 8 }, () => new Visitor(s, '198.51.100.77'))
    await Promise.all([
      ...visitors.map((visitor) => visitor.signIn(email)),
      new Visitor(s).post(CONFIRM, { token, password: NEW }),
    ])
    for (const visitor of visitors) expect(refusal(await visitor.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
    expect(refusal(await new Visitor(s).signIn(email, PASSWORD))).toEqual(UNAUTHORIZED)
  })
})

test('what has expired is deleted within the hour', async () => {
  await mailedToken(await newUser())
  s.ctx.clock.advance(2 * HOUR + MINUTE)
  await work(s)
  s.ctx.clock.advance(HOUR)
  await work(s)
  expect(await s.ctx.db.select().from(s.ctx.tables.mailTokens)).toEqual([])
})
