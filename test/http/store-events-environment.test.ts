import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { notify, storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage } from '../support/payment'
import { staff } from '../support/staff'

let open: { close(): Promise<unknown> } | null = null
afterEach(async () => {
  await open?.close()
  open = null
})

function opened<S extends { close(): Promise<unknown> }>(made: S): S {
  open = made
  return made
}

const list = async (s: Stage, query = '') =>
  (await staff(s).as('DEVELOPER').get(`/store-events${query}`)).body.data.items as Record<string, unknown>[]

const environments = async (s: Stage) => (await list(s)).map(({ environment }) => environment)

/** Forgets what the inbox knows of the environments, as rows are that are older than the column. */
const forgetAll = (s: Stage) => s.ctx.write((tx) => tx.db.update(tx.tables.storeEvents).set({ environment: null }))

/** Runs the statements of the migration that follow the new column. */
async function fillIn(s: Stage): Promise<void> {
  const found = s.ctx.storage.migrations.find(({ tag }) => tag.endsWith('store_event_environment'))
  const [, ...statements] = found?.text.split('--> statement-breakpoint') ?? []
  expect(statements).toHaveLength(3)
  await s.ctx.storage.runScript(statements)
}

const sandboxPurchase = (s: Stage, id: string) => notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY), { id })

/** The provider sends an event of each mode. The project sells in test mode. */
async function bothModes(s: PaymentStage): Promise<void> {
  const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
  subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: id } })
  const event = s.world.events.find(({ type }) => type === 'customer.subscription.created')
  const signed = (more: object) => signEvent({ ...event, ...more }, { secret: s.secret, now: s.ctx.clock.now() })
  for (const more of [{ id: 'evt_test' }, { id: 'evt_live', livemode: true }])
    expect((await s.deliver(await signed(more))).status).toBe(200)
}

test('a notification of the iOS store names its environment, also one that is refused', async () => {
  const s = opened(await stage())
  await sandboxPurchase(s, 'n-1')
  const refused = await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY), { id: 'n-2', bundleId: 'com.other' })
  expect(refused.status).toBe(401)
  expect((await list(s)).map(({ status, environment }) => [status, environment]).toSorted()).toEqual([
    ['FAILED', 'SANDBOX'],
    ['PROCESSED', 'SANDBOX'],
  ])
})

test('a payment event names its mode', async () => {
  const s = opened(await paymentStage())
  await bothModes(s)
  expect((await list(s)).map(({ notificationId, environment }) => [notificationId, environment]).toSorted()).toEqual([
    ['evt_live', 'PRODUCTION'],
    ['evt_test', 'SANDBOX'],
  ])
  expect(await list(s, '?environment=PRODUCTION')).toMatchObject([{ notificationId: 'evt_live' }])
})

test.each([
  [false, 'PRODUCTION'],
  [true, 'SANDBOX'],
])('of Google Play, where a test purchase is %p, the purchase says %p', async (isTest, environment) => {
  const s = opened(await androidStage())
  s.server.store.subscribe(ANDROID_MONTHLY, { isTest })
  await s.deliverAll()
  expect(await environments(s)).toEqual([environment])
  await forgetAll(s)
  await fillIn(s)
  expect(await environments(s)).toEqual([environment])
})

test('is null where the store says nothing of a purchase, and that one is in both lists', async () => {
  const s = opened(await androidStage())
  s.server.store.subscribe(ANDROID_MONTHLY, {})
  await s.deliverAll()
  s.server.store.subscribe(ANDROID_MONTHLY, {})
  const [push] = await s.pushes()
  if (!push) throw new Error('nothing was pushed')
  const body = JSON.parse(push.body)
  const notification = { ...JSON.parse(Buffer.from(body.message.data, 'base64').toString()), testNotification: {} }
  delete notification.subscriptionNotification
  body.message.data = Buffer.from(JSON.stringify(notification)).toString('base64')
  expect((await s.deliver({ ...push, body: JSON.stringify(body) })).status).toBe(200)
  const typesOf = async (query: string) => (await list(s, query)).map(({ type }) => type).toSorted()
  expect(await typesOf('?environment=SANDBOX')).toEqual(['TEST'])
  expect(await typesOf('?environment=PRODUCTION')).toEqual(['SUBSCRIPTION_PURCHASED', 'TEST'])
  expect(await typesOf('?environment=PRODUCTION&status=PROCESSED')).toEqual(['SUBSCRIPTION_PURCHASED'])
})

test('older notifications get what their text says, and keep nothing else', async () => {
  const s = opened(await paymentStage())
  await bothModes(s)
  for (const id of ['n-1', 'n-22', 'n-333']) await sandboxPurchase(s, id)
  const { storeEvents: e } = s.ctx.tables
  await forgetAll(s)
  await s.ctx.write((tx) => tx.db.update(e).set({ body: '' }).where(eq(e.notificationId, 'n-22')))
  const before = await storeEvents(s)
  await fillIn(s)
  const after = await storeEvents(s)
  expect(after.map(({ notificationId, environment }) => [notificationId, environment]).toSorted()).toEqual([
    ['evt_live', 'PRODUCTION'],
    ['evt_test', 'SANDBOX'],
    ['n-1', 'SANDBOX'],
    ['n-22', null],
    ['n-333', 'SANDBOX'],
  ])
  const without = (rows: typeof before) => rows.map(({ environment: _, ...rest }) => rest)
  expect(without(after)).toEqual(without(before))
})

test('an older notification of every environment is read wherever the name is in its text', async () => {
  const s = opened(await stage())
  await sandboxPurchase(s, 'n-1')
  const { storeEvents: e } = s.ctx.tables
  const names = { Production: 'PRODUCTION', Sandbox: 'SANDBOX', Xcode: 'SANDBOX', LocalTesting: 'SANDBOX' }
  for (const [name, environment] of Object.entries(names))
    for (const pad of ['', 'x', 'xx']) {
      const payload = Buffer.from(JSON.stringify({ pad, data: { environment: name, bundleId: 'b' } }))
      const body = JSON.stringify({ signedPayload: `h.${payload.toString('base64url')}.s` })
      await s.ctx.write((tx) => tx.db.update(e).set({ body, environment: null }))
      await fillIn(s)
      expect([name, pad, await environments(s)]).toEqual([name, pad, [environment]])
    }
})

test.each(['?environment=production', '?environment=', '?environment=XCODE'])(
  'is not listed with %s',
  async (query) => {
    const s = opened(await stage())
    expect((await staff(s).as('DEVELOPER').get(`/store-events${query}`)).status).toBe(400)
  },
)
