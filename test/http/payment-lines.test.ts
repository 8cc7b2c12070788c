import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { lte } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { CLI_ORIGIN } from '../../src/commerce/actions/actor'
import { previewCancellation } from '../../src/commerce/actions/schedule'
import { sweepActions } from '../../src/commerce/actions/sweep'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../src/test-store/stores/payment-checkout'
import { creditLines } from '../../src/test-store/stores/payment-credit-notes'
import { discountItem } from '../../src/test-store/stores/payment-discounts'
import * as invoices from '../../src/test-store/stores/payment-invoices'
import * as items from '../../src/test-store/stores/payment-items'
import { chargeOfIntent, chargeOfInvoice, refundCharge } from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import { getFrom } from '../../src/test-store/stores/payment-world'
import { schedule, stateOf } from '../support/actions'
import { access, balances, eventTypes, money } from '../support/facts'
import { type PaymentStage, paymentStage } from '../support/payment'

let s: PaymentStage
let metadata: Record<string, string>
let id = ''
beforeEach(async () => {
  s = await paymentStage()
  id = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.id
  metadata = { svc_subscriber_id: id }
})
afterEach(() => s.close())

const buy = (priceId: string, ...others: string[]) => subscribe(s.world, { priceId, others, metadata }).id
const tell = async () => {
  for (const { status } of await s.deliverAll()) expect(status).toBe(200)
}
const names = async () => Object.keys(await access(s, 'svc_ada')).sort()
const itemAt = (sale: string, index: number) => getFrom(s.world.subscriptions, sale).items.data[index]?.id ?? ''
const rows = async () => {
  const found = await s.ctx.db.select().from(s.ctx.tables.purchases)
  return found.map(({ lineKey, status, fold }) => [lineKey, status, fold.storeProductId]).sort()
}
const lines = async () => (await money(s, id)).map(([kind, micros]) => `${kind} ${(micros ?? 0) / 10_000}`).sort()
const typesSince = async (before: readonly string[]) => (await eventTypes(s, id)).slice(before.length)
/** The monthly recurring revenue by the figures, in cents. */
async function mrr(): Promise<number> {
  const { figureEntries: t } = s.ctx.tables
  const entries = await s.ctx.db.select().from(t).where(lte(t.at, s.ctx.clock.now()))
  const sum = entries.reduce(
    (total, one) => total + one.mrrNew + one.mrrReactivation + one.mrrExpansion - one.mrrContraction - one.mrrChurn,
    0,
  )
  return Math.round(sum / 10_000)
}

