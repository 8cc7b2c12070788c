import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { toIso } from '../../src/base/lib/time'
import { slice } from '../../src/base/slice'
import type { Role } from '../../src/core/roles/roles'
import { tokenExamination } from '../../src/operators/access-tokens/doctor'
import { flushSignInUse } from '../../src/operators/accounts/session-store'
import { addUser } from '../../src/operators/user-commands/add-user'
import { verifyAudit } from '../../src/projects/audit/audit'
import { PLATFORM_CHAIN } from '../../src/projects/audit/platform'
import { SLICES } from '../../src/slices'
import {
  audited,
  auditedActions,
  BEHIND_PROXY,
  eightTimes,
  enableTwoFactor,
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
const NOT_FOUND = [404, 'NOT_FOUND']
const INVALID = [400, 'VALIDATION_ERROR']
const ME = '/dashboard/me'

const forgotten: string[] = []
const observer = slice({
  name: 'deletions-of-the-test',
  onDeleteUser: async (_tx, userId) => void forgotten.push(userId),
})

let s: Stage
let ada: Visitor
let id: string
let email: string
let count = 0
beforeAll(async () => {
  s = await stage({ env: BEHIND_PROXY, slices: [...SLICES, observer] })
})
afterAll(() => s.close())
beforeEach(async () => {
  email = `own${++count}@example.com`
  id = await makeUser(s, email)
  ada = await signedIn(s, email)
})
afterEach(() => s.ctx.clock.advance(HOUR))

/** Makes the person a member of the project, without an audited change. */
const join = (role: Role) =>
  s.ctx.write((tx) =>
    tx.db
      .insert(tx.tables.memberships)
      .values({ id: tx.ids.next('mbr'), projectId: s.project.id, userId: id, role, createdAt: 0, updatedAt: 0 }),
  )

/** The actions that were audited while something ran. */
async function auditedBy(run: () => Promise<unknown>): Promise<string[]> {
  const before = (await auditedActions(s)).length
  await run()
  return (await auditedActions(s)).slice(before)
}

const withToken = (token: string) => (method: string, path: string, body?: unknown) =>
  s.call(method, path, { key: token, ...(body === undefined ? {} : { body }) })

const newToken = async (body: object = { name: 'ci' }) => (await ada.post(`${ME}/tokens`, body)).body.data

describe('the profile', () => {
  test('has a name that can be changed', async () => {
    expect((await ada.get(ME)).body.data).toMatchObject({ id, email, name: email })
    expect(await auditedBy(() => ada.patch(ME, { name: 'Ada' }))).toEqual(['user.update'])
    expect((await ada.get(ME)).body.data.name).toBe('Ada')
    expect((await audited(s)).at(-1)).toEqual(['user.update', 'USER', email])
    expect(await auditedBy(() => ada.patch(ME, { name: 'Ada' }))).toEqual([])
    expect(await auditedBy(() => ada.patch(ME, {}))).toEqual([])
  })

  test.each<[name: string, body: object]>([
    ['an empty name', { name: '' }],
    ['a long name', { name: 'a'.repeat(101) }],
    ['a name that is no text', { name: 1 }],
    ['another address', { email: 'eve@example.com' }],
    ['a confirmed address', { emailVerified: true }],
  ])('refuses %s', async (_name, body) => {
    expect(refusal(await ada.patch(ME, body))).toEqual(INVALID)
    expect((await ada.get(ME)).body.data).toMatchObject({ email, name: email })
  })

  test('has preferences', async () => {
    const path = `${ME}/preferences`
    const defaults = { locale: 'en', theme: 'SYSTEM', timezone: 'UTC', favourites: [] }
    expect((await ada.get(path)).body).toEqual({ data: defaults })
    const changed = { ...defaults, theme: 'DARK', timezone: 'Europe/Istanbul' }
    const change = { theme: 'DARK', timezone: 'Europe/Istanbul' }
    expect(await auditedBy(() => ada.patch(path, change))).toEqual(['user.update_preferences'])
    expect(await auditedBy(() => ada.patch(path, change))).toEqual([])
    expect((await ada.get(path)).body).toEqual({ data: changed })
    expect((await ada.patch(path, { locale: 'de-CH' })).body).toEqual({ data: { ...changed, locale: 'de-CH' } })
  })

  test.each<[name: string, body: object]>([
    ['a theme that is none', { theme: 'PINK' }],
    ['a time zone that is none', { timezone: 'Mars/Olympus' }],
    ['a locale that is none', { locale: 'e' }],
    ['another member', { sound: true }],
  ])('has no preference for %s', async (_name, body) => {
    expect(refusal(await ada.patch(`${ME}/preferences`, body))).toEqual(INVALID)
    expect((await ada.get(`${ME}/preferences`)).body.data.theme).toBe('SYSTEM')
  })
})

describe('the password', () => {
  const PUT = `${ME}/password`
  const NEW = 'a brand new password'

  test('is changed by who knows it; the other sessions end, the tokens stay', async () => {
    const other = await signedIn(s, email)
    const { token } = await newToken()
    const change = { currentPassword: PASSWORD, password: NEW }
    expect(
      await auditedBy(async () => expect((await ada.put(PUT, change)).body.data).toEqual({ changed: true })),
    ).toEqual(['user.change_password'])
    expect((await ada.get(ME)).status).toBe(200)
    expect(refusal(await other.get(ME))).toEqual(UNAUTHORIZED)
    expect((await withToken(token)('GET', ME)).status).toBe(200)
    expect(refusal(await new Visitor(s).signIn(email))).toEqual(UNAUTHORIZED)
    expect((await new Visitor(s).signIn(email, NEW)).status).toBe(200)
    expect((await letters(s)).at(-1)).toMatchObject({ kind: 'password_changed', to: email })
  })

  test.each<[name: string, body: object, expected: unknown[]]>([
    ['a wrong one', { currentPassword: 'wrong', password: NEW }, UNAUTHORIZED],
    ['none', { password: NEW }, INVALID],
    ['a short new one', { currentPassword: PASSWORD, password: 'short' }, INVALID],
    ['another member', { currentPassword: PASSWORD, password: NEW, force: true }, INVALID],
  ])('is not changed with %s', async (_name, body, expected) => {
    expect(refusal(await ada.put(PUT, body))).toEqual(expected)
    expect((await new Visitor(s).signIn(email)).body.data.next).toBeNull()
  })

  test('is tried at most ten times in 15 minutes', async () => {
    for (let time = 0; time < 10; time++)
      expect((await ada.put(PUT, { currentPassword: 'wrong', password: NEW })).status).toBe(401)
    expect(refusal(await ada.put(PUT, { currentPassword: PASSWORD, password: NEW }))).toEqual([429, 'RATE_LIMITED'])
    expect((await new Visitor(s).signIn(email)).body.data.next).toBeNull()
  })

  test('of several changes at once one is made', async () => {
    const answers = await eightTimes((n) => ada.put(PUT, { currentPassword: PASSWORD, password: `${NEW} ${n}` }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401])
  })

  test('is set without one only in a young session', async () => {
    const { users } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(users).set({ passwordHash: null }).where(sql`${users.id} = ${id}`))
    expect((await ada.get(ME)).body.data.hasPassword).toBe(false)
    const { token } = await newToken()
    expect(refusal(await withToken(token)('PUT', PUT, { password: NEW }))).toEqual(UNAUTHORIZED)
    s.ctx.clock.advance(10 * MINUTE + 1)
    expect(refusal(await ada.put(PUT, { password: NEW }))).toEqual(UNAUTHORIZED)
    expect(refusal(await ada.put(PUT, { currentPassword: NEW, password: NEW }))).toEqual(UNAUTHORIZED)
    s.ctx.clock.advance(-10 * MINUTE)
    expect((await ada.put(PUT, { password: NEW })).status).toBe(200)
    expect((await new Visitor(s).signIn(email, NEW)).status).toBe(200)
  })
})

