import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { ROLES } from '../../src/core/roles/roles'
import { memberCommand } from '../../src/operators/members/command'
import { notify } from '../../src/operators/notices/notify'
import { userCommand } from '../../src/operators/user-commands/command'
import { eightTimes, letters, makeUser, tokenIn, work } from '../support/accounts'
import { type Answer, type Stage, stage } from '../support/cast'
import { runBeside, runWithInput } from '../support/command'
import { arrive, auditedBy, auditOf, join, linksTo, type Person } from '../support/crew'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

const ENV = { SVC_TRUSTED_PROXIES: '1', SVC_ADMIN_EMAIL_DOMAINS: 'platform.example' }
const GUEST_PASSWORD = 'the password of the guest'

let s: Stage
let ada: Person
let bo: Person

async function open(env: Record<string, string> = {}): Promise<void> {
  s = await stage({ env: { ...ENV, ...env } })
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'ADMIN')
}

/** As after a restart with a mail server. */
const configureMail = () => Object.assign(s.ctx.config.mail, { smtpUrl: 'smtp://127.0.0.1:1' })

const pathOf = (project: { id: string }, path = '') => `/dashboard/projects/${project.id}${path}`
const P = (path: string) => pathOf(s.project, path)
const tokenOf = (link: string | null): string => link?.split('/join/')[1] ?? 'no link'
const asToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

interface Shown {
  id: string
  link: string
  token: string
  mailed: string
}

let visitors = 0
/** A browser at another address, because sign-ups of one address are limited. */
const visitor = () => new Visitor(s, `203.0.${Math.floor(++visitors / 200)}.${visitors % 200}`)

let people = 0
const newAddress = (): string => `guest${++people}@example.com`

/** An invitation, with the token of the link that was shown and the one of the mail. */
async function invite(email: string, { role = 'DEVELOPER', by = ada, project = s.project } = {}): Promise<Shown> {
  const answer = await by.browser.post(pathOf(project, '/invitations'), { email, role })
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  const { id, link } = answer.body.data
  return { id, link, token: tokenOf(link), mailed: tokenOf((await linksTo(s, email))[0] ?? null) }
}

const signUp = (email: string, token: string, password = GUEST_PASSWORD): Promise<Answer> =>
  visitor().post('/api/auth/sign-up', { email, password, name: 'Guest', invitationToken: token })

const accept = (by: Visitor, token: string) => by.post(`/invitations/${token}/accept`)

/** Somebody who came by the link that was shown, and accepted the invitation. */
async function guestOf(email: string, options: Parameters<typeof invite>[1] = {}) {
  const shown = await invite(email, options)
  expect((await signUp(email, shown.token)).body).toEqual({ data: { next: 'SIGN_IN' } })
  const browser = visitor()
  expect((await browser.signIn(email, GUEST_PASSWORD)).body.data.next).toBeNull()
  expect((await accept(browser, shown.token)).status).toBe(200)
  const { id } = (await browser.get('/dashboard/me')).body.data
  return { ...shown, id, email, browser }
}

const linksSeenBy = async (by: Visitor, options = {}): Promise<Record<string, string | null>> => {
  const { items } = (await by.get(P('/invitations?limit=200'), options)).body.data
  return Object.fromEntries(items.map((one: { id: string; link: string | null }) => [one.id, one.link]))
}

