import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { writeCursor } from '../../src/base/http/list'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { endSessions } from '../../src/operators/accounts/sessions'
import { PLATFORM_CHAIN } from '../../src/projects/audit/platform'
import { codeOf, enableTwoFactor, makeUser, signedIn } from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import { type Stage, stage } from '../support/cast'
import { arrive, join, linksTo, PLATFORM_DOMAIN } from '../support/crew'
import { IdentityProvider } from '../support/identity-provider'
import { ORIGIN, PASSWORD, refusal, Visitor } from '../support/visitor'

let s: Stage
beforeEach(async () => {
  s = await stage({ env: { SVC_TRUSTED_PROXIES: '1', SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN } })
})
afterEach(() => s.close())

const UNAUTHORIZED = [401, 'UNAUTHORIZED']

describe('an account that is deleted', () => {
  test('leaves no row that belongs to it', async () => {
    const ada = await join(s, 'ada', 'DEVELOPER')
    const bo = await join(s, 'bo', 'DEVELOPER')
    for (const { browser } of [ada, bo]) {
      expect((await browser.post('/dashboard/notifications/test')).status).toBe(200)
      const change = { channels: { push: false } }
      expect((await browser.patch('/dashboard/notifications/preferences', change)).status).toBe(200)
      const device = { token: `device-${browser.cookies.get('svc_session')}`, platform: 'web' }
      expect((await browser.post('/dashboard/push-devices', device)).status).toBe(201)
      expect((await browser.post('/dashboard/me/tokens', { name: 'a script' })).status).toBe(201)
      expect((await browser.patch('/dashboard/me/preferences', { theme: 'DARK' })).status).toBe(200)
    }
    expect((await ada.browser.delete('/dashboard/me', { confirmEmail: ada.email })).status).toBe(200)
    expect(await tablesNaming(ada.id)).toEqual(['auditLog', 'mails', 'objectRevisions'])
    expect(await tablesNaming(bo.id)).toEqual(
      expect.arrayContaining(['notices', 'notificationPreferences', 'pushDevices']),
    )
  })
})

/** The tables with a row that contains a text. */
async function tablesNaming(text: string): Promise<string[]> {
  const named: string[] = []
  for (const [name, table] of Object.entries(s.ctx.tables)) {
    const rows = await s.ctx.db.select().from(table)
    if (rows.some((row) => Object.values(row).some((value) => Bun.inspect(value).includes(text)))) named.push(name)
  }
  return named.sort()
}

describe('a password under an Idempotency-Key', () => {
  test('leaves nothing from which it can be guessed fast', async () => {
    await makeUser(s, 'ada@example.com')
    const ada = await signedIn(s, 'ada@example.com')
    const headers = { 'idempotency-key': 'k1' }
    const body = { password: PASSWORD }
    expect((await ada.post('/dashboard/me/two-factor/enable', body, { headers })).status).toBe(200)
    const kept = await s.ctx.db.select().from(s.ctx.tables.idempotencyKeys)
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(sha256Hex(JSON.stringify(body)))
    expect(refusal(await ada.post('/dashboard/me/two-factor/enable', body, { headers }))).toEqual([409, 'CONFLICT'])
    const other = { password: 'another password' }
    expect(refusal(await ada.post('/dashboard/me/two-factor/enable', other, { headers }))).toEqual([422, 'HTTP_ERROR'])
  })
})

