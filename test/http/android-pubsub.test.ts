import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { PLAY_PUBLISHER } from '../../src/projects/play-console/steps'
import { ANDROID_MONTHLY, type AndroidStage, androidStage, PACKAGE } from '../support/android'
import type { Answer } from '../support/cast'
import { cloudError } from '../support/pubsub'
import { type Staff, staff } from '../support/staff'

let s: AndroidStage
let team: Staff
let topic: string
let first: string
beforeEach(async () => {
  s = await androidStage()
  team = staff(s)
  topic = `projects/simulated/topics/svc-${s.project.id}`
  first = subscription(1)
})
afterEach(() => s.close())

const PATH = '/apps/android/pubsub'
const OTHERS = 'projects/simulated/topics/play'
const subscription = (serial: number) => `projects/simulated/subscriptions/svc-${s.project.id}-${serial}`
const change = (what: string, body = {}) => team.as('ADMIN').post(`${PATH}/${what}`, body)
const status = async () => (await team.as('DEVELOPER').get(PATH)).body.data
const disconnect = () => team.as('ADMIN').delete(PATH)
const publishers = (name = topic) => s.cloud.topics.get(name)?.bindings ?? []
const writes = () => s.cloud.takeCalls().filter((call) => !/^GET /.test(call))

async function auditRows() {
  const { auditLog: a } = s.ctx.tables
  return s.ctx.db.select().from(a).where(eq(a.projectId, s.project.id)).orderBy(a.position)
}
const actions = async () => (await auditRows()).map(({ action }) => action)

const view = (members: object = {}) => ({
  status: 'CONNECTED',
  topic,
  subscription: first,
  endpoint: s.identity.audience,
  serviceAccount: s.identity.email,
  lastMessageAt: null,
  ...members,
})
const DISCONNECTED = { status: 'DISCONNECTED', topic: null, subscription: null }

describe('connecting', () => {
  test('makes the topic, the permission of Google Play and the subscription, and says so once in the audit log', async () => {
    expect(await status()).toEqual(view(DISCONNECTED))
    expect((await change('connect')).body).toEqual({ data: view() })
    expect(await status()).toEqual(view())
    expect(publishers()).toEqual([{ role: 'roles/pubsub.publisher', members: [PLAY_PUBLISHER] }])
    expect(s.cloud.subscriptions.get(first)).toMatchObject({
      topic,
      pushConfig: {
        pushEndpoint: s.identity.audience,
        oidcToken: { serviceAccountEmail: s.identity.email, audience: s.identity.audience },
      },
      expirationPolicy: {},
      messageRetentionDuration: '604800s',
    })
    const [row, ...others] = await auditRows()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      action: 'pubsub.connect',
      actor: { kind: 'USER', id: 'usr_admin' },
      before: null,
      after: { topic, subscription: first, made: ['topic', 'publisher', 'subscription'] },
    })
  })

  test('a second time changes nothing, at Google or here', async () => {
    await change('connect')
    s.cloud.takeCalls()
    expect((await change('connect')).body).toEqual({ data: view() })
    expect(writes()).toEqual([])
    expect(s.cloud.subscriptions.size).toBe(1)
    expect(publishers()).toHaveLength(1)
    expect(await actions()).toEqual(['pubsub.connect'])
  })

  test.each([['projects/simulated/topics/play'], ['play']])('takes the existing topic %s', async (existingTopic) => {
    s.cloud.topics.set(OTHERS, { etag: 'A', bindings: [{ role: 'roles/pubsub.viewer', members: ['user:a@b.c'] }] })
    expect((await change('connect', { existingTopic })).body.data).toEqual(view({ topic: OTHERS }))
    expect(publishers(OTHERS)).toEqual([
      { role: 'roles/pubsub.viewer', members: ['user:a@b.c'] },
      { role: 'roles/pubsub.publisher', members: [PLAY_PUBLISHER] },
    ])
    expect(s.cloud.topics.has(topic)).toBe(false)
    expect((await change('connect')).body.data.topic).toBe(OTHERS)
    expect((await disconnect()).body.data).toEqual(view(DISCONNECTED))
    expect([...s.cloud.topics.keys()]).toEqual([OTHERS])
    expect(s.cloud.subscriptions.size).toBe(0)
  })

  test('keeps who else may publish, and does not count a permission with a condition', async () => {
    const conditional = {
      role: 'roles/pubsub.publisher',
      members: [PLAY_PUBLISHER],
      condition: { expression: 'false' },
    }
    const other = { role: 'roles/pubsub.publisher', members: ['user:a@b.c'] }
    s.cloud.topics.set(OTHERS, { etag: 'A', version: 3, bindings: [conditional, other] })
    await change('connect', { existingTopic: OTHERS })
    expect(publishers(OTHERS)).toEqual([conditional, { ...other, members: ['user:a@b.c', PLAY_PUBLISHER] }])
    expect(s.cloud.topics.get(OTHERS)?.version).toBe(3)
  })

  test('with another topic than the connected one is a conflict', async () => {
    s.cloud.topics.set(OTHERS, {})
    await change('connect')
    const { status, body } = await change('connect', { existingTopic: OTHERS })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await team.as('DEVELOPER').get(PATH)).body.data.topic).toBe(topic)
  })

  test('with an existing topic whose permissions Google hides counts as CONNECTED', async () => {
    s.cloud.topics.set(OTHERS, { bindings: [{ role: 'roles/pubsub.publisher', members: [PLAY_PUBLISHER] }] })
    await change('connect', { existingTopic: OTHERS })
    s.cloud.fault = (call) => (call.includes(':getIamPolicy') ? cloudError(403, 'PERMISSION_DENIED') : null)
    expect((await status()).status).toBe('CONNECTED')
  })

  // Each call of a connect in turn is the last one that Google answers.
  test.each([0, 1, 2, 3, 4, 5])(
    'can be repeated after it broke off after %p calls, and nothing was saved',
    async (count) => {
      let calls = 0
      s.cloud.fault = () => (calls++ < count ? null : cloudError(503, 'UNAVAILABLE'))
      const { status: code, body } = await change('connect')
      expect([code, body.error.code]).toEqual([503, 'STORE_UNAVAILABLE'])
      s.cloud.fault = () => null
      expect(await status()).toEqual(view(DISCONNECTED))
      expect(await actions()).toEqual([])
      expect((await change('connect')).body.data).toEqual(view())
      expect([...s.cloud.subscriptions.keys()]).toEqual([first])
      expect(await actions()).toEqual(['pubsub.connect'])
    },
  )
})

