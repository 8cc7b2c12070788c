import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { toIso } from '../../src/base/lib/time'
import { MONTHLY } from '../support/cast'
import { identify, refund, renew } from '../support/facts'
import { AMPLITUDE_BODY, type IntegrationStage, integrationStage } from '../support/integrations/stage'
import { notificationBody } from '../support/notify'
import { dataOf } from '../support/operator'
import { type Received, type Receiver, startReceiver } from '../support/receiver'
import type { StaffCalls } from '../support/staff'

/** One customer connects a project, step by step; each test continues where the one before has ended. */
let i: IntegrationStage
let dev: StaffCalls
let receiver: Receiver
beforeAll(async () => {
  receiver = startReceiver()
  i = await integrationStage()
  dev = i.team.as('DEVELOPER')
})
afterAll(async () => {
  await i.close()
  await receiver.close()
})

const run = () => i.s.ctx.state.dispatcher.runDue()
const arrived = (path: string): Received[] => receiver.received.filter((one) => one.path === path)
const typesAt = (path: string): string[] => arrived(path).map(({ body }) => JSON.parse(body).type)
const forget = () => receiver.received.splice(0)
const deliveriesOf = async (endpointId: string, query = '') =>
  (await dataOf(dev.get(`/webhook-deliveries?endpointId=${endpointId}${query}`))).items

/** Verifies with the library of the specification, which compares with the time of the machine. */
function verify(secret: string, { body, headers }: Received): void {
  setSystemTime(new Date(i.s.ctx.clock.now()))
  try {
    new Webhook(secret).verify(body, headers)
  } finally {
    setSystemTime()
  }
}

let hook = { id: '', secret: '' }
let bought: ReturnType<typeof i.s.buy>

test('an endpoint is made and tested, and gets a purchase signed and in order', async () => {
  const members = { name: 'backend', url: `${receiver.url}/backend`, eventTypes: ['*'], ordered: true }
  hook = await dataOf(dev.post('/webhook-endpoints', members))
  const tested = await dataOf(dev.post(`/webhook-endpoints/${hook.id}/test`))
  expect(tested).toMatchObject({ status: 'SUCCEEDED', isTest: true, type: 'webhook.test' })
  bought = i.s.buy(MONTHLY)
  await i.s.receipt('svc_ada', bought)
  await identify(i.s, 'svc_ada', 'ada')
  await run()
  expect(typesAt('/backend')).toEqual([
    'webhook.test',
    'purchase.initial',
    'entitlement.granted',
    'subscriber.identified',
  ])
  for (const one of arrived('/backend')) verify(hook.secret, one)
  expect(
    arrived('/backend')
      .slice(1)
      .map(({ body }) => JSON.parse(body).seq),
  ).toEqual([1, 2, 3])
})

test('while the receiver is away nothing is lost, and the order stays', async () => {
  forget()
  receiver.respond = () => new Response('deploying', { status: 404 })
  i.s.ctx.clock.advance(30 * DAY)
  bought = renew(i.s, bought, MONTHLY)
  await i.s.receipt('svc_ada', bought)
  await i.s.receipt('svc_ada', refund(i.s, bought))
  await run()
  expect(typesAt('/backend')).toEqual(['purchase.renewed'])
  expect((await deliveriesOf(hook.id, '&status=FAILED'))[0]).toMatchObject({ lastStatusCode: 404, attempts: 1 })
  receiver.respond = () => new Response('thank you')
  i.s.ctx.clock.advance(6 * SECOND)
  await run()
  expect(typesAt('/backend')).toEqual([
    ...['purchase.renewed', 'purchase.renewed'],
    ...['purchase.refunded', 'entitlement.revoked'],
  ])
  expect(await deliveriesOf(hook.id, '&status=FAILED')).toEqual([])
})

test('a delivery is sent again, a time range is replayed, and both keep the ids', async () => {
  const [newest] = await deliveriesOf(hook.id)
  const before = new Set(arrived('/backend').map(({ headers }) => headers['webhook-id']))
  forget()
  await dataOf(dev.post(`/webhook-deliveries/${newest.id}/redeliver`))
  const to = toIso(i.s.ctx.clock.now())
  const from = toIso(i.s.ctx.clock.now() - HOUR)
  const order = { endpointId: hook.id, from, to, types: ['purchase.*'] }
  expect(await dataOf(dev.post('/webhook-deliveries/replay', order))).toEqual({ queued: 2 })
  await run()
  expect(typesAt('/backend')).toEqual([newest.type, 'purchase.renewed', 'purchase.refunded'])
  expect(arrived('/backend').every(({ headers }) => before.has(headers['webhook-id']))).toBe(true)
})

test('a secret is changed without a gap', async () => {
  forget()
  const rotated = await dataOf(dev.post(`/webhook-endpoints/${hook.id}/rotate-secret`))
  await dataOf(dev.post(`/webhook-endpoints/${hook.id}/test`))
  const [tested] = arrived('/backend')
  if (!tested) throw new Error('nothing arrived')
  for (const secret of [hook.secret, rotated.secret]) verify(secret, tested)
})

