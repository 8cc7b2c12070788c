import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED } from '../../../../test/support/laws'
import { DAY, HOUR } from '../../../base/lib/clock'
import { givesAccess } from '../../../core/purchase/status'
import type { TestStore } from '../../../stores/payment/world.fixtures'
import { effectiveEnd, statusAt } from '../status'
import { anyArrival, arrive } from './arrivals.fixtures'
import { accessOf, Book, type ObservationBatch } from './book.fixtures'
import { batchesOfEvent, joined } from './histories.fixtures'
import { anyPaymentScript, livePayment, PAYMENT_SHOP, type PaymentScript } from './payment-life.fixtures'
import { expectedAccess, expectedCoins, expectedMoney, expectedStatus, hasAccess } from './payment-oracle.fixtures'
import type { PaymentTurn } from './payment-turns.fixtures'

/** The provider's dates have whole seconds. */
const APART = { leastGapMs: 2000 }
/**
 * Without a change of price that is not billed. Whether a later change counts as one depends on whether such a price
 * was fetched in time.
 */
const BILLED = { ...APART, without: ['SWITCH'] as const }
/** A fraction of the usual number of runs: each event is decoded from complete objects, so these lives take longer. */
const SHARE = 0.5

const instantsOf = ({ clock }: TestStore): number[] => [0, 3, 20, 500].map((days) => clock.now() + days * DAY)

/** Runs a life; the events of each turn are decoded at once. */
async function live(script: PaymentScript, staging: Parameters<typeof livePayment>[2] = {}) {
  const batches: ObservationBatch[] = []
  const store = await livePayment(
    script,
    async (events, world) => {
      for (const event of events) batches.push(...(await batchesOfEvent(event, world)))
    },
    staging,
  )
  return { store, batches }
}

function bookOf(batches: readonly ObservationBatch[], now: number): Book {
  const book = new Book(PAYMENT_SHOP)
  for (const one of batches) book.record(one, now)
  return book
}

/** What must not depend on the time of the fetch. */
function essence(book: Book, instants: readonly number[]): unknown {
  const purchases = book.folds().map(([chainKey, fold, { lines }]) => ({
    chainKey,
    states: instants.map((at) => {
      const { status, expiryReason } = statusAt(fold, at)
      return [status, givesAccess(status), expiryReason]
    }),
    end: effectiveEnd(fold),
    autoRenews: fold.autoRenews,
    lines: [...lines.values()].map(({ key, kind, price, occurredAt }) => [key, kind, price?.amountMicros, occurredAt]),
  }))
  return { purchases, balances: book.balances(), money: book.money() }
}

const anyLife = fc.record({ script: anyPaymentScript, arrivals: fc.tuple(anyArrival, anyArrival) })

/** Coins are bought in a trial, then their money goes back and forth. */
const anyReturns = fc
  .array(
    fc.record({
      turn: fc.constantFrom<PaymentTurn>('REFUND', 'REFUND_PART', 'FAIL_REFUND', 'LOSE', 'WIN'),
      pick: fc.nat({ max: 11 }),
    }),
    { maxLength: 6 },
  )
  .map((steps) => [{ turn: 'COINS' as const, pick: 0 }, ...steps].map((one) => ({ ...one, gap: HOUR })))

const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life at the payment provider ${SEEDED}`, () => {
  law('its events in any order, and some of them twice, come to the same', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals }) => {
        const { store, batches } = await live(script)
        const instants = instantsOf(store)
        const expected = bookOf(batches, store.clock.now()).outcome(instants)
        for (const arrival of [...arrivals.map((one) => arrive(batches, one)), batches.toReversed()])
          expect(bookOf(arrival, store.clock.now()).outcome(instants)).toBe(expected)
      },
      SHARE,
    ),
  )

  law('two halves come to the whole, each told at once', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [{ ranks }] }) => {
        const { store, batches } = await live(script)
        const isFirst = (_: ObservationBatch, index: number) => (ranks[index % ranks.length] ?? 0) < 50
        const second = batches.filter((one, index) => !isFirst(one, index))
        const book = bookOf([...joined(batches.filter(isFirst)), ...joined(second)], store.clock.now())
        const whole = bookOf(joined(batches), store.clock.now())
        expect(book.outcome(instantsOf(store))).toBe(whole.outcome(instantsOf(store)))
        const sum = book.ledger.entries.reduce((total, { amount }) => total + Number(amount), 0)
        expect(sum).toBe(Object.values(whole.balances()).reduce((total, balance) => total + balance, 0))
      },
      SHARE,
    ),
  )

  law('asked about late and in any order, they come to the same in the end', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, batches } = await live(script, BILLED)
        const late = bookOf([], 0)
        for (const event of arrive(store.world.events, arrival))
          for (const one of await batchesOfEvent(event, store)) late.record(one, store.clock.now())
        const prompt = bookOf(batches, store.clock.now())
        expect(essence(late, instantsOf(store))).toEqual(essence(prompt, instantsOf(store)))
      },
      SHARE,
    ),
  )

  law('what is told again changes nothing and is no event', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, batches } = await live(script)
        const book = bookOf(arrive(batches, arrival), store.clock.now())
        const before = book.outcome(instantsOf(store))
        for (const one of batches) expect(book.record(one, store.clock.now() + 90 * DAY)).toEqual([])
        expect(book.outcome(instantsOf(store))).toBe(before)
      },
      SHARE,
    ),
  )

  law('status and access are those of the table, by what the provider knows', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, batches } = await live(script, APART)
        const book = bookOf(arrive(batches, arrival), store.clock.now())
        const foldOf = ({ id }: { id: string }) => {
          const [, fold] = book.folds().find(([chainKey]) => chainKey === id) ?? []
          if (!fold) throw new Error('The subscription is unknown')
          return fold
        }
        for (const at of instantsOf(store)) {
          for (const sale of store.world.subscriptions.values()) {
            const fold = foldOf(sale)
            const { status } = statusAt(fold, at)
            const expected = expectedStatus(store, sale, at, fold.storeEventAt)
            expect([status, givesAccess(status)]).toEqual([expected, hasAccess(expected)])
            expect(fold.autoRenews).toBe(sale.status !== 'canceled' && !sale.cancel_at_period_end)
          }
          const held = expectedAccess(store, at, (sale) => foldOf(sale).storeEventAt)
          expect(Object.keys(accessOf(book, at)).sort()).toEqual(held)
        }
      },
      SHARE,
    ),
  )

  law('money is what was paid and kept', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, batches } = await live(script, APART)
        const book = bookOf(arrive(batches, arrival), store.clock.now())
        expect(book.money().USD ?? 0).toBe(expectedMoney(store))
      },
      SHARE,
    ),
  )

  law('coins are those of what was bought and kept', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        // A change after a full refund is a new purchase, and the simulated provider does not store when a dispute
        // ended.
        const { store, batches } = await live(script, { ...APART, without: ['CHANGE'] })
        const book = bookOf(arrive(batches, arrival), store.clock.now())
        expect(book.balances().coins ?? 0).toBe(expectedCoins(store))
      },
      SHARE,
    ),
  )

  law('coins that are refunded in parts, as a whole and in a dispute are what was kept, in any order', () =>
    checkLawAsync(
      fc.record({ steps: anyReturns, arrival: anyArrival }),
      async ({ steps, arrival }) => {
        const { store, batches } = await live({ opening: 1, steps }, APART)
        for (const order of [arrive(batches, arrival), batches.toReversed()])
          expect(bookOf(order, store.clock.now()).balances().coins ?? 0).toBe(expectedCoins(store))
      },
      SHARE / 2,
    ),
  )
})
