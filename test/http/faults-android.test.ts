import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { listStoreEvents } from '../../src/intake/catch-up/replay'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import type { SimulatedPush } from '../../src/test-store/stores/android-push'
import type { AndroidFaults } from '../../src/test-store/stores/android-server'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { access, eventTypes, everything, expectRefused, money, rowOf } from '../support/facts'
import { holdTimeouts } from '../support/pauses'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const inbox = () => listStoreEvents(s.ctx, { store: 'ANDROID_STORE' }, 99)
const DONE = { data: { received: true, duplicate: false } }
const REPEATED = { data: { received: true, duplicate: true } }

/** The one push that is not delivered yet. */
async function next(): Promise<SimulatedPush> {
  const [push, ...others] = await s.pushes()
  if (!push || others.length > 0) throw new Error(`${others.length + (push ? 1 : 0)} pushes wait`)
  return push
}

/** Changes the store's answer about a subscription, as a new version of Google's API would. */
function changeAnswer(token: string, change: Record<string, unknown>): () => void {
  const { subscriptions } = s.server.store
  const held = subscriptions.get(token)
  if (!held) throw new Error('no such subscription')
  subscriptions.set(token, { ...held, resource: { ...held.resource, ...change } })
  return () => subscriptions.set(token, held)
}

describe('while the store has faults', () => {
  const away: [name: string, faults: AndroidFaults][] = [
    ['answers 429', { status: 429 }],
    ['answers 500', { status: 500 }],
    ['answers 502', { status: 502 }],
    ['answers 503', { status: 503 }],
    ['answers 504', { status: 504 }],
    ['gives no access token', { tokenStatus: 500 }],
  ]
  const unusable: [name: string, faults: AndroidFaults][] = [
    ['answers 401', { status: 401 }],
    ['answers 403', { status: 403 }],
    ['answers half a JSON text', { isMalformed: true }],
    ['refuses our account', { tokenStatus: 400 }],
  ]
  const rows = [
    ...away.map((row) => [...row, 503, 'STORE_UNAVAILABLE'] as const),
    ...unusable.map((row) => [...row, 502, 'STORE_API_ERROR'] as const),
  ]
  for (const [name, faults, status, code] of rows)
    test(`that ${name}: 5xx for receipt, restore and push, nothing written, and done when it comes again`, async () => {
      const token = s.server.store.subscribe(ANDROID_YEARLY)
      const push = await next()
      await s.deliver({ ...push, body: '{}' }) // Loads Google's keys while the store works.
      const receipts = [{ store: 'ANDROID_STORE', receipt: token, productId: 'pro_yearly' }]
      await s.get('/v1/me', 'svc_ada')
      s.server.faults = faults
      await expectRefused(s, () => s.token('svc_ada', token, 'pro_yearly'), status, code)
      const { headers } = await expectRefused(s, () => s.deliver(push), 503, 'STORE_UNAVAILABLE')
      expect(headers.get('retry-after')).toBe('60')
      const restore = () => s.post('/v1/subscribers/svc_ada/restore', { receipts })
      await expectRefused(s, restore, status, code)
      expect(await inbox()).toMatchObject([{ status: 'FAILED', body: push.body, attempts: 1 }])

      s.server.faults = {}
      s.ctx.clock.advance(MINUTE)
      expect((await s.deliver(push)).body).toEqual(DONE)
      expect((await s.token('svc_ada', token, 'pro_yearly')).status).toBe(200)
      expect(await inbox()).toMatchObject([{ status: 'PROCESSED', error: null, attempts: 2 }])
      expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([['INITIAL', 79_990_000]])
      expect(Object.keys(await access(s, 'svc_ada')).sort()).toEqual(['coach', 'pro'])
    })

  test('that is slow: after 8 s a receipt and a push are 503, and both are done when they come again', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    await s.deliver({ ...push, body: '{}' })
    await s.token('svc_probe', 'made-up', 'pro')
    const { promise, resolve } = Promise.withResolvers<void>()
    s.server.faults = { until: promise }
    const time = holdTimeouts()
    const before = s.server.requests.length
    const asked = Promise.all([s.token('svc_ada', token, 'pro'), s.deliver(push)])
    while (s.server.requests.length < before + 2) await Bun.sleep(1)
    for (const ms of time.asked) expect(ms).toBe(8 * SECOND)
    time.expire()
    const answers = await asked
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toEqual([])
    resolve()
    s.server.faults = {}
    expect((await s.deliver(push)).body).toEqual(DONE)
    expect((await s.token('svc_ada', token, 'pro')).status).toBe(200)
    expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
  }, 600_000)
})

