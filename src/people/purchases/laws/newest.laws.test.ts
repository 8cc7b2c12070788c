import { describe, expect, test } from 'bun:test'
import type fc from 'fast-check'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED } from '../../../../test/support/laws'
import type { Observation, ProductType, RenewalPart, Report } from '../../../stores/observation'
import { foldObservations } from '../fold'
import { inOrder } from '../history'
import type { PurchaseFold } from '../model'
import { anyPlayScript } from './android-life.fixtures'
import type { ObservationBatch } from './book.fixtures'
import { iosHistories, paymentHistories, playHistories } from './histories.fixtures'
import { anyIosScript } from './ios-life.fixtures'
import { anyPaymentScript } from './payment-life.fixtures'

// Wire 4.2: a report sets only the members that it contains, and for each member the newest report that contains it
// decides. So leaving out a report changes no member that a later report also contains.

const TRANSACTION = [
  'storeTransactionId',
  'storeProductId',
  'purchaseDate',
  'originalPurchaseDate',
  'isTrial',
  'isIntroOffer',
  'offerId',
  'quantity',
  'ownershipType',
] as const satisfies (keyof PurchaseFold)[]

/** Members of the fold that reports after this one decide. */
function decidedAfter(report: Report, later: readonly Report[]): (keyof PurchaseFold)[] {
  const { transaction } = report
  // Until its transaction is reported again, the reports in between are about another one.
  const again = later.findIndex((one) => one.transaction?.transactionId === transaction?.transactionId)
  if (transaction && again === -1) return []
  const since = transaction ? later.slice(again) : later
  const tells = (name: keyof RenewalPart) => since.some(({ renewal }) => renewal?.[name] !== undefined)
  const isPriceTold = since.some(
    (one) => one.transaction?.transactionId === transaction?.transactionId && one.transaction?.price,
  )
  // What the next period costs can be the price of each period.
  const isNextTold = report.renewal?.next === undefined || tells('next')
  return [
    ...TRANSACTION,
    ...((transaction && !isPriceTold) || !isNextTold ? [] : (['price'] as const)),
    ...(report.ended || report.extendedTo !== undefined ? [] : (['expiresAt', 'expiryReason'] as const)),
    ...(tells('autoRenews') ? (['autoRenews'] as const) : []),
    ...(tells('pendingStoreProductId') ? (['pendingStoreProductId'] as const) : []),
    ...(tells('priceConsent') ? (['priceConsent'] as const) : []),
    ...(tells('billingTrouble') ? (['billingTrouble'] as const) : []),
    ...(tells('billingTrouble') && tells('gracePeriodExpiresAt') ? (['gracePeriodExpiresAt'] as const) : []),
    ...(tells('pausedAt') ? (['pausedAt'] as const) : []),
  ]
}

const typeOf = ({ observations }: ObservationBatch): ProductType =>
  observations.some((one) => one.kind === 'REPORT' && one.transaction?.expiresAt) ? 'SUBSCRIPTION' : 'CONSUMABLE'

function expectNewestToDecide(batch: ObservationBatch): void {
  const ordered = inOrder(batch.observations)
  const type = typeOf(batch)
  const whole = foldObservations(ordered, type)
  for (const [index, one] of ordered.entries()) {
    if (one.kind !== 'REPORT') continue
    const later = ordered.slice(index + 1).filter((other): other is Report => other.kind === 'REPORT')
    const members = decidedAfter(one, later)
    const without = foldObservations(ordered.toSpliced(index, 1), type)
    if (members.length > 0) expect(pick(without, members, one)).toEqual(pick(whole, members, one))
  }
}

const pick = (fold: PurchaseFold | null, members: readonly (keyof PurchaseFold)[], withheld: Observation) => [
  withheld.id,
  ...members.map((name) => [name, fold?.[name]]),
]

function law<Script>(
  name: string,
  script: fc.Arbitrary<Script>,
  historiesOf: (script: Script) => ObservationBatch[] | Promise<ObservationBatch[]>,
) {
  const body = () =>
    checkLawAsync(script, async (one) => {
      for (const batch of await historiesOf(one)) expectNewestToDecide(batch)
    })
  test(name, body, LAW_PATIENCE_MS)
}

describe(`an older word never changes what a newer one decided ${SEEDED}`, () => {
  law('of the App Store', anyIosScript, iosHistories)
  law('of Google Play', anyPlayScript, playHistories)
  law('of the payment provider', anyPaymentScript, paymentHistories)
})
