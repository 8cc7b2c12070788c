import { describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../base/lib/clock'
import { givesAccess } from '../../core/purchase/status'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import { subscribe } from '../../test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../test-store/stores/payment-checkout'
import { chargeOfIntent } from '../../test-store/stores/payment-returns'
import {
  beginPeriod,
  cancelAtPeriodEnd,
  changePrice,
  endNow,
  failPayment,
  giveUp,
  pause,
  pauseCollection,
  renew,
  resume,
  settle,
  undoCancel,
} from '../../test-store/stores/payment-turns'
import { getFrom } from '../../test-store/stores/payment-world'
import type { ProductType } from '../observation'
import { decodePayment } from './decode'
import { MONTH_END, START, TestStore } from './world.fixtures'

const day = (count: number): number => START + count * DAY

/** Status, access and end of the purchase at an instant, from all events so far. */
async function stateOf(store: TestStore, at: number, productType: ProductType = 'SUBSCRIPTION') {
  const fold = foldObservations(await store.tell(), productType)
  if (!fold) return null
  const { status, ...rest } = statusAt(fold, at)
  return { ...rest, status, access: givesAccess(status) }
}

async function linesOf(store: TestStore, productType: ProductType = 'SUBSCRIPTION') {
  const lines = transactionLines(await store.tell(), productType)
  return lines.map(({ kind, price }): [string, number | null] => [kind, price?.amountMicros ?? null])
}

const MONTHLY = 9_990_000
const TOLD = { fetchedAt: START, eventAt: START, providerGraceDays: 7, pausedCollection: 'noAccess' } as const

function subscribed(order: { trialDays?: number; priceId?: string } = {}) {
  const store = new TestStore()
  const { id } = subscribe(store.world, { priceId: 'price_monthly', ...order })
  return { store, id }
}

/** Like `subscribed`, with its events already decoded. */
async function running(order: { trialDays?: number; priceId?: string } = {}) {
  const { store, id } = subscribed(order)
  await store.tell()
  return { store, id }
}

describe('states of a subscription', () => {
  test('active is ACTIVE until the end of the period', async () => {
    const { store } = subscribed()
    expect(await stateOf(store, day(1))).toMatchObject({
      status: 'ACTIVE',
      access: true,
      expiresAt: MONTH_END,
      autoRenews: true,
      storeProductId: 'price_monthly',
      price: { amountMicros: MONTHLY, currency: 'USD' },
    })
    expect(await stateOf(store, MONTH_END)).toMatchObject({ status: 'EXPIRED', access: false })
    expect(await linesOf(store)).toEqual([['INITIAL', MONTHLY]])
  })

  test('trialing is TRIAL, from an invoice over nothing', async () => {
    const { store } = subscribed({ trialDays: 7 })
    expect(await stateOf(store, day(1))).toMatchObject({ status: 'TRIAL', access: true, expiresAt: day(7) })
    expect(await linesOf(store)).toEqual([['TRIAL', 0]])
  })

  test('a trial that is paid for begins as an introductory offer, and its money counts', async () => {
    const { store, id } = subscribed({ trialDays: 7 })
    const invoice = getFrom(store.world.invoices, String(getFrom(store.world.subscriptions, id).latest_invoice))
    Object.assign(invoice, { amount_paid: 100 })
    expect(await stateOf(store, day(1))).toMatchObject({ status: 'ACTIVE', isTrial: false, isIntroOffer: true })
    expect(await linesOf(store)).toEqual([['INITIAL', 1_000_000]])
  })

  test('a coupon over everything is not a trial', async () => {
    const { store, id } = subscribed()
    const invoice = getFrom(store.world.invoices, String(getFrom(store.world.subscriptions, id).latest_invoice))
    Object.assign(invoice, { amount_paid: 0 })
    expect(await stateOf(store, day(1))).toMatchObject({ status: 'ACTIVE', isTrial: false })
    expect(await linesOf(store)).toEqual([['INITIAL', 0]])
  })

  test('cancel_at_period_end switches auto-renew off and leaves the rest', async () => {
    const { store, id } = await running()
    store.days(3)
    cancelAtPeriodEnd(store.world, id)
    expect(await stateOf(store, day(4))).toMatchObject({
      status: 'ACTIVE',
      access: true,
      expiresAt: MONTH_END,
      autoRenews: false,
      cancelledAt: day(3),
    })
  })

  test('a cancellation with the date of the period end does the same (flexible billing)', async () => {
    const { store, id } = await running()
    cancelAtPeriodEnd(store.world, id)
    Object.assign(getFrom(store.world.subscriptions, id), { cancel_at_period_end: false })
    expect(await stateOf(store, day(4))).toMatchObject({ status: 'ACTIVE', autoRenews: false })
  })

  test('cancel_at_period_end alone does the same', async () => {
    const { store, id } = await running()
    cancelAtPeriodEnd(store.world, id)
    Object.assign(getFrom(store.world.subscriptions, id), { cancel_at: null })
    expect(await stateOf(store, day(4))).toMatchObject({ status: 'ACTIVE', autoRenews: false })
  })

  test('a cancellation within the period moves its end', async () => {
    const { store, id } = await running()
    cancelAtPeriodEnd(store.world, id)
    Object.assign(getFrom(store.world.subscriptions, id), { cancel_at: day(10) / 1000 })
    expect(await stateOf(store, day(11))).toMatchObject({ status: 'EXPIRED', expiresAt: day(10) })
  })

  test('a cancellation after further periods leaves auto-renew on', async () => {
    const { store, id } = await running()
    cancelAtPeriodEnd(store.world, id)
    Object.assign(getFrom(store.world.subscriptions, id), { cancel_at_period_end: false, cancel_at: day(90) / 1000 })
    expect(await stateOf(store, day(4))).toMatchObject({ autoRenews: true, expiresAt: MONTH_END })
  })

  test('undone, it renews again', async () => {
    const { store, id } = await running()
    cancelAtPeriodEnd(store.world, id)
    await store.tell()
    store.days(1)
    undoCancel(store.world, id)
    expect(await stateOf(store, day(4))).toMatchObject({ autoRenews: true, cancelledAt: null })
  })

  test('past_due is GRACE_PERIOD from the end of the last paid period', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    failPayment(store.world, id)
    expect(await stateOf(store, MONTH_END + DAY)).toMatchObject({
      status: 'GRACE_PERIOD',
      access: true,
      expiresAt: MONTH_END,
      gracePeriodExpiresAt: MONTH_END + 7 * DAY,
    })
    expect(await stateOf(store, MONTH_END + 7 * DAY)).toMatchObject({ status: 'BILLING_RETRY', access: false })
    expect(await linesOf(store)).toEqual([['INITIAL', MONTHLY]])
  })

  test('past_due after a trial counts the grace from the end of the trial', async () => {
    const { store, id } = await running({ trialDays: 7 })
    store.days(7)
    failPayment(store.world, id)
    expect(await stateOf(store, day(8))).toMatchObject({ status: 'GRACE_PERIOD', gracePeriodExpiresAt: day(14) })
  })

  test('unpaid is BILLING_RETRY without grace', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    failPayment(store.world, id)
    await store.tell()
    store.days(2)
    giveUp(store.world, id, 'unpaid')
    const state = await stateOf(store, MONTH_END + 3 * DAY)
    expect(state).toMatchObject({
      status: 'BILLING_RETRY',
      access: false,
      expiresAt: MONTH_END,
      gracePeriodExpiresAt: null,
    })
  })

  test('incomplete makes no purchase, incomplete_expired neither', async () => {
    for (const status of ['incomplete', 'incomplete_expired']) {
      const { store, id } = subscribed()
      Object.assign(getFrom(store.world.subscriptions, id), { status, ended_at: START / 1000 })
      for (const invoice of store.world.invoices.values()) invoice.status = 'open'
      expect([status, await stateOf(store, day(1))]).toEqual([status, null])
      expect(await linesOf(store)).toEqual([])
    }
  })

  test('a paused collection is PAUSED after what is paid, with the day of its end', async () => {
    const { store, id } = await running()
    store.days(5)
    pauseCollection(store.world, id, day(50) / 1000)
    expect(await stateOf(store, MONTH_END - 1)).toMatchObject({ status: 'ACTIVE', access: true })
    expect(await stateOf(store, MONTH_END)).toMatchObject({
      status: 'PAUSED',
      access: false,
      pausedAt: MONTH_END,
      autoResumeAt: day(50),
    })
  })

  test('status paused is PAUSED since the transition', async () => {
    const { store, id } = await running({ trialDays: 7 })
    store.days(7)
    pause(store.world, id)
    store.days(1)
    store.world.emit('customer.subscription.updated', getFrom(store.world.subscriptions, id))
    expect(await stateOf(store, day(9))).toMatchObject({ status: 'PAUSED', access: false, pausedAt: day(7) })
  })

  test('resumed, it is ACTIVE again', async () => {
    const { store, id } = await running()
    store.days(5)
    pauseCollection(store.world, id)
    await store.tell()
    store.days(5)
    resume(store.world, id)
    expect(await stateOf(store, day(11))).toMatchObject({
      status: 'ACTIVE',
      access: true,
      pausedAt: null,
      autoResumeAt: null,
    })
  })

  const reasons: [told: string | null, expiryReason: string][] = [
    ['cancellation_requested', 'UNSUBSCRIBED'],
    ['payment_failed', 'BILLING_ERROR'],
    ['payment_disputed', 'BILLING_ERROR'],
    ['canceled_by_retention_policy', 'UNKNOWN'],
    ['a_reason_of_2030', 'UNKNOWN'],
    [null, 'UNKNOWN'],
  ]
  for (const [told, expiryReason] of reasons)
    test(`deleted with reason ${told} is EXPIRED, ${expiryReason}`, async () => {
      const { store, id } = await running()
      store.days(5)
      endNow(store.world, id)
      Object.assign(store.world.subscriptions.get(id)?.cancellation_details ?? {}, { reason: told })
      expect(await stateOf(store, day(6))).toMatchObject({
        status: 'EXPIRED',
        access: false,
        expiresAt: day(5),
        expiryReason,
        autoRenews: false,
      })
    })

  test('ended at its period end, as asked, it is UNSUBSCRIBED', async () => {
    const { store, id } = await running()
    cancelAtPeriodEnd(store.world, id)
    await store.tell()
    store.clock.goTo(MONTH_END)
    endNow(store.world, id)
    const state = await stateOf(store, MONTH_END + HOUR)
    expect(state).toMatchObject({ status: 'EXPIRED', expiresAt: MONTH_END, expiryReason: 'UNSUBSCRIBED' })
  })

  test('ended after failed payments, its end stays that of the paid period', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    failPayment(store.world, id)
    await store.tell()
    store.days(21)
    giveUp(store.world, id, 'canceled')
    const state = await stateOf(store, MONTH_END + 22 * DAY)
    expect(state).toMatchObject({
      status: 'EXPIRED',
      expiresAt: MONTH_END,
      expiryReason: 'BILLING_ERROR',
      billingTrouble: 'NONE',
    })
  })

  test('older news that is fetched after the end tells the end', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    failPayment(store.world, id)
    await store.tell()
    store.days(1)
    store.world.emit('customer.subscription.updated', getFrom(store.world.subscriptions, id))
    const older = store.takeEvents()
    store.days(1)
    giveUp(store.world, id, 'canceled')
    store.takeEvents()
    await store.tell(older)
    expect(await stateOf(store, MONTH_END + 3 * DAY)).toMatchObject({
      status: 'EXPIRED',
      expiryReason: 'BILLING_ERROR',
    })
  })

  test('a status of a later version changes nothing', async () => {
    const { store, id } = await running()
    store.days(3)
    cancelAtPeriodEnd(store.world, id)
    Object.assign(getFrom(store.world.subscriptions, id), { status: 'hibernating' })
    expect(await stateOf(store, day(4))).toMatchObject({ status: 'ACTIVE', autoRenews: true })
  })
})

