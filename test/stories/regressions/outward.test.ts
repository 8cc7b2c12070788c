import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../../src/base/lib/clock'
import { createIds } from '../../../src/base/lib/ids'
import { createContext } from '../../../src/create-context'
import { SLICES } from '../../../src/slices'
import { MONTHLY, type Stage, stage, YEARLY } from '../../support/cast'
import { deliveryRows, deviceOwner, endpoint, happen } from '../../support/deliveries'
import { identify, refund, renew } from '../../support/facts'
import { type Received, type Receiver, startReceiver } from '../../support/receiver'
import { on } from '../../support/story'

let s: Stage
let receiver: Receiver
beforeEach(async () => {
  receiver = startReceiver()
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } }) // It is 2026-11-20.
})
afterEach(async () => {
  await s.close()
  await receiver.close()
})

const hook = (members: object = {}, path = '/hooks') => endpoint(s, { url: `${receiver.url}${path}`, ...members })
const run = () => s.ctx.state.dispatcher.runDue()
interface Body {
  id: string
  type: string
  seq: number
  subscriberId: string
  timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: each type of event has its own data.
  data: any
}
const bodies = (): Body[] => receiver.received.map(({ body }) => JSON.parse(body))
const bodiesOf = (type: string) => bodies().filter((body) => body.type === type)
const refuseFirst = (count: number) => {
  let refused = 0
  receiver.respond = () => new Response('', { status: refused++ < count ? 500 : 200 })
}

describe('three events of one time arriving out of order', () => {
  test('carry their number, and an ordered endpoint gets them by it although attempts fail', async () => {
    await hook({ ordered: true })
    const ids = await happen(s, await deviceOwner(s, 'ada'), [
      { type: 'purchase.cancelled' },
      { type: 'purchase.product_changed' },
      { type: 'purchase.renewed' },
    ])
    refuseFirst(2)
    await run()
    expect(bodies().map(({ id }) => id)).toEqual([ids[0] ?? '']) // The others wait behind it.
    for (let n = 0; n < 3; n++) {
      s.ctx.clock.advance(6 * MINUTE)
      await run()
    }
    const taken = bodies().slice(2)
    expect(taken.map(({ id }) => id)).toEqual(ids)
    const [first = 0] = taken.map(({ seq }) => seq)
    expect(taken.map(({ seq }) => seq)).toEqual([first, first + 1, first + 2])
    expect(new Set(taken.map(({ timestamp }) => timestamp)).size).toBe(1)
  })

  test('can be put in order by their number where the endpoint is not ordered', async () => {
    await hook()
    const ids = await happen(s, await deviceOwner(s, 'ada'), [{}, {}, {}])
    receiver.respond = ({ headers }) => {
      const isRefused = headers['webhook-id'] === ids[0] && receiver.received.length <= 3
      return new Response('', { status: isRefused ? 500 : 200 })
    }
    await run()
    s.ctx.clock.advance(MINUTE)
    await run()
    const byNumber = [...new Map(bodies().map(({ id, seq }) => [id, seq]))].toSorted(([, a], [, b]) => a - b)
    expect(byNumber.map(([id]) => id)).toEqual(ids)
    expect(bodies().at(-1)?.id).toBe(ids[0] ?? '')
  })
})

test('a transfer told to one side only: both are told, each with both', async () => {
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await identify(s, 'svc_ada', 'ada')
  await identify(s, 'svc_bo', 'bo')
  await hook({ eventTypes: ['subscriber.transferred', 'entitlement.*'] })
  const [from, to] = [await deviceOwner(s, 'svc_ada'), await deviceOwner(s, 'svc_bo')]
  const order = { fromAppUserId: 'ada', toAppUserId: 'bo' }
  expect((await s.post('/v1/subscribers/transfer', order, { key: s.project.secretKey })).status).toBe(200)
  await run()
  const told = bodiesOf('subscriber.transferred')
  expect(new Map(told.map(({ subscriberId, data }) => [subscriberId, data.role]))).toEqual(
    new Map([
      [from, 'FROM'],
      [to, 'TO'],
    ]),
  )
  expect(told).toHaveLength(2)
  for (const { data } of told) expect(data).toMatchObject({ fromSubscriberId: from, toSubscriberId: to })
  expect(new Set(told.map(({ data }) => data.transferId)).size).toBe(1)
  expect(bodiesOf('entitlement.revoked').map(({ subscriberId }) => subscriberId)).toEqual([from])
  expect(bodiesOf('entitlement.granted').map(({ subscriberId }) => subscriberId)).toEqual([to])
})

