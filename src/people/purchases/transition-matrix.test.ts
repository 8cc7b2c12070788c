import { describe, expect, test } from 'bun:test'
import type { PurchaseStatus } from '../../core/purchase/status'
import { between, context, inStatus, learn, names } from './changes.fixtures'
import { day, renewal, sold, state, trial, word } from './lives.fixtures'
import type { PurchaseEvent } from './purchase-event'
import { purchaseEvents } from './transitions'

const COLUMNS = [
  'TRIAL',
  'ACTIVE',
  'GRACE_PERIOD',
  'BILLING_RETRY',
  'PAUSED',
  'EXPIRED',
  'REFUNDED',
  'REVOKED',
] as const

const GRACE = 'billing_issue grace_period'

describe('every cell of the matrix, within one transaction', () => {
  const rows: [from: PurchaseStatus, cells: string[]][] = [
    ['TRIAL', ['', 'trial_converted', GRACE, 'billing_issue', 'paused', 'expired', 'refunded', 'revoked']],
    ['ACTIVE', ['trial_started', '', GRACE, 'billing_issue', 'paused', 'expired', 'refunded', 'revoked']],
    ['GRACE_PERIOD', ['trial_started', 'recovered', '', 'billing_issue', 'paused', 'expired', 'refunded', 'revoked']],
    ['BILLING_RETRY', ['trial_started', 'recovered', 'grace_period', '', 'paused', 'expired', 'refunded', 'revoked']],
    ['PAUSED', ['trial_started', 'resumed', GRACE, 'billing_issue', '', 'expired', 'refunded', 'revoked']],
    ['EXPIRED', ['trial_started', 'renewed', GRACE, 'billing_issue', 'paused', '', 'refunded', 'revoked']],
    [
      'REFUNDED',
      [
        'trial_started',
        'refund_reversed',
        `refund_reversed ${GRACE}`,
        'refund_reversed billing_issue',
        'refund_reversed paused',
        'refund_reversed',
        '',
        'revoked',
      ],
    ],
    [
      'REVOKED',
      [
        'trial_started',
        'refund_reversed',
        `refund_reversed ${GRACE}`,
        'refund_reversed billing_issue',
        'refund_reversed paused',
        '',
        '',
        '',
      ],
    ],
  ]
  for (const [from, cells] of rows)
    for (const [column, expected] of cells.entries()) {
      const to = COLUMNS[column] ?? 'ACTIVE'
      test(`${from} to ${to}: ${expected || 'nothing'}`, () => {
        const [before, after] = [inStatus(from), inStatus(to)]
        expect(between(before, after).join(' ')).toBe(expected)
      })
    }
})

describe('the first row: a purchase seen for the first time', () => {
  const cells: [PurchaseStatus, string][] = [
    ['TRIAL', 'trial_started'],
    ['ACTIVE', 'initial'],
    ['GRACE_PERIOD', `initial ${GRACE}`],
    ['BILLING_RETRY', 'initial billing_issue'],
    ['PAUSED', 'initial paused'],
    ['EXPIRED', 'initial expired'],
    ['REFUNDED', 'initial refunded'],
    ['REVOKED', 'initial revoked'],
  ]
  for (const [to, expected] of cells)
    test(`none to ${to}: ${expected}`, () => expect(between(null, inStatus(to)).join(' ')).toBe(expected))

  test('a one-time product is non_renewing', () => {
    const after = state({ productType: 'CONSUMABLE', quantity: 3 })
    expect(purchaseEvents(null, after, context())).toEqual([
      { type: 'purchase.non_renewing', data: { quantity: 3 }, transactionKey: null },
    ])
  })

  test('a trial that is over when it is first seen was still a trial', () => {
    expect(names(learn([], [trial()], 20))).toEqual(['trial_started', 'expired'])
  })

  test('a flip that nobody saw is not told', () => {
    expect(names(learn([], [sold(), word(10, { autoRenews: false, priceConsent: 'PENDING' })], 11))).toEqual([
      'initial',
    ])
  })
})

describe('a newer transaction', () => {
  const openings: [from: PurchaseStatus, string][] = [
    ['TRIAL', 'trial_converted'],
    ['ACTIVE', 'renewed'],
    ['GRACE_PERIOD', 'recovered'],
    ['BILLING_RETRY', 'recovered'],
    ['PAUSED', 'resumed'],
    ['EXPIRED', 'renewed'],
    ['REFUNDED', 'renewed'],
    ['REVOKED', 'renewed'],
  ]
  for (const [from, opening] of openings) {
    test(`turns ${from} into ACTIVE by ${opening}`, () => {
      expect(between(inStatus(from), inStatus('ACTIVE', '2'))).toEqual([opening])
    })
    test(`that ended since is told after ${from} as ${opening}, then expired`, () => {
      expect(between(inStatus(from), inStatus('EXPIRED', '2'))).toEqual([opening, 'expired'])
    })
    test(`on trial after ${from}`, () => {
      expect(between(inStatus(from), inStatus('TRIAL', '2'))).toEqual(from === 'TRIAL' ? [] : ['trial_started'])
    })
  }

  test('is told with its line, though the status stays ACTIVE', () => {
    expect(learn([sold()], [renewal()], 31, 29)).toEqual([
      { type: 'purchase.renewed', data: { reactivation: false, late: false }, transactionKey: '2:CHARGE' },
    ])
  })

  test('of several learned at once only the current is told', () => {
    const third = renewal({ transactionId: '3', purchaseDate: day(60), expiresAt: day(90) })
    const events = learn([sold()], [renewal(), third], 61, 29)
    expect(events.map(({ transactionKey }) => transactionKey)).toEqual(['3:CHARGE'])
  })

  test('with a billing problem by now is published as renewed first', () => {
    const trouble = word(60, { billingTrouble: 'RETRY' })
    expect(names(learn([sold()], [renewal(), trouble], 61, 29))).toEqual(['renewed', 'billing_issue'])
  })

  test('charged by the store after we told the end is late', () => {
    expect(learn([sold()], [renewal()], 31)).toMatchObject([
      { type: 'purchase.renewed', data: { reactivation: true, late: true } },
    ])
  })

  test('that is over when its news comes is late', () => {
    expect(learn([sold()], [renewal()], 90)).toMatchObject([
      { type: 'purchase.renewed', data: { reactivation: true, late: true } },
      { type: 'purchase.expired' },
    ])
  })

  test('bought by the customer after the end is a reactivation, and not late', () => {
    const again = sold({ transactionId: '2', purchaseDate: day(50), expiresAt: day(80) })
    const expected = [
      { type: 'purchase.renewed', data: { reactivation: true, late: false }, transactionKey: '2:CHARGE' },
    ]
    expect(learn([sold()], [again], 50)).toEqual(expected as PurchaseEvent[])
    // No sweep had recorded the end.
    expect(learn([sold()], [again], 50, 29)).toEqual(expected as PurchaseEvent[])
  })

  test('bought again says that it renews again', () => {
    const off = word(10, { autoRenews: false })
    const again = sold({ transactionId: '2', purchaseDate: day(50), expiresAt: day(80) }, day(50), {
      renewal: { autoRenews: true },
    })
    expect(names(learn([sold(), off], [again], 50))).toEqual(['renewed'])
  })

  test('older than the one told is no event', () => {
    expect(learn([renewal()], [sold()], 31)).toEqual([])
  })
})
