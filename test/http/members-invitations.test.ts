import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { hashAddress, suppress } from '../../src/operators/mail/suppression'
import { type Answer, type Stage, stage } from '../support/cast'
import { arrive, auditedBy, auditOf, join, linksTo, type Person } from '../support/crew'
import { PASSWORD, Visitor } from '../support/visitor'

let s: Stage
let ada: Person
let bo: Person
beforeAll(async () => {
  s = await stage({ env: { SVC_TRUSTED_PROXIES: '1' } })
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'ADMIN')
})
afterAll(() => s.close())

const P = (path: string) => `/dashboard/projects/${s.project.id}${path}`
const code = ({ status, body }: Answer): unknown[] => [status, body.error?.code]
const tokenTo = async (email: string): Promise<string> => (await linksTo(s, email))[0]?.split('/join/')[1] ?? 'none'

async function invite(email: string, role = 'DEVELOPER', by = bo) {
  const answer = await by.browser.post(P('/invitations'), { email, role })
  expect(answer.status).toBe(201)
  return { ...(answer.body.data as { id: string; expiresAt: string }), token: await tokenTo(email) }
}

describe('an invitation', () => {
  test('is mailed, shown, and makes a member of who accepts it', async () => {
    let token = ''
    const made = await auditedBy(s, async () => {
      const answer = await bo.browser.post(P('/invitations'), { email: 'Cy@Example.com', role: 'GROWTH' })
      expect(answer.body.data).toMatchObject({
        email: 'Cy@Example.com',
        role: 'GROWTH',
        state: 'OPEN',
        deliveryStatus: 'KEPT',
        expiresAt: new Date(s.ctx.clock.now() + 7 * DAY).toISOString(),
        revision: 1,
      })
      token = await tokenTo('Cy@Example.com')
      expect(JSON.stringify(answer.body)).not.toContain(token)
    })
    expect([made.count, made.last?.action]).toEqual([1, 'invitation.create'])
    expect((await linksTo(s, 'Cy@Example.com'))[0]).toMatch(/^http:\/\/[^/]+\/join\/[0-9A-Za-z]{43}$/)

    const shown = await new Visitor(s).get(`/invitations/${token}`)
    const offered = { projectName: 'Project 1', email: 'Cy@Example.com', role: 'GROWTH', state: 'OPEN' }
    expect([shown.status, shown.body]).toEqual([200, { data: offered }])

    const cy = await arrive(s, 'cy')
    expect(code(await cy.browser.get(P('/members')))).toEqual([404, 'NOT_FOUND'])
    const accepted = await auditedBy(s, async () => {
      const answer = await cy.browser.post(`/invitations/${token}/accept`)
      expect([answer.status, answer.body]).toEqual([200, { data: { ...offered, state: 'ACCEPTED' } }])
    })
    expect(accepted.count).toBe(1)
    expect(accepted.last).toMatchObject({
      action: 'member.add',
      actor: { kind: 'USER', id: cy.id },
      target: { type: 'member', id: cy.id },
      after: { role: 'GROWTH' },
    })
    expect((await cy.browser.get(P('/members'))).status).toBe(200)
    expect(code(await cy.browser.post(`/invitations/${token}/accept`))).toEqual([409, 'INVITATION_ALREADY_ACCEPTED'])
    const [first] = (await bo.browser.get(P('/invitations'))).body.data.items
    expect(first).toMatchObject({ email: 'Cy@Example.com', state: 'ACCEPTED', revision: 2 })
  })

  test('keeps its token nowhere but in the sealed mail', async () => {
    const { token } = await invite('secret@example.com')
    const { invitations, mails, auditLog } = s.ctx.tables
    const rows = [
      await s.ctx.db.select().from(invitations),
      await s.ctx.db.select().from(mails),
      await s.ctx.db.select().from(auditLog),
    ]
    expect(token).toHaveLength(43)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).toContain(sha256Hex(token))
  })

  test('lets its receiver sign up, and does not accept itself', async () => {
    const { token } = await invite('newcomer@example.com')
    const visitor = new Visitor(s)
    const person = { email: 'newcomer@example.com', password: PASSWORD, name: 'New' }
    expect(code(await visitor.post('/api/auth/sign-up', { ...person, invitationToken: 'x'.repeat(43) }))).toEqual([
      403,
      'FORBIDDEN',
    ])
    const up = await visitor.post('/api/auth/sign-up', { ...person, invitationToken: token })
    expect(up.body).toEqual({ data: { next: 'SIGN_IN' } })
    await visitor.signIn(person.email)
    expect((await visitor.get('/dashboard/projects')).body.data.items).toEqual([])
    expect((await visitor.post(`/invitations/${token}/accept`)).status).toBe(200)
    expect((await visitor.get('/dashboard/projects')).body.data.items).toMatchObject([
      { id: s.project.id, role: 'DEVELOPER' },
    ])
  })

  test('does not tell whether its address has an account', async () => {
    await arrive(s, 'known')
    const answers = []
    for (const email of ['known@example.com', 'nobody@example.com'])
      answers.push(await bo.browser.post(P('/invitations'), { email, role: 'GROWTH' }))
    const [known, unknown] = answers.map(({ status, body: { data } }) => [status, Object.keys(data), data.state])
    expect(known).toEqual(unknown)
  })

  test.each<[string, unknown]>([
    ['no address', { role: 'ADMIN' }],
    ['no role', { email: 'x@example.com' }],
    ['two addresses', { email: 'x@example.com,y@example.com', role: 'ADMIN' }],
    ['a header in the address', { email: 'x@example.com\nBcc: y@example.com', role: 'ADMIN' }],
    ['support access', { email: 'x@example.com', role: 'SUPPORT_READ' }],
    ['another member', { email: 'x@example.com', role: 'ADMIN', projectId: 'prj_x' }],
  ])('is refused with %s, and nothing is mailed', async (_name, body) => {
    const mails = async () => (await s.ctx.db.select().from(s.ctx.tables.mails)).length
    const before = await mails()
    expect(code(await bo.browser.post(P('/invitations'), body))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await mails()).toBe(before)
  })

  test('to a member is refused, in any spelling of the address', async () => {
    const answer = await bo.browser.post(P('/invitations'), { email: 'ADA@example.COM', role: 'GROWTH' })
    expect(code(answer)).toEqual([409, 'ALREADY_MEMBER'])
    expect(answer.body.error.details).toEqual({ email: 'ada@example.com' })
    expect(await linksTo(s, 'ADA@example.COM')).toEqual([])
  })

  test('that is open is not written twice, not even at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        bo.browser.post(P('/invitations'), { email: 'twin@example.com', role: 'GROWTH' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(await linksTo(s, 'twin@example.com')).toHaveLength(1)
  })

  test('needs the capability', async () => {
    const dev = await join(s, 'dev', 'DEVELOPER')
    for (const answer of [
      await dev.browser.get(P('/invitations')),
      await dev.browser.post(P('/invitations'), { email: 'x@example.com', role: 'GROWTH' }),
      await dev.browser.delete(P('/invitations/inv_x')),
      await dev.browser.post(P('/invitations/inv_x/resend')),
    ])
      expect(code(answer)).toEqual([403, 'CAPABILITY_REQUIRED'])
  })
})

