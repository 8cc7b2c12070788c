import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Examined } from '../../src/base/cli/doctor'
import { DAY } from '../../src/base/lib/clock'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { watchSettings } from '../../src/insight/figures/watch-settings'
import { missingProductsExamination } from '../../src/intake/relink/doctor'
import { charge, subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../src/test-store/stores/payment-checkout'
import { creditLines } from '../../src/test-store/stores/payment-credit-notes'
import * as invoices from '../../src/test-store/stores/payment-invoices'
import * as items from '../../src/test-store/stores/payment-items'
import { chargeOfIntent, chargeOfInvoice, refundCharge } from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import { getFrom } from '../../src/test-store/stores/payment-world'
import { work } from '../support/accounts'
import { exportOf, linesOf } from '../support/data-requests'
import { erase } from '../support/erased'
import { exported, freshFolder, jsonRows } from '../support/exports'
import { access, balances, eventTypes } from '../support/facts'
import { notify, storeEvents } from '../support/notify'
import { dataOf } from '../support/operator'
import { type PaymentStage, paymentStage } from '../support/payment'
import { accessId, LATER, settle } from '../support/relink'
import { type StaffCalls, staff } from '../support/staff'

let s: PaymentStage
let team: StaffCalls
let ada = ''
let people = 0
beforeEach(async () => {
  s = await paymentStage()
  team = staff(s).as('OWNER')
  ada = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.id
  people = await countPeople()
})
afterEach(() => s.close())

const countPeople = () => s.ctx.db.$count(s.ctx.tables.subscribers)
const ofAda = () => ({ svc_subscriber_id: ada })
const tell = async (options = {}) => {
  for (const { status } of await s.deliverAll(options)) expect(status).toBe(200)
}
/** The provider reports its objects again. */
const tellAgain = async (isReversed: boolean) => {
  for (const { type, data } of [...s.world.events]) s.world.emit(type, data.object)
  await tell({ isReversed })
}

interface Item {
  kind: string
  subscriberId: string | null
  purchaseId: string
  productId: string | null
  price: { amountMicros: number }
}
const listed = async (query: string): Promise<Item[]> =>
  (await dataOf(team.get(`/transactions?environment=SANDBOX&${query}`))).items
const lines = async (query = 'listed=false') =>
  (await listed(query)).map(({ kind, price }) => `${kind} ${price.amountMicros / 10_000}`).sort()
const sales = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.unlistedSales)).map(({ chainKey }) => chainKey).sort()
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)

/** What the figures of each product sum up to: what was charged less what was given back, and what recurs; in cents. */
async function figures(): Promise<Record<string, [net: number, mrr: number]>> {
  const sums: Record<string, [number, number]> = {}
  for (const one of await s.ctx.db.select().from(s.ctx.tables.figureEntries)) {
    if (one.at > s.ctx.clock.now()) continue
    const [net, mrr] = sums[one.product] ?? [0, 0]
    const grown = one.mrrNew + one.mrrReactivation + one.mrrExpansion - one.mrrContraction - one.mrrChurn
    sums[one.product] = [net + (one.gross - one.refunds) / 10_000, mrr + grown / 10_000]
  }
  return Object.fromEntries(Object.entries(sums).filter(([, [net, mrr]]) => net !== 0 || mrr !== 0))
}

/** What was sold in the last 30 days by the sums of the transactions list, in cents. */
const volume = async (): Promise<number> => {
  const { days } = await dataOf(team.get('/transactions/volume?environment=SANDBOX'))
  return days.reduce((sum: number, { amountMicros }: { amountMicros: number }) => sum + amountMicros / 10_000, 0)
}

async function choose(unlistedSales: 'ignore' | 'count'): Promise<void> {
  await dataOf(team.patch('', { settings: { unlistedSales } }))
  await watchSettings(s.ctx) // Enqueues the job that computes figures again.
  await work(s)
}

/** The product that the catalogue lacks. It grants coins with each charge. */
const addProduct = async (more: object = {}) =>
  dataOf(
    team.post('/products', {
      ...{ identifier: 'later', type: 'SUBSCRIPTION', displayName: 'Later', period: 'P1M' },
      ...{ accessIds: [await accessId(s)], storeIds: { payment: 'price_nobody' }, ...more },
    }),
  )