describe('the challenge of a passkey that was answered', () => {
  let ada: Visitor
  let authenticator: Authenticator
  beforeEach(async () => {
    await makeUser(s, 'ada@example.com')
    ada = await signedIn(s, 'ada@example.com')
    authenticator = await Authenticator.make()
    const options = (await ada.post('/dashboard/me/passkeys/options')).body.data
    const credential = await authenticator.create(options)
    expect((await ada.post('/dashboard/me/passkeys', { name: 'Key', credential })).status).toBe(201)
  })

  test('is not answered again after a new password has ended everything that waits', async () => {
    const visitor = new Visitor(s)
    const options = (await visitor.post('/api/auth/passkey/options')).body.data
    const cookies = `svc_challenge=${visitor.cookies.get('svc_challenge')}`
    authenticator.counter = 0 // Many authenticators do not count.
    const credential = await authenticator.get(options)
    expect((await visitor.post('/api/auth/passkey', { credential })).status).toBe(200)
    const change = { currentPassword: PASSWORD, password: 'an entirely new one' }
    expect((await ada.put('/dashboard/me/password', change)).status).toBe(200)
    const thief = new Visitor(s)
    expect(refusal(await thief.post('/api/auth/passkey', { credential }, { cookies }))).toEqual(UNAUTHORIZED)
    expect(thief.cookies.size).toBe(0)
  })

  test('stands for no password', async () => {
    const { url } = await enableTwoFactor(s, ada)
    s.ctx.clock.advance(MINUTE)
    const visitor = new Visitor(s)
    const options = (await visitor.post('/api/auth/passkey/options')).body.data
    const signedInBy = await visitor.post('/api/auth/passkey', { credential: await authenticator.get(options) })
    expect(signedInBy.status).toBe(200)
    const cookies = `svc_challenge=passkey ${options.challenge}`
    const thief = new Visitor(s)
    const answer = await thief.post('/api/auth/two-factor', { code: codeOf(s, url) }, { cookies })
    expect(refusal(answer)).toEqual(UNAUTHORIZED)
    expect(thief.cookies.size).toBe(0)
  })
})

