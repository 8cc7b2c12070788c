import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { exportPKCS8, generateKeyPair } from 'jose'
import { MINUTE } from '../../src/base/lib/clock'
import { ANDROID_MONTHLY, type AndroidStage, androidStage, PACKAGE } from '../support/android'
import { type Answer, stage } from '../support/cast'
import { cloudError } from '../support/pubsub'
import { type Staff, staff } from '../support/staff'

let s: AndroidStage
let team: Staff
let file: Record<string, string>
beforeEach(async () => {
  s = await androidStage()
  team = staff(s)
  file = await s.server.serviceAccountFile()
})
afterEach(() => s.close())

const PATH = '/credentials/android'
const OTHER = 'com.example.other'
const save = (members: object = {}, query = '', headers = {}) =>
  team.as('OWNER').put(PATH + query, { packageName: PACKAGE, serviceAccount: file, ...members }, { headers })
const remove = (headers = {}) => team.as('OWNER').delete(PATH, { headers })
const shown = async () => (await team.as('CUSTOMER_SUPPORT').get('/credentials')).body.data.android
const rows = async () => [
  await s.ctx.db.select().from(s.ctx.tables.storeSettings),
  await s.ctx.db.select().from(s.ctx.tables.auditLog),
  await s.ctx.db.select().from(s.ctx.tables.pubsubSetups),
]
const auditLog = async () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
const locks = async () => s.ctx.db.select().from(s.ctx.tables.credentialLocks)

/** What was refused. Nothing is saved, and the lock is free. */
async function refused(work: () => Promise<Answer>): Promise<unknown[]> {
  const before = await rows()
  const { status, body } = await work()
  expect(await rows()).toEqual(before)
  expect(JSON.stringify(body)).not.toContain('PRIVATE KEY')
  const { code, details } = body.error
  return details === undefined ? [status, code] : [status, code, details]
}

const invalid = (field: string, reason: string, status = 400) => [
  status,
  'STORE_CREDENTIALS_INVALID',
  { store: 'android', field, reason },
]

async function lock(action: 'connect' | 'disconnect'): Promise<void> {
  const row = { projectId: s.project.id, holder: 'another', action, expiresAt: s.ctx.clock.now() + MINUTE }
  await s.ctx.write(async (tx) => void (await tx.db.insert(tx.tables.credentialLocks).values(row)))
}

describe('saving', () => {
  test('asks Google first, and says what is saved without the key', async () => {
    await remove()
    const requests = s.server.requests.length
    const { status, body } = await save()
    expect(status).toBe(200)
    expect(body.data.android).toEqual({
      configured: true,
      packageName: PACKAGE,
      clientEmail: file.client_email,
      revision: expect.any(Number),
    })
    expect(s.server.requests.slice(requests).map(({ path }) => path)).toEqual([
      '/token',
      `/androidpublisher/v3/applications/${PACKAGE}/purchases/voidedpurchases`,
    ])
    const log = await auditLog()
    expect(log.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['store.delete', 'usr_owner'],
      ['store.create', 'usr_owner'],
    ])
    expect(log[1]?.after).toMatchObject({ packageName: PACKAGE, serviceAccount: '(new)' })
    expect(JSON.stringify(log)).not.toContain('PRIVATE KEY')
    expect(JSON.stringify(await rows())).not.toContain('PRIVATE KEY')
    expect(await locks()).toEqual([])
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    expect((await s.token('svc_a', token, 'pro')).status).toBe(200)
  })

  test('null in the place of the service account keeps the saved one, which is tried for the new app', async () => {
    await save()
    const { body } = await save({ packageName: OTHER, serviceAccount: null }, '?probe=false')
    expect(body.data.android).toMatchObject({ packageName: OTHER, clientEmail: file.client_email })
    expect((await save({ serviceAccount: null })).body.data.android.packageName).toBe(PACKAGE)
    await remove()
    expect(await refused(() => save({ serviceAccount: null }))).toEqual(invalid('serviceAccount', 'missing'))
    await save()
  })

  test('the same again writes nothing', async () => {
    await save()
    const before = await rows()
    expect((await save()).status).toBe(200)
    expect(await rows()).toEqual(before)
  })

  test('without the probe asks nobody', async () => {
    const requests = s.server.requests.length
    expect((await save({ packageName: OTHER }, '?probe=false')).body.data.android.packageName).toBe(OTHER)
    expect(s.server.requests).toHaveLength(requests)
  })

  test('only the revision that was read', async () => {
    const { revision } = await shown()
    await save({ packageName: OTHER }, '?probe=false', { 'if-match': `"${revision}"` })
    const [status, code] = await refused(() => save({}, '?probe=false', { 'if-match': `"${revision}"` }))
    expect([status, code]).toEqual([409, 'CONFLICT'])
    expect((await refused(() => remove({ 'if-match': `"${revision}"` })))[1]).toBe('CONFLICT')
  })
})

