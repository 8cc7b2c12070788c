import { expect, test } from 'bun:test'
import { lifetimeMoney, type MoneyLine } from './lifetime'

const line = (kind: MoneyLine['kind'], usdMicros: number | null): MoneyLine => ({ kind, usdMicros })

const cases: [name: string, lines: MoneyLine[], purchased: number | null, refunded: number | null][] = [
  ['nothing', [], 0, 0],
  ['charges', [line('INITIAL', 9_990_000), line('RENEWAL', 9_990_000)], 19_980_000, 0],
  ['a refund', [line('INITIAL', 9_990_000), line('REFUND', -9_990_000)], 9_990_000, 9_990_000],
  ['a chargeback', [line('CREDIT_PURCHASE', 5), line('CHARGEBACK', -5)], 5, 5],
  ['a refund reversed', [line('INITIAL', 9), line('REFUND', -9), line('REFUND_REVERSAL', 9)], 9, 0],
  ['a trial without a price', [line('TRIAL', null), line('TRIAL_CONVERSION', 9)], 9, 0],
  ['granted access', [line('GRANT', null)], 0, 0],
  ['a charge in another currency', [line('INITIAL', null), line('RENEWAL', 9)], null, 0],
  ['a refund in another currency', [line('INITIAL', 9), line('REFUND', null)], 9, null],
]
for (const [name, lines, purchasedUsdMicros, refundedUsdMicros] of cases)
  test(`lifetime money of ${name}`, () => {
    expect(lifetimeMoney(lines)).toEqual({ purchasedUsdMicros, refundedUsdMicros })
  })
