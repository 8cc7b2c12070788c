import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { givesAccess } from '../../core/purchase/status'
import type { Observation, TransactionPart } from '../../stores/observation'
import { foldAsOf, foldObservations } from './fold'
import cases from './lifecycle.cases.json'
import { transactionLines } from './lines'
import {
  anyArrival,
  anyInstant,
  anyLife,
  day,
  foldOf,
  mark,
  PRICE,
  renewal,
  START,
  sold,
  usd,
  word,
} from './lives.fixtures'
import { statusAt, statusReason } from './status'

const INSTANTS = new Set([
  'eventAt',
  'purchaseDate',
  'originalPurchaseDate',
  'expiresAt',
  'gracePeriodExpiresAt',
  'pausedAt',
  'autoResumeAt',
  'extendedTo',
  'at',
])

/** The observations of a case, with days changed into instants and transactions completed. */
function readObservations(written: readonly object[]): Observation[] {
  const whole = written.map((item) => ('transaction' in item ? { ...item, transaction: wholeTransaction(item) } : item))
  return JSON.parse(JSON.stringify(whole), (name, value) =>
    INSTANTS.has(name) && typeof value === 'number' ? day(value) : value,
  )
}

const wholeTransaction = ({ transaction }: { transaction?: unknown }): TransactionPart =>
  Object.assign({}, cases.transaction, transaction) as TransactionPart

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

const arrivals = (observations: readonly Observation[]): Observation[][] =>
  permutations(observations).flatMap((order) => [order, order.flatMap((item) => [item, item]), [...order, ...order]])

describe('worked folds, in every order and with every item doubled', () => {
  for (const { name, observations: written, asked, lines } of cases.folds) {
    const observations = readObservations(written)
    for (const { at, status, access, rule, ...rest } of asked)
      test(`${name}: ${status} on day ${at}`, () => {
        for (const arrival of arrivals(observations)) {
          const fold = foldAsOf(arrival, 'SUBSCRIPTION', day(at))
          const state = fold && statusAt(fold, day(at))
          expect(state).toMatchObject({ status, ...rest })
          expect(state && givesAccess(state.status)).toBe(access)
          expect(String(statusReason(fold, day(at)))).toBe(rule)
        }
      })
    test(`${name}: its money`, () => {
      for (const arrival of arrivals(observations)) {
        const found = transactionLines(arrival, 'SUBSCRIPTION')
        expect(found.map(({ key, kind, price }) => [key, kind, price?.amountMicros])).toEqual(lines)
      }
    })
  }
})