test('a receiver of another vendor, one that is gone, and a store’s notification that is passed on', async () => {
  forget()
  const members = { eventTypes: ['*'], format: 'revenuecat', authorization: 'Bearer of-old' }
  await dataOf(dev.post('/webhook-endpoints', { name: 'old', url: `${receiver.url}/old`, ...members }))
  const gone = await dataOf(
    dev.post('/webhook-endpoints', { name: 'gone', url: `${receiver.url}/gone`, eventTypes: ['purchase.*'] }),
  )
  const forward = { store: 'IOS_STORE', url: `${receiver.url}/apple` }
  await dataOf(i.team.as('ADMIN').post('/notification-forwards', forward))
  receiver.respond = ({ path }) => new Response('', { status: path === '/gone' ? 410 : 200 })
  const other = i.s.buy(MONTHLY)
  await i.s.receipt('svc_bo', other)
  const raw = JSON.stringify(notificationBody(i.s, ['TEST', null], null))
  expect((await i.s.call('POST', `/webhooks/ios/${i.s.project.id}`, { key: null, raw })).status).toBe(200)
  await run()
  const [old, ...more] = arrived('/old')
  expect([JSON.parse(old?.body ?? '').event.type, more]).toEqual(['INITIAL_PURCHASE', []])
  expect(old?.headers.authorization).toBe('Bearer of-old')
  expect(typesAt('/backend')).toEqual(['purchase.initial', 'entitlement.granted'])
  expect(await dataOf(dev.get(`/webhook-endpoints/${gone.id}`))).toMatchObject({
    isEnabled: false,
    disabledReason: 'GONE',
  })
  expect(arrived('/gone')).toHaveLength(1)
  expect(arrived('/apple').map(({ body }) => sha256Hex(body))).toEqual([sha256Hex(raw)])
  expect(arrived('/apple')[0]?.headers['x-svc-forwarded']).toBe('1')
})

test('what the app reports is kept, goes to a provider, and never to a webhook', async () => {
  forget()
  const connection = { ...AMPLITUDE_BODY, includeSandbox: true, eventMapping: { level_up: 'Level Up' } }
  await dataOf(i.team.as('ADMIN').post('/integrations', connection))
  i.server.calls.splice(0)
  const at = (msAgo: number) => toIso(i.s.ctx.clock.now() - msAgo)
  const session = { type: 'close', occurredAt: at(MINUTE), durationMs: 10 * MINUTE }
  const batch = (events: object[]) => i.s.post('/v1/sdk/sessions', { subscriberId: 'svc_ada', events })
  expect(await batch([session, session])).toMatchObject({ status: 202, body: null })
  const { status, body } = await batch([{ ...session, occurredAt: at(3 * DAY) }])
  expect([status, body.error.code]).toEqual([422, 'STALE_BATCH'])
  const event = { occurredAt: at(0), subscriberId: 'svc_ada', eventId: 'one' }
  for (const eventType of ['level_up', 'level_up', 'purchase.initial'])
    expect((await i.s.post('/v1/events', { ...event, eventType })).status).toBe(202)
  await run()
  expect(i.server.callsOf('amplitude').map((call) => JSON.parse(call.body).events[0].event_type)).toEqual(['Level Up'])
  expect(receiver.received).toEqual([])
})

test('an endpoint that is dead for five days is switched off, and the others got everything once', async () => {
  const eventTypes = ['purchase.*', 'entitlement.*']
  const dead = await dataOf(dev.post('/webhook-endpoints', { name: 'dead', url: `${receiver.url}/dead`, eventTypes }))
  receiver.respond = ({ path }) => new Response('', { status: path === '/dead' ? 500 : 200 })
  forget()
  for (let n = 0; n < 25; n++) await i.s.receipt(`svc_${n}`, i.s.buy(MONTHLY))
  for (let n = 0; n < 24; n++) {
    await run()
    i.s.ctx.clock.advance(6 * HOUR)
  }
  const view = () => dataOf(dev.get(`/webhook-endpoints/${dead.id}`))
  expect(await view()).toMatchObject({ isEnabled: true })
  await i.s.receipt('svc_last', i.s.buy(MONTHLY))
  await run()
  expect(await view()).toMatchObject({ isEnabled: false, disabledReason: 'FAILING' })
  const wanted = [dead.id, hook.id].map((id) => deliveriesOf(id, '&limit=200'))
  const [refused = [], taken = []] = await Promise.all(wanted)
  expect(refused.map(({ status }: { status: string }) => status)).toEqual(Array(52).fill('DEAD'))
  expect(taken.slice(0, 52).map(({ status }: { status: string }) => status)).toEqual(Array(52).fill('SUCCEEDED'))
  const ids = arrived('/backend').map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([52, 52])
}, 600_000)