describe('a subscription with two items', () => {
  test('gives what each of them sells, in whatever order they stand', async () => {
    const sale = buy('price_nobody', 'price_monthly')
    await tell()
    expect(await names()).toEqual(['pro'])
    expect(await rows()).toEqual([
      [itemAt(sale, 0), 'ACTIVE', 'price_nobody'],
      [itemAt(sale, 1), 'ACTIVE', 'price_monthly'],
    ])
    expect(await lines()).toEqual(['INITIAL 500', 'INITIAL 999'])
    const before = [await rows(), await lines(), await eventTypes(s, id)]
    s.world.emit('customer.subscription.updated', getFrom(s.world.subscriptions, sale))
    await tell()
    expect([await rows(), await lines(), await eventTypes(s, id)]).toEqual(before)
  })

  test('that was renewed and refunded in part divides what came back', async () => {
    const sale = buy('price_monthly', 'price_nobody')
    await tell()
    s.ctx.clock.advance(30 * DAY)
    turns.renew(s.world, sale)
    await tell()
    expect(await lines()).toEqual(['INITIAL 500', 'INITIAL 999', 'RENEWAL 500', 'RENEWAL 999'])
    const charge = chargeOfInvoice(s.world, String(getFrom(s.world.subscriptions, sale).latest_invoice))
    refundCharge(s.world, charge, 100)
    await tell()
    expect((await lines()).filter((line) => line.startsWith('REFUND'))).toEqual(['REFUND -33', 'REFUND -67'])
    expect(await names()).toEqual(['pro'])
    refundCharge(s.world, charge)
    await tell()
    expect(await names()).toEqual([])
    const sum = (await money(s, id)).reduce((total, [, micros]) => total + (micros ?? 0), 0)
    expect(sum).toBe(14_990_000)
  })

  test('of which a credit note returns one ends the access of that one only, told twice and late', async () => {
    const sale = buy('price_monthly', 'price_nobody')
    await tell()
    const invoice = String(getFrom(s.world.subscriptions, sale).latest_invoice)
    const [pro, other] = getFrom(s.world.invoices, invoice).lines.data.map((line) => line.id)
    creditLines(s.world, invoice, [{ lineId: other ?? '', amount: 500 }])
    await tell()
    expect(await names()).toEqual(['pro'])
    expect((await rows()).map(([, status]) => status)).toEqual(['ACTIVE', 'REFUNDED'])
    expect(await lines()).toEqual(['INITIAL 500', 'INITIAL 999', 'REFUND -500'])
    creditLines(s.world, invoice, [{ lineId: pro ?? '', amount: 400 }])
    await tell()
    expect(await names()).toEqual(['pro'])
    creditLines(s.world, invoice, [{ lineId: pro ?? '', amount: 599 }])
    await tell()
    expect(await names()).toEqual([])
    const sum = (await money(s, id)).reduce((total, [, micros]) => total + (micros ?? 0), 0)
    expect(sum).toBe(0)
    const before = [await rows(), await lines(), await eventTypes(s, id)]
    s.world.emit('charge.refunded', getFrom(s.world.charges, chargeOfInvoice(s.world, invoice)))
    await tell()
    expect([await rows(), await lines(), await eventTypes(s, id)]).toEqual(before)
  })

  test('of which one is removed ends only that one', async () => {
    const sale = buy('price_monthly', 'price_nobody')
    await tell()
    const before = await eventTypes(s, id)
    s.ctx.clock.advance(DAY)
    items.removeItem(s.world, sale, itemAt(sale, 1))
    await tell()
    expect((await rows()).map(([, status]) => status).sort()).toEqual(['ACTIVE', 'EXPIRED'])
    expect(await names()).toEqual(['pro'])
    expect(await typesSince(before)).not.toContain('entitlement.revoked')
  })
})

test('an item that comes as another goes in one update replaces it', async () => {
  const sale = buy('price_monthly')
  await tell()
  const before = await eventTypes(s, id)
  s.ctx.clock.advance(10 * DAY)
  items.replaceItem(s.world, sale, itemAt(sale, 0), 'price_yearly')
  await tell()
  expect(await rows()).toEqual([[itemAt(sale, 0), 'ACTIVE', 'price_yearly']])
  expect(await typesSince(before)).toEqual(['purchase.product_changed', 'entitlement.granted'])
  expect(await lines()).toEqual(['INITIAL 999', 'PRODUCT_CHANGE 7999'])
  expect(await balances(s, 'svc_ada')).toEqual({})
})

test('an item that is added within a period is access at once, an adjustment, and a period with the next one', async () => {
  const sale = buy('price_nobody')
  await tell()
  s.ctx.clock.advance(15 * DAY)
  items.addItem(s.world, sale, 'price_monthly')
  await tell()
  expect(await names()).toEqual(['pro'])
  expect(await lines()).toEqual(['ADJUSTMENT 500', 'INITIAL 500'])
  expect(await mrr()).toBe(500 + 999)
  s.ctx.clock.advance(15 * DAY)
  turns.renew(s.world, sale)
  await tell()
  expect(await lines()).toEqual(['ADJUSTMENT 500', 'INITIAL 500', 'INITIAL 999', 'RENEWAL 500'])
  expect(await mrr()).toBe(500 + 999)
})

