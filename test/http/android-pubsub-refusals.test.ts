import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { type AndroidStage, androidStage } from '../support/android'
import type { Answer } from '../support/cast'
import { cloudError } from '../support/pubsub'
import { type Staff, staff } from '../support/staff'

let s: AndroidStage
let team: Staff
beforeEach(() => begin())
afterEach(() => s.close())

async function begin(env: Record<string, string> = {}): Promise<void> {
  s = await androidStage({ env })
  team = staff(s)
}

/** The stage of another deployment in place of the first. */
async function beginWith(env: Record<string, string>): Promise<void> {
  await s.close()
  await begin(env)
}

const PATH = '/apps/android/pubsub'
const PUSHING = ['connect', 'recreate', 'rotate'] as const
const POSTS = [...PUSHING, 'test'] as const
const change = (what: string, body = {}) => team.as('ADMIN').post(`${PATH}/${what}`, body)
const disconnect = () => team.as('ADMIN').delete(PATH)

/** What was refused. Nothing is saved, and Google was not asked to change anything. */
async function refused(work: () => Promise<Answer>): Promise<unknown[]> {
  const before = await saved()
  const { status, body } = await work()
  expect(await saved()).toEqual(before)
  const { code, details } = body.error
  return details === undefined ? [status, code] : [status, code, details]
}

async function saved() {
  const { auditLog, pubsubSetups, storeSettings } = s.ctx.tables
  const { db } = s.ctx
  return [await db.select().from(auditLog), await db.select().from(pubsubSetups), await db.select().from(storeSettings)]
}

async function removeCredentials(): Promise<void> {
  const { storeSettings: t } = s.ctx.tables
  await s.ctx.write(async (tx) => void (await tx.db.delete(t).where(eq(t.projectId, s.project.id))))
}

/** Another process holds the lock. */
async function lock(action: 'connect' | 'disconnect' | 'save', livesMs = MINUTE): Promise<void> {
  const row = { projectId: s.project.id, holder: 'another', action, expiresAt: s.ctx.clock.now() + livesMs }
  await s.ctx.write(async (tx) => void (await tx.db.insert(tx.tables.credentialLocks).values(row)))
}

async function damageSetup(): Promise<void> {
  await s.ctx.write(async (tx) => void (await tx.db.update(tx.tables.pubsubSetups).set({ setup: '{"topic":1}' })))
}

const invalidTopic = (reason: string) => [
  400,
  'STORE_CREDENTIALS_INVALID',
  { store: 'android', field: 'existingTopic', reason },
]

describe('who may', () => {
  test('developers read, administrators change', async () => {
    const roleRequired = (role: string, requiredRole: string) => [403, 'ROLE_REQUIRED', { role, requiredRole }]
    expect(await refused(() => team.as('GROWTH').get(PATH))).toEqual(roleRequired('GROWTH', 'DEVELOPER'))
    for (const what of POSTS)
      expect(await refused(() => team.as('DEVELOPER').post(`${PATH}/${what}`))).toEqual(
        roleRequired('DEVELOPER', 'ADMIN'),
      )
    expect(await refused(() => team.as('DEVELOPER').delete(PATH))).toEqual(roleRequired('DEVELOPER', 'ADMIN'))
    expect(await refused(() => team.as('STRANGER').get(PATH))).toEqual([404, 'NOT_FOUND'])
    const elsewhere = { projectId: s.other.id }
    expect(await refused(() => team.as('ADMIN').post(`${PATH}/connect`, {}, elsewhere))).toEqual([404, 'NOT_FOUND'])
    expect(s.cloud.requests).toEqual([])
  })

  test.each([
    ['an unknown member', { topic: 'x' }],
    ['no text', { existingTopic: 1 }],
    ['an empty topic', { existingTopic: '' }],
    ['a very long topic', { existingTopic: 'x'.repeat(513) }],
  ])('not with %s in the body', async (_name, body) => {
    expect((await refused(() => change('connect', body)))[1]).toBe('VALIDATION_ERROR')
    expect((await refused(() => change('rotate', body)))[1]).toBe('VALIDATION_ERROR')
  })
})

describe('STORE_NOT_CONFIGURED', () => {
  test('without credentials', async () => {
    await removeCredentials()
    for (const what of POSTS) expect(await refused(() => change(what))).toEqual([400, 'STORE_NOT_CONFIGURED'])
    expect(await refused(disconnect)).toEqual([400, 'STORE_NOT_CONFIGURED'])
    const { body } = await team.as('DEVELOPER').get(PATH)
    expect(body.data).toMatchObject({ status: 'DISCONNECTED', serviceAccount: null, endpoint: s.identity.audience })
  })

  test('with a service account that cannot be read', async () => {
    const config = { packageName: 'com.example', clientEmail: 'a@b.c' }
    const secrets = { serviceAccount: '{"client_email":"a@b.c","private_key":"none"}' }
    await s.ctx.write((tx) => saveStoreSettings(tx, s.project.id, 'android', { config, secrets }))
    expect(await refused(() => change('connect'))).toEqual([400, 'STORE_NOT_CONFIGURED'])
  })
})