describe('the sessions', () => {
  const LIST = `${ME}/sessions`

  test('are listed newest first, page by page', async () => {
    for (let n = 1; n <= 4; n++) {
      s.ctx.clock.advance(n > 2 ? 1 : 0)
      const visitor = new Visitor(s, `198.51.100.${n}`)
      await visitor.post(
        '/api/auth/sign-in',
        { email, password: PASSWORD },
        { headers: { 'user-agent': `Browser ${n}` } },
      )
    }
    const all = (await ada.get(LIST)).body.data
    expect([all.items.length, all.nextCursor]).toEqual([5, null])
    expect(all.items.map(({ ip }: { ip: string }) => ip).slice(0, 2)).toEqual(['198.51.100.4', '198.51.100.3'])
    expect(all.items[0]).toMatchObject({ userAgent: 'Browser 4', current: false, lastSeenAt: toIso(s.ctx.clock.now()) })
    expect(all.items.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    const paged: unknown[] = []
    let cursor = ''
    do {
      const page = (await ada.get(`${LIST}?limit=2${cursor}`)).body.data
      paged.push(...page.items)
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    } while (cursor !== '')
    expect(paged).toEqual(all.items)
  })

  test('of somebody else are not there, and a cursor belongs to its list', async () => {
    const eve = await signedIn(s, email)
    const page = (await eve.get(`${LIST}?limit=1`)).body.data
    const other = await makeUser(s, `other${count}@example.com`).then(() => signedIn(s, `other${count}@example.com`))
    expect((await other.get(LIST)).body.data.items).toHaveLength(1)
    expect(refusal(await other.get(`${LIST}?cursor=${page.nextCursor}`))).toEqual(INVALID)
    for (const query of ['cursor=x', 'limit=0', 'limit=201', 'limit=x', 'user=usr_1'])
      expect(refusal(await ada.get(`${LIST}?${query}`))).toEqual(INVALID)
    expect(refusal(await other.delete(`${LIST}/${page.items[0].id}`))).toEqual(NOT_FOUND)
    expect((await eve.get(ME)).status).toBe(200)
  })

  test('a cursor of somebody who writes one gives no fault of ours', async () => {
    const scope = ['sessions', id]
    for (const position of [
      ['x', 'y'],
      [1.5, 'y'],
      [1, 2],
      [1e300, 'y'],
    ]) {
      const checksum = sha256Hex(JSON.stringify([position, scope])).slice(0, 12)
      const cursor = Buffer.from(JSON.stringify([checksum, ...position])).toString('base64url')
      expect(refusal(await ada.get(`${LIST}?cursor=${cursor}`))).toEqual(INVALID)
    }
  })

  test('end one by one, at once and in every process', async () => {
    const other = await signedIn(s, email)
    const [{ id: session }] = (await ada.get(LIST)).body.data.items.filter((one: { current: boolean }) => !one.current)
    const beside = await openBeside(s)
    expect(await auditedBy(() => ada.delete(`${LIST}/${session}`))).toEqual(['session.revoke'])
    expect(refusal(await other.get(ME))).toEqual(UNAUTHORIZED)
    expect(await beside.state.sessions.findSession(other.cookies.get('svc_session') ?? '')).toBeNull()
    expect(refusal(await ada.delete(`${LIST}/${session}`))).toEqual(NOT_FOUND)
    expect((await ada.get(ME)).status).toBe(200)
    await beside.close()
  })

  test('end all but the current one', async () => {
    const others = [await signedIn(s, email), await signedIn(s, email)]
    expect(await auditedBy(() => ada.delete(LIST))).toEqual(['session.revoke_others'])
    for (const other of others) expect(refusal(await other.get(ME))).toEqual(UNAUTHORIZED)
    expect((await ada.get(ME)).status).toBe(200)
    expect(await auditedBy(async () => expect((await ada.delete(LIST)).status).toBe(200))).toEqual([])
  })
})

describe('personal access tokens', () => {
  const TOKENS = `${ME}/tokens`

  test('act as their owner until they expire or are deleted', async () => {
    const expiresAt = toIso(s.ctx.clock.now() + HOUR)
    const made = await ada.post(TOKENS, { name: 'ci', expiresAt })
    const { token, ...view } = made.body.data
    expect([made.status, view]).toEqual([
      201,
      {
        id: expect.stringMatching(/^pat_/),
        name: 'ci',
        prefix: token.slice(0, 12),
        scopes: null,
        expiresAt,
        lastUsedAt: null,
        createdAt: toIso(s.ctx.clock.now()),
        updatedAt: toIso(s.ctx.clock.now()),
      },
    ])
    expect(token).toMatch(/^svc_pat_[0-9A-Za-z]{43}$/)
    const call = withToken(token)
    expect((await call('GET', ME)).body.data.id).toBe(id)
    expect((await call('PATCH', ME, { name: 'By token' })).status).toBe(200)
    await flushSignInUse(s.ctx)
    const [listed] = (await ada.get(TOKENS)).body.data.items
    expect(listed).toEqual({ ...view, lastUsedAt: toIso(s.ctx.clock.now()) })
    s.ctx.clock.advance(HOUR - 1)
    expect((await call('GET', ME)).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(refusal(await call('GET', ME))).toEqual(UNAUTHORIZED)

    const lasting = await newToken({ name: 'lasting' })
    expect(await auditedBy(() => ada.delete(`${TOKENS}/${lasting.id}`))).toEqual(['token.delete'])
    expect(refusal(await withToken(lasting.token)('GET', ME))).toEqual(UNAUTHORIZED)
    expect(refusal(await ada.delete(`${TOKENS}/${lasting.id}`))).toEqual(NOT_FOUND)
  })

  test('(10) are refused on /admin, two-factor and token routes', async () => {
    const { token, id: tokenId } = await newToken()
    const call = withToken(token)
    const routes: [method: string, path: string][] = [
      ['GET', TOKENS],
      ['POST', TOKENS],
      ['DELETE', `${TOKENS}/${tokenId}`],
      ...['enable', 'confirm', 'disable', 'backup-codes'].map((name): [string, string] => [
        'POST',
        `${ME}/two-factor/${name}`,
      ]),
      ['POST', '/api/auth/sign-out'],
    ]
    for (const [method, path] of routes)
      expect([path, ...refusal(await call(method, path, {}))]).toEqual([path, ...UNAUTHORIZED])
    expect((await call('GET', ME)).status).toBe(200)
  })

  test('end after 90 days, at a chosen instant, or never', async () => {
    const [usual, endless] = [await newToken(), await newToken({ name: 'for ever', expiresAt: null })]
    expect([usual.expiresAt, endless.expiresAt]).toEqual([toIso(s.ctx.clock.now() + 90 * DAY), null])
    s.ctx.clock.advance(90 * DAY - 1)
    for (const { token } of [usual, endless]) expect((await withToken(token)('GET', ME)).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(refusal(await withToken(usual.token)('GET', ME))).toEqual(UNAUTHORIZED)
    expect((await withToken(endless.token)('GET', ME)).status).toBe(200)
  })

  test('of before scopes and ends stay as they were', async () => {
    const token = `svc_pat_${'b'.repeat(43)}`
    const held = { id: `pat_before${count}`, userId: id, name: 'old', prefix: 'svc_pat_bbbb', createdAt: 1 }
    await s.ctx.db.insert(s.ctx.tables.accessTokens).values({ ...held, tokenHash: sha256Hex(token) })
    s.ctx.clock.advance(1000 * DAY)
    ada = await signedIn(s, email)
    expect((await ada.get(TOKENS)).body.data.items).toMatchObject([{ id: held.id, scopes: null, expiresAt: null }])
    expect((await withToken(token)('PATCH', ME, { name: 'By an old token' })).body.data.name).toBe('By an old token')
  })

  test.each<[name: string, scopes: unknown, kept: string[] | null]>([
    ['one word', 'read', ['read']],
    ['a list', ['read'], ['read']],
    ['each once', ['flags:write', 'audiences:write', 'flags:write'], ['flags:write', 'audiences:write']],
    ['none', null, null],
  ])('have scopes in the answer, in the list and in the audit log: %s', async (_name, scopes, kept) => {
    const made = await newToken({ name: 'ci', scopes })
    const { items } = (await ada.get(TOKENS)).body.data
    const rows = await s.ctx.db.select().from(s.ctx.tables.auditLog)
    const entry = rows.find(({ action, after }) => action === 'token.create' && JSON.stringify(after).includes(made.id))
    expect([made.scopes, items[0].scopes, entry?.after]).toEqual([
      kept,
      kept,
      expect.objectContaining({ scopes: kept }),
    ])
  })

  test('with scopes change nothing of the account, and say what to do', async () => {
    const read = withToken((await newToken({ name: 'read', scopes: 'read' })).token)
    const flags = withToken((await newToken({ name: 'flags', scopes: ['flags:write'] })).token)
    for (const call of [read, flags]) {
      expect((await call('GET', ME)).status).toBe(200)
      const refused = await call('PATCH', ME, { name: 'Eve' })
      expect([...refusal(refused), refused.body.error.message]).toEqual([
        403,
        'FORBIDDEN',
        expect.stringContaining('make a token without scopes'),
      ])
    }
    expect((await read('GET', `${ME}/export`)).status).toBe(200)
    expect(refusal(await flags('GET', `${ME}/export`))).toEqual([403, 'FORBIDDEN'])
    expect((await ada.get(ME)).body.data.name).toBe(email)
  })

  test('with a capability change what it is for in the projects of their owner, and nothing else', async () => {
    const owner = `owner${count}@example.com`
    await addUser(s.ctx, { email: owner, name: owner, password: PASSWORD, projectId: s.project.id })
    ada = await signedIn(s, owner)
    const P = `/dashboard/projects/${s.project.id}`
    const call = withToken((await newToken({ name: 'ci', scopes: ['audiences:write'] })).token)
    const { items } = (await call('GET', '/dashboard/projects')).body.data
    expect([items[0].id, (await call('GET', P)).status]).toEqual([s.project.id, 200])
    const audience = { name: `By token ${count}`, rules: { country: 'TR' } }
    expect((await call('POST', `${P}/audiences`, audience)).status).toBe(201)
    const refused = await call('DELETE', P)
    expect([...refusal(refused), refused.body.error.details]).toEqual([
      403,
      'CAPABILITY_REQUIRED',
      { role: 'OWNER', capability: 'project:delete' },
    ])
    expect(refused.body.error.message).toContain('lacks the scope project:delete')
    expect(refusal(await call('GET', `${P}/members`))).toEqual([403, 'FORBIDDEN'])
    expect((await ada.get(P)).status).toBe(200)
  })

  test('are counted by the doctor while they have no end', async () => {
    const { accessTokens } = s.ctx.tables
    const examined = { handle: s.ctx, config: s.ctx.config, vault: null, now: s.ctx.clock.now() }
    await s.ctx.db.delete(accessTokens)
    await newToken()
    expect(await tokenExamination.database?.(examined)).toEqual([])
    await newToken({ name: 'for ever', expiresAt: null })
    await newToken({ name: 'read for ever', expiresAt: null, scopes: 'read' })
    expect(await tokenExamination.database?.(examined)).toEqual([
      { name: 'access tokens', status: 'warn', message: expect.stringContaining('without an end: 2.') },
    ])
  })

  test('are 20 at most, also when they are made at once', async () => {
    for (let n = 0; n < 16; n++) await newToken({ name: `${n}` })
    const answers = await eightTimes((n) => ada.post(TOKENS, { name: `late ${n}` }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(refusal(answer)).toEqual([409, 'CONFLICT'])
    expect((await ada.get(TOKENS)).body.data.items).toHaveLength(20)
    const first = (await ada.get(`${TOKENS}?limit=7`)).body.data
    expect((await ada.get(`${TOKENS}?limit=200&cursor=${first.nextCursor}`)).body.data.items).toHaveLength(13)
  })

  test('of somebody else cannot be deleted', async () => {
    const { id: tokenId, token } = await newToken()
    const eve = `eve${count}@example.com`
    await makeUser(s, eve)
    expect(refusal(await (await signedIn(s, eve)).delete(`${TOKENS}/${tokenId}`))).toEqual(NOT_FOUND)
    expect((await withToken(token)('GET', ME)).status).toBe(200)
  })

  test.each<[name: string, body: () => object]>([
    ['no name', () => ({})],
    ['an empty name', () => ({ name: '' })],
    ['a time that has passed', () => ({ name: 'a', expiresAt: toIso(s.ctx.clock.now()) })],
    ['a time that is none', () => ({ name: 'a', expiresAt: 'tomorrow' })],
    ['another member', () => ({ name: 'a', role: 'OWNER' })],
    ['an unknown scope', () => ({ name: 'a', scopes: ['flags:write', 'flags:paint'] })],
    ['a word that is no scope', () => ({ name: 'a', scopes: 'write' })],
    ['no scope at all', () => ({ name: 'a', scopes: [] })],
    ['the name of a member of every object', () => ({ name: 'a', scopes: ['constructor'] })],
  ])('are not made with %s', async (_name, body) => {
    expect(refusal(await ada.post(TOKENS, body()))).toEqual(INVALID)
    expect((await ada.get(TOKENS)).body.data.items).toEqual([])
  })

  test('the repetition of a call shows no token a second time', async () => {
    const headers = { 'idempotency-key': `token-${count}` }
    const first = await ada.post(TOKENS, { name: 'ci' }, { headers })
    expect(first.status).toBe(201)
    expect(refusal(await ada.post(TOKENS, { name: 'ci' }, { headers }))).toEqual([409, 'CONFLICT'])
    expect((await ada.get(TOKENS)).body.data.items).toHaveLength(1)
  })
})

describe('leaving', () => {
  test('the export has the person, the memberships and the sessions, and no secret', async () => {
    const { token } = await newToken()
    await join('ADMIN')
    const { body, status } = await ada.get(`${ME}/export`)
    expect([status, Object.keys(body.data).sort()]).toEqual([200, ['memberships', 'sessions', 'user']])
    expect(body.data.user).toEqual((await ada.get(ME)).body.data)
    const joined = { projectId: s.project.id, projectName: 'Project 1', role: 'ADMIN', createdAt: toIso(0) }
    expect(body.data.memberships).toEqual([joined])
    expect(body.data.sessions).toHaveLength(1)
    for (const secret of [token, 'argon2', sha256Hex(token), ada.cookies.get('svc_session') ?? ''])
      expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('no token deletes the account, whatever it may do', async () => {
    for (const scopes of [null, 'read', ['project:delete']]) {
      const { token } = await newToken({ name: 'ci', scopes })
      expect(refusal(await withToken(token)('DELETE', ME, { confirmEmail: email }))).toEqual(UNAUTHORIZED)
    }
    expect([(await ada.get(ME)).status, forgotten.includes(id)]).toEqual([200, false])
  })

  test('the account is deleted by who repeats the address', async () => {
    const { token } = await newToken()
    const wrong = await ada.delete(ME, { confirmEmail: 'other@example.com' })
    expect(refusal(wrong)).toEqual([400, 'CONFIRM_EMAIL_MISMATCH'])
    for (const body of [{}, { confirmEmail: email, force: true }])
      expect(refusal(await ada.delete(ME, body))).toEqual(INVALID)
    const projects = [{ id: s.project.id, name: 'Project 1' }]
    await join('OWNER')
    const refused = await ada.delete(ME, { confirmEmail: email })
    expect([...refusal(refused), refused.body.error.details]).toEqual([409, 'OWNS_PROJECTS', { projects }])
    expect([(await ada.get(ME)).status, forgotten.includes(id)]).toEqual([200, false])
    const { memberships } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.delete(memberships).where(eq(memberships.userId, id)))
    const gone = await auditedBy(async () =>
      expect((await ada.delete(ME, { confirmEmail: email.toUpperCase() })).body).toEqual({ data: { deleted: true } }),
    )
    expect([gone, forgotten.includes(id)]).toEqual([['user.delete'], true])
    expect(refusal(await ada.get(ME))).toEqual(UNAUTHORIZED)
    expect(refusal(await withToken(token)('GET', ME))).toEqual(UNAUTHORIZED)
    expect(refusal(await new Visitor(s).signIn(email))).toEqual(UNAUTHORIZED)
    const { userSessions, accessTokens } = s.ctx.tables
    for (const table of [userSessions, accessTokens])
      expect((await s.ctx.db.select().from(table)).filter(({ userId }) => userId === id)).toEqual([])
  })
})

test('nobody does anything here without a session', async () => {
  const nobody = new Visitor(s)
  const routes: [method: string, path: string][] = [
    ...['', '/preferences', '/sessions', '/tokens', '/export'].map((path): [string, string] => ['GET', `${ME}${path}`]),
    ...['', '/preferences'].map((path): [string, string] => ['PATCH', `${ME}${path}`]),
    ...['', '/sessions', '/sessions/ses_1', '/tokens/pat_1'].map((path): [string, string] => [
      'DELETE',
      `${ME}${path}`,
    ]),
    ['PUT', `${ME}/password`],
    ['POST', `${ME}/tokens`],
    ...['enable', 'confirm', 'disable', 'backup-codes'].map((name): [string, string] => [
      'POST',
      `${ME}/two-factor/${name}`,
    ]),
  ]
  for (const [method, path] of routes) {
    const answer = await nobody.call(method, path, method === 'GET' ? undefined : { damaged: true })
    expect([method, path, ...refusal(answer)]).toEqual([method, path, ...UNAUTHORIZED])
  }
})

test('(10) a dump of the database holds nothing that opens anything', async () => {
  const { backupCodes, url } = await enableTwoFactor(s, ada)
  const { token } = await newToken()
  await ada.post('/api/auth/password-reset', { email })
  await work(s)
  const challenged = new Visitor(s)
  await challenged.signIn(email)
  const secrets = [
    ada.cookies.get('svc_session'),
    challenged.cookies.get('svc_challenge'),
    token,
    await tokenIn(s, 'password_reset'),
    new URL(url).searchParams.get('secret'),
    ...backupCodes,
    ...backupCodes.map((code) => code.replaceAll('-', '')),
    PASSWORD,
  ]
  const dump: unknown[] = []
  for (const table of Object.values(s.ctx.tables)) dump.push(await s.ctx.db.select().from(table))
  const text = JSON.stringify(dump, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
  expect(text).toContain(sha256Hex(token))
  for (const secret of secrets) {
    expect((secret ?? '').length).toBeGreaterThan(10)
    expect([secret, text.includes(secret ?? '')]).toEqual([secret, false])
  }
})

test('the chain of the platform is whole, and names no secret', async () => {
  const proof = await verifyAudit(s.ctx, PLATFORM_CHAIN)
  expect([proof.ok, proof.firstBadId]).toEqual([true, null])
  expect(proof.count).toBeGreaterThan(20)
})