test('seats are adjustments and no renewals, and each adds its price to the recurring revenue', async () => {
  const sale = buy('price_monthly')
  await tell()
  expect(await mrr()).toBe(999)
  const before = await eventTypes(s, id)
  for (const seats of [2, 3]) {
    s.ctx.clock.advance(DAY)
    items.setQuantity(s.world, sale, itemAt(sale, 0), seats)
    await tell()
  }
  expect(await mrr()).toBe(2997)
  expect(await typesSince(before)).toEqual(['purchase.charged', 'purchase.charged'])
  const told = (await s.events(id)).findLast(({ type }) => type === 'purchase.charged')
  expect(told?.data).toMatchObject({ kind: 'ADJUSTMENT', transaction: { kind: 'ADJUSTMENT' } })
  expect(told?.after).toMatchObject({ purchase: { price: { amountMicros: 29_970_000 }, priceAfter: null } })
  const adjusted = (await money(s, id)).filter(([kind]) => kind === 'ADJUSTMENT')
  expect(adjusted).toHaveLength(2)
  const charge = chargeOfInvoice(s.world, String(getFrom(s.world.subscriptions, sale).latest_invoice))
  refundCharge(s.world, charge)
  await tell()
  expect(await names()).toEqual(['pro'])
})

test('an upgrade within a month is an expansion by the difference of the prices', async () => {
  const sale = buy('price_nobody')
  await tell()
  s.ctx.clock.advance(15 * DAY)
  turns.changePrice(s.world, sale, 'price_monthly')
  await tell()
  expect(await mrr()).toBe(999)
  const { figureEntries: t } = s.ctx.tables
  const entries = await s.ctx.db.select().from(t).where(lte(t.at, s.ctx.clock.now()))
  const moved = (name: 'mrrNew' | 'mrrExpansion' | 'mrrChurn' | 'mrrReactivation') =>
    entries.reduce((sum, one) => sum + one[name], 0) / 10_000
  expect([moved('mrrNew'), moved('mrrExpansion'), moved('mrrChurn'), moved('mrrReactivation')]).toEqual([
    500, 499, 0, 0,
  ])
})

test('a discount of one item lowers its price and no other, and a price may have a fraction of a cent', async () => {
  const sale = buy('price_monthly', 'price_nobody')
  await tell()
  expect(await mrr()).toBe(999 + 500)
  s.ctx.clock.advance(DAY)
  discountItem(s.world, sale, itemAt(sale, 1), 50)
  await tell()
  expect(await mrr()).toBe(999 + 250)
  s.ctx.clock.advance(DAY)
  Object.assign(getFrom(s.world.prices, 'price_nobody'), { unit_amount: null, unit_amount_decimal: '800.5' })
  s.world.emit('customer.subscription.updated', getFrom(s.world.subscriptions, sale))
  await tell()
  expect(await mrr()).toBe(999 + 400)
  expect(await lines()).toEqual(['INITIAL 500', 'INITIAL 999'])
})

test('a period that a balance paid is a period, and counts in full', async () => {
  const sale = buy('price_yearly')
  await tell()
  expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  const full = await mrr()
  items.addCredit(s.world, sale, 10_000)
  s.ctx.clock.advance(365 * DAY)
  turns.renew(s.world, sale)
  await tell()
  expect(await lines()).toEqual(['INITIAL 7999', 'RENEWAL 0'])
  expect(await eventTypes(s, id)).toContain('purchase.renewed')
  expect(await mrr()).toBe(full)
  expect(await names()).toEqual(['coach', 'pro'])
})