/** A session that ends after its request was let in, and before the request writes. */
describe('a session that ends meanwhile', () => {
  let ada: Visitor
  let id: string
  beforeEach(async () => {
    id = await makeUser(s, 'ada@example.com')
    ada = await signedIn(s, 'ada@example.com')
  })

  function endBeforeNextWrite(): void {
    const { write } = s.ctx
    const endFirst = async (work: Parameters<typeof write>[0]) => {
      Object.assign(s.ctx, { write })
      await s.ctx.write((tx) => endSessions(tx, id, null))
      return s.ctx.write(work)
    }
    Object.assign(s.ctx, { write: endFirst })
  }

  test('makes no personal access token', async () => {
    endBeforeNextWrite()
    expect(refusal(await ada.post('/dashboard/me/tokens', { name: 'mine for ever' }))).toEqual(UNAUTHORIZED)
    expect(await s.ctx.db.select().from(s.ctx.tables.accessTokens)).toEqual([])
  })

  test('makes no passkey', async () => {
    const authenticator = await Authenticator.make()
    const options = (await ada.post('/dashboard/me/passkeys/options')).body.data
    const credential = await authenticator.create(options)
    endBeforeNextWrite()
    expect(refusal(await ada.post('/dashboard/me/passkeys', { name: 'Key', credential }))).toEqual(UNAUTHORIZED)
    expect(await s.ctx.db.select().from(s.ctx.tables.passkeys)).toEqual([])
  })

  test('turns no second factor on', async () => {
    endBeforeNextWrite()
    expect(refusal(await ada.post('/dashboard/me/two-factor/enable'))).toEqual(UNAUTHORIZED)
    expect(await s.ctx.db.select().from(s.ctx.tables.twoFactors)).toEqual([])

    const again = await signedIn(s, 'ada@example.com')
    const { otpauthUrl } = (await again.post('/dashboard/me/two-factor/enable')).body.data
    endBeforeNextWrite()
    const confirmed = await again.post('/dashboard/me/two-factor/confirm', { code: codeOf(s, otpauthUrl) })
    expect(refusal(confirmed)).toEqual(UNAUTHORIZED)
    expect(await s.ctx.db.select().from(s.ctx.tables.twoFactors)).toMatchObject([{ confirmedAt: null }])
  })

  test('links no account at a provider', async () => {
    const idp = await IdentityProvider.start(() => s.ctx.clock.now())
    await s.close()
    s = await stage({
      now: Date.now(), // The library compares the life of an id token with the clock of the machine.
      env: {
        SVC_TRUSTED_PROXIES: '1',
        SVC_OAUTH_GITHUB_ID: 'client',
        SVC_OAUTH_GITHUB_SECRET: 'secret',
        SVC_OAUTH_GITHUB_URL: idp.url,
      },
    })
    id = await makeUser(s, 'ada@example.com')
    ada = await signedIn(s, 'ada@example.com')
    const { url } = (await ada.post('/dashboard/me/accounts/github')).body.data
    const back = idp.agree(url, { sub: '1001', email: 'thief@example.com', email_verified: true }, true)
    endBeforeNextWrite()
    const answer = await ada.get(back.pathname + back.search)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${ORIGIN}/account?error=failed`])
    expect(await s.ctx.db.select().from(s.ctx.tables.identities)).toEqual([])
    await idp.stop()
  })
})

describe('an invitation to become an owner', () => {
  test('is not sent again by an administrator, who could not have sent it', async () => {
    const ada = await join(s, 'ada', 'OWNER')
    const bo = await join(s, 'bo', 'ADMIN')
    const P = `/dashboard/projects/${s.project.id}/invitations`
    const made = await ada.browser.post(P, { email: 'cy@example.com', role: 'OWNER' })
    expect(made.status).toBe(201)
    const [link] = await linksTo(s, 'cy@example.com')
    s.ctx.clock.advance(8 * DAY)
    const path = `${P}/${made.body.data.id}/resend`
    expect(refusal(await bo.browser.post(path))).toEqual([403, 'ROLE_REQUIRED'])
    expect(await linksTo(s, 'cy@example.com')).toEqual([link ?? ''])
    expect((await ada.browser.post(path)).body.data.state).toBe('OPEN')
  })
})

/** A role that is taken away after the request was let in, and before it writes. */
describe('an administrator who is removed meanwhile', () => {
  type Work = (thief: Visitor, path: string, boId: string) => ReturnType<Visitor['post']>
  const CASES: [name: string, work: Work][] = [
    [
      'invites nobody',
      (thief, path) => thief.post(`${path}/invitations`, { email: 'back@example.com', role: 'ADMIN' }),
    ],
    ['changes no role', (thief, path, boId) => thief.patch(`${path}/members/${boId}`, { role: 'ADMIN' })],
    ['removes nobody', (thief, path, boId) => thief.delete(`${path}/members/${boId}`)],
  ]

  test.each(CASES)('%s', async (_name, work) => {
    await join(s, 'ada', 'OWNER')
    const thief = await join(s, 'thief', 'ADMIN')
    const bo = await join(s, 'bo', 'GROWTH')
    const { memberships, invitations } = s.ctx.tables
    const { write } = s.ctx
    const removeFirst = async (next: Parameters<typeof write>[0]) => {
      Object.assign(s.ctx, { write })
      await s.ctx.write((tx) => tx.db.delete(memberships).where(eq(memberships.userId, thief.id)))
      return s.ctx.write(next)
    }
    Object.assign(s.ctx, { write: removeFirst })
    const path = `/dashboard/projects/${s.project.id}`
    expect(refusal(await work(thief.browser, path, bo.id))).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(await s.ctx.db.select().from(invitations)).toEqual([])
    const roles = (await s.ctx.db.select().from(memberships)).map(({ role }) => role)
    expect(roles.sort()).toEqual(['GROWTH', 'OWNER'])
  })
})

describe('a support grant', () => {
  test('ends with the platform administration of who has it', async () => {
    const admin = await arrive(s, 'root', { isAdmin: true })
    const grants = `/admin/projects/${s.project.id}/support-grants`
    expect((await admin.browser.post(grants, { reason: 'A question', hours: 24 })).status).toBe(201)
    const read = () => admin.browser.get(`/dashboard/projects/${s.project.id}`)
    expect((await read()).status).toBe(200)
    Object.assign(s.ctx.config, { adminEmailDomains: ['other.example'] })
    expect(refusal(await read())).toEqual([404, 'NOT_FOUND'])
  })
})

describe('signing up with an address that is known', () => {
  test.each([['verified'], ['not verified']])('fills no mailbox when it is %s', async (kind) => {
    await s.close()
    s = await stage({ env: { SVC_TRUSTED_PROXIES: '1', SVC_OPEN_SIGNUP: '1' } })
    if (kind === 'verified') await makeUser(s, 'ada@example.com')
    for (let n = 0; n < 12; n++) {
      const visitor = new Visitor(s, `198.51.100.${n}`)
      const body = { email: 'ada@example.com', password: `${PASSWORD} ${n}`, name: 'Ada' }
      const answer = await visitor.post('/api/auth/sign-up', body)
      expect([answer.status, answer.body.data]).toEqual([200, { next: 'VERIFY_EMAIL' }])
    }
    const mails = await s.ctx.db.select().from(s.ctx.tables.mails)
    expect(mails.length).toBeLessThanOrEqual(6)
    expect(mails.length).toBeGreaterThan(0)
  })
})

describe('guesses of a second factor', () => {
  const FAR = Array.from({ length: 12 }, (_, n) => `198.51.100.${n + 1}`)

  /** Somebody who knows the password tries codes from many client addresses. Returns the statuses. */
  async function guess(url: string): Promise<number[]> {
    const right = new Set([-2, -1, 0, 1, 2].map((step) => codeOf(s, url, step)))
    const wrong = Array.from({ length: 10 }, (_, n) => `00000${n}`).find((code) => !right.has(code))
    const statuses: number[] = []
    for (const ip of FAR) {
      const thief = new Visitor(s, ip)
      expect((await thief.signIn('ada@example.com')).body.data.next).toBe('TWO_FACTOR')
      for (let time = 0; time < 5; time++)
        statuses.push((await thief.post('/api/auth/two-factor', { code: wrong })).status)
    }
    return statuses
  }

  test('are few in all, from however many addresses, and the owner still comes in', async () => {
    await makeUser(s, 'ada@example.com')
    const ada = await signedIn(s, 'ada@example.com')
    const { url, backupCodes } = await enableTwoFactor(s, ada)
    s.ctx.clock.advance(MINUTE)
    const statuses = await guess(url)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)

    const lucky = new Visitor(s, '198.51.100.99')
    await lucky.signIn('ada@example.com')
    expect(refusal(await lucky.post('/api/auth/two-factor', { code: codeOf(s, url) }))).toEqual([429, 'RATE_LIMITED'])

    const atHome = new Visitor(s) // There is a session of this client address.
    await atHome.signIn('ada@example.com')
    expect((await atHome.post('/api/auth/two-factor', { code: codeOf(s, url) })).status).toBe(200)
    const elsewhere = new Visitor(s, '198.51.100.100')
    await elsewhere.signIn('ada@example.com')
    expect((await elsewhere.post('/api/auth/two-factor', { backupCode: backupCodes[0] })).status).toBe(200)
    s.ctx.clock.advance(15 * MINUTE)
    const later = new Visitor(s, '198.51.100.101')
    await later.signIn('ada@example.com')
    expect((await later.post('/api/auth/two-factor', { code: codeOf(s, url) })).status).toBe(200)
  })

  test('that are right are not counted', async () => {
    await makeUser(s, 'ada@example.com')
    const { url } = await enableTwoFactor(s, await signedIn(s, 'ada@example.com'))
    for (let time = 0; time < 25; time++) {
      s.ctx.clock.advance(31_000)
      const visitor = new Visitor(s, `192.0.2.${time}`)
      await visitor.signIn('ada@example.com')
      expect((await visitor.post('/api/auth/two-factor', { code: codeOf(s, url) })).status).toBe(200)
    }
  })
})

describe('a cursor of the audit log that a client wrote by itself', () => {
  test.each([['text'], [1.5], [1e300], ['9'.repeat(30)]])('%p is refused', async (value) => {
    const ada = await join(s, 'ada', 'OWNER')
    const admin = await arrive(s, 'root', { isAdmin: true })
    const cursorFor = (chain: string) =>
      encodeURIComponent(writeCursor([value], ['audit-log', chain, null, null, null, null, null]))
    const project = await ada.browser.get(
      `/dashboard/projects/${s.project.id}/audit-log?cursor=${cursorFor(s.project.id)}`,
    )
    expect(refusal(project)).toEqual([400, 'VALIDATION_ERROR'])
    const platform = await admin.browser.get(`/admin/audit-log?cursor=${cursorFor(PLATFORM_CHAIN)}`)
    expect(refusal(platform)).toEqual([400, 'VALIDATION_ERROR'])
  })
})