describe('the link of an invitation, where no mail server exists', () => {
  beforeAll(() => open())
  afterAll(() => s.close())

  test('is in the answers that make, list and send it again, and in the audit log each time', async () => {
    const email = newAddress()
    const made = await invite(email, { by: bo })
    expect(made.link).toMatch(/^http:\/\/[^/]+\/join\/[0-9A-Za-z]{43}$/)
    expect((await auditOf(s)).at(-1)).toMatchObject({
      action: 'invitation.create',
      actor: { email: 'bo@example.com' },
      after: { email, linkShown: true },
    })

    const listed = await auditedBy(s, async () => expect((await linksSeenBy(ada.browser))[made.id]).toBe(made.link))
    expect([listed.count, listed.last]).toMatchObject([
      1,
      {
        action: 'invitation.show_links',
        actor: { kind: 'USER', id: ada.id },
        target: { type: 'project', id: s.project.id },
        after: [{ invitationId: made.id, email, role: 'DEVELOPER' }],
      },
    ])
    const [item] = (await ada.browser.get(P('/invitations'))).body.data.items
    expect([item.id, item.revision]).toEqual([made.id, 1])

    s.ctx.clock.advance(5 * MINUTE)
    const sent = (await bo.browser.post(P(`/invitations/${made.id}/resend`))).body.data
    expect((await auditOf(s)).at(-1)).toMatchObject({ action: 'invitation.resend', after: { linkShown: true } })
    expect((await linksSeenBy(bo.browser))[made.id]).toBe(sent.link)
    expect(refusal(await visitor().get(`/invitations/${made.token}`))).toEqual([404, 'NOT_FOUND'])
    expect((await visitor().get(`/invitations/${tokenOf(sent.link)}`)).body.data.state).toBe('OPEN')
    expect((await ada.browser.get(P('/audit-log/proof'))).body.data).toMatchObject({ ok: true, firstBadId: null })
  })

  test('has another token than the mail, and no row of any table contains it', async () => {
    const { token, mailed } = await invite(newAddress())
    expect(mailed).toHaveLength(43)
    expect(mailed).not.toBe(token)
    for (const table of Object.values(s.ctx.tables))
      expect(Bun.inspect(await s.ctx.db.select().from(table), { depth: 9 })).not.toContain(token)
  })

  test('is shown to nobody else', async () => {
    const { id, link } = await invite(newAddress())
    const owned = await invite(newAddress(), { role: 'OWNER' })
    const root = await arrive(s, 'root', { isAdmin: true })
    const granted = await root.browser.post(`/admin/projects/${s.project.id}/support-grants`, {
      reason: 'a ticket',
      hours: 1,
    })
    expect(granted.status).toBe(201)
    const dev = await join(s, 'dev', 'DEVELOPER')
    const stranger = await join(s, 'stranger', 'OWNER', s.other.id)
    const wrote = await auditedBy(s, async () => {
      for (const { browser } of [dev, stranger, root]) {
        const answer = await browser.get(P('/invitations'))
        expect(answer.status).toBeGreaterThanOrEqual(403)
        expect(JSON.stringify(answer.body)).not.toContain('/join/')
      }
      expect((await visitor().get(P('/invitations'))).status).toBe(401)
      for (const scopes of ['read', ['read', 'flags:write', 'project:transfer']]) {
        const { token } = (await ada.browser.post('/dashboard/me/tokens', { name: 'ci', scopes })).body.data
        const seen = await linksSeenBy(visitor(), asToken(token))
        expect([seen[id], seen[owned.id]]).toEqual([null, null])
      }
    })
    expect(wrote.count).toBe(0)
    const { token } = (await bo.browser.post('/dashboard/me/tokens', { name: 'ci', scopes: ['members:manage'] })).body
      .data
    for (const seen of [await linksSeenBy(bo.browser), await linksSeenBy(visitor(), asToken(token))])
      expect([seen[id], seen[owned.id]]).toEqual([link, null])
    expect((await linksSeenBy(ada.browser))[owned.id]).toBe(owned.link)
  })

  test('is not shown of a closed invitation, nor opened by another one', async () => {
    const revoked = await invite(newAddress())
    await ada.browser.delete(P(`/invitations/${revoked.id}`))
    const used = await guestOf(newAddress())
    const old = await invite(newAddress())
    s.ctx.clock.advance(7 * DAY)
    const seen = await linksSeenBy(ada.browser)
    expect([seen[revoked.id], seen[used.id], seen[old.id]]).toEqual([null, undefined, null])
    const { invitations } = s.ctx.tables
    const rows = await s.ctx.db.select().from(invitations)
    for (const id of [revoked.token, used.token])
      expect(rows.find(({ shownTokenHash }) => shownTokenHash === Bun.SHA256.hash(id, 'hex'))?.sealedToken).toBeNull()
    for (const shown of [revoked, old])
      expect(refusal(await signUp(newAddress(), shown.token))).toEqual([403, 'FORBIDDEN'])
  })
})