test('a schedule names the next product and the next price, and the period after it has them', async () => {
  const sale = buy('price_yearly')
  items.schedulePrice(s.world, sale, 'price_monthly')
  await tell()
  const told = (await s.events(id)).findLast(({ type }) => type.startsWith('purchase.'))
  expect(told?.after).toMatchObject({
    purchase: {
      pendingProductId: expect.stringContaining('pro_monthly'),
      priceAfter: { price: { amountMicros: 9_990_000, currency: 'USD' }, from: '2027-11-20T08:00:00.000Z' },
    },
  })
  s.ctx.clock.advance(365 * DAY)
  turns.renew(s.world, sale)
  await tell()
  expect(await names()).toEqual(['pro'])
  expect((await rows())[0]?.[2]).toBe('price_monthly')
})

describe('a renewal that changes the product', () => {
  /** The newest change of product, with its charge. */
  const change = async () => {
    const told = (await s.events(id)).findLast(({ type }) => type === 'purchase.product_changed')
    const { effective, transaction } = (told?.data ?? {}) as { effective?: string; transaction?: { kind: string } }
    return [effective, transaction?.kind]
  }

  test('is a change of product, grants nothing, and is told once, whenever its charge is known', async () => {
    const sale = buy('price_monthly')
    items.schedulePrice(s.world, sale, 'price_yearly')
    await tell()
    const before = await eventTypes(s, id)
    s.ctx.clock.advance(30 * DAY)
    // For about an hour the product is in force and its charge is a draft.
    turns.beginPeriod(s.world, sale)
    await tell()
    expect(await names()).toEqual(['coach', 'pro'])
    expect(await lines()).toEqual(['INITIAL 999'])
    turns.settle(s.world, sale)
    await tell()
    expect(await lines()).toEqual(['INITIAL 999', 'PRODUCT_CHANGE 7999'])
    expect(await balances(s, 'svc_ada')).toEqual({})
    expect((await typesSince(before)).filter((type) => type.startsWith('purchase.'))).toEqual([
      'purchase.product_changed',
    ])
    expect(await change()).toEqual(['NOW', 'PRODUCT_CHANGE'])
    const known = [await rows(), await lines(), await eventTypes(s, id)]
    for (const invoice of s.world.invoices.values()) s.world.emit('invoice.paid', invoice)
    s.world.emit('customer.subscription.updated', getFrom(s.world.subscriptions, sale))
    await tell()
    expect([await rows(), await lines(), await eventTypes(s, id)]).toEqual(known)
    s.ctx.clock.advance(365 * DAY)
    turns.renew(s.world, sale)
    await tell()
    expect(await lines()).toEqual(['INITIAL 999', 'PRODUCT_CHANGE 7999', 'RENEWAL 7999'])
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })

  test('is one that is learnt together with all before it, and pays no coins for the product of before', async () => {
    const sale = buy('price_yearly')
    await tell()
    items.schedulePrice(s.world, sale, 'price_monthly')
    s.ctx.clock.advance(365 * DAY)
    turns.renew(s.world, sale)
    await tell()
    expect(await lines()).toEqual(['INITIAL 7999', 'PRODUCT_CHANGE 999'])
    expect([await change(), await names()]).toEqual([['NOW', 'PRODUCT_CHANGE'], ['pro']])
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    refundCharge(
      s.world,
      chargeOfInvoice(s.world, turns.newestInvoice(s.world, getFrom(s.world.subscriptions, sale)).id),
    )
    await tell()
    expect([await names(), await balances(s, 'svc_ada')]).toEqual([[], { coins: 500 }])
  })

  test('is the conversion of a trial that ends with it, and grants as a purchase does', async () => {
    const sale = subscribe(s.world, { priceId: 'price_monthly', metadata, trialDays: 7 }).id
    items.schedulePrice(s.world, sale, 'price_yearly')
    await tell()
    s.ctx.clock.advance(7 * DAY)
    turns.renew(s.world, sale)
    await tell()
    expect(await lines()).toEqual(['TRIAL 0', 'TRIAL_CONVERSION 7999'])
    expect(await eventTypes(s, id)).toContain('purchase.trial_converted')
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })

  test('is none after a proration has charged the rest of the period before for the product', async () => {
    const sale = buy('price_monthly')
    await tell()
    s.ctx.clock.advance(10 * DAY)
    turns.changePrice(s.world, sale, 'price_yearly')
    await tell()
    expect(await balances(s, 'svc_ada')).toEqual({})
    s.ctx.clock.advance(20 * DAY)
    turns.renew(s.world, sale)
    await tell()
    expect((await lines()).filter((line) => !line.startsWith('ADJUSTMENT'))).toEqual(['INITIAL 999', 'RENEWAL 7999'])
    expect(await eventTypes(s, id)).toContain('purchase.renewed')
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })
})

