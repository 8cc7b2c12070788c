import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { addCustomer, charge, subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout } from '../../src/test-store/stores/payment-checkout'
import { renew } from '../../src/test-store/stores/payment-turns'
import { access, damage, eventTypes, everything, identify, rowOf } from '../support/facts'
import { storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage } from '../support/payment'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage()
})
afterEach(() => s.close())

const idOf = async (device: string): Promise<string> => (await s.get('/v1/me', device)).body.data.subscriber.id
const pro = async (device: string) => Object.keys(await access(s, device))
const owner = async () => {
  const [purchase, ...more] = await s.ctx.db.select().from(s.ctx.tables.purchases)
  expect(more).toEqual([])
  return purchase?.subscriberId
}
const sell = (metadata: Record<string, string> = {}, customer?: string) =>
  subscribe(s.world, { priceId: 'price_monthly', metadata, ...(customer && { customer }) })

describe('a new purchase goes to', () => {
  test('the subscriber in its metadata, before the device key in it', async () => {
    const [ada] = [await idOf('svc_ada'), await idOf('svc_bo')]
    sell({ svc_subscriber_id: ada, svc_device_key: 'svc_bo' })
    await s.deliverAll()
    expect(await owner()).toBe(ada)
  })

  test('the device key in its metadata when nobody has that id', async () => {
    const bo = await idOf('svc_bo')
    for (const id of ['sub_01m5vnfe40es8r65rzyjka792g', 'nobody', ''])
      sell({ svc_subscriber_id: id, svc_device_key: 'svc_bo' })
    await s.deliverAll()
    const owners = (await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ subscriberId }) => subscriberId)
    expect(owners).toEqual([bo, bo, bo])
  })

  test('whom they were merged into', async () => {
    const ada = await idOf('svc_ada')
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_new', 'ada')
    sell({ svc_subscriber_id: ada })
    await s.deliverAll()
    expect(await owner()).toBe((await rowOf(s, 'svc_new')).id)
  })

  test('the subscriber whose customer paid', async () => {
    const first = await s.checkout('svc_ada')
    completeCheckout(s.world, first.body.data.id)
    await s.deliverAll()
    const customer = [...s.world.customers.keys()].at(-1)
    sell({}, customer)
    await s.deliverAll()
    const owners = (await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ subscriberId }) => subscriberId)
    expect(new Set(owners)).toEqual(new Set([(await rowOf(s, 'svc_ada')).id]))
    expect(owners).toHaveLength(2)
  })

  test('a synthetic subscriber of the customer, one for all that it buys', async () => {
    const customer = addCustomer(s.world).id
    sell({}, customer)
    sell({ svc_device_key: 'svc_never_seen' }, customer)
    await s.deliverAll()
    const synthetic = await rowOf(s, `payment:${customer}`)
    expect(synthetic.isSynthetic).toBe(true)
    const owners = (await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ subscriberId }) => subscriberId)
    expect(owners).toEqual([synthetic.id, synthetic.id])
    expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toHaveLength(1)
  })

  test('a synthetic subscriber of the payment when a guest paid', async () => {
    const intent = charge(s.world, {
      amount: 19999,
      currency: 'usd',
      customer: null,
      metadata: { svc_price_id: 'price_lifetime' },
    })
    s.world.emit('payment_intent.succeeded', intent)
    await s.deliverAll()
    expect(await owner()).toBe((await rowOf(s, `payment:${intent.id}`)).id)
  })

  test('nobody when its subscriber was erased, and nothing is written', async () => {
    const ada = await idOf('svc_ada')
    await damage(s, ada, { erasedAt: s.ctx.clock.now() })
    const before = await everything(s)
    sell({ svc_subscriber_id: ada })
    expect((await s.deliverAll()).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await everything(s)).toEqual(before)
    const errors = (await storeEvents(s)).map(({ status, error }) => [status, error])
    expect(errors).toContainEqual(['IGNORED', 'its owner was erased'])
  })

  test('nobody here when its subscriber is of another project', async () => {
    const { body } = await s.get('/v1/me', 'svc_ada', { key: s.other.publicKey })
    const before = await everything(s)
    sell({ svc_subscriber_id: body.data.subscriber.id, svc_device_key: 'svc_ada' })
    await s.deliverAll()
    expect(await everything(s)).toEqual(before)
    expect((await storeEvents(s)).filter(({ status }) => status === 'PROCESSED')).toEqual([])
  })

  test('no synthetic key or other text that no device may have', async () => {
    sell({}, addCustomer(s.world).id)
    await s.deliverAll()
    const [victim] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    for (const svc_device_key of [victim?.deviceKey ?? '', 'x'.repeat(200), 'a\u0007', ''])
      sell({ svc_device_key, svc_subscriber_id: "' or 1=1" })
    await s.deliverAll()
    const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(rows.filter(({ subscriberId }) => subscriberId === victim?.id)).toHaveLength(1)
    expect(rows).toHaveLength(5)
  })
})