const buy = (metadata: Record<string, string> = ofAda()) => subscribe(s.world, { priceId: 'price_nobody', metadata }).id
const bill = () => {
  const made = invoices.billOnce(s.world, { prices: ['price_nobody'], metadata: ofAda() })
  invoices.payBill(s.world, made)
  return made
}
function buyOnce() {
  const common = { customer: null, successUrl: null, cancelUrl: null, trialDays: 0 }
  const order = { mode: 'payment', priceId: 'price_nobody', metadata: ofAda(), saleMetadata: ofAda() } as const
  const { id } = openCheckout(s.world, { ...order, ...common })
  return completeCheckout(s.world, id)
}

/** A payment that names no price, of no checkout and no invoice. */
function chargeBare(): string {
  const intent = charge(s.world, { amount: 500, currency: 'usd', customer: null })
  s.world.emit('payment_intent.succeeded', intent)
  return intent.id
}

/** Nobody was made, nothing was told or given. */
async function expectNothing(): Promise<void> {
  expect([await countPeople(), await purchases(), await eventTypes(s, ada)]).toEqual([people, [], []])
  expect([await access(s, 'svc_ada'), await balances(s, 'svc_ada')]).toEqual([{}, {}])
}

describe('a sale of the payment provider without a line of the catalogue', () => {
  test('is kept as an unlisted sale: a subscription, a checkout, an invoice, and one without any price', async () => {
    const subscription = buy()
    const { payment_intent: intent } = buyOnce()
    const { id: invoice } = bill()
    const unpriced = invoices.billOnce(s.world, { prices: ['price_nobody'] })
    for (const line of unpriced.lines.data) line.pricing = null
    invoices.payBill(s.world, unpriced)
    const bare = chargeBare()
    await tell()
    expect(await sales()).toEqual([subscription, String(intent), invoice, unpriced.id, bare].sort())
    await expectNothing()
    expect(await lines()).toEqual(['INITIAL 500', ...Array.from({ length: 4 }, () => 'NON_RENEWING_PURCHASE 500')])
    expect(await listed('listed=true')).toEqual([])
    expect((await listed('')).map(({ subscriberId, productId }) => [subscriberId, productId])).toEqual(
      Array.from({ length: 5 }, () => [null, null]),
    )
    const outcomes = (await storeEvents(s)).map(({ status }) => status)
    expect(new Set(outcomes)).toEqual(new Set(['IGNORED']))
    expect(await figures()).toEqual({})
  })

  test('is a payment without checkout, invoice and price; a refund of it is one of the sale', async () => {
    const bare = chargeBare()
    await tell()
    refundCharge(s.world, chargeOfIntent(s.world, bare), 200)
    for (const isReversed of [false, true]) {
      await tellAgain(isReversed)
      expect([await sales(), await lines()]).toEqual([[bare], ['NON_RENEWING_PURCHASE 500', 'REFUND -200']])
    }
    await expectNothing()
    // Nothing that the catalogue gets is the product of it.
    await addProduct()
    await settle(s)
    expect([await sales(), await purchases()]).toEqual([[bare], []])
  })

  test('waits for a product only where the project counts it, and is made one by name', async () => {
    const subscription = buy()
    await tell()
    const name = { store: 'PAYMENT', storeProductId: 'price_nobody' }
    const waiting = async () => (await dataOf(team.get('/products/waiting'))).items
    const sale = { ...name, purchases: 0, people: 0, sales: 1, type: 'SUBSCRIPTION', period: 'P1M' }
    expect(await waiting()).toMatchObject([{ ...sale, state: 'OUTSIDE' }])
    expect((await dataOf(team.get('/purchases/relink'))).withoutProduct).toBe(0)
    expect((await team.post('/products/waiting', {})).status).toBe(409)
    await choose('count')
    expect(await waiting()).toMatchObject([{ ...sale, state: 'MISSING' }])
    expect((await dataOf(team.get('/purchases/relink'))).withoutProduct).toBe(1)
    const rows = () => dataOf(team.get('/products/waiting/purchases?store=PAYMENT&storeProductId=price_nobody'))
    const [row] = await s.ctx.db.select().from(s.ctx.tables.unlistedSales)
    expect(row?.chainKey).toBe(subscription)
    expect((await rows()).items).toMatchObject([{ id: row?.id, subscriberId: null, appUserId: null, productId: null }])
    const made = await dataOf(team.post('/products/waiting', { products: [name] }))
    expect(made).toMatchObject({ products: [{ identifier: 'price_nobody', period: 'P1M' }], waitingPurchases: 1 })
    await settle(s)
    expect([await waiting(), (await rows()).items, await sales()]).toEqual([[], [], []])
  })

  test('is told to nobody else, and not listed in another project', async () => {
    buy()
    await tell()
    const other = staff(s).as('OWNER')
    const answer = await other.get('/transactions?listed=false', { projectId: s.other.id })
    expect(answer.status).toBe(404)
    expect((await team.get('/transactions?listed=perhaps')).status).toBe(400)
    const [item] = await listed('listed=false')
    expect((await s.get(`/v1/purchases/${item?.purchaseId}`, undefined, { key: s.project.secretKey })).status).toBe(404)
    expect((await team.post(`/transactions/${item?.purchaseId}/refund`, {})).status).toBe(404)
  })

  test('has its renewals, refunds and credit notes, told twice and backwards with the same rows', async () => {
    const subscription = buy()
    const { payment_intent: intent } = buyOnce()
    const made = bill()
    await tell()
    s.ctx.clock.advance(30 * DAY)
    turns.renew(s.world, subscription)
    await tell()
    creditLines(s.world, made.id, [{ lineId: made.lines.data[0]?.id ?? '', amount: 200 }])
    refundCharge(s.world, chargeOfIntent(s.world, String(intent)))
    refundCharge(s.world, chargeOfInvoice(s.world, String(getFrom(s.world.subscriptions, subscription).latest_invoice)))
    await tell()
    const all = ['INITIAL 500', 'NON_RENEWING_PURCHASE 500', 'NON_RENEWING_PURCHASE 500']
    expect(await lines()).toEqual([...all, 'REFUND -200', 'REFUND -500', 'REFUND -500', 'RENEWAL 500'])
    const before = await listed('listed=false')
    for (const isReversed of [false, true]) await tellAgain(isReversed)
    expect(await listed('listed=false')).toEqual(before)
    await expectNothing()
  })

  test('told by several events at once is one sale', async () => {
    buy()
    const { payment_intent: intent } = buyOnce()
    refundCharge(s.world, chargeOfIntent(s.world, String(intent)))
    const waiting = await s.deliveries()
    const answers = await Promise.all(waiting.map((one) => s.deliver(one)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await lines()).toEqual(['INITIAL 500', 'NON_RENEWING_PURCHASE 500', 'REFUND -500'])
    expect(await sales()).toHaveLength(2)
  })

  test('stays out of the sums by default, and is in them where the project counts it', async () => {
    const subscription = buy()
    const made = bill()
    await tell()
    expect([await volume(), await figures()]).toEqual([0, {}])
    await choose('count')
    expect([await volume(), await figures()]).toEqual([1000, { price_nobody: [1000, 500] }])
    creditLines(s.world, made.id, [{ lineId: made.lines.data[0]?.id ?? '', amount: 200 }])
    await tell()
    expect(await figures()).toEqual({ price_nobody: [800, 500] })
    s.ctx.clock.advance(DAY)
    turns.endNow(s.world, subscription)
    await tell()
    const counted = { price_nobody: [800, 0] as [number, number] }
    expect(await figures()).toEqual(counted)
    for (const [choice, wanted] of [
      ['ignore', {}],
      ['count', counted],
      ['ignore', {}],
      ['count', counted],
    ] as const) {
      await choose(choice)
      expect(await figures()).toEqual(wanted)
    }
    await s.ctx.write((tx) => tx.db.delete(tx.tables.figureEntries))
    await s.ctx.write((tx) => tx.db.update(tx.tables.figureProjects).set({ doneUntil: '' }))
    await rebuildProjects(s.ctx, () => false)
    expect(await figures()).toEqual(counted)
    await expectNothing()
  })
})

test('exports have its lines without a subscriber, and again when something was added to it', async () => {
  const [first, second] = [buy(), buyOnce().payment_intent]
  await tell()
  const to = freshFolder()
  const written = async () => {
    s.ctx.clock.advance(DAY)
    const options = ['--table', 'transactions', '--format', 'jsonl', '--to', to, '--since', 'last']
    return jsonRows(await exported(s, ...options), 'transactions').map(
      (row) => `${row.kind} ${row.amount_micros} ${row.subscriber_id} ${row.product_id}`,
    )
  }
  const charges = ['INITIAL 5000000 null null', 'NON_RENEWING_PURCHASE 5000000 null null']
  expect((await written()).sort()).toEqual(charges)
  s.ctx.clock.advance(30 * DAY)
  turns.renew(s.world, first)
  await tell()
  expect(await written()).toEqual(['INITIAL 5000000 null null', 'RENEWAL 5000000 null null'])
  expect(await written()).toEqual([])
  expect(await sales()).toEqual([first, String(second)].sort())
})

test('the doctor names the products of the app stores that the catalogue lacks', async () => {
  expect((await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(LATER))).status).toBe(200)
  buy()
  await tell()
  const { config, clock } = s.ctx
  const examined: Examined = { handle: s.ctx, config, vault: null, now: clock.now() }
  const { gaps } =
    (await missingProductsExamination.project?.(examined, { id: s.project.id, slug: 'sleep' })) ?? expect.unreachable()
  expect(gaps).toMatchObject([
    { message: expect.stringContaining(`products of the App Store that the catalogue lacks: ${LATER.productId}.`) },
  ])
  // The list has both, page by page, and only those of the app store without a choice.
  const first = await dataOf(team.get('/products/waiting?limit=1'))
  expect(first.items).toMatchObject([{ store: 'IOS_STORE', storeProductId: LATER.productId, state: 'MISSING' }])
  const second = await dataOf(team.get(`/products/waiting?limit=1&cursor=${first.nextCursor}`))
  expect(second).toMatchObject({ nextCursor: null, items: [{ store: 'PAYMENT', state: 'OUTSIDE', sales: 1 }] })
  const { products } = await dataOf(team.post('/products/waiting', { dryRun: true }))
  expect(products).toMatchObject([{ storeIds: { ios: LATER.productId } }])
  // Those purchases always count.
  expect(await figures()).toEqual({ [LATER.productId]: [999, 0] })
  expect(await lines()).toEqual(['INITIAL 500', 'INITIAL 999'])
})