test('a checkout of several products gives each, and a refund of all takes each', async () => {
  const common = { customer: null, successUrl: null, cancelUrl: null, trialDays: 0, metadata, saleMetadata: metadata }
  const order = { mode: 'payment', priceId: 'price_coins', others: ['price_lifetime'], ...common } as const
  completeCheckout(s.world, openCheckout(s.world, order).id)
  await tell()
  expect(await names()).toEqual(['pro'])
  expect(await balances(s, 'svc_ada')).toEqual({ coins: 100 })
  expect(await lines()).toEqual(['CREDIT_PURCHASE 99', 'NON_RENEWING_PURCHASE 19999'])
  const intent = [...s.world.intents.keys()].at(-1) ?? ''
  refundCharge(s.world, chargeOfIntent(s.world, intent))
  await tell()
  expect(await names()).toEqual([])
  expect((await rows()).map(([, status]) => status)).toEqual(['REFUNDED', 'REFUNDED'])
})

describe('an invoice of no subscription', () => {
  const bill = (prices: string[]) => invoices.billOnce(s.world, { prices, metadata })

  test('is a purchase for each of its lines when it is paid, once, and its credit note returns the line that it names', async () => {
    const made = bill(['price_coins', 'price_lifetime'])
    s.world.emit('invoice.paid', made)
    await tell()
    expect([await names(), await rows()]).toEqual([[], []])
    invoices.payBill(s.world, made)
    await tell()
    const [coins = '', lifetime = ''] = made.lines.data.map((line) => line.id)
    expect(await rows()).toEqual([
      [coins, 'ACTIVE', 'price_coins'],
      [lifetime, 'ACTIVE', 'price_lifetime'],
    ])
    expect([await names(), await balances(s, 'svc_ada')]).toEqual([['pro'], { coins: 100 }])
    expect(await lines()).toEqual(['CREDIT_PURCHASE 99', 'NON_RENEWING_PURCHASE 19999'])
    const before = [await rows(), await lines(), await eventTypes(s, id)]
    s.world.emit('invoice.paid', made)
    s.world.emit('payment_intent.succeeded', [...s.world.intents.values()].at(-1) ?? made)
    await tell()
    expect([await rows(), await lines(), await eventTypes(s, id)]).toEqual(before)
    creditLines(s.world, made.id, [{ lineId: lifetime, amount: 19999 }])
    await tell()
    expect((await rows()).map(([, status]) => status)).toEqual(['ACTIVE', 'REFUNDED'])
    expect([await names(), await balances(s, 'svc_ada')]).toEqual([[], { coins: 100 }])
    expect((await lines()).filter((line) => line.startsWith('REFUND'))).toEqual(['REFUND -19999'])
  })

  test('that sells nothing of the catalogue is no purchase, makes no subscriber and no event', async () => {
    const people = () => s.ctx.db.$count(s.ctx.tables.subscribers)
    const before = await people()
    invoices.payBill(s.world, invoices.billOnce(s.world, { prices: ['price_nobody'] }))
    await tell()
    expect([await rows(), await people(), await eventTypes(s, id)]).toEqual([[], before, []])
    invoices.payBill(s.world, bill(['price_nobody', 'price_coins']))
    await tell()
    expect((await rows()).map(([, , storeProductId]) => storeProductId)).toEqual(['price_nobody', 'price_coins'])
  })

  test('of a checkout is one sale with it, whichever is told first, and a refund of it counts', async () => {
    const common = { customer: null, successUrl: null, cancelUrl: null, trialDays: 0, metadata, saleMetadata: metadata }
    const order = { mode: 'payment', priceId: 'price_coins', others: ['price_lifetime'], ...common } as const
    const { id: session } = openCheckout(s.world, { ...order, hasInvoice: true })
    const { invoice } = completeCheckout(s.world, session)
    for (const type of ['invoice.paid', 'checkout.session.completed', 'payment_intent.succeeded'] as const)
      s.world.emit(type, s.world.events.findLast((one) => one.type === type)?.data.object ?? expect.unreachable())
    for (const { status } of await s.deliverAll({ isReversed: true })) expect(status).toBe(200)
    expect((await rows()).map(([lineKey]) => lineKey)).toEqual([`li_${session}`, `li_${session}_2`])
    expect(await lines()).toEqual(['CREDIT_PURCHASE 99', 'NON_RENEWING_PURCHASE 19999'])
    expect([await names(), await balances(s, 'svc_ada')]).toEqual([['pro'], { coins: 100 }])
    const { data } = getFrom(s.world.invoices, String(invoice)).lines
    creditLines(s.world, String(invoice), [{ lineId: data[1]?.id ?? '', amount: 19999 }])
    await tell()
    expect((await rows()).map(([, status]) => status)).toEqual(['ACTIVE', 'REFUNDED'])
    refundCharge(s.world, chargeOfInvoice(s.world, String(invoice)))
    await tell()
    expect((await rows()).map(([, status]) => status)).toEqual(['REFUNDED', 'REFUNDED'])
  })
})