test.each([
  ['http://svc.example.com', 'not_https', 'http'],
  ['https://localhost:3000', 'local_name', 'https'],
  ['https://10.0.0.1', 'private_address', 'https'],
  ['https://svc', 'single_label_host', 'https'],
  ['', 'invalid_url', null],
])('PUBSUB_ENDPOINT_NOT_HTTPS with the address %p', async (base, reason, endpointScheme) => {
  await beginWith({ PUBLIC_BASE_URL: base })
  const url = base === '' ? null : `${base}/webhooks/android/${s.project.id}`
  const code = [400, 'PUBSUB_ENDPOINT_NOT_HTTPS', { url, reason, endpointScheme }]
  for (const what of PUSHING) expect(await refused(() => change(what))).toEqual(code)
  expect((await team.as('DEVELOPER').get(PATH)).body.data.endpoint).toBe(url)
  expect(s.cloud.requests).toEqual([])
})

describe('PUBSUB_CONNECT_IN_PROGRESS', () => {
  test('while another change holds the lock, and not once its lease has run out', async () => {
    await change('connect')
    await lock('connect')
    s.cloud.takeCalls()
    for (const what of PUSHING) expect(await refused(() => change(what))).toEqual([409, 'PUBSUB_CONNECT_IN_PROGRESS'])
    expect(await refused(disconnect)).toEqual([409, 'PUBSUB_CONNECT_IN_PROGRESS'])
    expect(s.cloud.requests).toEqual([])
    s.ctx.clock.advance(MINUTE)
    expect((await change('recreate')).status).toBe(200)
  })

  test('names a running disconnect', async () => {
    await lock('disconnect')
    const code = [409, 'PUBSUB_CONNECT_IN_PROGRESS', { action: 'disconnect' }]
    expect(await refused(() => change('connect'))).toEqual(code)
  })

  test('a status and a test notification need no lock', async () => {
    await change('connect')
    await lock('connect')
    expect((await team.as('DEVELOPER').get(PATH)).status).toBe(200)
    expect((await change('test')).status).toBe(200)
  })

  test('one of two at once, and the lock is free afterwards', async () => {
    const arrived = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    s.cloud.fault = async () => {
      arrived.resolve()
      await go.promise
      return null
    }
    const first = change('connect')
    await arrived.promise
    expect(await refused(() => change('connect'))).toEqual([409, 'PUBSUB_CONNECT_IN_PROGRESS'])
    go.resolve()
    expect((await first).status).toBe(200)
    expect(await s.ctx.db.select().from(s.ctx.tables.credentialLocks)).toEqual([])
  })

  test('one that was overtaken after its lease ran out saves nothing', async () => {
    s.cloud.fault = async (call) => {
      if (!call.includes('/subscriptions/')) return null
      s.cloud.fault = () => null
      s.ctx.clock.advance(3 * MINUTE)
      expect((await change('connect')).status).toBe(200)
      await lock('disconnect')
      return null
    }
    const { status, body } = await change('connect')
    expect([status, body.error.details]).toEqual([409, { action: 'disconnect' }])
    const rows = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    expect(rows.map(({ action }) => action)).toEqual(['pubsub.connect'])
    expect((await s.ctx.db.select().from(s.ctx.tables.credentialLocks)).map(({ holder }) => holder)).toEqual([
      'another',
    ])
  })

  test('a refused change leaves the lock free', async () => {
    s.cloud.fault = () => cloudError(403, 'PERMISSION_DENIED')
    await change('connect')
    expect(await s.ctx.db.select().from(s.ctx.tables.credentialLocks)).toEqual([])
  })
})

describe('STORE_UNAVAILABLE', () => {
  test('after five calls without an answer nothing is sent for a minute', async () => {
    s.cloud.fault = () => cloudError(500, 'INTERNAL')
    for (let count = 0; count < 5; count++) expect(await refused(() => change('connect'))).toEqual(AWAY)
    s.cloud.takeCalls()
    expect(await refused(() => change('connect'))).toEqual(AWAY)
    expect(s.cloud.takeCalls()).toEqual([])
    s.cloud.fault = () => null
    s.ctx.clock.advance(MINUTE)
    expect((await change('connect')).status).toBe(200)
  })

  test('a limit of one cloud project does not stop the calls of others', async () => {
    s.cloud.fault = () => cloudError(429, 'RESOURCE_EXHAUSTED')
    for (let count = 0; count < 6; count++) expect(await refused(() => change('connect'))).toEqual(AWAY)
    s.cloud.fault = () => null
    expect((await change('connect')).status).toBe(200)
  })

  const AWAY = [503, 'STORE_UNAVAILABLE']
})

