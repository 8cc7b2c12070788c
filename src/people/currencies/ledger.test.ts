import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isInt64, MAX_INT64 } from '../../base/lib/int64'
import { type Applied, amountToTakeBack, applyAmount, EMPTY_LEDGER, type LedgerState, planTransfer } from './ledger'
import type { LedgerType } from './tables'

const at = (balance: bigint, number = 1): LedgerState => ({ balance, number })

const entries: [name: string, last: LedgerState, type: LedgerType, amount: bigint, outcome: Applied][] = [
  ['the first entry is number 1', EMPTY_LEDGER, 'BONUS', 5n, { ok: true, balance: 5n, number: 1 }],
  ['numbers follow each other', at(5n, 7), 'BONUS', 1n, { ok: true, balance: 6n, number: 8 }],
  ['a spend may empty the balance', at(5n), 'SPEND', -5n, { ok: true, balance: 0n, number: 2 }],
  ['a spend never goes below 0', at(5n), 'SPEND', -6n, { ok: false, reason: 'insufficient' }],
  ['nothing can be spent of an empty ledger', EMPTY_LEDGER, 'SPEND', -1n, { ok: false, reason: 'insufficient' }],
  ['nothing can be spent in debt', at(-3n), 'SPEND', -1n, { ok: false, reason: 'insufficient' }],
  ['a credit may leave a debt behind', at(-3n), 'BONUS', 1n, { ok: true, balance: -2n, number: 2 }],
  ['an expiry never goes below 0', at(5n), 'EXPIRE', -6n, { ok: false, reason: 'insufficient' }],
  ['a refund may leave a debt', at(5n), 'REFUND', -6n, { ok: true, balance: -1n, number: 2 }],
  ['a debt can be carried over', at(5n), 'TRANSFER_IN', -6n, { ok: true, balance: -1n, number: 2 }],
  ['the highest balance is 2^63-1', at(MAX_INT64 - 1n), 'BONUS', 1n, { ok: true, balance: MAX_INT64, number: 2 }],
  ['one more is out of range', at(MAX_INT64), 'BONUS', 1n, { ok: false, reason: 'overflow' }],
  ['two of the largest are out of range', at(MAX_INT64), 'BONUS', MAX_INT64, { ok: false, reason: 'overflow' }],
  ['the lowest debt is -(2^63-1)', at(0n), 'REFUND', -MAX_INT64, { ok: true, balance: -MAX_INT64, number: 2 }],
]
for (const [name, last, type, amount, outcome] of entries)
  test(name, () => expect(applyAmount(last, type, amount)).toEqual(outcome))

const takings: [name: string, balance: bigint, granted: bigint, mode: 'none' | 'available' | 'full', taken: bigint][] =
  [
    ['none takes nothing back', 50n, 100n, 'none', 0n],
    ['available takes all that was granted', 150n, 100n, 'available', 100n],
    ['available stops at 0', 30n, 100n, 'available', 30n],
    ['available takes nothing from 0', 0n, 100n, 'available', 0n],
    ['available takes nothing from a debt', -5n, 100n, 'available', 0n],
    ['full goes below 0', 30n, 100n, 'full', 100n],
    ['full stops at the lowest debt', 10n - MAX_INT64, 100n, 'full', 10n],
    ['full takes nothing from the lowest debt', -MAX_INT64, 100n, 'full', 0n],
  ]
for (const [name, balance, granted, mode, taken] of takings)
  test(name, () => expect(amountToTakeBack(balance, granted, mode)).toBe(taken))

const moves: [name: string, from: bigint, to: bigint, wanted: bigint, amount: bigint][] = [
  ['a balance moves whole', 40n, 2n, 40n, 40n],
  ['a debt moves too', -40n, 2n, -40n, -40n],
  ['what passes the highest balance stays', 40n, MAX_INT64 - 10n, 40n, 10n],
  ['nothing moves to a full balance', 40n, MAX_INT64, 40n, 0n],
  ['what passes the lowest debt stays', -40n, 10n - MAX_INT64, -40n, -10n],
]
for (const [name, from, to, wanted, amount] of moves)
  test(name, () => {
    const plan = planTransfer(new Map([['gems', at(from)]]), new Map([['gems', at(to)]]))
    expect(plan).toEqual([{ currencyId: 'gems', wanted, amount }])
  })

test('an empty balance is no move', () => {
  expect(planTransfer(new Map([['gems', at(0n)]]), new Map())).toEqual([])
})

test('an undo gives back what moved, as far as the balance holds it', () => {
  const held = new Map([
    ['coins', at(10n)],
    ['gems', at(40n)],
    ['gold', at(5n)],
    ['iron', at(7n)],
    ['tin', at(-2n)],
  ])
  const plan = planTransfer(held, new Map(), { coins: 4n, gems: 90n, iron: -3n, tin: 6n })
  expect(plan.map(({ currencyId, amount }) => [currencyId, amount])).toEqual([
    ['coins', 4n],
    ['gems', 40n],
    ['iron', -3n],
  ])
})

const any64 = fc.bigInt({ min: -MAX_INT64, max: MAX_INT64 })
const amounts = fc.array(fc.oneof(fc.bigInt({ min: -100n, max: 100n }), any64), { maxLength: 60 })

/** Applies signed amounts as the API would. A refused amount changes nothing. */
function run(steps: readonly bigint[]): { last: LedgerState; accepted: bigint[] } {
  let last = EMPTY_LEDGER
  const accepted: bigint[] = []
  for (const amount of steps) {
    const applied = applyAmount(last, amount < 0n ? 'SPEND' : 'BONUS', amount)
    if (!applied.ok) continue
    last = { balance: applied.balance, number: applied.number }
    accepted.push(amount)
  }
  return { last, accepted }
}

test('the balance is the sum of the accepted amounts and the number is their count', () => {
  fc.assert(
    fc.property(amounts, (steps) => {
      const { last, accepted } = run(steps)
      const sum = accepted.reduce((total, amount) => total + amount, 0n)
      expect(last.balance).toBe(sum)
      expect(last.number).toBe(accepted.length)
      expect(last.balance).toBeGreaterThanOrEqual(0n)
    }),
  )
})

test('the order of credits never changes the end', () => {
  const credits = fc.array(fc.bigInt({ min: 1n, max: 1_000_000n }), { maxLength: 40 })
  const orders = credits.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  fc.assert(fc.property(orders, ([one, other]) => expect(run(one).last).toEqual(run(other).last)))
})

test('a transfer neither makes nor loses anything and keeps both balances in range', () => {
  fc.assert(
    fc.property(any64, any64, (from, to) => {
      const [move] = planTransfer(new Map([['gems', at(from)]]), new Map([['gems', at(to)]]))
      const amount = move?.amount ?? 0n
      expect(isInt64(from - amount)).toBe(true)
      expect(isInt64(to + amount)).toBe(true)
      expect(from < 0n ? amount >= from && amount <= 0n : amount <= from && amount >= 0n).toBe(true)
    }),
  )
})

test('a clawback never takes more than was granted, and never leaves the range', () => {
  const mode = fc.constantFrom('none', 'available', 'full')
  fc.assert(
    fc.property(any64, fc.bigInt({ min: 1n, max: MAX_INT64 }), mode, (balance, granted, how) => {
      const taken = amountToTakeBack(balance, granted, how)
      expect(taken).toBeGreaterThanOrEqual(0n)
      expect(taken).toBeLessThanOrEqual(granted)
      expect(applyAmount(at(balance), 'REFUND', 0n - taken).ok).toBe(true)
    }),
  )
})