test('a refund of an earlier period never told: it is, and access stays', async () => {
  await hook({ eventTypes: ['purchase.refunded', 'entitlement.revoked'] })
  const first = s.buy(MONTHLY)
  await s.receipt('svc_ada', first)
  on(s, '2026-12-20')
  await s.receipt('svc_ada', renew(s, first, MONTHLY))
  on(s, '2026-12-21')
  await s.receipt('svc_ada', refund(s, first))
  await run()
  const [told, ...more] = bodies()
  expect(more).toEqual([])
  expect([told?.type, told?.data.current]).toEqual(['purchase.refunded', false])
  expect(told?.data.transaction.storeTransactionId).toBe(first.transactionId)
  expect(told?.data.after.access.pro.isActive).toBe(true)
})

describe('unsigned when there is no secret', () => {
  const isSigned = ({ headers }: Received) => /^v1,[\w+/]{43}=$/.test(headers['webhook-signature'] ?? '')

  test('no endpoint is ever without one, however it is made', async () => {
    for (const format of ['standard', 'revenuecat']) await hook({ format, eventTypes: ['purchase.*'] }, `/${format}`)
    await s.receipt('svc_ada', s.buy(YEARLY))
    await run()
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/revenuecat', '/standard'])
    expect(receiver.received.filter((one) => !isSigned(one))).toEqual([])
  })

  test('while it cannot be read nothing is sent, and afterwards everything is, signed', async () => {
    await hook()
    const { webhookEndpoints: w } = s.ctx.tables
    const [saved] = await s.ctx.db.select().from(w)
    const seal = (sealedSecret = '') => s.ctx.write((tx) => tx.db.update(w).set({ sealedSecret }))
    await seal()
    const ids = await happen(s, await deviceOwner(s, 'ada'), [{}, {}])
    await run()
    expect(receiver.received).toEqual([])
    await seal(saved?.sealedSecret)
    s.ctx.clock.advance(MINUTE)
    await run()
    expect(
      bodies()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted())
    expect(receiver.received.every(isSigned)).toBe(true)
  })
})

test('one dead receiver stalling a pass: the others get theirs while it hangs', async () => {
  const released = Promise.withResolvers<void>()
  receiver.respond = async ({ path }) => {
    if (path === '/dead') await released.promise
    return new Response()
  }
  await hook({}, '/dead')
  await hook({}, '/alive')
  const events = Array.from({ length: 12 }, () => ({}))
  const ids = await happen(s, await deviceOwner(s, 'ada'), events)
  const pass = run()
  const pathsOf = (path: string) => receiver.received.filter((one) => one.path === path)
  while (new Set(pathsOf('/alive').map(({ headers }) => headers['webhook-id'])).size < 4) await Bun.sleep(2)
  expect(pathsOf('/dead').length).toBeLessThanOrEqual(4)
  released.resolve()
  await pass
  for (const path of ['/dead', '/alive'])
    expect(
      pathsOf(path)
        .map(({ headers }) => headers['webhook-id'] ?? '')
        .toSorted(),
    ).toEqual(ids.toSorted())
})

test('two processes sending twice: each event goes out once to each endpoint', async () => {
  for (const [path, ordered] of [['/any', false] as const, ['/ordered', true] as const]) await hook({ ordered }, path)
  const { clock, log, config } = s.ctx
  const ids = createIds(() => clock.now())
  const other = await createContext(config, { clock, log, ids, slices: SLICES })
  try {
    const wanted: string[] = []
    for (const device of ['ada', 'bo', 'cy'])
      wanted.push(...(await happen(s, await deviceOwner(s, device), [{}, {}, {}])))
    await Promise.all([run(), other.state.dispatcher.runDue()])
    await run()
    await other.state.dispatcher.runDue()
    s.ctx.clock.advance(DAY)
    await run()
    expect(new Set((await deliveryRows(s)).map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']))
    for (const path of ['/any', '/ordered']) {
      const got = receiver.received.filter((one) => one.path === path).map(({ headers }) => headers['webhook-id'] ?? '')
      expect(got.toSorted()).toEqual(wanted.toSorted())
    }
  } finally {
    await other.close()
  }
})