describe('a guest who came by a shown link', () => {
  beforeAll(() => open())
  afterAll(() => s.close())

  test('signs in without a proof of the address, with what the invitation gave', async () => {
    const email = newAddress()
    const { token } = await invite(email, { role: 'GROWTH' })
    expect((await signUp(email, token)).body).toEqual({ data: { next: 'SIGN_IN' } })
    const guest = visitor()
    const signedIn = await guest.signIn(email, GUEST_PASSWORD)
    expect(signedIn.body.data).toMatchObject({
      next: null,
      user: { email, emailVerified: false, platformAdmin: false },
    })
    expect((await guest.get('/dashboard/projects')).body.data.items).toEqual([])
    expect((await accept(guest, token)).body.data).toMatchObject({ email, state: 'ACCEPTED' })
    expect((await auditOf(s)).at(-1)).toMatchObject({
      action: 'member.add',
      after: { role: 'GROWTH', emailVerified: false },
    })
    const { items } = (await guest.get('/dashboard/projects')).body.data
    expect(items).toMatchObject([{ id: s.project.id, role: 'GROWTH' }])
    expect(refusal(await guest.get(P('/invitations')))).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(refusal(await accept(guest, token))).toEqual([409, 'INVITATION_ALREADY_ACCEPTED'])
  })

  test('has nothing that needs a proved address', async () => {
    const guest = await guestOf(newAddress(), { role: 'ADMIN' })
    const { browser, email, id } = guest
    const eve = await join(s, 'eve', 'OWNER', s.other.id)
    const other = await invite(email, { by: eve, project: s.other })
    expect(refusal(await browser.post('/dashboard/projects', { name: 'Own' }))).toEqual([403, 'FORBIDDEN'])
    for (const token of [other.token, other.mailed])
      expect(refusal(await accept(browser, token))).toEqual([403, 'FORBIDDEN'])
    expect((await browser.get(`/invitations/${other.token}`)).body.data.state).toBe('OPEN')
    expect(refusal(await ada.browser.post(P('/transfer'), { userId: id }))).toEqual([409, 'CONFLICT'])
    expect(refusal(await ada.browser.patch(P(`/members/${id}`), { role: 'OWNER' }))).toEqual([409, 'CONFLICT'])
    expect((await browser.get('/dashboard/projects')).body.data.items).toMatchObject([{ role: 'ADMIN' }])
  })

  test('gets no other project from the command line, and owns none, before the address is confirmed', async () => {
    const eve = await join(s, 'eve-there', 'OWNER', s.other.id)
    const guest = await guestOf(newAddress(), { by: eve, project: s.other })
    const [here, there] = [s.project, s.other].map(({ id }) => ['--project', id])
    const member = (...args: string[]) => runBeside(s, memberCommand, ...args)
    const added = await member('add', guest.email, '--role', 'GROWTH', ...(here ?? []))
    const raised = await member('role', guest.email, '--role', 'OWNER', ...(there ?? []))
    for (const { code, err } of [added, raised])
      expect([code, err]).toEqual([1, expect.stringMatching(/not confirmed/)])
    expect((await guest.browser.get('/dashboard/projects')).body.data.items).toMatchObject([
      { id: s.other.id, role: 'DEVELOPER' },
    ])
    expect((await member('role', guest.email, '--role', 'GROWTH', ...(there ?? []))).code).toBe(0)
  })

  test('of the platform’s domain does not administer it', async () => {
    const { browser } = await guestOf('mallory@platform.example')
    expect((await browser.get('/dashboard/me')).body.data).toMatchObject({ emailVerified: false, platformAdmin: false })
    expect(refusal(await browser.get('/admin/projects'))).toEqual([403, 'ADMIN_EMAIL_DOMAIN'])
  })

  test('gets no mail about the project, because the address may be somebody else’s', async () => {
    const { browser, email } = await guestOf(newAddress(), { role: 'OWNER' })
    const root = await arrive(s, 'root', { isAdmin: true })
    await root.browser.post(`/admin/projects/${s.project.id}/support-grants`, { reason: 'a ticket', hours: 1 })
    const kind = 'import_ended'
    await s.ctx.write((tx) =>
      notify(tx, { kind, projectId: s.project.id, roles: ROLES, title: 'x', body: 'x', mail: {} }),
    )
    const mailed = (await s.ctx.db.select().from(s.ctx.tables.mails)).filter(({ kind }) => kind !== 'invitation')
    const toAda = mailed.filter(({ toAddress }) => toAddress === ada.email)
    expect(toAda.map((mail) => mail.kind).sort()).toEqual([kind, 'support_grant'])
    expect(mailed.map(({ toAddress }) => toAddress)).not.toContain(email)
    const { items } = (await browser.get('/dashboard/notifications')).body.data
    expect(items).toMatchObject([{ projectId: s.project.id }])
  })

  test('who was invited as an owner does not take the project from its owners', async () => {
    const { browser, id } = await guestOf(newAddress(), { role: 'OWNER' })
    const cy = await join(s, `cy${people}`, 'DEVELOPER')
    const before = (await ada.browser.get(P('/members?limit=200'))).body.data
    for (const answer of [
      await browser.delete(P(`/members/${ada.id}`)),
      await browser.patch(P(`/members/${ada.id}`), { role: 'GROWTH' }),
      await browser.patch(P(`/members/${cy.id}`), { role: 'OWNER' }),
      await browser.post(P('/transfer'), { userId: cy.id }),
      await browser.post(P('/invitations'), { email: newAddress(), role: 'OWNER' }),
    ])
      expect(refusal(answer)).toEqual([403, 'FORBIDDEN'])
    expect((await ada.browser.get(P('/members?limit=200'))).body.data).toEqual(before)
    const owned = await invite(newAddress(), { role: 'OWNER' })
    expect((await linksSeenBy(browser))[owned.id]).toBeNull()
    expect((await ada.browser.delete(P(`/members/${id}`))).status).toBe(200)
    expect(refusal(await browser.get(P('/members')))).toEqual([404, 'NOT_FOUND'])
  })

  test('signs up once: of eight at once one wins, and later ones change nothing', async () => {
    const email = newAddress()
    const { token } = await invite(email)
    const passwords = Array.from({ length: 8 }, (_, n) => `the password no. ${n}`)
    const answers = await eightTimes((n) => signUp(email, token, passwords[n]))
    expect(answers.map(({ body }) => body)).toEqual(passwords.map(() => ({ data: { next: 'SIGN_IN' } })))
    const right = []
    for (const password of passwords) if ((await visitor().signIn(email, password)).status === 200) right.push(password)
    expect(right).toHaveLength(1)
    expect((await signUp(email, token, 'another password')).body).toEqual({ data: { next: 'SIGN_IN' } })
    expect(refusal(await visitor().signIn(email, 'another password'))).toEqual([401, 'UNAUTHORIZED'])
    const users = (await s.ctx.db.select().from(s.ctx.tables.users)).filter((one) => one.email === email)
    expect(users).toMatchObject([{ emailVerifiedAt: null }])
  })

  test('keeps the password, whoever else has a link for the address', async () => {
    const { browser, email } = await guestOf(newAddress())
    const eve = await join(s, 'eve-again', 'OWNER', s.other.id)
    const { token } = await invite(email, { by: eve, project: s.other })
    expect((await signUp(email, token, 'the password of eve')).body).toEqual({ data: { next: 'SIGN_IN' } })
    expect(refusal(await visitor().signIn(email, 'the password of eve'))).toEqual([401, 'UNAUTHORIZED'])
    expect((await browser.get('/dashboard/projects')).body.data.items).toHaveLength(1)
    expect((await visitor().signIn(email, GUEST_PASSWORD)).body.data.next).toBeNull()
  })

  test('whose address somebody took before has no account, and that one does not get the invitation', async () => {
    const eve = await join(s, 'eve-early', 'OWNER', s.other.id)
    const squatter = await guestOf(newAddress(), { by: eve, project: s.other })
    const { token } = await invite(squatter.email)
    expect((await signUp(squatter.email, token, PASSWORD)).body).toEqual({ data: { next: 'SIGN_IN' } })
    expect(refusal(await visitor().signIn(squatter.email, PASSWORD))).toEqual([401, 'UNAUTHORIZED'])
    expect(refusal(await accept(squatter.browser, token))).toEqual([403, 'FORBIDDEN'])
    const { out } = await runBeside(s, userCommand, 'reset-password', squatter.email)
    const proof = { token: out.split('/').at(-1), password: PASSWORD }
    expect((await visitor().post('/api/auth/password-reset/confirm', proof)).status).toBe(200)
    const guest = visitor()
    await guest.signIn(squatter.email)
    expect((await accept(guest, token)).status).toBe(200)
    expect(refusal(await squatter.browser.get(P('/members')))).toEqual([401, 'UNAUTHORIZED'])
  })

  test('who lost the right to invite does not read a link again by repeating the request', async () => {
    const cy = await join(s, `cy-${people}`, 'ADMIN')
    const body = { email: newAddress(), role: 'GROWTH' }
    const again = { headers: { 'idempotency-key': 'the-key-of-cy' } }
    const first = await cy.browser.post(P('/invitations'), body, again)
    expect((await cy.browser.post(P('/invitations'), body, again)).body.data.link).toBe(first.body.data.link)
    await ada.browser.patch(P(`/members/${cy.id}`), { role: 'DEVELOPER' })
    const answer = await cy.browser.post(P('/invitations'), body, again)
    expect(refusal(answer)).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(JSON.stringify(answer.body)).not.toContain('/join/')
  })

  test('does not come into an account that exists', async () => {
    const email = newAddress()
    await makeUser(s, email)
    const { token } = await invite(email)
    expect((await signUp(email, token)).body).toEqual({ data: { next: 'SIGN_IN' } })
    expect(refusal(await visitor().signIn(email, GUEST_PASSWORD))).toEqual([401, 'UNAUTHORIZED'])
    const owner = visitor()
    expect((await owner.signIn(email)).body.data.user.emailVerified).toBe(true)
    expect((await accept(owner, token)).status).toBe(200)
  })

  test.each<[string, (shown: Shown, email: string) => Promise<Answer> | Answer]>([
    ['an unknown token', (_, email) => signUp(email, 'x'.repeat(43))],
    ['a token in other letters', ({ token }, email) => signUp(email, token.toLowerCase())],
    ['the hash of the token', ({ token }, email) => signUp(email, Bun.SHA256.hash(token, 'hex'))],
    ['another address', ({ token }) => signUp(newAddress(), token)],
    [
      'the token of another address’s invitation',
      async (_, email) => signUp(email, (await invite(newAddress())).token),
    ],
    [
      'a link that was replaced',
      async ({ id, token }, email) => {
        s.ctx.clock.advance(5 * MINUTE)
        await ada.browser.post(P(`/invitations/${id}/resend`))
        return signUp(email, token)
      },
    ],
    [
      'a revoked invitation',
      async ({ id, token }, email) => {
        await ada.browser.delete(P(`/invitations/${id}`))
        return signUp(email, token)
      },
    ],
    [
      'an invitation that was accepted',
      async ({ token }, email) => {
        const person = await arrive(s, email.split('@')[0] ?? '')
        expect((await accept(person.browser, token)).status).toBe(200)
        return signUp(email, token)
      },
    ],
    [
      'an invitation after its 7 days',
      ({ token }, email) => {
        s.ctx.clock.advance(7 * DAY)
        return signUp(email, token)
      },
    ],
  ])('%s opens no sign-up', async (_name, attempt) => {
    const email = newAddress()
    const shown = await invite(email)
    expect(refusal(await attempt(shown, email))).toEqual([403, 'FORBIDDEN'])
    expect(refusal(await visitor().signIn(email, GUEST_PASSWORD))).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('when the owner of the address proves it', () => {
  afterEach(() => s.close())

  /** Everything with which the guest could come back. */
  async function leaveWaysIn({ browser, email, id }: Awaited<ReturnType<typeof guestOf>>) {
    const { token } = (await browser.post('/dashboard/me/tokens', { name: 'mine' })).body.data
    await browser.post('/dashboard/push-devices', { token: 'device-of-the-guest', platform: 'ios' })
    await s.ctx.write(async (tx) => {
      const { passkeys, identities, twoFactors } = tx.tables
      const passkey = { id: 'pky_x', credentialId: 'x', publicKey: 'x', counter: 0, transports: [], name: 'x' }
      await tx.db.insert(passkeys).values({ ...passkey, userId: id, createdAt: 1 })
      await tx.db.insert(identities).values({ provider: 'github', subject: '1', userId: id, email, createdAt: 1 })
      await tx.db.insert(twoFactors).values({ userId: id, sealedSecret: 'none', confirmedAt: null, createdAt: 1 })
    })
    return token as string
  }

  const rowsOf = async (userId: string) => {
    const { userSessions, accessTokens, passkeys, identities, twoFactors, pushDevices, mailTokens } = s.ctx.tables
    const rows = []
    for (const table of [accessTokens, passkeys, identities, twoFactors, pushDevices, mailTokens, userSessions])
      rows.push((await s.ctx.db.select().from(table)).filter((row) => row.userId === userId).length)
    return rows
  }

  type Guest = Awaited<ReturnType<typeof guestOf>>
  const person = (email: string) => ({ email, password: PASSWORD, name: 'Owner' })

  const PROOFS: [string, (guest: Guest) => Promise<Answer>][] = [
    [
      'by a link to choose a password',
      async ({ email }) => {
        await visitor().post('/api/auth/password-reset', { email })
        await work(s)
        const token = await tokenIn(s, 'password_reset')
        return visitor().post('/api/auth/password-reset/confirm', { token, password: PASSWORD })
      },
    ],
    [
      'by a password that the administrator of the server has set',
      async ({ email }) => {
        const { code } = await runWithInput(s, userCommand, PASSWORD, 'reset-password', email, '--password-stdin')
        expect(code).toBe(0)
        return ada.browser.get('/dashboard/me')
      },
    ],
    [
      'by asking for the confirmation again',
      async ({ email }) => {
        configureMail()
        await visitor().post('/api/auth/verify-email/resend', { email })
        await work(s)
        expect((await letters(s)).map(({ kind }) => kind)).not.toContain('verify_email')
        const token = await tokenIn(s, 'password_reset')
        expect((await visitor().post('/api/auth/verify-email', { token })).status).toBe(401)
        return visitor().post('/api/auth/password-reset/confirm', { token, password: PASSWORD })
      },
    ],
    [
      'by the mail of an invitation',
      async ({ email }) => {
        const eve = await join(s, 'eve', 'OWNER', s.other.id)
        const { mailed } = await invite(email, { by: eve, project: s.other })
        return visitor().post('/api/auth/sign-up', { ...person(email), invitationToken: mailed })
      },
    ],
    [
      'by a sign-up that is open to everybody',
      async ({ email }) => {
        await visitor().post('/api/auth/sign-up', person(email))
        const token = await tokenIn(s, 'password_reset')
        return visitor().post('/api/auth/password-reset/confirm', { token, password: PASSWORD })
      },
    ],
  ]
  test.each(PROOFS)('%s, the guest is out, and the owner has the account', async (_name, prove) => {
    await open({ SVC_OPEN_SIGNUP: '1' })
    const guest = await guestOf(newAddress())
    const token = await leaveWaysIn(guest)
    expect((await visitor().get(P('/members'), asToken(token))).status).toBe(200)
    expect((await prove(guest)).status).toBe(200)

    for (const answer of [
      await guest.browser.get('/dashboard/me'),
      await guest.browser.get(P('/members')),
      await visitor().get(P('/members'), asToken(token)),
      await visitor().signIn(guest.email, GUEST_PASSWORD),
    ])
      expect(refusal(answer)).toEqual([401, 'UNAUTHORIZED'])
    expect(await rowsOf(guest.id)).toEqual([0, 0, 0, 0, 0, 0, 0])
    const owner = visitor()
    const { user } = (await owner.signIn(guest.email)).body.data
    expect(user).toMatchObject({ id: guest.id, emailVerified: true, twoFactorEnabled: false })
    expect((await owner.get('/dashboard/projects')).body.data.items).toMatchObject([{ role: 'DEVELOPER' }])
    expect((await owner.post('/dashboard/projects', { name: 'Own' })).status).toBe(201)
  })

  test('nothing that the guest makes at that moment outlives it', async () => {
    await open()
    const guest = await guestOf(newAddress())
    await visitor().post('/api/auth/password-reset', { email: guest.email })
    await work(s)
    const token = await tokenIn(s, 'password_reset')
    const confirm = () => visitor().post('/api/auth/password-reset/confirm', { token, password: PASSWORD })
    const answers = await eightTimes((n) => {
      if (n === 4) return confirm()
      if (n % 2) return guest.browser.post('/dashboard/me/tokens', { name: `no. ${n}` })
      return visitor().signIn(guest.email, GUEST_PASSWORD)
    })
    expect(answers[4]?.status).toBe(200)
    expect(await rowsOf(guest.id)).toEqual([0, 0, 0, 0, 0, 0, 0])
    for (const { status, body } of answers)
      if (status === 201)
        expect(refusal(await visitor().get('/dashboard/me', asToken(body.data.token)))).toEqual([401, 'UNAUTHORIZED'])
    expect((await confirm()).status).toBe(401)
  })

  test('the guest does not delete the account a moment later', async () => {
    await open()
    const outcomes = []
    for (const confirmsFirst of [true, false, true, false]) {
      const { browser, email } = await guestOf(newAddress())
      await visitor().post('/api/auth/password-reset', { email })
      await work(s)
      const token = await tokenIn(s, 'password_reset')
      const confirm = () => visitor().post('/api/auth/password-reset/confirm', { token, password: PASSWORD })
      const remove = () => browser.delete('/dashboard/me', { confirmEmail: email })
      const answers = await Promise.all(confirmsFirst ? [confirm(), remove()] : [remove(), confirm()])
      const [confirmed, removed] = confirmsFirst ? answers : answers.toReversed()
      const { status } = await visitor().signIn(email)
      outcomes.push(`${confirmed?.status} ${removed?.status} ${status}`)
    }
    for (const outcome of outcomes) expect(['200 401 200', '401 200 401']).toContain(outcome)
  })

  test('the guest cannot do it in the owner’s place, nor can a stranger by signing up', async () => {
    await open({ SVC_OPEN_SIGNUP: '1' })
    const guest = await guestOf(newAddress())
    const stranger = { ...person(guest.email), password: 'the password of eve' }
    expect((await visitor().post('/api/auth/sign-up', stranger)).body).toEqual({ data: { next: 'VERIFY_EMAIL' } })
    expect(refusal(await visitor().signIn(guest.email, stranger.password))).toEqual([401, 'UNAUTHORIZED'])
    expect((await guest.browser.get('/dashboard/me')).body.data.emailVerified).toBe(false)
    expect(
      (await guest.browser.put('/dashboard/me/password', { currentPassword: GUEST_PASSWORD, password: PASSWORD }))
        .status,
    ).toBe(200)
    expect((await visitor().signIn(guest.email)).body.data.user.emailVerified).toBe(false)
    expect(await letters(s)).not.toContainEqual(expect.objectContaining({ kind: 'verify_email' }))
  })

  test('a link to confirm an address, mailed before the guest came, opens nothing', async () => {
    await open({ SVC_OPEN_SIGNUP: '1' })
    const email = newAddress()
    await visitor().post('/api/auth/sign-up', person(email))
    const before = await tokenIn(s, 'verify_email')
    const { token } = await invite(email)
    await signUp(email, token)
    expect(refusal(await visitor().post('/api/auth/verify-email', { token: before }))).toEqual([401, 'UNAUTHORIZED'])
    expect(refusal(await visitor().signIn(email))).toEqual([401, 'UNAUTHORIZED'])
    expect((await visitor().signIn(email, GUEST_PASSWORD)).body.data.user.emailVerified).toBe(false)
  })
})

describe('where a mail server is configured', () => {
  afterEach(() => s.close())

  test('no answer has a link, and a link from before still proves nothing', async () => {
    await open()
    const email = newAddress()
    const before = await invite(email)
    configureMail()
    const { count } = await auditedBy(s, async () =>
      expect(await linksSeenBy(ada.browser)).toEqual({ [before.id]: null }),
    )
    expect(count).toBe(0)
    const later = await ada.browser.post(P('/invitations'), { email: newAddress(), role: 'GROWTH' })
    expect(later.body.data).toMatchObject({ link: null, deliveryStatus: 'QUEUED' })
    expect((await auditOf(s)).at(-1)?.after).not.toHaveProperty('linkShown')

    expect((await signUp(email, before.token)).body).toEqual({ data: { next: 'SIGN_IN' } })
    const guest = visitor()
    expect((await guest.signIn(email, GUEST_PASSWORD)).body.data.user.emailVerified).toBe(false)
    s.ctx.clock.advance(5 * MINUTE)
    expect((await ada.browser.post(P(`/invitations/${before.id}/resend`))).body.data.link).toBeNull()
    expect(refusal(await accept(guest, before.token))).toEqual([404, 'NOT_FOUND'])
    const mailed = tokenOf((await linksTo(s, email))[0] ?? null)
    expect(refusal(await accept(guest, mailed))).toEqual([403, 'FORBIDDEN'])
  })

  test('without a master key the link is in the answer that made it, and kept nowhere', async () => {
    await open({ SVC_MASTER_KEY: 'off' })
    const answer = await ada.browser.post(P('/invitations'), { email: newAddress(), role: 'GROWTH' })
    const { id, link } = answer.body.data
    expect((await visitor().get(`/invitations/${tokenOf(link)}`)).body.data.state).toBe('OPEN')
    const { count } = await auditedBy(s, async () => expect(await linksSeenBy(ada.browser)).toEqual({ [id]: null }))
    expect(count).toBe(0)
  })
})