describe('paid invoices', () => {
  test('subscription_cycle is RENEWAL', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    renew(store.world, id)
    const end = Date.UTC(2027, 0, 20, 8)
    expect(await stateOf(store, MONTH_END + DAY)).toMatchObject({
      status: 'ACTIVE',
      expiresAt: end,
      purchaseDate: MONTH_END,
    })
    expect(await linesOf(store)).toEqual([
      ['INITIAL', MONTHLY],
      ['RENEWAL', MONTHLY],
    ])
  })

  test('the first one after a trial is TRIAL_CONVERSION', async () => {
    const { store, id } = await running({ trialDays: 7 })
    store.days(7)
    renew(store.world, id)
    expect(await stateOf(store, day(8))).toMatchObject({ status: 'ACTIVE', isTrial: false })
    expect(await linesOf(store)).toEqual([
      ['TRIAL', 0],
      ['TRIAL_CONVERSION', MONTHLY],
    ])
  })

  test('what was paid for the rest of a period after a change is an ADJUSTMENT', async () => {
    const { store, id } = await running()
    store.days(15)
    changePrice(store.world, id, 'price_monthly_plus')
    expect(await stateOf(store, day(16))).toMatchObject({
      status: 'ACTIVE',
      storeProductId: 'price_monthly_plus',
      expiresAt: MONTH_END,
    })
    expect(await linesOf(store)).toEqual([
      ['INITIAL', MONTHLY],
      ['ADJUSTMENT', 5_000_000],
    ])
  })

  test('a downgrade that leaves a credit charges nothing, and its renewal in full', async () => {
    const { store, id } = await running({ priceId: 'price_monthly_plus' })
    store.days(15)
    changePrice(store.world, id, 'price_monthly')
    await store.tell()
    store.clock.goTo(MONTH_END)
    renew(store.world, id)
    expect(await linesOf(store)).toEqual([
      ['INITIAL', 19_990_000],
      ['RENEWAL', MONTHLY],
    ])
    expect(await stateOf(store, MONTH_END)).toMatchObject({ storeProductId: 'price_monthly' })
  })

  test('another price without an invoice of its own is in force at once, and stays so', async () => {
    const { store, id } = await running()
    store.days(15)
    changePrice(store.world, id, 'price_monthly_plus', false)
    expect(await stateOf(store, day(16))).toMatchObject({ storeProductId: 'price_monthly_plus', status: 'ACTIVE' })
    const [charge] = transactionLines(store.told, 'SUBSCRIPTION')
    expect(charge?.storeProductId).toBe('price_monthly') // The charge was for the monthly price.
    store.clock.goTo(MONTH_END)
    beginPeriod(store.world, id)
    expect(await stateOf(store, MONTH_END)).toMatchObject({ storeProductId: 'price_monthly_plus' })
    failPayment(store.world, id)
    expect(await stateOf(store, MONTH_END)).toMatchObject({
      storeProductId: 'price_monthly_plus',
      status: 'GRACE_PERIOD',
    })
  })

  test('another price with an open invoice waits for its payment', async () => {
    const { store, id } = await running()
    store.days(15)
    const invoice = changePrice(store.world, id, 'price_monthly_plus')
    Object.assign(invoice ?? {}, { status: 'open' })
    expect(await stateOf(store, day(16))).toMatchObject({ storeProductId: 'price_monthly' })
  })

  test('prorations that a renewal carries along do not become its period', async () => {
    const { store, id } = await running()
    store.days(15)
    const change = changePrice(store.world, id, 'price_monthly_plus')
    await store.tell()
    store.clock.goTo(MONTH_END)
    const invoice = beginPeriod(store.world, id)
    invoice.lines.data.unshift(...(change?.lines.data ?? []))
    settle(store.world, id)
    const end = Date.UTC(2027, 0, 20, 8)
    expect(await stateOf(store, MONTH_END)).toMatchObject({ expiresAt: end, purchaseDate: MONTH_END })
  })

  test('an invoice that is a draft for an hour costs nobody the access', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    beginPeriod(store.world, id)
    expect(await stateOf(store, MONTH_END + HOUR / 2)).toMatchObject({ status: 'ACTIVE', access: true })
    expect(await linesOf(store)).toEqual([['INITIAL', MONTHLY]])
    store.clock.advance(HOUR)
    settle(store.world, id)
    expect(await stateOf(store, MONTH_END + 2 * HOUR)).toMatchObject({ status: 'ACTIVE', purchaseDate: MONTH_END })
  })

  test('when its payment fails after that hour, the grace begins at the end of what was paid', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    beginPeriod(store.world, id)
    await store.tell()
    store.clock.advance(HOUR)
    failPayment(store.world, id)
    expect(await stateOf(store, MONTH_END + DAY)).toMatchObject({
      status: 'GRACE_PERIOD',
      expiresAt: MONTH_END,
      gracePeriodExpiresAt: MONTH_END + 7 * DAY,
    })
  })

  test('a late payment ends the billing problem', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    failPayment(store.world, id)
    await store.tell()
    store.days(3)
    settle(store.world, id)
    expect(await stateOf(store, MONTH_END + 4 * DAY)).toMatchObject({ status: 'ACTIVE', billingTrouble: 'NONE' })
    expect(await linesOf(store)).toEqual([
      ['INITIAL', MONTHLY],
      ['RENEWAL', MONTHLY],
    ])
  })

  test('the one told twice is one', async () => {
    const { store } = subscribed()
    const events = store.takeEvents()
    const once = structuredClone(await store.tell(events))
    expect(await store.tell([...events, ...events])).toEqual(once)
  })

  test('an extra charge by hand is an ADJUSTMENT', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    const invoice = renew(store.world, id)
    const [line] = invoice.lines.data
    Object.assign(line?.parent ?? {}, { subscription_item_details: null })
    expect(await linesOf(store)).toEqual([
      ['INITIAL', MONTHLY],
      ['ADJUSTMENT', MONTHLY],
    ])
  })

  test('an invoice of another subscription is not counted here', async () => {
    const { store, id } = await running()
    store.clock.goTo(MONTH_END)
    const invoice = renew(store.world, id)
    Object.assign(invoice.parent?.subscription_details ?? {}, { subscription: 'sub_other' })
    const facts = { kind: 'SUBSCRIPTION' as const, subscription: store.world.subscriptions.get(id), schedule: null }
    const told = { ...TOLD, fetchedAt: MONTH_END }
    const result = decodePayment(
      { sale: { ...facts, session: null, invoices: [invoice], invoiceItems: [] }, returned: null },
      told,
    )
    const lines = result.ok ? result.purchase.lines : []
    const ids = lines.flatMap(({ observations }) => observations.map((one) => one.id.split('@')[0]))
    expect(ids).toEqual([lines[0]?.lineKey])
  })

  const open: [name: string, status: string][] = [
    ['a draft', 'draft'],
    ['an open one', 'open'],
    ['a void one', 'void'],
    ['an uncollectible one', 'uncollectible'],
  ]
  for (const [name, status] of open)
    test(`${name} is no transaction`, async () => {
      const { store, id } = await running()
      store.clock.goTo(MONTH_END)
      renew(store.world, id).status = status
      expect(await linesOf(store)).toEqual([['INITIAL', MONTHLY]])
    })

  test('a bank debit under way gives access, and its price once it is paid', async () => {
    const { store, id } = subscribed()
    const [invoice] = store.world.invoices.values()
    Object.assign(invoice ?? {}, { status: 'open' })
    store.world.emit('customer.subscription.updated', getFrom(store.world.subscriptions, id))
    expect(await stateOf(store, day(1))).toMatchObject({
      status: 'ACTIVE',
      price: null,
      storeTransactionId: invoice?.id,
    })
    expect(await linesOf(store)).toEqual([['INITIAL', null]])
    store.days(3)
    Object.assign(invoice ?? {}, { status: 'paid', status_transitions: { paid_at: store.world.now } })
    store.world.emit('invoice.paid', invoice ?? { id: '', object: '' })
    expect(await linesOf(store)).toEqual([['INITIAL', MONTHLY]])
  })

  test('a trial without an invoice is a trial, at no known price', async () => {
    const { store, id } = subscribed({ trialDays: 7 })
    store.world.invoices.clear()
    Object.assign(getFrom(store.world.subscriptions, id), { latest_invoice: null })
    await store.tell(store.takeEvents().filter(({ type }) => type === 'customer.subscription.created'))
    expect(await stateOf(store, day(1))).toMatchObject({ status: 'TRIAL', expiresAt: day(7), price: null })
  })

  test('a bank debit that fails after all gives no period', async () => {
    const { store, id } = subscribed()
    const [invoice] = store.world.invoices.values()
    Object.assign(invoice ?? {}, { status: 'open' })
    const subscription = getFrom(store.world.subscriptions, id)
    await store.tell()
    store.days(3)
    Object.assign(subscription, { status: 'past_due' })
    store.world.emit('customer.subscription.updated', subscription)
    expect(await stateOf(store, day(4))).toMatchObject({ status: 'GRACE_PERIOD', gracePeriodExpiresAt: day(7) })
    expect(await stateOf(store, day(8))).toMatchObject({ status: 'BILLING_RETRY', access: false })
  })
})

