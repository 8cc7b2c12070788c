import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { toIso } from '../../base/lib/time'
import { context, learn, names } from './changes.fixtures'
import { transactionLines } from './lines'
import { anyArrival, day, foldOf, mark, PRICE, renewal, sold, state, trial, usd, word } from './lives.fixtures'
import type { PurchaseState } from './model'
import type { PurchaseEvent } from './purchase-event'
import { statusAt } from './status'
import { purchaseEvents } from './transitions'

describe('money given back', () => {
  const refund = { refundedTransactionId: 'txn_1', refund: PRICE }

  test('a refund of the current transaction is told once, with its line', () => {
    expect(learn([sold()], [mark('REFUND', 5)], 6)).toEqual([
      { type: 'purchase.refunded', data: { ...refund, current: true }, transactionKey: '1:REFUND' },
    ])
  })

  test('a refund of an earlier transaction changes no status', () => {
    expect(learn([sold(), renewal()], [mark('REFUND', 35)], 36)).toEqual([
      { type: 'purchase.refunded', data: { ...refund, current: false }, transactionKey: '1:REFUND' },
    ])
  })

  test('a partial refund is told with its amount', () => {
    const events = learn([sold()], [mark('REFUND', 5, { amount: usd(4_000_000) })], 6)
    expect(events).toMatchObject([{ type: 'purchase.refunded', data: { current: true, refund: usd(4_000_000) } }])
  })

  test('a reversal is told once, with its line', () => {
    expect(learn([sold(), mark('REFUND', 5)], [mark('REVERSAL', 9)], 10)).toEqual([
      { type: 'purchase.refund_reversed', data: { ...refund, current: true }, transactionKey: '1:REFUND_REVERSAL' },
    ])
  })

  test('refund, reversal and refund learned at once are all told, in order', () => {
    const markers = [mark('REFUND', 5), mark('REVERSAL', 6), mark('REFUND', 7)]
    const events = learn([sold()], markers, 8)
    expect(events.map(({ transactionKey }) => transactionKey)).toEqual(['1:REFUND', '1:REFUND_REVERSAL', '1:REFUND:2'])
  })

  test('a revocation carries the line, and a refund of the same charge tells no more', () => {
    const revoked = learn([sold()], [mark('REVOCATION', 3)], 4)
    expect(revoked).toEqual([{ type: 'purchase.revoked', data: { reason: 'UNKNOWN' }, transactionKey: '1:REFUND' }])
    expect(learn([sold(), mark('REVOCATION', 3)], [mark('REFUND', 4)], 5)).toEqual([])
  })

  test('a reversal of a revocation that has lapsed since is told for its money', () => {
    const events = learn([sold(), mark('REVOCATION', 3)], [mark('REVERSAL', 40)], 41)
    expect(names(events)).toEqual(['refund_reversed'])
  })

  test('a shared purchase is revoked and given back without money', () => {
    const shared = sold({ ownershipType: 'FAMILY_SHARED' })
    expect(learn([shared], [mark('REVOCATION', 3)], 4)).toMatchObject([
      { type: 'purchase.revoked', transactionKey: null },
    ])
    expect(learn([shared, mark('REVOCATION', 3)], [mark('REVERSAL', 5)], 6)).toMatchObject([
      { type: 'purchase.refund_reversed', data: { current: true, refund: null }, transactionKey: null },
    ])
  })
})