describe('credentials are refused', () => {
  test('from anybody below the owner', async () => {
    const body = { packageName: OTHER, serviceAccount: file }
    for (const role of ['CUSTOMER_SUPPORT', 'GROWTH', 'DEVELOPER', 'ADMIN'] as const) {
      const details = { role, requiredRole: 'OWNER' }
      expect(await refused(() => team.as(role).put(PATH, body))).toEqual([403, 'ROLE_REQUIRED', details])
      expect(await refused(() => team.as(role).delete(PATH))).toEqual([403, 'ROLE_REQUIRED', details])
    }
    expect(await refused(() => team.as('STRANGER').put(PATH, body))).toEqual([404, 'NOT_FOUND'])
    expect(await refused(() => team.as('OWNER').delete(PATH, { projectId: s.other.id }))).toEqual([404, 'NOT_FOUND'])
  })

  test.each<[name: string, members: object, field: string]>([
    ['no package name', { packageName: undefined }, 'credentials.packageName'],
    ['a package name that is none', { packageName: 'sleep' }, 'credentials.packageName'],
    ['a path for a package name', { packageName: 'com.example/../x' }, 'credentials.packageName'],
    ['no service account', { serviceAccount: undefined }, 'credentials.serviceAccount'],
    ['the service account as text', { serviceAccount: '{}' }, 'credentials.serviceAccount'],
    ['an unknown member', { forwards: [] }, 'credentials.forwards'],
  ])('with %s', async (_name, members, field) => {
    expect(await refused(() => save(members))).toEqual([400, 'VALIDATION_ERROR', { fields: [field] }])
  })

  test('with an unknown probe', async () => {
    expect((await refused(() => save({}, '?probe=no')))[1]).toBe('VALIDATION_ERROR')
  })

  test.each<[change: Record<string, unknown>, reason: string]>([
    [{ client_email: '' }, 'missing'],
    [{ client_email: 'nobody' }, 'unreadable'],
    [{ private_key: undefined }, 'missing'],
    [{ private_key: 'none' }, 'unreadable'],
    [{ token_uri: 'ftp://example.com' }, 'unreadable'],
  ])('with a service account that has %j', async (members, reason) => {
    const requests = s.server.requests.length
    const work = () => save({ serviceAccount: { ...file, ...members } })
    expect(await refused(work)).toEqual(invalid('serviceAccount', reason))
    expect(s.server.requests).toHaveLength(requests)
  })

  test('with a key of another kind', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const serviceAccount = { ...file, private_key: await exportPKCS8(privateKey) }
    expect(await refused(() => save({ serviceAccount }))).toEqual(invalid('serviceAccount', 'wrong_key_type'))
  })

  test('with a key that Google does not know', async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const serviceAccount = { ...file, private_key: await exportPKCS8(privateKey) }
    expect(await refused(() => save({ serviceAccount }))).toEqual(invalid('serviceAccount', 'rejected_by_store'))
  })

  test('with the package of another app', async () => {
    expect(await refused(() => save({ packageName: OTHER }))).toEqual(invalid('packageName', 'app_not_found'))
  })

  test.each<[faults: object, expected: unknown[]]>([
    [{ status: 401, reason: 'authError' }, invalid('serviceAccount', 'rejected_by_store')],
    [{ status: 403, reason: 'permissionDenied' }, invalid('serviceAccount', 'insufficient_role', 403)],
    [{ status: 403, reason: 'accessNotConfigured' }, [502, 'STORE_API_ERROR']],
    [{ status: 400, reason: 'badRequest' }, [502, 'STORE_API_ERROR']],
    [{ isMalformed: true }, [502, 'STORE_API_ERROR']],
    [{ status: 500 }, [503, 'STORE_UNAVAILABLE']],
    [{ status: 429 }, [503, 'STORE_UNAVAILABLE']],
    [{ tokenStatus: 503 }, [503, 'STORE_UNAVAILABLE']],
  ])('when Google answers %j', async (faults, expected) => {
    s.server.faults = faults
    expect(await refused(() => save({ packageName: OTHER }))).toEqual(expected)
    expect(await locks()).toEqual([])
  })

  test('where nothing can be encrypted', async () => {
    const bare = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const body = { packageName: PACKAGE, serviceAccount: file }
    const answer = await staff(bare).as('OWNER').put(PATH, body)
    expect([answer.status, answer.body.error]).toMatchObject([
      503,
      { code: 'FEATURE_NOT_CONFIGURED', details: { feature: 'credential_encryption' } },
    ])
    await bare.close()
  })
})