/** Google Play publishes what it has to tell. */
async function publishAll(): Promise<void> {
  for (const push of await s.pushes())
    expect(await s.cloud.publishAsPlay(topic, JSON.parse(push.body).message.data)).toBe(true)
}

describe('pushes', () => {
  test('through the made subscription reach the project and change a purchase', async () => {
    await change('connect')
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await publishAll()
    const purchase = async () => (await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ status }) => status)
    expect(await purchase()).toEqual(['ACTIVE'])
    s.ctx.clock.advance(MINUTE)
    s.server.store.revoke(token)
    await publishAll()
    expect(await purchase()).toEqual(['REVOKED'])
    expect(s.cloud.delivered.map(({ status }) => status)).toEqual([200, 200])
    expect((await status()).lastMessageAt).toBe(toIso(s.ctx.clock.now()))
  })

  test('of a test notification arrive, and the answer says when', async () => {
    await change('connect')
    s.ctx.clock.advance(MINUTE)
    const at = toIso(s.ctx.clock.now())
    const { messageId, ...shown } = (await change('test')).body.data
    expect(shown).toEqual(view({ lastMessageAt: at }))
    const [event] = await s.ctx.db.select().from(s.ctx.tables.storeEvents)
    expect(event).toMatchObject({ store: 'ANDROID_STORE', status: 'IGNORED' })
    const { message } = JSON.parse(event?.body ?? '')
    expect(message.messageId).toBe(messageId)
    const notification = JSON.parse(Buffer.from(message.data, 'base64').toString())
    expect(notification).toMatchObject({ packageName: PACKAGE, testNotification: { version: '1.0' } })
    expect(await actions()).toEqual(['pubsub.connect'])
  })

  test('that do not arrive leave lastMessageAt as it was', async () => {
    await change('connect')
    s.cloud.subscriptions.delete(first)
    const { messageId, ...shown } = (await change('test')).body.data
    expect([shown, messageId]).toEqual([view({ status: 'BROKEN' }), expect.stringMatching(/^\d+$/)])
  })
})