describe('without a change of status', () => {
  const ends = toIso(day(30))
  const cases: [string, Partial<PurchaseState>, Partial<PurchaseState>, object[]][] = [
    ['equal states give no event', {}, {}, []],
    [
      'renewal switched off is cancelled',
      {},
      { autoRenews: false },
      [{ type: 'purchase.cancelled', data: { endsAt: ends } }],
    ],
    [
      'renewal that is off because the purchase has ended is not cancelled as well',
      {},
      { status: 'EXPIRED', autoRenews: false, expiryReason: 'DEVELOPER' },
      [{ type: 'purchase.expired', data: { reason: 'DEVELOPER' } }],
    ],
    [
      'renewal switched off while a payment fails is both',
      {},
      { status: 'BILLING_RETRY', autoRenews: false },
      [
        { type: 'purchase.cancelled', data: { endsAt: ends } },
        { type: 'purchase.billing_issue', data: { phase: 'RETRY' } },
      ],
    ],
    [
      'renewal switched on again is uncancelled',
      { autoRenews: false },
      {},
      [{ type: 'purchase.uncancelled', data: { endsAt: ends } }],
    ],
    [
      'a product change to come',
      {},
      { pendingStoreProductId: 'yearly' },
      [
        {
          type: 'purchase.product_changed',
          data: { fromProductId: 'prd_monthly', toProductId: 'prd_yearly', effective: 'NEXT_PERIOD' },
        },
      ],
    ],
    [
      'a product change called off',
      { pendingStoreProductId: 'yearly' },
      {},
      [
        {
          type: 'purchase.product_changed',
          data: { fromProductId: 'prd_yearly', toProductId: 'prd_monthly', effective: 'NEXT_PERIOD' },
        },
      ],
    ],
    [
      'a product we do not have',
      {},
      { pendingStoreProductId: 'gone' },
      [
        {
          type: 'purchase.product_changed',
          data: { fromProductId: 'prd_monthly', toProductId: null, effective: 'NEXT_PERIOD' },
        },
      ],
    ],
    [
      'a consent asked for',
      {},
      { priceConsent: 'PENDING' },
      [{ type: 'purchase.price_increase_consent', data: { state: 'PENDING' } }],
    ],
    [
      'a consent given',
      { priceConsent: 'PENDING' },
      { priceConsent: 'ACCEPTED' },
      [{ type: 'purchase.price_increase_consent', data: { state: 'ACCEPTED' } }],
    ],
    ['a consent no longer asked for', { priceConsent: 'PENDING' }, {}, []],
    [
      'a later end',
      {},
      { expiresAt: day(40) },
      [{ type: 'purchase.extended', data: { fromExpiresAt: ends, toExpiresAt: toIso(day(40)) } }],
    ],
    ['an earlier end', {}, { expiresAt: day(20) }, []],
    ['a moved end of a pause', { status: 'PAUSED' }, { status: 'PAUSED', autoResumeAt: day(40) }, []],
  ]
  for (const [name, before, after, events] of cases)
    test(name, () => {
      const found = purchaseEvents(state(before), state(after), context())
      expect(found).toEqual(events.map((event) => ({ ...event, transactionKey: null })) as PurchaseEvent[])
    })
})

describe('a change of product', () => {
  const upgrade = sold({ transactionId: '2', storeProductId: 'yearly', purchaseDate: day(10), expiresAt: day(375) })
  const changed = { fromProductId: 'prd_monthly', toProductId: 'prd_yearly', effective: 'NOW' }

  test('made now is told alone, with the line of its charge', () => {
    expect(learn([sold()], [upgrade], 11)).toEqual([
      { type: 'purchase.product_changed', data: changed, transactionKey: '2:CHARGE' } as PurchaseEvent,
    ])
  })

  test('that ends a trial is told after the conversion, which has the line', () => {
    const early = { transactionId: '2', storeProductId: 'yearly', purchaseDate: day(3), expiresAt: day(368) }
    expect(learn([trial()], [sold(early)], 4)).toMatchObject([
      { type: 'purchase.trial_converted', transactionKey: '2:CHARGE' },
      { type: 'purchase.product_changed', data: changed, transactionKey: null },
    ])
  })

  test('told for the next period is not told again when that comes', () => {
    const pending = word(5, { pendingStoreProductId: 'yearly' })
    expect(names(learn([sold(), pending], [renewal({ storeProductId: 'yearly' })], 31, 29))).toEqual(['renewed'])
  })

  test('never told before is told when it comes', () => {
    expect(names(learn([sold()], [renewal({ storeProductId: 'yearly' })], 31, 29))).toEqual([
      'renewed',
      'product_changed',
    ])
  })

  test('by buying again after the end is no change of a running purchase', () => {
    const again = sold({ transactionId: '2', storeProductId: 'yearly', purchaseDate: day(50), expiresAt: day(80) })
    expect(names(learn([sold()], [again], 51))).toEqual(['renewed'])
  })

  test('through a purchase that replaces another is told with the new one', () => {
    const after = state({ storeProductId: 'yearly' })
    const events = purchaseEvents(null, after, context([], { replacedStoreProductId: 'monthly' }))
    expect(names(events)).toEqual(['initial', 'product_changed'])
  })
})