describe('when a product gains the store id', () => {
  test('the sale becomes a purchase of its buyer, with access and without currency', async () => {
    const subscription = buy()
    await tell()
    const [{ purchaseId } = { purchaseId: '' }] = await listed('listed=false')
    const gems = (await dataOf(team.get('/virtual-currencies'))).items[0].id
    const { id: product, waitingPurchases } = await addProduct()
    expect(waitingPurchases).toBe(1)
    const grants = [{ currencyId: gems, amount: 100, grantOn: 'BOTH' }]
    await dataOf(team.put(`/products/${product}/currency-grants`, { grants }))
    await settle(s)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    expect(await balances(s, 'svc_ada')).toEqual({})
    expect(await eventTypes(s, ada)).toEqual(['entitlement.granted'])
    expect((await s.events(ada)).map(({ data }) => data.linked)).toEqual([true])
    expect([await sales(), await lines(), await lines('listed=true')]).toEqual([[], [], ['INITIAL 500']])
    expect((await listed('')).map((one) => [one.purchaseId, one.subscriberId])).toEqual([[purchaseId, ada]])
    expect(await figures()).toEqual({ later: [500, 500] })
    const before = [await listed(''), await eventTypes(s, ada), await figures()]
    for (const isReversed of [false, true]) await tellAgain(isReversed)
    await settle(s)
    expect([await listed(''), await eventTypes(s, ada), await figures()]).toEqual(before)
    s.ctx.clock.advance(30 * DAY)
    turns.renew(s.world, subscription)
    await tell()
    expect(await balances(s, 'svc_ada')).toEqual({ gems: 100 })
  })

  test('a sale without a known buyer gets one, and one that counted counts once', async () => {
    await choose('count')
    buy({})
    await tell()
    expect(await figures()).toEqual({ price_nobody: [500, 500] })
    await addProduct()
    await settle(s)
    expect(await countPeople()).toBe(people + 1)
    expect(await figures()).toEqual({ later: [500, 500] })
    await choose('ignore')
    expect(await figures()).toEqual({ later: [500, 500] })
  })

  test('an event that comes before the job does the same', async () => {
    const subscription = buy()
    await tell()
    await addProduct()
    s.ctx.state.projects.forget(s.project.id)
    turns.cancelAtPeriodEnd(s.world, subscription)
    await tell()
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    await settle(s)
    expect(await eventTypes(s, ada)).toEqual(['purchase.cancelled', 'entitlement.granted'])
    expect([await sales(), await lines('listed=true')]).toEqual([[], ['INITIAL 500']])
  })

  test('the job and an event at once link it once', async () => {
    buy()
    await tell()
    await addProduct()
    s.ctx.clock.advance(3000)
    for (const { type, data } of [...s.world.events]) s.world.emit(type, data.object)
    const waiting = await s.deliveries()
    await Promise.all([work(s), ...waiting.map((one) => s.deliver(one))])
    await settle(s)
    expect((await eventTypes(s, ada)).filter((type) => type === 'entitlement.granted')).toHaveLength(1)
    expect([await sales(), await lines('')]).toEqual([[], ['INITIAL 500']])
    expect(await purchases()).toHaveLength(1)
  })

  test('an event without news gives the access too, and one that ends the sale tells nothing', async () => {
    buy()
    const ended = buy()
    await tell()
    await addProduct()
    s.ctx.state.projects.forget(s.project.id)
    const created = s.world.events.find(({ type }) => type === 'customer.subscription.created')
    s.world.emit('customer.subscription.updated', created?.data.object ?? expect.unreachable())
    await tell()
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    turns.endNow(s.world, ended)
    await tell()
    expect(await eventTypes(s, ada)).toEqual(['entitlement.granted', 'purchase.expired'])
  })

  test('all lines of the sale become purchases, those that nothing sells too', async () => {
    const subscription = buy()
    items.addItem(s.world, subscription, 'price_monthly')
    await tell()
    expect([await sales(), Object.keys(await access(s, 'svc_ada'))]).toEqual([[], ['pro']])
    expect((await purchases()).map(({ productId }) => productId !== null).sort()).toEqual([false, true])
    expect(await figures()).toMatchObject({ price_nobody: [expect.any(Number), 500] })
  })
})

