import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { DEFAULT_SETTINGS } from '../../src/core/project/schema'
import { type Answer, type Stage, stage } from '../support/cast'
import { arrive, auditedBy, auditOf, join, type Person } from '../support/crew'

let s: Stage
let ada: Person
let bo: Person
let dev: Person
beforeAll(async () => {
  s = await stage()
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'ADMIN')
  dev = await join(s, 'dev', 'DEVELOPER')
})
afterAll(() => s.close())

const P = (path = '') => `/dashboard/projects/${s.project.id}${path}`
const code = ({ status, body }: Answer): unknown[] => [status, body.error?.code]
const statusOf = async (key: string) => (await s.get('/v1/offerings', 'svc_a', { key })).status

describe('a new project', () => {
  test('belongs to who creates it, with a first key pair, and one row in its audit log', async () => {
    const cy = await arrive(s, 'cy')
    const answer = await cy.browser.post('/dashboard/projects', { name: ' Sleep App ' })
    expect(answer.status).toBe(201)
    const { project, apiKey } = answer.body.data
    expect(project).toMatchObject({
      name: 'Sleep App',
      slug: 'sleep-app',
      role: 'OWNER',
      timezone: 'UTC',
      allowedOrigins: [],
      termsUrl: null,
      logoUrl: null,
      suspendedAt: null,
      settings: DEFAULT_SETTINGS,
      revision: 1,
    })
    expect(apiKey).toMatchObject({ kind: 'pair', environment: 'PROD', secretLast4: apiKey.secret.slice(-4) })
    expect([await statusOf(apiKey.publicKey), await statusOf(apiKey.secret)]).toEqual([200, 200])
    const log = await auditOf(s, project.id)
    expect(log).toHaveLength(1)
    expect(log[0]).toMatchObject({ action: 'project.create', actor: { kind: 'USER', id: cy.id, email: cy.email } })
    expect(JSON.stringify(log)).not.toContain(apiKey.secret)
    expect((await cy.browser.get('/dashboard/projects')).body.data).toEqual({ items: [project], nextCursor: null })
    expect((await cy.browser.get(`/dashboard/projects/${project.id}`)).body.data).toEqual(project)
    expect(code(await ada.browser.get(`/dashboard/projects/${project.id}`))).toEqual([404, 'NOT_FOUND'])
  })

  test.each<[string, unknown]>([
    ['no name', {}],
    ['a blank name', { name: '  ' }],
    ['a long name', { name: 'x'.repeat(256) }],
    ['a slug that is none', { name: 'A', slug: 'A B' }],
    ['an owner', { name: 'A', ownerId: 'usr_x' }],
  ])('is refused with %s', async (_name, body) => {
    expect(code(await ada.browser.post('/dashboard/projects', body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is refused with a slug that is in use, and without a session', async () => {
    expect(code(await ada.browser.post('/dashboard/projects', { name: 'A', slug: 'project-2' }))).toEqual([
      409,
      'CONFLICT',
    ])
    const cookies = 'svc_session=x'
    expect(code(await ada.browser.post('/dashboard/projects', { name: 'A' }, { cookies }))).toEqual([
      401,
      'UNAUTHORIZED',
    ])
    expect(code(await ada.browser.get('/dashboard/projects', { cookies }))).toEqual([401, 'UNAUTHORIZED'])
  })

  test('with an Idempotency-Key is made once, and its secret is kept encrypted', async () => {
    const fay = await arrive(s, 'fay')
    const headers = { 'idempotency-key': 'project-1' }
    const make = () => fay.browser.post('/dashboard/projects', { name: 'Once' }, { headers })
    const [first, second] = [await make(), await make()]
    expect(second.headers.get('idempotent-replay')).toBe('true')
    expect([second.status, second.body]).toEqual([201, first.body])
    expect((await fay.browser.get('/dashboard/projects')).body.data.items).toHaveLength(1)
    const kept = JSON.stringify(await s.ctx.db.select().from(s.ctx.tables.idempotencyKeys))
    expect(kept).toContain('sealed')
    expect(kept).not.toContain(first.body.data.apiKey.secret)
    const other = await fay.browser.post('/dashboard/projects', { name: 'Other' }, { headers })
    expect(code(other)).toEqual([422, 'HTTP_ERROR'])
  })

  test('without a master key is not repeated, because its secret is not kept', async () => {
    const own = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const gia = await arrive(own, 'gia')
    const headers = { 'idempotency-key': 'project-1' }
    const make = () => gia.browser.post('/dashboard/projects', { name: 'Once' }, { headers })
    const first = await make()
    expect(first.status).toBe(201)
    expect(code(await make())).toEqual([409, 'CONFLICT'])
    expect((await gia.browser.get('/dashboard/projects')).body.data.items).toHaveLength(1)
    const kept = JSON.stringify(await own.ctx.db.select().from(own.ctx.tables.idempotencyKeys))
    expect(kept).not.toContain(first.body.data.apiKey.secret)
    await own.close()
  })

  test('your projects are in pages', async () => {
    const hal = await arrive(s, 'hal')
    for (const name of ['One', 'Two', 'Three']) await hal.browser.post('/dashboard/projects', { name })
    const first = (await hal.browser.get('/dashboard/projects?limit=2')).body.data
    const next = (await hal.browser.get(`/dashboard/projects?limit=2&cursor=${first.nextCursor}`)).body.data
    const names = [...first.items, ...next.items].map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Three', 'Two', 'One'])
    expect(next.nextCursor).toBeNull()
    expect(code(await ada.browser.get(`/dashboard/projects?cursor=${first.nextCursor}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })
})

describe('a project', () => {
  test('is changed member by member, with one row in the audit log', async () => {
    const change = {
      name: 'Sleep',
      slug: 'sleep',
      timezone: 'Europe/Istanbul',
      allowedOrigins: ['https://App.example.com:443', 'http://localhost:3000', 'https://app.example.com'],
      termsUrl: 'https://example.com/terms',
      settings: { purchaseTransfer: 'never', sandboxTesters: ['qa'], holdoutPercentage: 2.5 },
    }
    const { count, last } = await auditedBy(s, async () => {
      const answer = await bo.browser.patch(P(), change)
      expect(answer.body.data).toMatchObject({
        ...change,
        allowedOrigins: ['https://app.example.com', 'http://localhost:3000'],
        settings: { ...DEFAULT_SETTINGS, ...change.settings },
        role: 'ADMIN',
        revision: 2,
      })
    })
    expect(count).toBe(1)
    expect(last).toMatchObject({
      action: 'project.update',
      actor: { id: bo.id },
      target: { type: 'project', id: s.project.id },
      before: { name: 'Project 1', settings: { purchaseTransfer: 'whenAnonymous' } },
      after: { name: 'Sleep', settings: { purchaseTransfer: 'never', providerGraceDays: 7 } },
    })
    const saved = (await s.ctx.db.select().from(s.ctx.tables.projects)).find(({ id }) => id === s.project.id)
    expect(saved?.settings).toEqual({ purchaseTransfer: 'never', sandboxTesters: ['qa'], holdoutPercentage: 2.5 })
    const again = await bo.browser.patch(P(), { settings: { purchaseTransfer: 'whenAnonymous', sandboxTesters: [] } })
    expect(again.body.data.settings).toEqual({ ...DEFAULT_SETTINGS, holdoutPercentage: 2.5 })
    expect((await dev.browser.get(P())).body.data).toEqual({ ...again.body.data, role: 'DEVELOPER' })
  })

  test('takes a legal page of this machine, and says what is wrong with another address', async () => {
    const page = 'http://localhost:3000/terms'
    expect((await bo.browser.patch(P(), { termsUrl: page })).body.data.termsUrl).toBe(page)
    const refusedWith = async (termsUrl: string) => (await bo.browser.patch(P(), { termsUrl })).body.error.message
    const secret = await refusedWith('https://user:secret@example.com/')
    expect(secret).toBe('termsUrl must not contain a user name or a password')
    expect(await refusedWith('http://example.com/')).toBe('termsUrl must begin with https, not http')
    const file = 'version: 1\nproject: { privacyUrl: "https://user:secret@example.com/" }\n'
    const { problems } = (await bo.browser.post(`${P()}/project-file/plan`, { file })).body.data
    expect(problems).toMatchObject([{ message: 'This must not contain a user name or a password' }])
    await bo.browser.patch(P(), { termsUrl: 'https://example.com/terms' })
  })

  test('with the same values is not changed', async () => {
    expect((await auditedBy(s, () => bo.browser.patch(P(), { name: 'Sleep', settings: {} }))).count).toBe(0)
    expect((await auditedBy(s, () => bo.browser.patch(P(), {}))).count).toBe(0)
    expect((await auditedBy(s, () => bo.browser.patch(P(), { logoAssetId: null }))).count).toBe(0)
  })

  test.each<[string, unknown]>([
    ['a blank name', { name: ' ' }],
    ['a slug with capitals', { slug: 'Sleep' }],
    ['an unknown time zone', { timezone: 'Europe/Nowhere' }],
    ['terms that are no web address', { termsUrl: 'javascript:alert(1)' }],
    ['an empty privacy address', { privacyUrl: '' }],
    ['terms whose address has a password', { termsUrl: 'https://user:secret@example.com/terms' }],
    ['a privacy address with a user', { privacyUrl: 'https://user@example.com/privacy' }],
    ['terms without https', { termsUrl: 'http://example.com/terms' }],
    ['terms of another machine that is named like this one', { termsUrl: 'http://localhost.example.com/terms' }],
    ['a privacy address with a line break', { privacyUrl: 'https://example.com/\nprivacy' }],
    ['51 origins', { allowedOrigins: Array.from({ length: 51 }, (_, n) => `https://a${n}.example`) }],
    ['an unknown setting', { settings: { colour: 'red' } }],
    ['settings that are null', { settings: null }],
    ['a member that nobody may set', { suspendedAt: null }],
    ['identityVerification', { settings: { identityVerification: 'on' } }],
    ['identityJwksUrl without https', { settings: { identityJwksUrl: 'http://example.com/keys' } }],
    ['identityJwksUrl with a password', { settings: { identityJwksUrl: 'https://u:secret@example.com/keys' } }],
    ['identityJwksUrl of a private network', { settings: { identityJwksUrl: 'https://10.0.0.1/keys' } }],
    ['purchaseTransfer', { settings: { purchaseTransfer: 'sometimes' } }],
    ['unlistedSales', { settings: { unlistedSales: 'sometimes' } }],
    ['sandboxAccess', { settings: { sandboxAccess: '' } }],
    ['sandboxTesters', { settings: { sandboxTesters: [''] } }],
    ['501 testers', { settings: { sandboxTesters: Array.from({ length: 501 }, (_, n) => `t${n}`) } }],
    ['providerGraceDays', { settings: { providerGraceDays: 91 } }],
    ['half a day of grace', { settings: { providerGraceDays: 0.5 } }],
    ['holdoutPercentage', { settings: { holdoutPercentage: 101 } }],
    ['leaseTtlSeconds', { settings: { leaseTtlSeconds: 59 } }],
    ['extraReservedKeys', { settings: { extraReservedKeys: 'yes' } }],
    ['restrictReturnUrls', { settings: { restrictReturnUrls: 1 } }],
    ['allowLocalStoreTesting', { settings: { allowLocalStoreTesting: null } }],
    ['androidAcknowledge', { settings: { androidAcknowledge: 'true' } }],
    ['clawback', { settings: { clawback: 'all' } }],
    ['eventRetentionDays', { settings: { eventRetentionDays: 29 } }],
    ['a reportCurrency that no country has', { settings: { reportCurrency: 'QQQ' } }],
    ['a reportCurrency in small letters', { settings: { reportCurrency: 'eur' } }],
  ])('is refused with %s, and nothing is written', async (_name, body) => {
    const { count } = await auditedBy(s, async () => {
      expect(code(await bo.browser.patch(P(), body))).toEqual([400, 'VALIDATION_ERROR'])
    })
    expect(count).toBe(0)
  })

  test.each(['*', 'https://*.example.com', 'https://a.example/path', 'ftp://a.example', 'https://u@a.example', 'x'])(
    'is refused with the origin %s',
    async (origin) => {
      const answer = await bo.browser.patch(P(), { allowedOrigins: [origin] })
      expect(code(answer)).toEqual([400, 'ORIGIN_INVALID'])
      expect(answer.body.error.details).toEqual({ origin })
    },
  )

  test('is refused with a slug that another project has, and with a logo that does not exist', async () => {
    expect(code(await bo.browser.patch(P(), { slug: 'project-2' }))).toEqual([409, 'CONFLICT'])
    expect(code(await bo.browser.patch(P(), { logoAssetId: 'ast_x' }))).toEqual([400, 'asset_missing'])
  })

  test('gives one slug to one of two projects that ask for it at the same moment', async () => {
    const eve = await join(s, 'eve', 'OWNER', s.other.id)
    const answers = await Promise.all([
      bo.browser.patch(P(), { slug: 'wanted' }),
      eve.browser.patch(`/dashboard/projects/${s.other.id}`, { slug: 'wanted' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('keeps a legal address that a live funnel shows', async () => {
    await bo.browser.patch(P(), { termsUrl: 'https://example.com/t', privacyUrl: 'https://example.com/p' })
    const now = s.ctx.clock.now()
    const funnel = {
      projectId: s.project.id,
      name: 'x',
      draft: {} as never,
      currentVersionNo: null,
      createdAt: now,
      updatedAt: now,
    }
    await s.ctx.write((tx) =>
      tx.db.insert(tx.tables.funnels).values([
        { ...funnel, id: 'fnl_1', slug: 'quiz', status: 'PUBLISHED' },
        { ...funnel, id: 'fnl_2', slug: 'draft', status: 'DRAFT' },
      ]),
    )
    for (const field of ['termsUrl', 'privacyUrl']) {
      const answer = await bo.browser.patch(P(), { [field]: null })
      expect(code(answer)).toEqual([409, 'LEGAL_URL_IN_USE'])
      expect(answer.body.error.details).toEqual({ field, funnels: ['quiz'] })
    }
    expect((await bo.browser.patch(P(), { termsUrl: 'https://example.com/t2' })).status).toBe(200)
    await s.ctx.write((tx) => tx.db.update(tx.tables.funnels).set({ status: 'ARCHIVED' }))
    expect((await bo.browser.patch(P(), { termsUrl: null })).body.data.termsUrl).toBeNull()
  })

  test('with a revision that is old is refused', async () => {
    const { revision } = (await bo.browser.get(P())).body.data
    const at = (n: number) => ({ headers: { 'if-match': `"${n}"` } })
    const refused = await bo.browser.patch(P(), { name: 'Late' }, at(revision - 1))
    expect(code(refused)).toEqual([409, 'CONFLICT'])
    expect(refused.body.error.details.revision).toBe(revision)
    expect(code(await ada.browser.delete(P(), undefined, at(revision - 1)))).toEqual([409, 'CONFLICT'])
    expect((await bo.browser.patch(P(), { name: 'In time' }, at(revision))).body.data.revision).toBe(revision + 1)
  })

  test('is changed by administrators and deleted by owners only', async () => {
    expect(code(await dev.browser.patch(P(), { name: 'x' }))).toEqual([403, 'CAPABILITY_REQUIRED'])
    const refused = await bo.browser.delete(P())
    expect(code(refused)).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(refused.body.error.details).toEqual({ role: 'ADMIN', capability: 'project:delete' })
  })

  test('that is deleted is gone at once: dashboard, keys, slug', async () => {
    const own = await stage()
    const owner = await join(own, 'owner', 'OWNER')
    const path = `/dashboard/projects/${own.project.id}`
    const status = async (key: string) => (await own.get('/v1/offerings', 'svc_a', { key })).status
    expect([await status(own.project.publicKey), await status(own.project.secretKey)]).toEqual([200, 200])
    const { count, last } = await auditedBy(own, async () => {
      expect((await owner.browser.delete(path)).body).toEqual({ data: { deleted: true } })
    })
    expect([count, last?.action, last?.after]).toEqual([1, 'project.delete', null])
    expect([await status(own.project.publicKey), await status(own.project.secretKey)]).toEqual([401, 401])
    expect(code(await owner.browser.get(path))).toEqual([404, 'NOT_FOUND'])
    expect(code(await owner.browser.delete(path))).toEqual([404, 'NOT_FOUND'])
    expect((await owner.browser.get('/dashboard/projects')).body.data.items).toEqual([])
    const taken = await owner.browser.post('/dashboard/projects', { name: 'x', slug: 'project-1' })
    expect(code(taken)).toEqual([409, 'CONFLICT'])
    expect((await owner.browser.delete('/dashboard/me', { confirmEmail: owner.email })).status).toBe(200)
    await own.close()
  })
})

describe('an API key', () => {
  const keys = async () => (await dev.browser.get(P('/api-keys?limit=200'))).body.data.items

  test('is created, changed, rotated with an overlap, and revoked; each writes one row', async () => {
    const body = { label: 'Server', kind: 'secret', environment: 'STAGING', allowedOrigins: null, ratePerMinute: 5 }
    let key: { id: string; secret: string } = { id: '', secret: '' }
    const created = await auditedBy(s, async () => {
      const answer = await bo.browser.post(P('/api-keys'), body)
      expect(answer.status).toBe(201)
      key = answer.body.data
    })
    expect([created.count, created.last?.action]).toEqual([1, 'apiKey.create'])
    expect(key).toMatchObject({
      ...body,
      publicKey: null,
      secretLast4: key.secret.slice(-4),
      revokedAt: null,
      revision: 1,
    })
    expect(await statusOf(key.secret)).toBe(200)

    const expiresAt = new Date(s.ctx.clock.now() + 24 * HOUR).toISOString()
    const changed = await auditedBy(s, async () => {
      const answer = await bo.browser.patch(P(`/api-keys/${key.id}`), {
        label: 'Backend',
        expiresAt,
        ratePerMinute: null,
      })
      expect(answer.body.data).toMatchObject({
        label: 'Backend',
        expiresAt,
        ratePerMinute: null,
        environment: 'STAGING',
        revision: 2,
      })
      expect(answer.body.data.secret).toBeUndefined()
    })
    expect([changed.count, changed.last?.action]).toEqual([1, 'apiKey.update'])
    expect((await auditedBy(s, () => bo.browser.patch(P(`/api-keys/${key.id}`), { label: 'Backend' }))).count).toBe(0)

    let fresh = ''
    const rotated = await auditedBy(s, async () => {
      const answer = await bo.browser.post(P(`/api-keys/${key.id}/rotate`), { overlapHours: 2 })
      fresh = answer.body.data.secret
      expect(answer.body.data).toMatchObject({ id: key.id, secretLast4: fresh.slice(-4), revision: 3 })
    })
    expect([rotated.count, rotated.last?.action]).toEqual([1, 'apiKey.rotate'])
    expect(fresh).not.toBe(key.secret)
    expect([await statusOf(key.secret), await statusOf(fresh)]).toEqual([200, 200])
    s.ctx.clock.advance(2 * HOUR)
    expect([await statusOf(key.secret), await statusOf(fresh)]).toEqual([401, 200])

    const revoked = await auditedBy(s, async () => {
      expect((await bo.browser.delete(P(`/api-keys/${key.id}`))).body).toEqual({ data: { deleted: true } })
    })
    expect([revoked.count, revoked.last?.action]).toEqual([1, 'apiKey.revoke'])
    expect(await statusOf(fresh)).toBe(401)
    expect(code(await bo.browser.delete(P(`/api-keys/${key.id}`)))).toEqual([404, 'NOT_FOUND'])
    expect(code(await bo.browser.patch(P(`/api-keys/${key.id}`), { label: 'x' }))).toEqual([409, 'CONFLICT'])
    expect(code(await bo.browser.post(P(`/api-keys/${key.id}/rotate`)))).toEqual([409, 'CONFLICT'])
    const log = JSON.stringify(await auditOf(s))
    for (const secret of [key.secret, fresh])
      expect([log.includes(secret), log.includes(sha256Hex(secret))]).toEqual([false, false])
    expect((await keys())[0]).toMatchObject({ id: key.id, revokedAt: expect.any(String), revision: 4 })
  })

  test('rotates its secret and keeps its public half, at once without an overlap', async () => {
    const { secret, publicKey, id } = (await bo.browser.post(P('/api-keys'), { label: 'Pair' })).body.data
    const answer = await bo.browser.post(P(`/api-keys/${id}/rotate`))
    expect(answer.body.data.publicKey).toBe(publicKey)
    expect([await statusOf(publicKey), await statusOf(secret), await statusOf(answer.body.data.secret)]).toEqual([
      200, 401, 200,
    ])
  })

  test('that is only public has no secret, and none to rotate', async () => {
    const { id, secret, secretLast4, publicKey } = (
      await bo.browser.post(P('/api-keys'), { label: 'Web', kind: 'public' })
    ).body.data
    expect([secret, secretLast4]).toEqual([null, null])
    expect(await statusOf(publicKey)).toBe(200)
    expect(code(await bo.browser.post(P(`/api-keys/${id}/rotate`)))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test.each<[string, unknown]>([
    ['no label', {}],
    ['a blank label', { label: ' ' }],
    ['an unknown kind', { label: 'x', kind: 'both' }],
    ['an unknown environment', { label: 'x', environment: 'TEST' }],
    ['an end in the past', { label: 'x', expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end that is no time', { label: 'x', expiresAt: 'tomorrow' }],
    ['a negative rate', { label: 'x', ratePerMinute: -1 }],
    ['51 origins', { label: 'x', allowedOrigins: Array.from({ length: 51 }, (_, n) => `https://a${n}.example`) }],
    ['a secret of its own', { label: 'x', secret: 'svc_sec_x' }],
  ])('is refused with %s', async (_name, body) => {
    const { count } = await auditedBy(s, async () => {
      expect(code(await bo.browser.post(P('/api-keys'), body))).toEqual([400, 'VALIDATION_ERROR'])
    })
    expect(count).toBe(0)
  })

  test('is refused with an origin that is none, when it is made and when it is changed', async () => {
    const body = { label: 'x', allowedOrigins: ['https://a.example/path'] }
    expect(code(await bo.browser.post(P('/api-keys'), body))).toEqual([400, 'ORIGIN_INVALID'])
    expect(code(await bo.browser.patch(P(`/api-keys/${s.project.keyId}`), body))).toEqual([400, 'ORIGIN_INVALID'])
  })

  test('does not change its kind, nor with hours that are too many, nor with an old revision', async () => {
    const path = P(`/api-keys/${s.project.keyId}`)
    expect(code(await bo.browser.patch(path, { kind: 'public' }))).toEqual([400, 'VALIDATION_ERROR'])
    for (const overlapHours of [-1, 169, 1.5, '2'])
      expect(code(await bo.browser.post(`${path}/rotate`, { overlapHours }))).toEqual([400, 'VALIDATION_ERROR'])
    const headers = { 'if-match': '"7"' }
    for (const answer of [
      await bo.browser.patch(path, { label: 'x' }, { headers }),
      await bo.browser.delete(path, undefined, { headers }),
      await bo.browser.post(`${path}/rotate`, {}, { headers }),
    ])
      expect(code(answer)).toEqual([409, 'CONFLICT'])
    expect(await statusOf(s.project.secretKey)).toBe(200)
  })

  test('of another project is not found', async () => {
    for (const id of [s.other.keyId, 'key_none', 'x']) {
      expect(code(await bo.browser.patch(P(`/api-keys/${id}`), { label: 'x' }))).toEqual([404, 'NOT_FOUND'])
      expect(code(await bo.browser.delete(P(`/api-keys/${id}`)))).toEqual([404, 'NOT_FOUND'])
      expect(code(await bo.browser.post(P(`/api-keys/${id}/rotate`)))).toEqual([404, 'NOT_FOUND'])
    }
    expect(await statusOf(s.other.secretKey)).toBe(200)
  })

  test('is read by every member and changed by administrators', async () => {
    const support = await join(s, 'support', 'CUSTOMER_SUPPORT')
    expect((await support.browser.get(P('/api-keys'))).status).toBe(200)
    for (const answer of [
      await dev.browser.post(P('/api-keys'), { label: 'x' }),
      await dev.browser.patch(P(`/api-keys/${s.project.keyId}`), { label: 'x' }),
      await dev.browser.delete(P(`/api-keys/${s.project.keyId}`)),
      await dev.browser.post(P(`/api-keys/${s.project.keyId}/rotate`)),
    ]) {
      expect(code(answer)).toEqual([403, 'ROLE_REQUIRED'])
      expect(answer.body.error.details).toEqual({ role: 'DEVELOPER', requiredRole: 'ADMIN' })
    }
    expect(JSON.stringify((await support.browser.get(P('/api-keys'))).body)).not.toMatch(/hash/i)
  })

  test('the fifty-first is refused until one is revoked', async () => {
    const own = await stage()
    const owner = await join(own, 'owner', 'OWNER')
    const path = `/dashboard/projects/${own.project.id}/api-keys`
    const make = () => owner.browser.post(path, { label: 'x', kind: 'public' })
    for (let n = 1; n < 50; n++) expect((await make()).status).toBe(201)
    expect(code(await make())).toEqual([409, 'CONFLICT'])
    await owner.browser.delete(`${path}/${own.project.keyId}`)
    const two = await Promise.all([make(), make()])
    expect(two.map(({ status }) => status).sort()).toEqual([201, 409])
    const first = (await owner.browser.get(`${path}?limit=30`)).body.data
    const second = (await owner.browser.get(`${path}?limit=30&cursor=${first.nextCursor}`)).body.data
    const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id)
    expect([ids.length, new Set(ids).size, second.nextCursor]).toEqual([51, 51, null])
    await own.close()
  })
})