describe('price off by a factor', () => {
  const cases: [priceId: string, amountMicros: number, currency: string][] = [
    ['price_monthly', 9_990_000, 'USD'],
    ['price_yen', 1_200_000_000, 'JPY'],
    ['price_dinar', 5_120_000, 'KWD'],
  ]
  for (const [priceId, amountMicros, currency] of cases)
    test(currency, async () => {
      const { store } = subscribed({ priceId })
      expect(await stateOf(store, day(1))).toMatchObject({ price: { amountMicros, currency } })
    })
})

describe('one-time purchases', () => {
  const order = {
    mode: 'payment',
    priceId: 'price_coins',
    customer: null,
    successUrl: null,
    cancelUrl: null,
    metadata: { svc_subscriber_id: 'sub_1' },
    saleMetadata: { svc_subscriber_id: 'sub_1', svc_price_id: 'price_coins' },
    trialDays: 0,
  } as const

  function bought(isFree = false, changes: object = {}) {
    const store = new TestStore()
    const session = openCheckout(store.world, { ...order, ...changes })
    completeCheckout(store.world, session.id, isFree)
    return { store, session }
  }

  test('the events of checkout and of payment are one purchase, in either order', async () => {
    for (const isReversed of [false, true]) {
      const { store } = bought()
      const events = store.takeEvents()
      await store.tell(isReversed ? events.toReversed() : events)
      expect(await linesOf(store, 'CONSUMABLE')).toEqual([['CREDIT_PURCHASE', 4_990_000]])
      expect(await stateOf(store, day(900), 'NON_CONSUMABLE')).toMatchObject({
        status: 'ACTIVE',
        expiresAt: null,
        storeProductId: 'price_coins',
      })
    }
  })

  test('its chain is the payment intent', async () => {
    const { store, session } = bought()
    const result = await store.decodeLast('checkout.session.completed')
    expect(result).toMatchObject({
      ok: true,
      purchase: {
        chainKey: session.payment_intent,
        isSubscription: false,
        environment: 'SANDBOX',
        owner: { subscriberId: 'sub_1', deviceKey: null, presentedContext: null },
        customerId: session.customer,
      },
    })
  })

  test('a payment that a funnel made names its price in the metadata', async () => {
    const { store } = bought()
    store.world.sessions.clear()
    const result = await store.decodeLast('payment_intent.succeeded')
    expect(result).toMatchObject({ ok: true, purchase: { lines: [{ lineKey: '', storeProductId: 'price_coins' }] } })
  })

  test('without a checkout or a price it is a sale of no product', async () => {
    const { store } = bought(false, { saleMetadata: {} })
    store.world.sessions.clear()
    const result = await store.decodeLast('payment_intent.succeeded')
    expect(result).toMatchObject({ ok: true, purchase: { lines: [{ lineKey: '', storeProductId: '' }] } })
  })

  test('the payment of an invoice is no purchase of its own', async () => {
    const { store } = subscribed()
    expect(await store.decodeLast('payment_intent.succeeded')).toEqual({
      ok: false,
      reason: 'ignored',
      why: 'no_product',
    })
  })

  test('a payment under way is not a purchase', async () => {
    const { store } = bought()
    for (const intent of store.world.intents.values()) intent.status = 'processing'
    expect(await store.decodeLast('checkout.session.completed')).toEqual({
      ok: false,
      reason: 'ignored',
      why: 'unpaid',
    })
  })

  test('the country of a checkout is that of the customer’s address', async () => {
    const { store, session } = bought()
    Object.assign(session, { customer_details: { address: { country: 'TR' } } })
    const result = await store.decodeLast('checkout.session.completed')
    expect(result).toMatchObject({
      purchase: { lines: [{ observations: [{ transaction: { country: 'TR' } }] }] },
    })
  })

  test('an order that a coupon made free has the session for its chain', async () => {
    const { store, session } = bought(true)
    const result = await store.decodeLast('checkout.session.completed')
    expect(result).toMatchObject({ ok: true, purchase: { chainKey: session.id } })
    expect(await linesOf(store, 'CONSUMABLE')).toEqual([['CREDIT_PURCHASE', 0]])
  })

  test('an unpaid session without a payment is nothing', async () => {
    const { store, session } = bought(true)
    Object.assign(session, { payment_status: 'unpaid' })
    expect(await store.decodeLast('checkout.session.completed')).toEqual({
      ok: false,
      reason: 'ignored',
      why: 'unpaid',
    })
  })

  test('a free session that names a payment waits for it', () => {
    const { session } = bought(true)
    const facts = {
      kind: 'ONE_TIME' as const,
      paymentIntent: null,
      session: { ...session, payment_intent: 'pi_1' },
      invoice: null,
    }
    expect(decodePayment({ sale: facts, returned: null }, TOLD)).toEqual({
      ok: false,
      reason: 'ignored',
      why: 'unpaid',
    })
  })

  test('it is bought when it was charged, however long the payment took', async () => {
    const { store, session } = bought()
    const charge = getFrom(store.world.charges, chargeOfIntent(store.world, String(session.payment_intent)))
    charge.created += 3600
    expect(await stateOf(store, day(1), 'NON_CONSUMABLE')).toMatchObject({ purchaseDate: START + HOUR })
  })

  test('live mode is PRODUCTION', async () => {
    const { store } = bought()
    for (const intent of store.world.intents.values()) intent.livemode = true
    expect(await store.decodeLast('checkout.session.completed')).toMatchObject({
      purchase: { environment: 'PRODUCTION' },
    })
  })
})