describe('the data of the rest', () => {
  const cases: [string, PurchaseEvent[], object[]][] = [
    [
      'a purchase names its offer',
      learn([], [sold({ offerId: 'spring' })], 1),
      [{ type: 'purchase.initial', data: { offerId: 'spring' }, transactionKey: '1:CHARGE' }],
    ],
    [
      'a trial names its end',
      learn([], [trial()], 1),
      [{ type: 'purchase.trial_started', data: { trialEndsAt: toIso(day(7)) }, transactionKey: '1:CHARGE' }],
    ],
    [
      'a conversion has its line',
      learn([trial()], [renewal()], 31, 6),
      [{ type: 'purchase.trial_converted', data: {}, transactionKey: '2:CHARGE' }],
    ],
    [
      'grace names its end',
      learn([sold()], [word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })], 30, 29),
      [
        { type: 'purchase.billing_issue', data: { phase: 'GRACE' }, transactionKey: null },
        { type: 'purchase.grace_period', data: { gracePeriodExpiresAt: toIso(day(46)) }, transactionKey: null },
      ],
    ],
    [
      'a pause names its end',
      learn([sold()], [word(10, { pausedAt: day(10), autoResumeAt: day(20) })], 11),
      [{ type: 'purchase.paused', data: { autoResumeAt: toIso(day(20)) }, transactionKey: null }],
    ],
    [
      'going on names the end of the pause',
      learn([sold(), word(10, { pausedAt: day(10), autoResumeAt: day(20) })], [word(12, { pausedAt: null })], 12),
      [{ type: 'purchase.resumed', data: { autoResumeAt: toIso(day(20)) }, transactionKey: null }],
    ],
    [
      'an end has its reason',
      learn([sold(), word(10, { autoRenews: false })], [], 31, 29),
      [{ type: 'purchase.expired', data: { reason: 'UNSUBSCRIBED' }, transactionKey: null }],
    ],
    [
      'the end of grace is the next phase',
      learn([sold(), word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })], [], 46, 40),
      [{ type: 'purchase.billing_issue', data: { phase: 'RETRY' }, transactionKey: null }],
    ],
  ]
  for (const [name, events, expected] of cases) test(name, () => expect(events).toEqual(expected as PurchaseEvent[]))
})

describe('laws of the events', () => {
  test('in any order of arrival each return and reversal is told once, no line twice, and the same again never', () => {
    fc.assert(
      fc.property(anyArrival, ({ arrival }) => {
        const sent = new Set<string>()
        const joined: string[] = []
        let before: PurchaseState | null = null
        for (const count of arrival.keys()) {
          const known = arrival.slice(0, count + 1)
          const lines = transactionLines(known, 'SUBSCRIPTION')
          if (lines.length === 0) continue
          const after: PurchaseState = statusAt(foldOf(known), day(count * 10))
          const newLines = lines.filter(({ key }) => !sent.has(key))
          const events = purchaseEvents(before, after, context(newLines))
          joined.push(...events.flatMap(({ transactionKey }) => transactionKey ?? []))
          for (const { key } of newLines) sent.add(key)
          expect(purchaseEvents(after, after, context())).toEqual([])
          before = after
        }
        expect(new Set(joined).size).toBe(joined.length)
        const returns = [...sent].filter((key) => !key.endsWith(':CHARGE'))
        expect(returns.filter((key) => !joined.includes(key))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})
