import { describe, expect, test } from 'bun:test'
import type { Imported, Observation, RenewalPart, Report } from '../../stores/observation'
import { foldObservations } from './fold'
import { transactionLines } from './lines'

const DAY = 86_400_000
const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })

interface Told {
  start?: number
  eventAt?: number
  micros?: number | null
  imported?: Imported
  end?: number | null
  renewal?: RenewalPart
}

function report(
  transactionId: string,
  { start = 0, eventAt = start, micros = 5, imported, end, renewal }: Told,
): Report {
  return {
    ...{ kind: 'REPORT', id: `${transactionId}@${eventAt}:${imported ?? 'store'}`, eventAt },
    transaction: {
      ...{
        transactionId,
        storeProductId: imported ? 'file' : 'store',
        purchaseDate: start,
        originalPurchaseDate: start,
      },
      ...{ expiresAt: end === undefined ? start + 30 * DAY : end, isTrial: false, isIntroOffer: false, offerId: null },
      ...{ price: micros === null ? null : usd(micros), quantity: 1, ownershipType: 'PURCHASED', reason: 'PURCHASE' },
    },
    ...(renewal && { renewal }),
    ...(imported && { imported }),
  }
}

/** In both orders. */
function foldOf(...observations: Observation[]) {
  const fold = foldObservations(observations, 'SUBSCRIPTION')
  expect(foldObservations(observations.toReversed(), 'SUBSCRIPTION')).toEqual(fold)
  return fold
}

const charges = (...observations: Observation[]) =>
  transactionLines(observations, 'SUBSCRIPTION').map(({ storeTransactionId, price }) => [
    storeTransactionId,
    price?.amountMicros ?? null,
  ])

describe('an imported row', () => {
  test('does not change what the store says of the transaction, however new it is', () => {
    const row = report('1', { eventAt: 9 * DAY, micros: 7, imported: 'TRANSACTION' })
    expect(foldOf(report('1', {}), row)).toMatchObject({ storeProductId: 'store', price: usd(5) })
  })

  test('fills in a price that the store does not give', () => {
    const row = report('1', { eventAt: 9 * DAY, micros: 7, imported: 'TRANSACTION' })
    expect(foldOf(report('1', { micros: null }), row)?.price).toEqual(usd(7))
  })

  test('without an end does not make the period endless', () => {
    const row = report('1', { eventAt: 9 * DAY, end: null, imported: 'TRANSACTION' })
    expect(foldOf(report('1', {}), row)?.expiresAt).toBe(30 * DAY)
  })

  test('about an earlier period says nothing of the renewal, also when it was changed later', () => {
    const old = report('1', { eventAt: 50 * DAY, imported: 'TRANSACTION', renewal: { autoRenews: false } })
    const now = report('2', { start: 30 * DAY, imported: 'TRANSACTION', renewal: { autoRenews: true } })
    expect(foldOf(old, now)).toMatchObject({ autoRenews: true, cancelledAt: null, originalPurchaseDate: 0 })
  })

  test('without an id of the store is the charge that begins at the same time', () => {
    const row = report('sub:1', { start: 1000, micros: 7, imported: 'PERIOD' })
    expect(charges(row, report('in_1', {}))).toEqual([['in_1', 5]])
    expect(charges(row, report('in_2', { start: 30 * DAY }))).toEqual([
      ['sub:1', 7],
      ['in_2', 5],
    ])
  })

  test('without a transaction stands in until one is known, and is no charge', () => {
    const row = report('import:1', { start: 40 * DAY, imported: 'PURCHASE' })
    expect(charges(row)).toEqual([])
    expect(foldOf(row)?.expiresAt).toBe(70 * DAY)
    expect(foldOf(row, report('1', {}))).toMatchObject({ storeTransactionId: '1', expiresAt: 30 * DAY })
  })

  test('counts in its newest version only', () => {
    const trouble: RenewalPart = { billingTrouble: 'RETRY', gracePeriodExpiresAt: null }
    const old = report('1', { eventAt: DAY, imported: 'TRANSACTION', renewal: trouble })
    expect(foldOf(old)?.billingTrouble).toBe('RETRY')
    expect(foldOf(old, report('1', { eventAt: 2 * DAY, imported: 'TRANSACTION' }))?.billingTrouble).toBe('NONE')
  })
})