test('after five probes without an answer Google is not asked for a minute', async () => {
  s.server.faults = { status: 500 }
  const away = [503, 'STORE_UNAVAILABLE']
  for (let count = 0; count < 5; count++) expect(await refused(() => save({ packageName: OTHER }))).toEqual(away)
  const requests = s.server.requests.length
  expect(await refused(() => save({ packageName: OTHER }))).toEqual(away)
  expect(s.server.requests).toHaveLength(requests)
  s.server.faults = { status: 429 }
  s.ctx.clock.advance(MINUTE)
  for (let count = 0; count < 6; count++) expect(await refused(() => save({ packageName: OTHER }))).toEqual(away)
  s.server.faults = {}
  expect((await save()).status).toBe(200)
})

describe('while the connection is changed', () => {
  test('saving and removing are refused, before Google is asked', async () => {
    await lock('disconnect')
    const requests = s.server.requests.length
    const code = [409, 'PUBSUB_CONNECT_IN_PROGRESS', { action: 'disconnect' }]
    expect(await refused(() => save({ packageName: OTHER }))).toEqual(code)
    expect(await refused(remove)).toEqual(code)
    expect(s.server.requests).toHaveLength(requests)
    s.ctx.clock.advance(MINUTE)
    expect((await save()).status).toBe(200)
    expect((await remove()).status).toBe(200)
  })

  test('a running connect keeps them out until it has ended', async () => {
    const arrived = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    s.cloud.fault = async () => {
      arrived.resolve()
      await go.promise
      return null
    }
    const connecting = team.as('ADMIN').post('/apps/android/pubsub/connect')
    await arrived.promise
    expect(await refused(remove)).toEqual([409, 'PUBSUB_CONNECT_IN_PROGRESS'])
    go.resolve()
    expect((await connecting).status).toBe(200)
    expect((await remove()).status).toBe(200)
  })

  test('a save whose lease ran out while Google was slow saves nothing', async () => {
    s.server.faults = {
      reply: () => {
        s.ctx.clock.advance(3 * MINUTE)
        return null
      },
    }
    expect(await refused(() => save({ packageName: PACKAGE, serviceAccount: { ...file, note: 'new' } }))).toEqual([
      409,
      'PUBSUB_CONNECT_IN_PROGRESS',
    ])
  })
})

describe('with a connection', () => {
  const pubsub = async () => (await team.as('DEVELOPER').get('/apps/android/pubsub')).body.data
  const change = (what: string) => team.as('ADMIN').post(`/apps/android/pubsub/${what}`)

  test('removing the credentials forgets it; a second time there is nothing', async () => {
    await change('connect')
    expect((await remove()).body).toEqual({ data: { deleted: true } })
    expect(await shown()).toMatchObject({ configured: false, packageName: null, clientEmail: null })
    expect(await pubsub()).toMatchObject({ status: 'DISCONNECTED', serviceAccount: null })
    expect(await s.ctx.db.select().from(s.ctx.tables.pubsubSetups)).toEqual([])
    expect(await refused(remove)).toEqual([404, 'NOT_FOUND'])
    await save()
    expect((await pubsub()).status).toBe('DISCONNECTED')
  })

  test('credentials of another service account are BROKEN until recreate sets the pushes right', async () => {
    await change('connect')
    const client_email = 'other@simulated.iam.gserviceaccount.com'
    await save({ serviceAccount: { ...file, client_email } }, '?probe=false')
    // The token endpoint of the stand-in knows one account only.
    s.server.faults = { reply: (path) => (path === '/token' ? '{"access_token":"ya29.1"}' : null) }
    expect(await pubsub()).toMatchObject({ status: 'BROKEN', serviceAccount: client_email })
    await change('test')
    expect(s.cloud.delivered.map(({ status }) => status)).toEqual([401])
    expect((await change('recreate')).body.data).toMatchObject({ status: 'CONNECTED', serviceAccount: client_email })
    await change('test')
    expect(s.cloud.delivered.map(({ status }) => status)).toEqual([401, 200])
  })

  test('saving again leaves it as it is', async () => {
    await change('connect')
    s.cloud.fault = () => cloudError(500, 'INTERNAL')
    expect((await save()).status).toBe(200)
    s.cloud.fault = () => null
    expect((await pubsub()).status).toBe('CONNECTED')
  })
})