describe('what is broken at Google', () => {
  const breaks: [name: string, work: () => void, made: string[]][] = [
    ['the subscription is gone', () => s.cloud.subscriptions.delete(first), ['subscription']],
    ['the permission is gone', () => s.cloud.topics.set(topic, { etag: 'B' }), ['publisher']],
    [
      'the topic is gone, and its subscription hangs in the air',
      () => {
        s.cloud.topics.delete(topic)
        s.cloud.subscriptions.set(first, { ...s.cloud.subscriptions.get(first), topic: '_deleted-topic_' })
      },
      ['topic', 'publisher', 'subscription'],
    ],
    [
      'it pushes elsewhere',
      () => s.cloud.subscriptions.set(first, { topic, pushConfig: { pushEndpoint: 'https://elsewhere.example.com' } }),
      ['push address'],
    ],
    ['it does not push at all', () => s.cloud.subscriptions.set(first, { topic }), ['push address']],
    [
      'the subscription is detached',
      () => s.cloud.subscriptions.set(first, { ...s.cloud.subscriptions.get(first), detached: true }),
      ['subscription'],
    ],
  ]
  test.each(breaks)('is BROKEN when %s, and recreate repairs only that', async (_name, work, made) => {
    await change('connect')
    work()
    expect(await status()).toEqual(view({ status: 'BROKEN' }))
    expect((await change('recreate')).body.data).toEqual(view())
    expect(await status()).toEqual(view())
    const rows = await auditRows()
    expect(rows.map(({ action }) => action)).toEqual(['pubsub.connect', 'pubsub.recreate'])
    expect(rows[1]?.after).toMatchObject({ made })
    await change('test')
    expect((await status()).lastMessageAt).not.toBe(null)
  })

  test('nothing: then recreate writes nothing', async () => {
    await change('connect')
    s.cloud.takeCalls()
    await change('recreate')
    expect(writes()).toEqual([])
    expect(await actions()).toEqual(['pubsub.connect'])
  })

  test.each([
    ['the account', () => cloudError(401, 'UNAUTHENTICATED')],
    ['the permission', () => cloudError(403, 'PERMISSION_DENIED')],
    ['the API', () => cloudError(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED')],
    ['a readable answer', () => Response.json([])],
  ])('is BROKEN, not an error, when Google refuses %s', async (_name, fault) => {
    await change('connect')
    s.cloud.fault = fault
    expect((await status()).status).toBe('BROKEN')
  })

  test('503 while Google does not answer', async () => {
    await change('connect')
    s.cloud.fault = () => cloudError(500, 'INTERNAL')
    const { status: code, body, headers } = await team.as('DEVELOPER').get(PATH)
    expect([code, body.error.code, headers.get('retry-after')]).toEqual([503, 'STORE_UNAVAILABLE', '60'])
  })
})

describe('rotating', () => {
  test('makes a new subscription and deletes the one before', async () => {
    await change('connect')
    s.cloud.takeCalls()
    expect((await change('rotate')).body.data).toEqual(view({ subscription: subscription(2) }))
    expect(writes()).toEqual([`PUT ${subscription(2)}`, `DELETE ${first}`])
    expect(await status()).toEqual(view({ subscription: subscription(2) }))
    expect((await change('rotate')).body.data.subscription).toBe(subscription(3))
    expect([...s.cloud.subscriptions.keys()]).toEqual([subscription(3)])
    expect(await actions()).toEqual(['pubsub.connect', 'pubsub.rotate', 'pubsub.rotate'])
    await change('test')
    expect(s.cloud.delivered.map(({ status }) => status)).toEqual([200])
  })

  test('that broke off before the new subscription was saved goes on with the same one', async () => {
    await change('connect')
    s.cloud.subscriptions.set(subscription(2), { topic, pushConfig: {} })
    expect((await change('rotate')).body.data.subscription).toBe(subscription(2))
    expect(await status()).toEqual(view({ subscription: subscription(2) }))
    expect([...s.cloud.subscriptions.keys()]).toEqual([subscription(2)])
  })

  test('that cannot delete the one before is BROKEN until recreate has', async () => {
    await change('connect')
    s.cloud.fault = (call) => (call.startsWith('DELETE') ? cloudError(503, 'UNAVAILABLE') : null)
    expect((await change('rotate')).status).toBe(503)
    s.cloud.fault = () => null
    expect(await status()).toEqual(view({ status: 'BROKEN', subscription: subscription(2) }))
    await s.cloud.publishAsPlay(topic, testData())
    expect(s.cloud.delivered.map(({ status }) => status)).toEqual([200, 200])
    expect((await change('recreate')).body.data).toEqual(view({ subscription: subscription(2), lastMessageAt: now() }))
    expect([...s.cloud.subscriptions.keys()]).toEqual([subscription(2)])
  })
})

const now = () => toIso(s.ctx.clock.now())
const testData = () => {
  const notification = { version: '1.0', packageName: PACKAGE, testNotification: { version: '1.0' } }
  return Buffer.from(JSON.stringify({ ...notification, eventTimeMillis: String(s.ctx.clock.now()) })).toString('base64')
}

describe('a change that broke off', () => {
  const CHANGES: [name: string, work: () => Promise<Answer>, calls: number][] = [
    ['rotate', () => change('rotate'), 3],
    ['disconnect', disconnect, 3],
    [
      'recreate',
      () => {
        s.cloud.topics.delete(topic)
        s.cloud.subscriptions.clear()
        return change('recreate')
      },
      6,
    ],
  ]
  const broken = CHANGES.flatMap(([name, work, calls]) =>
    Array.from({ length: calls }, (_, count) => [name, count, work] as const),
  )
  test.each(broken)('%s after %p calls is made whole by recreate', async (name, count, work) => {
    await change('connect')
    let calls = 0
    s.cloud.fault = () => (calls++ < count ? null : cloudError(503, 'UNAVAILABLE'))
    expect((await work()).status).toBe(503)
    s.cloud.fault = () => null
    const { data } = (await change('recreate')).body
    expect(data.status).toBe('CONNECTED')
    expect(await status()).toEqual(data)
    expect([...s.cloud.topics.keys()]).toEqual([topic])
    // What rotate had made, but not saved, has the name that the next rotation takes.
    const spare = name === 'rotate' && data.subscription === first ? [subscription(2)] : []
    expect(new Set([...s.cloud.subscriptions.keys(), ...spare])).toEqual(new Set([data.subscription, ...spare]))
    await change('rotate')
    expect(s.cloud.subscriptions.size).toBe(1)
  })
})

describe('disconnecting', () => {
  test('deletes what svc made; a second time there is nothing', async () => {
    await change('connect')
    expect((await disconnect()).body).toEqual({ data: view(DISCONNECTED) })
    expect([s.cloud.topics.size, s.cloud.subscriptions.size]).toEqual([0, 0])
    expect(await status()).toEqual(view(DISCONNECTED))
    expect((await disconnect()).status).toBe(404)
    const rows = await auditRows()
    expect(rows.map(({ action, after }) => [action, after === null])).toEqual([
      ['pubsub.connect', false],
      ['pubsub.disconnect', true],
    ])
    expect((await change('connect')).body.data).toEqual(view())
  })

  test('also deletes what a rotation has made that broke off', async () => {
    await change('connect')
    s.cloud.subscriptions.set(subscription(2), { topic })
    await disconnect()
    expect(s.cloud.subscriptions.size).toBe(0)
  })

  test('of what is gone at Google already succeeds', async () => {
    await change('connect')
    s.cloud.topics.clear()
    s.cloud.subscriptions.clear()
    expect((await disconnect()).status).toBe(200)
  })

  test('that broke off half way can be repeated', async () => {
    await change('connect')
    s.cloud.fault = (call) => (call === `DELETE ${topic}` ? cloudError(503, 'UNAVAILABLE') : null)
    const { status: code, body } = await disconnect()
    expect([code, body.error.code]).toEqual([503, 'STORE_UNAVAILABLE'])
    expect((await actions()).at(-1)).toBe('pubsub.connect')
    s.cloud.fault = () => null
    expect((await status()).status).toBe('BROKEN')
    expect((await disconnect()).body.data.status).toBe('DISCONNECTED')
    expect(s.cloud.topics.size).toBe(0)
  })
})
