import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { INVITATIONS_PER_PERSON } from '../../src/operators/members/invitation-limits'
import { mailResetLink } from '../../src/operators/sign-in/mail-flows'
import { type Answer, type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'

let s: Stage
let ada: Person
let bo: Person
beforeEach(async () => {
  s = await stage()
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'ADMIN')
})
afterEach(() => s.close())

const P = (path: string) => `/dashboard/projects/${s.project.id}${path}`
const STRANGER = 'stranger@example.com'
const invite = (by: Person, email: string) => by.browser.post(P('/invitations'), { email, role: 'DEVELOPER' })
const resend = (by: Person, id: string) => by.browser.post(P(`/invitations/${id}/resend`), {})
const outcome = ({ status, body, headers }: Answer) => [status, body.error?.code, headers.has('retry-after')]
const TOO_MANY = [429, 'RATE_LIMITED', true]

const mailsTo = async (email: string) => {
  const mails = await s.ctx.db.select().from(s.ctx.tables.mails)
  return mails.filter(({ kind, toAddress }) => kind === 'invitation' && toAddress.toLowerCase() === email)
}

test('an invitation is sent again after five minutes, and five times in a day, whoever asks', async () => {
  const { id } = (await invite(bo, STRANGER)).body.data as { id: string }
  expect(outcome(await resend(ada, id))).toEqual(TOO_MANY)
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) {
    s.ctx.clock.advance(5 * MINUTE)
    statuses.push((await resend(count % 2 ? ada : bo, id)).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  expect(await mailsTo(STRANGER)).toHaveLength(5)
  s.ctx.clock.advance(DAY)
  expect((await resend(bo, id)).status).toBe(200)
})

test('revoking and inviting again, in other letters, is counted for the same address', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) {
    const made = await invite(bo, count % 2 ? STRANGER : 'Stranger@Example.com')
    statuses.push(made.status)
    if (made.status === 201) await bo.browser.delete(P(`/invitations/${made.body.data.id}`))
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  expect(await mailsTo(STRANGER)).toHaveLength(5)
})

test('a person sends a hundred invitations in a day, and another person still can', async () => {
  for (let count = 0; count < INVITATIONS_PER_PERSON; count++)
    s.ctx.state.invitationMails.hit('invitations', bo.id, INVITATIONS_PER_PERSON, s.ctx.clock.now())
  expect(outcome(await invite(bo, STRANGER))).toEqual(TOO_MANY)
  expect(await mailsTo(STRANGER)).toHaveLength(0)
  expect((await invite(ada, STRANGER)).status).toBe(201)
})

test('an invitation that is refused is not counted', async () => {
  const now = s.ctx.clock.now()
  const sent = () => s.ctx.state.invitationMails.hit('invitations', bo.id, INVITATIONS_PER_PERSON, now, 0)
  expect((await invite(bo, ada.email)).status).toBe(409)
  expect(sent()?.remaining).toBe(INVITATIONS_PER_PERSON)
  expect((await invite(bo, STRANGER)).status).toBe(201)
  expect(sent()?.remaining).toBe(INVITATIONS_PER_PERSON - 1)
})

const statusesOf = async (calls: Promise<Answer>[]) => (await Promise.all(calls)).map(({ status }) => status).sort()

test('of two invitations at once, the last of a person in a day is one', async () => {
  for (let count = 1; count < INVITATIONS_PER_PERSON; count++)
    s.ctx.state.invitationMails.hit('invitations', bo.id, INVITATIONS_PER_PERSON, s.ctx.clock.now())
  expect(await statusesOf([invite(bo, STRANGER), invite(bo, 'other@example.com')])).toEqual([201, 429])
})

test('of invitations of several projects at once to one address, five are sent', async () => {
  const projects = [s.project.id, ...(await more(5))]
  const calls = projects.map((id) =>
    ada.browser.post(`/dashboard/projects/${id}/invitations`, { email: STRANGER, role: 'DEVELOPER' }),
  )
  expect(await statusesOf(calls)).toEqual([201, 201, 201, 201, 201, 429])
  expect(await mailsTo(STRANGER)).toHaveLength(5)
})

/** Ids of new projects of Ada. */
async function more(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const made = await ada.browser.post('/dashboard/projects', { name: `More ${ids.length}` })
    ids.push(made.body.data.project?.id ?? made.body.data.id)
  }
  return ids
}

test('of requests for a new password whose jobs run at once, five mail a link', async () => {
  await Promise.all(Array.from({ length: 7 }, () => mailResetLink(s.ctx, 'ada@example.com')))
  const mails = await s.ctx.db.select().from(s.ctx.tables.mails)
  expect(mails.filter(({ kind }) => kind === 'password_reset')).toHaveLength(5)
})

test('a project whose name looks like a link is named by its slug in a mail to a stranger', async () => {
  await ada.browser.patch(P(''), { name: 'Your account is locked: http://evil.example/unlock' })
  await invite(bo, STRANGER)
  const [mail] = await mailsTo(STRANGER)
  expect(mail?.subject).toBe('You are invited to project-1')
})

test('the name of a project has no control characters', async () => {
  for (const name of ['a\r\nBcc: b@example.com', 'a\u0007b', 'a\u0085b'])
    expect((await ada.browser.patch(P(''), { name })).status).toBe(400)
  expect((await ada.browser.get(P(''))).body.data.name).toBe('Project 1')
})