describe('STORE_CREDENTIALS_INVALID', () => {
  test.each([
    ['projects/simulated/topics/', 'unreadable'],
    ['projects/simulated/subscriptions/play', 'unreadable'],
    ['projects/Simulated/topics/play', 'unreadable'],
    ['projects/../topics/play', 'unreadable'],
    ['projects/simulated/topics/../play', 'unreadable'],
    ['pl', 'unreadable'],
    ['goog-play', 'unreadable'],
    ['7play', 'unreadable'],
    ['play%2F..\n', 'unreadable'],
    ['projects/example.com:simulated/topics/play', 'domain_scoped_project'],
  ])('existingTopic %p is %s', async (existingTopic, reason) => {
    expect(await refused(() => change('connect', { existingTopic }))).toEqual(invalidTopic(reason))
    expect(s.cloud.requests).toEqual([])
  })

  test('a service account of a domain-scoped project, or of none', async () => {
    const file = await s.server.serviceAccountFile()
    const config = { packageName: 'com.example.sleep', clientEmail: file.client_email }
    const save = (more: object) => {
      const secrets = { serviceAccount: JSON.stringify({ ...file, ...more }) }
      return s.ctx.write((tx) => saveStoreSettings(tx, s.project.id, 'android', { config, secrets }))
    }
    const refusal = (reason: string) => [
      400,
      'STORE_CREDENTIALS_INVALID',
      { store: 'android', field: 'serviceAccount', reason },
    ]
    await save({ project_id: 'example.com:simulated' })
    expect(await refused(() => change('connect'))).toEqual(refusal('domain_scoped_project'))
    await save({ client_email: 'svc@sim-project.example.com.iam.gserviceaccount.com' })
    expect(await refused(() => change('connect'))).toEqual(refusal('domain_scoped_project'))
    await save({ client_email: 'svc@example.com' })
    expect(await refused(() => change('connect'))).toEqual(refusal('missing'))
  })

  test('a saved set-up that somebody has damaged; disconnecting forgets it', async () => {
    await change('connect')
    await damageSetup()
    for (const what of POSTS) expect(await refused(() => change(what))).toEqual(invalidTopic('stored_setup_invalid'))
    expect((await team.as('DEVELOPER').get(PATH)).body.data).toMatchObject({ status: 'BROKEN', topic: null })
    expect((await disconnect()).body.data.status).toBe('DISCONNECTED')
    expect((await change('connect')).body.data.status).toBe('CONNECTED')
    const { setup } = (await s.ctx.db.select().from(s.ctx.tables.pubsubSetups))[0] ?? { setup: '' }
    await s.ctx.write(async (tx) => void (await tx.db.update(tx.tables.pubsubSetups).set({ setup: setup.slice(1) })))
    expect(await refused(() => change('recreate'))).toEqual(invalidTopic('stored_setup_invalid'))
  })

  test('a service account that Google no longer knows', async () => {
    s.server.faults = { tokenStatus: 400 }
    const refusal = { store: 'android', field: 'serviceAccount', reason: 'rejected_by_store' }
    expect(await refused(() => change('connect'))).toEqual([400, 'STORE_CREDENTIALS_INVALID', refusal])
  })
})

const NOBODY = { gcpProject: 'simulated', clientEmail: 'svc@simulated.iam.gserviceaccount.com' }