describe('a checkout of a subscription', () => {
  const order = {
    mode: 'subscription',
    priceId: 'price_monthly',
    customer: null,
    successUrl: null,
    cancelUrl: null,
    metadata: { svc_device_key: 'svc_device', funnel_session: 'fse_1' },
    saleMetadata: { svc_subscriber_id: 'sub_1', svc_presented_context: '{"placementId":"home"}' },
    trialDays: 0,
  } as const

  test('says whose it is by the metadata of session and subscription', async () => {
    const store = new TestStore()
    const session = openCheckout(store.world, order)
    completeCheckout(store.world, session.id)
    expect(await store.decodeLast('checkout.session.completed')).toMatchObject({
      ok: true,
      purchase: {
        chainKey: session.subscription,
        isSubscription: true,
        customerId: session.customer,
        metadata: { funnel_session: 'fse_1' },
        owner: { subscriberId: 'sub_1', deviceKey: 'svc_device', presentedContext: { placementId: 'home' } },
      },
    })
    expect(await linesOf(store)).toEqual([['INITIAL', MONTHLY]])
  })

  test('live mode is PRODUCTION', async () => {
    const store = new TestStore()
    const { id } = subscribe(store.world, { priceId: 'price_monthly' })
    Object.assign(getFrom(store.world.subscriptions, id), { livemode: true })
    expect(await store.decodeLast('invoice.paid')).toMatchObject({ purchase: { environment: 'PRODUCTION' } })
  })
})