describe('a value that the store adds later', () => {
  test('a state of a subscription: 5xx, nothing believed, nothing lost, and done by a release that knows it', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    for (const subscriptionState of ['SUBSCRIPTION_STATE_FROZEN', 'ACTIVE', 'SUBSCRIPTION_STATE_UNSPECIFIED']) {
      const mend = changeAnswer(token, { subscriptionState })
      await expectRefused(s, () => s.token('svc_ada', token, 'pro'), 502, 'STORE_API_ERROR')
      await expectRefused(s, () => s.deliver(push), 503, 'STORE_UNAVAILABLE')
      const [row] = await inbox()
      expect([row?.status, row?.error]).toEqual(['FAILED', expect.stringContaining('subscriptionState')])
      mend()
    }
    expect((await s.deliver(push)).body).toEqual(DONE)
    expect((await s.token('svc_ada', token, 'pro')).status).toBe(200)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })

  test('a state that comes in the middle of a life leaves what was known', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro')
    await s.deliverAll()
    const types = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
    s.ctx.clock.advance(DAY)
    s.server.store.cancel(token)
    const mend = changeAnswer(token, { subscriptionState: 'SUBSCRIPTION_STATE_FROZEN' })
    const push = await next()
    await expectRefused(s, () => s.deliver(push), 503, 'STORE_UNAVAILABLE')
    expect([Object.keys(await access(s, 'svc_ada')), await eventTypes(s, (await rowOf(s, 'svc_ada')).id)]).toEqual([
      ['pro'],
      types,
    ])
    mend()
    expect((await s.deliver(push)).body).toEqual(DONE)
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual([...types, 'purchase.cancelled'])
  })

  test('what decides nothing is no fault', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const [item] = s.server.store.subscriptions.get(token)?.resource.lineItems ?? []
    changeAnswer(token, {
      acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PONDERED',
      novelty: { of: 2031 },
      lineItems: [{ ...item, offerPhase: { gift: {} }, itemReplacement: { productId: 'x' } }],
    })
    expect((await s.token('svc_ada', token, 'pro')).status).toBe(200)
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([['INITIAL', 9_990_000]])
  })

  test('a kind of push is acknowledged, kept as it came, and visible', async () => {
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    const body = JSON.parse(push.body)
    const notification = {
      version: '1.0',
      packageName: 'com.example.sleep',
      eventTimeMillis: '1',
      giftNotification: { purchaseToken: 'x' },
    }
    body.message.data = Buffer.from(JSON.stringify(notification)).toString('base64')
    const before = await everything(s)
    const novelty = { ...push, body: JSON.stringify(body) }
    expect((await s.deliver(novelty)).body).toEqual(DONE)
    expect((await s.deliver(novelty)).body).toEqual(REPEATED)
    expect(await everything(s)).toEqual(before)
    expect(await inbox()).toMatchObject([{ status: 'IGNORED', type: 'UNKNOWN', body: novelty.body }])
  })
})

describe('a push', () => {
  test('that is stale is processed: the store is asked how it stands now', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const [bought] = await s.pushes()
    s.server.store.cancel(token)
    await s.pushes()
    s.ctx.clock.advance(9 * DAY)
    const authorization = `Bearer ${await s.server.pushToken(s.identity)}`
    if (bought) expect((await s.deliver({ ...bought, authorization })).body).toEqual(DONE)
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect([purchase?.status, purchase?.fold.autoRenews]).toEqual(['ACTIVE', false])
  })

  test('that is replayed is a duplicate, under a new signature too', async () => {
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    expect((await s.deliver(push)).body).toEqual(DONE)
    const before = await everything(s)
    s.ctx.clock.advance(2 * DAY)
    const authorization = `Bearer ${await s.server.pushToken(s.identity)}`
    expect((await s.deliver({ ...push, authorization })).body).toEqual(REPEATED)
    expect(await everything(s)).toEqual(before)
  })

  test('at the address of another project with an app of its own is 401, and still new where it belongs', async () => {
    await addAppToOther()
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    await expectRefused(s, () => s.deliver(push, s.other.id), 401, 'UNAUTHORIZED')
    // Signed for that address, but about another app.
    const audience = s.identity.audience.replace(s.project.id, s.other.id)
    const authorization = `Bearer ${await s.server.pushToken({ ...s.identity, audience })}`
    await expectRefused(s, () => s.deliver({ ...push, authorization }, s.other.id), 400, 'VALIDATION_ERROR')
    expect(await inbox()).toEqual([])
    expect((await s.deliver(push)).body).toEqual(DONE)
  })
})

describe('a receipt', () => {
  test('shown to another project is refused there, and still good where it belongs', async () => {
    await addAppToOther()
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const { products: p } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(p).set({ androidId: 'pro' }))
    s.ctx.state.projects.forget(s.other.id)
    // Google answers so for another package.
    s.server.faults = { status: 400, reason: 'purchaseTokenDoesNotMatchPackageName' }
    const there = () => s.token('svc_eve', token, 'pro_monthly', {}, s.other.publicKey)
    await expectRefused(s, there, 400, 'RECEIPT_INVALID')
    s.server.faults = {}
    expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
  })
})

/** An app with another package, and the same account at Google. */
async function addAppToOther(): Promise<void> {
  const file = await s.server.serviceAccountFile()
  const config = { packageName: 'com.example.other', clientEmail: file.client_email }
  await s.ctx.write((tx) =>
    saveStoreSettings(tx, s.other.id, 'android', { config, secrets: { serviceAccount: JSON.stringify(file) } }),
  )
  s.ctx.state.projects.forget(s.other.id)
}
