import { expect, test } from 'bun:test'
import type { Commission } from '../../projects/connections/commission-rates'
import { type ChargeFacts, commissionRate, firstPaid } from './commission'

const PAID = Date.UTC(2025, 1, 1)
const charge = (given: Partial<ChargeFacts>): ChargeFacts => ({
  ...{ store: 'IOS_STORE', productType: 'SUBSCRIPTION', chargedAt: PAID, paidSince: PAID, ...given },
})

const cases: [name: string, given: Partial<ChargeFacts>, own: Commission, rate: number][] = [
  ['the first charge', {}, {}, 300_000],
  ['a millisecond before a year of paid service', { chargedAt: Date.UTC(2026, 1, 1) - 1 }, {}, 300_000],
  ['a year of paid service', { chargedAt: Date.UTC(2026, 1, 1) }, {}, 150_000],
  ['nothing was paid yet', { chargedAt: PAID - 31 * 86_400_000, paidSince: null }, {}, 300_000],
  [
    'the 29th of February ends with the 28th',
    { paidSince: Date.UTC(2024, 1, 29), chargedAt: Date.UTC(2025, 1, 28) },
    {},
    150_000,
  ],
  ['a subscription at Google from its first day', { store: 'ANDROID_STORE' }, {}, 150_000],
  ['a trial at Google', { store: 'ANDROID_STORE', paidSince: null }, {}, 150_000],
  ['a one-time purchase at Google', { store: 'ANDROID_STORE', productType: 'NON_CONSUMABLE' }, {}, 300_000],
  ['the payment provider', { store: 'PAYMENT' }, {}, 0],
  ['a grant', { store: 'MANUAL' }, {}, 0],
  ['a rate of the project, also in the first year', {}, { IOS_STORE: 120_000 }, 120_000],
  ['a rate of the project that is nothing', {}, { IOS_STORE: 0 }, 0],
  ['a rate of another store', {}, { ANDROID_STORE: 0 }, 300_000],
  ['a rate that was taken away', { store: 'ANDROID_STORE' }, { ANDROID_STORE: null }, 150_000],
]

for (const [name, given, own, rate] of cases)
  test(`what a store keeps: ${name}`, () => expect(commissionRate(charge(given), own)).toBe(rate))

test('the first charge that was paid is no trial, no free period, no grant and no refund', () => {
  const line = (kind: Parameters<typeof firstPaid>[0][number]['kind'], occurredAt: number, micros: number | null) => ({
    ...{ kind, occurredAt, micros },
  })
  const lines = [
    line('RENEWAL', 9, 5),
    line('TRIAL', 1, 0),
    line('INITIAL', 2, 0),
    line('GRANT', 3, 5),
    line('REFUND', 4, -5),
    line('REFUND_REVERSAL', 5, 5),
    line('INITIAL', 6, null),
    line('TRIAL_CONVERSION', 8, 5),
  ]
  expect(firstPaid(lines, ({ micros }) => micros)?.occurredAt).toBe(8)
  expect(firstPaid([line('TRIAL', 1, 0)], ({ micros }) => micros)).toBeUndefined()
})
