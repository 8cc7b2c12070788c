import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { foldObservations } from '../../people/purchases/fold'
import type { Observation, Report } from '../../stores/observation'
import { momentAt, timeline, viewAt } from './timeline'

const SEED = 20261123
const START = Date.UTC(2026, 0, 1)

/** A row of a file, which was changed some days after its purchase. */
const row = fc.record({
  number: fc.integer({ min: 1, max: 6 }),
  day: fc.integer({ min: 0, max: 40 }),
  days: fc.option(fc.integer({ min: 1, max: 40 })),
  changedAfter: fc.integer({ min: -5, max: 90 }),
  firstDay: fc.integer({ min: -20, max: 40 }),
  isTrial: fc.boolean(),
  renews: fc.option(fc.boolean()),
  isNamed: fc.boolean(),
  refundedAfter: fc.option(fc.integer({ min: 0, max: 50 })),
})
type Row = typeof row extends fc.Arbitrary<infer One> ? One : never

function observationsOf(one: Row): Observation[] {
  const at = START + one.day * DAY
  const transactionId = String(1000 + one.number)
  const report: Report = {
    kind: 'REPORT',
    id: `import:${transactionId}@${one.changedAfter}`,
    eventAt: at + one.changedAfter * DAY,
    imported: one.isNamed || one.number > 1 ? 'TRANSACTION' : 'PERIOD',
    transaction: {
      transactionId,
      storeProductId: one.number % 2 === 0 ? 'monthly' : 'yearly',
      purchaseDate: at,
      originalPurchaseDate: START + one.firstDay * DAY,
      expiresAt: one.days === null ? null : at + one.days * DAY,
      isTrial: one.isTrial,
      isIntroOffer: false,
      offerId: null,
      price: { amountMicros: 9_990_000, currency: 'USD' },
      quantity: 1,
      ownershipType: 'PURCHASED',
      reason: one.number === 1 ? 'PURCHASE' : 'RENEWAL',
    },
    ...(one.renews !== null && { renewal: { autoRenews: one.renews } }),
  }
  if (one.refundedAfter === null) return [report]
  const eventAt = at + one.refundedAfter * DAY
  return [report, { kind: 'REFUND', id: `refund:${transactionId}@${eventAt}`, eventAt, transactionId, amount: null }]
}

test('each moment of imported rows is the fold of what was dated up to it', () => {
  const law = (rows: Row[]) => {
    const observations = rows.flatMap(observationsOf)
    for (const moment of timeline(observations, 'SUBSCRIPTION', START)) {
      expect(moment).toEqual(momentAt(observations, 'SUBSCRIPTION', moment.at))
      const fold = foldObservations(viewAt(observations, moment.at), 'SUBSCRIPTION')
      expect(moment.state).toEqual(fold && expect.objectContaining({ storeEventAt: fold.storeEventAt }))
    }
  }
  fc.assert(fc.property(fc.array(row, { maxLength: 6 }), law), { seed: SEED, numRuns: 400 })
})