describe('what Google refuses', () => {
  test('PUBSUB_API_DISABLED, with the address at which the API is enabled', async () => {
    const enableUrl = 'https://console.cloud.google.com/apis/library/pubsub.googleapis.com?project=simulated'
    s.cloud.fault = () => cloudError(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED')
    expect(await refused(() => change('connect'))).toEqual([400, 'PUBSUB_API_DISABLED', { ...NOBODY, enableUrl }])
    s.cloud.fault = () => Response.json({ error: { errors: [{ reason: 'accessNotConfigured' }] } }, { status: 403 })
    expect((await refused(() => change('connect')))[1]).toBe('PUBSUB_API_DISABLED')
  })

  test('PUBSUB_TOPIC_NOT_FOUND for an existing topic that is not there', async () => {
    const existingTopic = 'projects/other-project/topics/play'
    const details = { gcpProject: 'other-project' }
    expect(await refused(() => change('connect', { existingTopic }))).toEqual([400, 'PUBSUB_TOPIC_NOT_FOUND', details])
    expect(s.cloud.topics.size).toBe(0)
  })

  test.each([
    ['making the topic', 'connect', 'PUT projects/simulated/topics'],
    ['reading the permissions', 'connect', ':getIamPolicy'],
    ['changing the permissions', 'connect', ':setIamPolicy'],
    ['making the subscription', 'connect', 'PUT projects/simulated/subscriptions'],
  ])('PUBSUB_PERMISSION_MISSING on %s', async (_name, what, part) => {
    s.cloud.fault = (call) => (call.includes(part) ? cloudError(403, 'PERMISSION_DENIED') : null)
    expect(await refused(() => change(what))).toEqual([400, 'PUBSUB_PERMISSION_MISSING', NOBODY])
  })

  test.each(['recreate', 'rotate', 'test'])('PUBSUB_PERMISSION_MISSING on %s', async (what) => {
    await change('connect')
    s.cloud.fault = () => cloudError(403, 'PERMISSION_DENIED')
    expect(await refused(() => change(what))).toEqual([400, 'PUBSUB_PERMISSION_MISSING', NOBODY])
  })

  test.each([
    ['400 FAILED_PRECONDITION', () => cloudError(400, 'FAILED_PRECONDITION')],
    ['412', () => cloudError(412, 'CONDITION_NOT_MET')],
  ])('PUBSUB_ORG_POLICY when a policy forbids the permission (%s)', async (_name, fault) => {
    s.cloud.fault = (call) => (call.includes(':setIamPolicy') ? fault() : null)
    const code = [400, 'PUBSUB_ORG_POLICY', { gcpProject: 'simulated' }]
    expect(await refused(() => change('connect'))).toEqual(code)
    expect(s.cloud.subscriptions.size).toBe(0)
  })

  test.each([
    ['another error', () => cloudError(400, 'INVALID_ARGUMENT')],
    ['no JSON', () => new Response('<html>')],
    ['a list', () => Response.json([])],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://example.com/' } })],
  ])('502 STORE_API_ERROR for %s', async (_name, fault) => {
    s.cloud.fault = fault
    expect(await refused(() => change('connect'))).toEqual([502, 'STORE_API_ERROR'])
  })

  test.each([500, 503, 429])('503 STORE_UNAVAILABLE for %p, with Retry-After', async (status) => {
    s.cloud.fault = () => new Response('', { status })
    expect(await refused(() => change('connect'))).toEqual([503, 'STORE_UNAVAILABLE'])
    expect((await change('connect')).headers.get('retry-after')).toBe('60')
  })

  test('503 STORE_UNAVAILABLE when nobody listens', async () => {
    await beginWith({ SVC_PUBSUB_API_URL: 'http://127.0.0.1:1' })
    expect(await refused(() => change('connect'))).toEqual([503, 'STORE_UNAVAILABLE'])
  })
})

describe('where nothing is connected', () => {
  test.each(['recreate', 'rotate', 'test'])('%s is a conflict', async (what) => {
    expect(await refused(() => change(what))).toEqual([409, 'CONFLICT'])
    expect(s.cloud.requests).toEqual([])
  })

  test('there is nothing to disconnect', async () => {
    expect(await refused(disconnect)).toEqual([404, 'NOT_FOUND'])
  })
})

test('the first fault is told', async () => {
  const told: unknown[] = []
  const say = async () => told.push((await refused(() => change('connect', { existingTopic: '!' })))[1])
  await beginWith({ PUBLIC_BASE_URL: 'http://svc.example.com' })
  const file = await s.server.serviceAccountFile()
  await removeCredentials()
  await lock('save')
  await say()
  const config = { packageName: 'com.example.sleep', clientEmail: file.client_email }
  const secrets = { serviceAccount: JSON.stringify(file) }
  await s.ctx.write((tx) => saveStoreSettings(tx, s.project.id, 'android', { config, secrets }))
  await say()
  await beginWith({})
  s.cloud.fault = () => cloudError(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED')
  await lock('save')
  await say()
  s.ctx.clock.advance(MINUTE)
  await say()
  told.push((await refused(() => change('connect', { existingTopic: 'play' })))[1])
  expect(told).toEqual([
    'STORE_NOT_CONFIGURED',
    'PUBSUB_ENDPOINT_NOT_HTTPS',
    'PUBSUB_CONNECT_IN_PROGRESS',
    'STORE_CREDENTIALS_INVALID',
    'PUBSUB_API_DISABLED',
  ])
})