describe('a purchase that somebody owns', () => {
  test('is never moved by metadata, which the seller can edit', async () => {
    const [ada, bo] = [await idOf('svc_ada'), await idOf('svc_bo')]
    const subscription = sell({ svc_subscriber_id: ada })
    await s.deliverAll()
    subscription.metadata = { svc_subscriber_id: bo, svc_device_key: 'svc_bo' }
    s.ctx.clock.advance(30 * DAY)
    renew(s.world, subscription.id)
    await s.deliverAll()
    expect(await owner()).toBe(ada)
    expect([await pro('svc_ada'), await pro('svc_bo')]).toEqual([['pro'], []])
    expect(await eventTypes(s, bo)).toEqual([])
  })

  test('stays with a synthetic subscriber too, until a transfer gives it away', async () => {
    const bo = await idOf('svc_bo')
    const customer = addCustomer(s.world).id
    const subscription = sell({}, customer)
    await s.deliverAll()
    subscription.metadata = { svc_subscriber_id: bo }
    s.world.emit('customer.subscription.updated', subscription)
    await s.deliverAll()
    const synthetic = await rowOf(s, `payment:${customer}`)
    expect(await owner()).toBe(synthetic.id)
    const transfer = { fromAppUserId: synthetic.id, toAppUserId: bo }
    await s.post('/v1/subscribers/transfer', transfer, { key: s.project.secretKey })
    expect(await pro('svc_bo')).toEqual(['pro'])
    // The customer has moved too: the portal opens, and the next purchase belongs to the new owner.
    expect((await s.portal('svc_bo')).body.data.customer).toBe(customer)
    s.ctx.clock.advance(DAY)
    sell({}, customer)
    await s.deliverAll()
    const owners = (await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ subscriberId }) => subscriberId)
    expect(owners).toEqual([bo, bo])
  })

  test('keeps what was shown when it was bought', async () => {
    const shown = { svc_presented_context: '{"offeringIdentifier":"a"}' }
    const subscription = sell({ ...shown, svc_subscriber_id: await idOf('svc_ada') })
    await s.deliverAll()
    subscription.metadata = { svc_presented_context: '{"offeringIdentifier":"b"}' }
    s.world.emit('customer.subscription.updated', subscription)
    await s.deliverAll()
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(purchase?.presentedContext).toEqual({ offeringIdentifier: 'a' })
  })

  test('takes in what no column could hold without it', async () => {
    const ada = await idOf('svc_ada')
    for (const text of ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '[]', 'x', '"x"'])
      sell({ svc_subscriber_id: ada, svc_presented_context: text })
    expect(new Set((await s.deliverAll()).map(({ status }) => status))).toEqual(new Set([200]))
    const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(rows.map(({ presentedContext }) => presentedContext)).toEqual([null, null, null, null, null])
  })

  test('whose owner was erased goes on nowhere', async () => {
    const ada = await idOf('svc_ada')
    const subscription = sell({ svc_subscriber_id: ada })
    await s.deliverAll()
    await damage(s, ada, { erasedAt: s.ctx.clock.now() })
    const before = await everything(s)
    s.ctx.clock.advance(30 * DAY)
    renew(s.world, subscription.id)
    await s.deliverAll()
    expect(await everything(s)).toEqual(before)
  })
})

test('two purchases of a new customer at once make one subscriber', async () => {
  const customer = addCustomer(s.world).id
  for (let count = 0; count < 5; count++) sell({}, customer)
  const answers = await Promise.all((await s.deliveries()).map((delivery) => s.deliver(delivery)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toHaveLength(1)
  expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(5)
  await eventTypes(s, (await rowOf(s, `payment:${customer}`)).id)
})
