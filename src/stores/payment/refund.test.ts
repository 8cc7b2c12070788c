import { afterAll, describe, expect, test } from 'bun:test'
import { CircuitBreaker } from '../../base/lib/circuit'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import { subscribe } from '../../test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../test-store/stores/payment-checkout'
import { billOnce, payBill } from '../../test-store/stores/payment-invoices'
import { chargeOfInvoice, refundCharge } from '../../test-store/stores/payment-returns'
import { NO_FAULTS, PaymentServer } from '../../test-store/stores/payment-server'
import { getFrom } from '../../test-store/stores/payment-world'
import { PaymentClient } from './client'
import { refundTransaction } from './refund'
import { add, TestStore } from './world.fixtures'

const KEY = 'sk_test_simulated'
const servers: PaymentServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

async function sold(trialDays = 0) {
  const store = new TestStore()
  const { clock, world } = store
  const server = new PaymentServer(world, KEY)
  servers.push(server)
  const circuit = new CircuitBreaker()
  const client = new PaymentClient({ apiUrl: server.url, secretKey: KEY, account: null, circuit, clock })
  const invoiceId = String(subscribe(world, { priceId: 'price_monthly', trialDays }).latest_invoice)
  await store.tell()
  store.days(2)
  const ids = { storeTransactionId: invoiceId, purchaseId: 'pur_1', transactionId: 'txn_1' }
  return { store, world, server, client, invoiceId, order: { ...ids, isSubscription: true, now: clock.now() } }
}

const MONEY = [9_990_000, -9_990_000]
const amounts = ({ told }: TestStore) =>
  transactionLines(told, 'SUBSCRIPTION').map(({ price }) => price?.amountMicros ?? null)
const statusOf = ({ told, clock }: TestStore) => {
  const fold = foldObservations(told, 'SUBSCRIPTION')
  return fold && statusAt(fold, clock.now()).status
}

test('a refund is told at once, and the event of it tells nothing new', async () => {
  const { store, client, order } = await sold()
  const result = await refundTransaction(client, order)
  add(store.told, result.ok ? result.markers : [])
  expect([statusOf(store), amounts(store)]).toEqual(['REFUNDED', MONEY])
  const markers = store.told.filter(({ kind }) => kind !== 'REPORT').length
  store.days(1)
  await store.tell()
  expect([statusOf(store), amounts(store)]).toEqual(['REFUNDED', MONEY])
  expect(store.told.filter(({ kind }) => kind !== 'REPORT')).toHaveLength(markers)
})

test('an invoice of no subscription is refunded by its payment', async () => {
  const { world, client, order } = await sold()
  const bill = billOnce(world, { prices: ['price_coins'] })
  payBill(world, bill)
  const result = await refundTransaction(client, { ...order, storeTransactionId: bill.id, isSubscription: false })
  const amount = { amountMicros: 4_990_000, currency: 'USD' }
  expect(result).toMatchObject({ ok: true, markers: [{ transactionId: bill.id, amount }] })
  expect([...world.refunds.values()].map(({ charge }) => charge)).toEqual([chargeOfInvoice(world, bill.id)])
})

test('an order told twice is one refund, with the same markers', async () => {
  const { world, client, order } = await sold()
  expect(await refundTransaction(client, order)).toEqual(await refundTransaction(client, order))
  expect(world.refunds.size).toBe(1)
})

test('what was given back in part before is told with it', async () => {
  const { store, world, client, order, invoiceId } = await sold()
  refundCharge(world, chargeOfInvoice(world, invoiceId), 300)
  store.days(1)
  const result = await refundTransaction(client, order)
  add(store.told, result.ok ? result.markers : [])
  expect([statusOf(store), amounts(store)]).toEqual(['REFUNDED', [9_990_000, -3_000_000, -6_990_000]])
})

test('a one-time purchase is refunded by its payment intent', async () => {
  const { store, world, client, order, server } = await sold()
  const params = { customer: null, successUrl: null, cancelUrl: null, metadata: {}, saleMetadata: {}, trialDays: 0 }
  const session = openCheckout(world, { mode: 'payment', priceId: 'price_coins', ...params })
  const storeTransactionId = String(completeCheckout(world, session.id).payment_intent)
  const result = await refundTransaction(client, { ...order, storeTransactionId, isSubscription: false })
  expect(result).toMatchObject({
    ok: true,
    markers: [{ transactionId: storeTransactionId, amount: { amountMicros: 4_990_000 } }],
  })
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/refunds'])
  expect(store.world.refunds.size).toBe(1)
})

describe('no refund', () => {
  test('of a free period: nothing was charged', async () => {
    const { client, order, world } = await sold(7)
    expect(await refundTransaction(client, order)).toEqual({ ok: false, reason: 'no_payment' })
    expect(world.refunds.size).toBe(0)
  })

  test('of a charge that is refunded: the provider says so', async () => {
    const { world, client, order, invoiceId } = await sold()
    refundCharge(world, chargeOfInvoice(world, invoiceId))
    const result = await refundTransaction(client, order)
    expect(result).toMatchObject({ reason: 'rejected', providerErrorCode: 'charge_already_refunded' })
  })

  test('of an invoice that is not there', async () => {
    const { client, order } = await sold()
    const result = await refundTransaction(client, { ...order, storeTransactionId: 'in_none' })
    expect(result).toMatchObject({ reason: 'rejected', status: 404 })
  })

  test('while the provider is away', async () => {
    const { client, order, server, world } = await sold()
    server.faults = { ...NO_FAULTS, status: 500 }
    expect(await refundTransaction(client, order)).toMatchObject({ reason: 'unavailable' })
    expect(world.refunds.size).toBe(0)
  })

  test('when the refund itself gets no answer', async () => {
    const { client, order } = await sold()
    const refundCharge = () => Promise.resolve({ ok: false as const, reason: 'unavailable' as const, cause: null })
    const getInvoice = client.getInvoice.bind(client)
    expect(await refundTransaction({ getInvoice, refundCharge }, order)).toMatchObject({ reason: 'unavailable' })
  })

  test('of an invoice that cannot be read', async () => {
    const { client, order, world, invoiceId } = await sold()
    Object.assign(getFrom(world.invoices, invoiceId), { amount_paid: 'much' })
    const result = await refundTransaction(client, order)
    expect(result).toEqual({ ok: false, reason: 'malformed', field: 'invoice.amount_paid' })
  })
})

test('an answer that cannot be read still marks what was given back', async () => {
  const { store, client, order, world, invoiceId } = await sold()
  Object.assign(getFrom(world.charges, chargeOfInvoice(world, invoiceId)), { currency: null })
  const result = await refundTransaction(client, order)
  expect(result).toMatchObject({ ok: true, markers: [{ kind: 'REFUND', eventAt: store.clock.now(), amount: null }] })
  add(store.told, result.ok ? result.markers : [])
  expect([statusOf(store), amounts(store)]).toEqual(['REFUNDED', MONEY])
})

test('of an invoice that was paid in parts one payment is given back, and the access stays', async () => {
  const { store, client, order, world, invoiceId } = await sold()
  Object.assign(getFrom(world.invoices, invoiceId), { amount_paid: 1998 })
  store.told.length = 0
  await store.tell(store.world.events)
  const result = await refundTransaction(client, order)
  add(store.told, result.ok ? result.markers : [])
  expect([statusOf(store), amounts(store)]).toEqual(['ACTIVE', [19_980_000, -9_990_000]])
})
