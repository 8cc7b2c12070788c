import { expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { Chains } from '../../people/purchases/laws/chains.fixtures'
import { ITEMS_SHOP, wordOfEvent } from '../../people/purchases/laws/payment-items-life.fixtures'
import { ITEM_TURNS, openItemsStore } from '../../people/purchases/laws/payment-items-turns.fixtures'
import { statusAt } from '../../people/purchases/status'
import { TestStore } from '../../stores/payment/world.fixtures'
import { subscribe } from '../../test-store/stores/payment-billing'
import { addItem, removeItem } from '../../test-store/stores/payment-items'
import { endNow, renew } from '../../test-store/stores/payment-turns'

/** A subscription whose events are told only when `hear` is called. */
function unheard(...prices: [string, ...string[]]) {
  const store = openItemsStore(new TestStore())
  const [priceId, ...others] = prices
  const sale = subscribe(store.world, { priceId, others, isFlexible: true })
  const chains = new Chains(ITEMS_SHOP)
  const hear = async () => {
    for (const event of store.takeEvents()) {
      const word = await wordOfEvent(event, store)
      if (word) chains.record(word)
    }
    const now = store.clock.now()
    return {
      access: chains.accessAt(now),
      cents: chains.money() / 10_000,
      mrr: chains.mrrAt(now) / 10_000,
      statuses: chains.lines.map(({ fold }) => statusAt(fold, now).status),
      kinds: chains.lines.flatMap(({ money }) => money.map(({ kind }) => kind)).sort(),
      balances: chains.balances(),
    }
  }
  const itemAt = (index: number) => sale.items.data[index]?.id ?? ''
  return { store, sale, hear, itemAt }
}

test('a line that was removed before anything was heard of it has ended, and its money counts', async () => {
  const { store, sale, hear, itemAt } = unheard('price_nobody', 'price_monthly')
  store.days(1)
  removeItem(store.world, sale.id, itemAt(1))
  const heard = { access: [], cents: 1499, mrr: 500, statuses: ['ACTIVE', 'EXPIRED'] }
  expect(await hear()).toMatchObject(heard)
  store.days(1)
  store.world.emit('customer.subscription.updated', sale)
  expect(await hear()).toMatchObject(heard)
})

test('what a line charged within the period counts, also when it came and went unheard', async () => {
  const { store, sale, hear, itemAt } = unheard('price_nobody')
  store.days(15)
  addItem(store.world, sale.id, 'price_monthly')
  removeItem(store.world, sale.id, itemAt(1))
  expect(await hear()).toMatchObject({ access: [], cents: 1000, mrr: 500, kinds: ['ADJUSTMENT', 'INITIAL'] })
})

test('and when it ended with its subscription', async () => {
  const { store, sale, hear } = unheard('price_nobody')
  store.days(15)
  addItem(store.world, sale.id, 'price_monthly')
  endNow(store.world, sale.id)
  expect(await hear()).toMatchObject({ access: [], cents: 1000, mrr: 0, statuses: ['EXPIRED', 'EXPIRED'] })
})

test('the first period of an added item is its first charge, heard in time or not, removed or not', async () => {
  const outcomes = [true, false].map(async (inTime) => {
    const { store, sale, hear, itemAt } = unheard('price_nobody')
    store.days(15)
    addItem(store.world, sale.id, 'price_monthly')
    if (inTime) await hear()
    store.clock.goTo(store.clock.now() + 15 * DAY)
    renew(store.world, sale.id)
    const running = await hear()
    removeItem(store.world, sale.id, itemAt(1))
    return [running, await hear()]
  })
  const [prompt, late] = await Promise.all(outcomes)
  expect(late).toEqual(prompt)
  expect(prompt?.[0]).toMatchObject({ balances: { gems: 50 }, kinds: ['ADJUSTMENT', 'INITIAL', 'INITIAL', 'RENEWAL'] })
})

test('a charge that paid an item and the one that replaced it counts in full, heard in time or not, and so does its refund', async () => {
  const outcomes = [true, false].map(async (inTime) => {
    const { store, hear } = unheard('price_monthly')
    const steps = [
      // Billed with the next period: 6.66 of the first item are credited, 16.67 are charged for the second.
      () => ITEM_TURNS.SWAP(store, 0),
      // Billed at once: 8.34 of the second item are credited, 1.67 are charged for the third. The rest is a balance.
      () => ITEM_TURNS.SWAP(store, 1),
      () => ITEM_TURNS.RENEW(store, 0),
      () => ITEM_TURNS.REFUND_PART(store, 0),
      () => ITEM_TURNS.REFUND(store, 0),
    ]
    const cents: number[] = []
    for (const step of steps) {
      if (inTime || cents.length > 2) await hear()
      store.days(10)
      step()
      cents.push(inTime || cents.length > 1 ? (await hear()).cents : 0)
    }
    return { cents: cents.slice(2), lines: (await hear()).statuses.length }
  })
  const [prompt, late] = await Promise.all(outcomes)
  expect(prompt).toEqual({ cents: [999 + 834, 999 + 417, 999], lines: 1 })
  expect(late?.cents).toEqual(prompt?.cents)
})

test('the item of the newest swap gives its access, also when the newest invoices have charged nothing', async () => {
  const { store, hear } = unheard('price_monthly')
  await hear()
  // Each is billed at once, and the credit of the first pays for all. Every second one sells the team's price.
  for (const days of [7, 18, 1, 1, 1]) {
    store.days(days)
    ITEM_TURNS.SWAP(store, 3)
    await hear()
  }
  expect(await hear()).toMatchObject({ access: [], mrr: 500, statuses: ['ACTIVE'] })
})