describe('the lines of a subscription belong together', () => {
  test('naming one of them in a transfer moves all', async () => {
    buy('price_monthly', 'price_nobody')
    await tell()
    const [first] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const to = (await s.get('/v1/me', 'svc_bo')).body.data.subscriber.id
    const order = { fromAppUserId: 'svc_ada', toAppUserId: 'svc_bo', purchaseIds: [first?.id] }
    const { status, body } = await s.post('/v1/subscribers/transfer', order, { key: s.project.secretKey })
    expect([status, body.data.purchases.length]).toEqual([200, 2])
    const owners = (await s.ctx.db.select().from(s.ctx.tables.purchases)).map(({ subscriberId }) => subscriberId)
    expect(owners).toEqual([to, to])
    expect([await names(), Object.keys(await access(s, 'svc_bo'))]).toEqual([[], ['pro']])
  })

  test('a scheduled cancellation ends all, and its preview names them', async () => {
    const sale = buy('price_monthly', 'price_nobody')
    await tell()
    const held = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const [first] = held
    const order = { purchaseId: first?.id ?? '', dueAt: s.ctx.clock.now() + DAY, revokeImmediately: false }
    s.ctx.clock.advance(1)
    const shown = await previewCancellation(s.ctx, await stateOf(s), { ...order, origin: CLI_ORIGIN })
    expect(shown.result.purchaseIds.toSorted()).toEqual(held.map(({ id: one }) => one).toSorted())
    expect(shown.eventTypes).toEqual(['purchase.cancelled', 'purchase.cancelled'])
    await schedule(s, order.purchaseId)
    s.ctx.clock.advance(DAY)
    expect(await sweepActions(s.ctx)).toBe(1)
    const after = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(after.map(({ fold }) => fold.autoRenews)).toEqual([false, false])
    expect(getFrom(s.world.subscriptions, sale).cancel_at_period_end).toBe(true)
    const types = await eventTypes(s, id)
    await tell()
    expect(await eventTypes(s, id)).toEqual(types)
  })
})
