import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type CreditEntry, usedOf } from './credits'

const SEED = 20261120
const credit = (amount: number, grantReference: string | null = null): CreditEntry => ({
  type: grantReference === null ? 'BONUS' : 'PURCHASE',
  amount: BigInt(amount),
  grantReference,
})
const back = (amount: number, reference: string): CreditEntry => ({
  type: 'REFUND',
  amount: BigInt(-amount),
  grantReference: `refund:${reference}`,
})
const moved = (amount: number): CreditEntry => ({
  type: amount < 0 ? 'TRANSFER_OUT' : 'TRANSFER_IN',
  amount: BigInt(amount),
  grantReference: null,
})
const ONE = 'txn:1'

const cases: [name: string, entries: CreditEntry[], spent: number, use: [granted: number, spent: number]][] = [
  ['nothing was granted', [credit(50)], 20, [0, 0]],
  ['nothing is spent', [credit(100, ONE)], 0, [100, 0]],
  ['a part is spent', [credit(100, ONE)], 30, [100, 30]],
  ['all is spent', [credit(100, ONE)], 100, [100, 100]],
  ['older credits are spent first', [credit(50), credit(100, ONE)], 80, [100, 30]],
  ['older credits are not even spent', [credit(50), credit(100, ONE)], 50, [100, 0]],
  ['later credits are spent last', [credit(100, ONE), credit(100, 'txn:2')], 100, [100, 100]],
  ['the later of two, while the earlier is spent', [credit(100, 'txn:2'), credit(100, ONE)], 100, [100, 0]],
  ['a debt is paid with it', [credit(100, ONE)], 140, [100, 100]],
  ['it was carried over by a merge', [credit(100, ONE), moved(-100), moved(100)], 40, [100, 40]],
  ['it went to somebody else', [credit(100, ONE), moved(-70)], 0, [100, 70]],
  ['something came from somebody else', [credit(100, ONE), moved(30)], 40, [100, 10]],
  ['another reference begins alike', [credit(100, 'txn:12')], 10, [0, 0]],
  ['an earlier charge was taken back', [credit(100, 'txn:0'), back(100, 'txn:0'), credit(100, ONE)], 10, [100, 10]],
  ['it came back after a reversal', [credit(100, ONE), back(70, ONE), credit(70, `${ONE}:2`)], 30, [100, 30]],
  [
    'it came back after a reversal and more is spent',
    [credit(100, ONE), back(70, ONE), credit(70, `${ONE}:2`)],
    50,
    [100, 50],
  ],
]
for (const [name, entries, spent, [granted, used]] of cases)
  test(`${used} of ${granted} when ${name}`, () => {
    expect(usedOf(ONE, { entries, spent: BigInt(spent) })).toEqual({ granted: BigInt(granted), spent: BigInt(used) })
  })

describe('of many charges', () => {
  const granted = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 8 })
  test('together they are spent as far as was spent', () => {
    const property = fc.property(granted, fc.nat(4000), (amounts, spent) => {
      const entries = amounts.map((amount, index) => credit(amount, `txn:${index}`))
      const uses = amounts.map((_, index) => usedOf(`txn:${index}`, { entries, spent: BigInt(spent) }))
      const total = amounts.reduce((sum, amount) => sum + amount, 0)
      expect(uses.map((use) => Number(use.granted))).toEqual(amounts)
      expect(uses.reduce((sum, use) => sum + use.spent, 0n)).toBe(BigInt(Math.min(spent, total)))
      // No credit of a later grant is spent while an earlier grant has credits left.
      const isLeft = uses.findIndex((use) => use.spent < use.granted)
      if (isLeft !== -1) expect(uses.slice(isLeft + 1).every((use) => use.spent === 0n)).toBe(true)
    })
    fc.assert(property, { seed: SEED, numRuns: 300 })
  })
})