describe('accepting', () => {
  test('with another address is refused, and the invitation stays open', async () => {
    const { token } = await invite('right@example.com')
    const wrong = await arrive(s, 'wrong')
    const answer = await wrong.browser.post(`/invitations/${token}/accept`)
    expect(code(answer)).toEqual([403, 'INVITATION_EMAIL_MISMATCH'])
    expect(answer.body.error.details).toEqual({ email: 'right@example.com' })
    expect((await wrong.browser.get(`/invitations/${token}`)).body.data.state).toBe('OPEN')
    expect(code(await wrong.browser.get(P('/members')))).toEqual([404, 'NOT_FOUND'])
  })

  test('needs a session, and a page of the dashboard', async () => {
    const { token } = await invite('visitor@example.com')
    const person = await arrive(s, 'visitor')
    expect(code(await new Visitor(s).post(`/invitations/${token}/accept`))).toEqual([401, 'UNAUTHORIZED'])
    const foreign = { origin: 'https://evil.example' }
    expect(code(await person.browser.post(`/invitations/${token}/accept`, {}, foreign))).toEqual([403, 'FORBIDDEN'])
    expect(code(await person.browser.post(`/invitations/${token}/accept`, { role: 'OWNER' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })

  test('is done once, however often it is asked at the same moment', async () => {
    const { token } = await invite('quick@example.com')
    const quick = await arrive(s, 'quick')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => quick.browser.post(`/invitations/${token}/accept`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const rows = await s.ctx.db.select().from(s.ctx.tables.memberships)
    expect(rows.filter(({ userId }) => userId === quick.id)).toHaveLength(1)
  })

  test('an unknown token is not found', async () => {
    for (const token of ['x', 'x'.repeat(43), sha256Hex('x'), '%00'])
      for (const answer of [
        await new Visitor(s).get(`/invitations/${token}`),
        await ada.browser.post(`/invitations/${token}/accept`),
      ])
        expect(answer.status).toBe(404)
  })

  test('after 7 days or a revocation is too late', async () => {
    const old = await invite('old@example.com')
    const ends = await arrive(s, 'old')
    s.ctx.clock.advance(7 * DAY - 1)
    expect((await ends.browser.get(`/invitations/${old.token}`)).body.data.state).toBe('OPEN')
    s.ctx.clock.advance(1)
    expect((await ends.browser.get(`/invitations/${old.token}`)).body.data.state).toBe('EXPIRED')
    expect(code(await ends.browser.post(`/invitations/${old.token}/accept`))).toEqual([410, 'HTTP_ERROR'])

    const taken = await invite('taken@example.com')
    const late = await arrive(s, 'taken')
    expect((await bo.browser.delete(P(`/invitations/${taken.id}`))).body).toEqual({ data: { deleted: true } })
    expect((await late.browser.get(`/invitations/${taken.token}`)).body.data.state).toBe('REVOKED')
    expect(code(await late.browser.post(`/invitations/${taken.token}/accept`))).toEqual([410, 'HTTP_ERROR'])
    expect(code(await bo.browser.delete(P(`/invitations/${taken.id}`)))).toEqual([404, 'NOT_FOUND'])
    const person = { email: 'old@example.com', password: PASSWORD, name: 'Old', invitationToken: old.token }
    expect(code(await new Visitor(s).post('/api/auth/sign-up', person))).toEqual([403, 'FORBIDDEN'])
  })
})

describe('sending again', () => {
  test('replaces the link and begins 7 new days, also for one that is too old', async () => {
    const first = await invite('again@example.com')
    s.ctx.clock.advance(8 * DAY)
    const { count, last } = await auditedBy(s, async () => {
      const answer = await bo.browser.post(P(`/invitations/${first.id}/resend`))
      expect(answer.body.data).toMatchObject({ id: first.id, state: 'OPEN', revision: 2 })
    })
    expect([count, last?.action]).toEqual([1, 'invitation.resend'])
    const token = await tokenTo('again@example.com')
    expect(token).not.toBe(first.token)
    expect(code(await new Visitor(s).get(`/invitations/${first.token}`))).toEqual([404, 'NOT_FOUND'])
    expect((await new Visitor(s).get(`/invitations/${token}`)).body.data.state).toBe('OPEN')
  })

  test('is refused once it was accepted or revoked, or mail to the address is held back', async () => {
    const open = await invite('closed@example.com')
    await bo.browser.delete(P(`/invitations/${open.id}`))
    const suppressed = await invite('bounced@example.com')
    await suppress(s.ctx, [{ addressHash: hashAddress('bounced@example.com'), reason: 'BOUNCED' }])
    const accepted = (await auditOf(s)).length
    for (const [id, reason] of [
      [open.id, 'closed'],
      [suppressed.id, 'suppressed'],
    ]) {
      const answer = await bo.browser.post(P(`/invitations/${id}/resend`))
      expect(code(answer)).toEqual([409, 'INVITATION_NOT_SENDABLE'])
      expect(answer.body.error.details).toEqual({ reason })
    }
    expect((await auditOf(s)).length).toBe(accepted)
    const used = (await bo.browser.get(P('/invitations?limit=200'))).body.data.items.find(
      ({ state }: { state: string }) => state === 'ACCEPTED',
    )
    const refused = await bo.browser.post(P(`/invitations/${used.id}/resend`))
    expect(refused.body.error).toMatchObject({ code: 'INVITATION_NOT_SENDABLE', details: { reason: 'closed' } })
    expect(code(await bo.browser.delete(P(`/invitations/${used.id}`)))).toEqual([409, 'INVITATION_ALREADY_ACCEPTED'])
  })

  test('an invitation of another project is not found', async () => {
    const eve = await join(s, 'eve', 'OWNER', s.other.id)
    const { id } = await invite('foreign@example.com')
    const Q = `/dashboard/projects/${s.other.id}/invitations/${id}`
    expect(code(await eve.browser.post(`${Q}/resend`))).toEqual([404, 'NOT_FOUND'])
    expect(code(await eve.browser.delete(Q))).toEqual([404, 'NOT_FOUND'])
  })

  test('a revision that is old is refused', async () => {
    const { id } = await invite('revised@example.com')
    const headers = { 'if-match': '"2"' }
    expect(code(await bo.browser.delete(P(`/invitations/${id}`), undefined, { headers }))).toEqual([409, 'CONFLICT'])
  })
})

test('a project has at most 500 members and open invitations', async () => {
  const own = await stage()
  const owner = await join(own, 'owner', 'OWNER')
  const now = own.ctx.clock.now()
  const person = (n: number) => ({
    id: `usr_x${n}`,
    email: `x${n}@example.com`,
    emailKey: `x${n}@example.com`,
    name: 'x',
  })
  await own.ctx.write(async (tx) => {
    const stamps = { createdAt: now, updatedAt: now }
    const numbers = Array.from({ length: 498 }, (_, n) => n)
    await tx.db.insert(tx.tables.users).values(numbers.map((n) => ({ ...person(n), ...stamps })))
    await tx.db.insert(tx.tables.memberships).values(
      numbers.map((n) => ({
        id: `mbr_x${n}`,
        projectId: own.project.id,
        userId: `usr_x${n}`,
        role: 'GROWTH' as const,
        ...stamps,
      })),
    )
  })
  const path = `/dashboard/projects/${own.project.id}/invitations`
  expect((await owner.browser.post(path, { email: 'last@example.com', role: 'GROWTH' })).status).toBe(201)
  expect(code(await owner.browser.post(path, { email: 'more@example.com', role: 'GROWTH' }))).toEqual([409, 'CONFLICT'])
  await own.close()
})