describe('the fold', () => {
  test('nothing was bought while no report carries a transaction', () => {
    expect(foldObservations([], 'SUBSCRIPTION')).toBeNull()
    expect(foldObservations([word(1, { autoRenews: false }), mark('REFUND', 2)], 'SUBSCRIPTION')).toBeNull()
  })

  test('a marker told before its transaction counts once that is known', () => {
    expect(foldOf([mark('REFUND', 5), sold({}, day(20))]).refundedAt).toBe(day(5))
  })

  test('a marker of an unknown transaction changes nothing', () => {
    expect(foldOf([sold(), mark('REFUND', 5, { transactionId: '9' })]).refundedAt).toBeNull()
  })

  const pairs: [lesser: string, greater: string][] = [
    ['9', '10'],
    ['10', '11'],
    ['007', '8'],
    ['2000000123456789', '2000000123456790'],
    ['GPA.10', 'GPA.9'],
    ['10', '1a'],
    ['9', '1a'],
  ]
  for (const [lesser, greater] of pairs)
    test(`of two transactions of one date ${greater} comes after ${lesser}`, () => {
      for (const [first, then] of [
        [lesser, greater],
        [greater, lesser],
      ] as const) {
        const observations = [sold({ transactionId: first }, day(1)), sold({ transactionId: then }, day(2))]
        expect(foldOf(observations).storeTransactionId).toBe(greater)
      }
    })

  test('dates are those of the newest report of the current transaction', () => {
    const shortened = sold({ expiresAt: day(12) }, day(12))
    expect(foldOf([shortened, sold()]).expiresAt).toBe(day(12))
  })

  test('a price once told outlives a report without one', () => {
    expect(foldOf([sold(), sold({ price: null }, day(3))]).price).toEqual(PRICE)
  })

  test('a chain whose renewal was never told renews when it is a subscription', () => {
    expect(foldOf([sold()]).autoRenews).toBe(true)
    expect(foldOf([sold()], 'NON_CONSUMABLE').autoRenews).toBe(false)
    expect(foldOf([sold()], 'CONSUMABLE').autoRenews).toBe(false)
  })

  test('a cancellation keeps the time of the report that switched renewal off', () => {
    const off = [sold(), word(10, { autoRenews: false }), word(12, { autoRenews: false })]
    expect(foldOf(off)).toMatchObject({ autoRenews: false, cancelledAt: day(10) })
    const onAndOff = [...off, word(14, { autoRenews: true }), word(16, { autoRenews: false })]
    expect(foldOf(onAndOff)).toMatchObject({ autoRenews: false, cancelledAt: day(16) })
    expect(foldOf([...off, word(14, { autoRenews: true })])).toMatchObject({ autoRenews: true, cancelledAt: null })
  })

  test('a one-time purchase is never cancelled', () => {
    expect(foldOf([sold(), word(1, { autoRenews: false })], 'NON_CONSUMABLE').cancelledAt).toBeNull()
  })

  test('a device receipt never clears a billing problem, pause or auto-renew', () => {
    const told = word(10, { autoRenews: false, billingTrouble: 'RETRY', pausedAt: day(10) })
    expect(foldOf([sold(), told, sold({}, day(20))])).toMatchObject({
      autoRenews: false,
      billingTrouble: 'RETRY',
      pausedAt: day(10),
    })
  })

  test('a renewal part changes only what it says', () => {
    const grace = word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })
    expect(foldOf([sold(), grace, word(32, { autoRenews: false })])).toMatchObject({
      autoRenews: false,
      billingTrouble: 'GRACE',
      gracePeriodExpiresAt: day(46),
    })
  })

  test('retrying without a word of grace ends the grace', () => {
    const grace = word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })
    expect(foldOf([sold(), grace, word(40, { billingTrouble: 'RETRY' })])).toMatchObject({
      billingTrouble: 'RETRY',
      gracePeriodExpiresAt: null,
    })
  })

  test('a billing problem ends with the report that there is none, and its grace period with it', () => {
    const grace = word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })
    expect(foldOf([sold(), grace, word(32, { billingTrouble: 'NONE' })])).toMatchObject({
      billingTrouble: 'NONE',
      gracePeriodExpiresAt: null,
    })
  })

  test('a billing problem of the new transaction stays though an old one is reported again', () => {
    const trouble = word(60, { billingTrouble: 'RETRY' })
    expect(foldOf([sold(), renewal(), trouble, sold({}, day(61))]).billingTrouble).toBe('RETRY')
  })

  test('a renewal dated before the billing problem that it ends still ends it', () => {
    const trouble = word(31, { billingTrouble: 'RETRY' })
    expect(foldOf([sold(), trouble, renewal({}, day(35))]).billingTrouble).toBe('NONE')
  })

  test('an early end lowers the end, and stays though the old dates are told again', () => {
    const ended = word(10, { ended: { at: day(10), reason: 'DEVELOPER' } })
    expect(foldOf([sold(), ended, sold({}, day(20))])).toMatchObject({ expiresAt: day(10), expiryReason: 'DEVELOPER' })
  })

  test('an end of an earlier transaction leaves the current one alone', () => {
    const replaced = sold({}, day(40), { ended: { at: day(30), reason: 'REPLACED' } })
    expect(foldOf([sold(), renewal(), replaced])).toMatchObject({ expiresAt: day(60), expiryReason: null })
  })

  test('a purchase without an end can be ended', () => {
    const ended = word(10, { ended: { at: day(10), reason: 'DEVELOPER' } })
    expect(foldOf([sold({ expiresAt: null }), ended], 'NON_CONSUMABLE').expiresAt).toBe(day(10))
  })

  test('of two words about one end the one that knows the reason counts', () => {
    const replaced = word(10, { ended: { at: day(10), reason: 'REPLACED' } })
    const unknown = word(11, { ended: { at: day(10), reason: 'UNKNOWN' } })
    expect(foldOf([sold(), replaced, unknown]).expiryReason).toBe('REPLACED')
  })

  test('a later word about the end does not bring back an earlier end', () => {
    const cancelled = word(10, { ended: { at: day(10), reason: 'DEVELOPER' } })
    const expired = word(30, { ended: { at: day(30), reason: 'UNSUBSCRIBED' } })
    expect(foldOf([sold(), cancelled, expired])).toMatchObject({ expiresAt: day(10), expiryReason: 'DEVELOPER' })
  })

  test('an extension raises the end, never lowers it, and undoes an earlier end', () => {
    expect(foldOf([sold(), word(5, { extendedTo: day(40) })]).expiresAt).toBe(day(40))
    expect(foldOf([sold(), word(5, { extendedTo: day(20) })]).expiresAt).toBe(day(30))
    const ended = word(10, { ended: { at: day(10), reason: 'DEVELOPER' } })
    const extended = [sold(), ended, word(12, { extendedTo: day(40) })]
    expect(foldOf(extended)).toMatchObject({ expiresAt: day(40), expiryReason: null })
  })

  test('a pending product is no longer pending once it is the current one', () => {
    const pending = [sold(), word(5, { pendingStoreProductId: 'yearly' })]
    expect(foldOf(pending).pendingStoreProductId).toBe('yearly')
    expect(foldOf([...pending, renewal({ storeProductId: 'yearly' })]).pendingStoreProductId).toBeNull()
    expect(foldOf([...pending, word(6, { pendingStoreProductId: null })]).pendingStoreProductId).toBeNull()
  })

  test('a partial reversal of a full refund gives no rights back', () => {
    const markers = [mark('REFUND', 5), mark('REVERSAL', 6, { amount: usd(1_000_000) })]
    expect(foldOf([sold(), ...markers]).refundedAt).toBe(day(5))
  })

  const part = (at: number, amountMicros: number, kind: 'REFUND' | 'REVERSAL' = 'REFUND') =>
    mark(kind, at, { amount: usd(amountMicros) })

  test('refunds in parts end the rights when they have come to all of the price, and not before', () => {
    const parts = [part(5, 4_000_000), part(7, 5_000_000), part(9, 990_000)]
    expect(foldOf([sold(), ...parts.slice(0, 2)]).refundedAt).toBeNull()
    for (const arrival of permutations(parts)) expect(foldOf([...arrival, sold()]).refundedAt).toBe(day(9))
  })

  test('a part that comes back gives the rights again, whichever part it was', () => {
    const parts = [part(5, 4_000_000), part(7, 5_990_000), part(8, 4_000_000, 'REVERSAL')]
    expect(foldOf([sold(), ...parts]).refundedAt).toBeNull()
    expect(foldOf([sold(), ...parts, part(9, 4_000_000)]).refundedAt).toBe(day(9))
  })

  test('a part that came back before the parts would have come to all leaves the rights', () => {
    const parts = [part(5, 4_000_000), part(6, 4_000_000, 'REVERSAL'), part(7, 5_990_000)]
    expect(foldOf([sold(), ...parts]).refundedAt).toBeNull()
  })

  test('the newest marker decides: refund, reversal, refund again is a refund', () => {
    const markers = [mark('REFUND', 5), mark('REVERSAL', 6), mark('REFUND', 7)]
    expect(foldOf([sold(), ...markers]).refundedAt).toBe(day(7))
  })

  test('a refund and a reversal of one instant leave the refund standing', () => {
    const markers = [mark('REFUND', 5), mark('REVERSAL', 5)]
    expect(foldOf([sold(), ...markers]).refundedAt).toBe(day(5))
    expect(foldOf([sold(), ...markers.toReversed()]).refundedAt).toBe(day(5))
  })

  test('the newest word is the time of the newest observation of any kind', () => {
    expect(foldOf([mark('REFUND', 50), sold()]).storeEventAt).toBe(day(50))
  })
})

