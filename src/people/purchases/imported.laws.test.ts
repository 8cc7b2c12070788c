import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Observation, Report } from '../../stores/observation'
import { foldObservations } from './fold'

const DAY = 86_400_000
const MOMENT = fc.integer({ min: 1, max: 40 }).map((day) => day * DAY)

/** Says nothing, but no imported row. So all other observations are looked at. */
const SILENT: Report = { kind: 'REPORT', id: 'silent', eventAt: 0 }

const row = fc.record({
  transactionId: fc.integer({ min: 1, max: 12 }).map(String),
  eventAt: MOMENT,
  purchaseDate: MOMENT,
  originalPurchaseDate: MOMENT,
  days: fc.option(fc.integer({ min: 1, max: 30 })),
  isTrial: fc.boolean(),
  autoRenews: fc.option(fc.boolean(), { nil: undefined }),
  billingTrouble: fc.constantFrom(undefined, 'RETRY' as const),
  endsAt: fc.option(MOMENT),
})

const reports = fc.uniqueArray(row, { maxLength: 9, selector: ({ transactionId }) => transactionId }).map((rows) =>
  rows.map(
    ({ transactionId, eventAt, purchaseDate, originalPurchaseDate, days, isTrial, autoRenews, ...one }): Report => {
      const { billingTrouble, endsAt } = one
      return {
        ...{ kind: 'REPORT', id: `import:${transactionId}`, eventAt, imported: 'TRANSACTION' },
        transaction: {
          ...{ transactionId, storeProductId: `p${transactionId}`, purchaseDate, originalPurchaseDate, isTrial },
          ...{ expiresAt: days === null ? null : purchaseDate + days * DAY, isIntroOffer: false, offerId: null },
          ...{
            price: { amountMicros: 5, currency: 'USD' },
            quantity: 1,
            ownershipType: 'PURCHASED',
            reason: 'PURCHASE',
          },
        },
        ...((autoRenews !== undefined || billingTrouble) && {
          renewal: { ...(autoRenews !== undefined && { autoRenews }), ...(billingTrouble && { billingTrouble }) },
        }),
        ...(endsAt !== null && { ended: { at: endsAt, reason: 'DEVELOPER' } }),
      }
    },
  ),
)

const markers = fc.array(
  fc.record({
    kind: fc.constantFrom('REFUND' as const, 'REVOCATION' as const, 'REVERSAL' as const),
    id: fc.integer({ min: 1, max: 30 }).map((id) => `marker ${id}`),
    eventAt: MOMENT,
    transactionId: fc.integer({ min: 1, max: 12 }).map(String),
    amount: fc.constant(null),
  }),
  { maxLength: 5 },
)

test('a purchase of imported rows is the same when every row is looked at', () => {
  let reduced = 0
  fc.assert(
    fc.property(reports, markers, (own, moved) => {
      const observations: Observation[] = [...own, ...moved]
      const fold = foldObservations(observations, 'SUBSCRIPTION')
      if (fold && own.length > 3) reduced++
      expect(foldObservations([...observations, SILENT], 'SUBSCRIPTION')).toEqual(fold)
    }),
    { numRuns: 2000 },
  )
  expect(reduced).toBeGreaterThan(100)
})