test('an export of a person has their sales; an erasure leaves nobody in them, and nothing links them', async () => {
  const subscription = buy()
  await tell()
  const files = await exportOf(s, 'svc_ada')
  expect(linesOf(files, 'purchases.jsonl')).toMatchObject([
    { record: 'unlistedSale', chainKey: subscription, storeProductId: 'price_nobody', subscriberId: ada },
    ...Array.from({ length: 2 }, () => ({ record: 'storeReport' })),
  ])
  expect(linesOf(files, 'transactions.jsonl')).toMatchObject([{ kind: 'INITIAL', store: 'PAYMENT' }])
  await erase(s, ada)
  const [row] = await s.ctx.db.select().from(s.ctx.tables.unlistedSales)
  expect(row).toMatchObject({ customerId: null, buyerId: null, deviceKey: null, presentedContext: null })
  expect(row?.erasedAt).not.toBeNull()
  expect((await dataOf(team.get('/products/waiting'))).items).toEqual([])
  const named = '?store=PAYMENT&storeProductId=price_nobody'
  expect((await dataOf(team.get(`/products/waiting/purchases${named}`))).items).toEqual([])
  await addProduct()
  await settle(s)
  await tellAgain(false)
  expect(await purchases()).toEqual([])
  expect(await lines()).toEqual(['INITIAL 500'])
})