describe('laws of the fold', () => {
  test('order and duplication never change fold, lines or status', () => {
    fc.assert(
      fc.property(anyArrival, anyInstant, ({ life, arrival }, now) => {
        expect(foldOf(arrival)).toEqual(foldOf(life))
        expect(JSON.stringify(transactionLines(arrival, 'SUBSCRIPTION'))).toBe(
          JSON.stringify(transactionLines(life, 'SUBSCRIPTION')),
        )
        expect(statusAt(foldOf(arrival), now)).toEqual(statusAt(foldOf(life), now))
      }),
      { numRuns: 500 },
    )
  })

  test('of two unlike observations with one id the same one is dropped in every order', () => {
    fc.assert(
      fc.property(anyLife, fc.integer({ min: 1, max: 3 }), (life, kinds) => {
        const clashing = life.map((item, index) => ({ ...item, id: `clash ${index % kinds}` }))
        expect(foldObservations(clashing.toReversed(), 'SUBSCRIPTION')).toEqual(
          foldObservations(clashing, 'SUBSCRIPTION'),
        )
      }),
    )
  })

  test('two halves folded are the whole', () => {
    fc.assert(
      fc.property(anyLife, fc.nat(8), (life, cut) => {
        const halves = [life.slice(cut), life.slice(0, cut + 1)]
        expect(foldOf(halves.flat())).toEqual(foldOf(life))
      }),
    )
  })

  test('the input is left as it was', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const copy = structuredClone(life)
        foldOf(life)
        transactionLines(life, 'SUBSCRIPTION')
        expect(life).toEqual(copy)
      }),
    )
  })

  test('older observations never undo newer ones', () => {
    const whole = { autoRenews: true, pendingStoreProductId: null, billingTrouble: 'NONE', pausedAt: null } as const
    fc.assert(
      fc.property(anyLife, (life) => {
        const [first, ...older] = life
        const end = Math.max(...life.map(({ eventAt }) => eventAt)) + DAY
        const days = (end - START) / DAY
        const newest = [
          renewal({ transactionId: '99', purchaseDate: end, expiresAt: end + 30 * DAY }),
          word(days, { ...whole, priceConsent: null }),
        ]
        // A renewal can be charged before its period begins; then the newest transaction is not the current one.
        const isCurrent = foldOf([...life, ...newest]).storeTransactionId === '99'
        if (first && isCurrent) expect(foldOf([...newest, ...older, first])).toEqual(foldOf(newest))
      }),
    )
  })

  test('an observation of the current transaction changes nothing by being told again later, but its time', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const untouched = life.filter((item) => item.kind !== 'REPORT' || item.extendedTo === undefined)
        const { storeEventAt, ...before } = foldOf(untouched)
        const last = untouched.findLast((item) => {
          return item.kind === 'REPORT' && item.transaction?.transactionId === before.storeTransactionId
        })
        const again = { ...last, id: 'again', eventAt: storeEventAt + 1 } as Observation
        expect(foldOf([...untouched, again])).toEqual({ ...before, storeEventAt: storeEventAt + 1 })
      }),
    )
  })
})
