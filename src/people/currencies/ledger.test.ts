import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Applied,
  amountToTakeBack,
  applyAmount,
  EMPTY_LEDGER,
  type LedgerState,
  MAX_AMOUNT,
  planTransfer,
} from './ledger'
import type { LedgerType } from './tables'

const at = (balance: number, number = 1): LedgerState => ({ balance, number })

const entries: [name: string, last: LedgerState, type: LedgerType, amount: number, outcome: Applied][] = [
  ['the first entry is number 1', EMPTY_LEDGER, 'BONUS', 5, { ok: true, balance: 5, number: 1 }],
  ['numbers follow each other', at(5, 7), 'BONUS', 1, { ok: true, balance: 6, number: 8 }],
  ['a spend may empty the balance', at(5), 'SPEND', -5, { ok: true, balance: 0, number: 2 }],
  ['a spend never goes below 0', at(5), 'SPEND', -6, { ok: false, reason: 'insufficient' }],
  ['nothing can be spent of an empty ledger', EMPTY_LEDGER, 'SPEND', -1, { ok: false, reason: 'insufficient' }],
  ['nothing can be spent in debt', at(-3), 'SPEND', -1, { ok: false, reason: 'insufficient' }],
  ['a credit may leave a debt behind', at(-3), 'BONUS', 1, { ok: true, balance: -2, number: 2 }],
  ['an expiry never goes below 0', at(5), 'EXPIRE', -6, { ok: false, reason: 'insufficient' }],
  ['a refund may leave a debt', at(5), 'REFUND', -6, { ok: true, balance: -1, number: 2 }],
  ['a debt can be carried over', at(5), 'TRANSFER_IN', -6, { ok: true, balance: -1, number: 2 }],
  ['the highest balance is 2^53-1', at(MAX_AMOUNT - 1), 'BONUS', 1, { ok: true, balance: MAX_AMOUNT, number: 2 }],
  ['one more is out of range', at(MAX_AMOUNT), 'BONUS', 1, { ok: false, reason: 'overflow' }],
  ['two of the largest are out of range', at(MAX_AMOUNT), 'BONUS', MAX_AMOUNT, { ok: false, reason: 'overflow' }],
  ['the lowest debt is -(2^53-1)', at(0), 'REFUND', -MAX_AMOUNT, { ok: true, balance: -MAX_AMOUNT, number: 2 }],
]
for (const [name, last, type, amount, outcome] of entries)
  test(name, () => expect(applyAmount(last, type, amount)).toEqual(outcome))

const takings: [name: string, balance: number, granted: number, mode: 'none' | 'available' | 'full', taken: number][] =
  [
    ['none takes nothing back', 50, 100, 'none', 0],
    ['available takes all that was granted', 150, 100, 'available', 100],
    ['available stops at 0', 30, 100, 'available', 30],
    ['available takes nothing from 0', 0, 100, 'available', 0],
    ['available takes nothing from a debt', -5, 100, 'available', 0],
    ['full goes below 0', 30, 100, 'full', 100],
    ['full stops at the lowest debt', 10 - MAX_AMOUNT, 100, 'full', 10],
    ['full takes nothing from the lowest debt', -MAX_AMOUNT, 100, 'full', 0],
  ]
for (const [name, balance, granted, mode, taken] of takings)
  test(name, () => expect(amountToTakeBack(balance, granted, mode)).toBe(taken))

const moves: [name: string, from: number, to: number, wanted: number, amount: number][] = [
  ['a balance moves whole', 40, 2, 40, 40],
  ['a debt moves too', -40, 2, -40, -40],
  ['what passes the highest balance stays', 40, MAX_AMOUNT - 10, 40, 10],
  ['nothing moves to a full balance', 40, MAX_AMOUNT, 40, 0],
  ['what passes the lowest debt stays', -40, 10 - MAX_AMOUNT, -40, -10],
]
for (const [name, from, to, wanted, amount] of moves)
  test(name, () => {
    const plan = planTransfer(new Map([['gems', at(from)]]), new Map([['gems', at(to)]]))
    expect(plan).toEqual([{ currencyId: 'gems', wanted, amount }])
  })

test('an empty balance is no move', () => {
  expect(planTransfer(new Map([['gems', at(0)]]), new Map())).toEqual([])
})

test('an undo gives back what moved, as far as the balance holds it', () => {
  const held = new Map([
    ['coins', at(10)],
    ['gems', at(40)],
    ['gold', at(5)],
    ['iron', at(7)],
    ['tin', at(-2)],
  ])
  const plan = planTransfer(held, new Map(), { coins: 4, gems: 90, iron: -3, tin: 6 })
  expect(plan.map(({ currencyId, amount }) => [currencyId, amount])).toEqual([
    ['coins', 4],
    ['gems', 40],
    ['iron', -3],
  ])
})

const amounts = fc.array(fc.oneof(fc.integer({ min: -100, max: 100 }), fc.maxSafeInteger()), { maxLength: 60 })

/** Applies signed amounts as the API would. A refused amount changes nothing. */
function run(steps: readonly number[]): { last: LedgerState; accepted: number[] } {
  let last = EMPTY_LEDGER
  const accepted: number[] = []
  for (const amount of steps) {
    const applied = applyAmount(last, amount < 0 ? 'SPEND' : 'BONUS', amount)
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
      const sum = accepted.reduce((total, amount) => total + BigInt(amount), 0n)
      expect(BigInt(last.balance)).toBe(sum)
      expect(last.number).toBe(accepted.length)
      expect(last.balance).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('the order of credits never changes the end', () => {
  const credits = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 40 })
  const orders = credits.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  fc.assert(fc.property(orders, ([one, other]) => expect(run(one).last).toEqual(run(other).last)))
})

test('a transfer neither makes nor loses anything and keeps both balances in range', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (from, to) => {
      const [move] = planTransfer(new Map([['gems', at(from)]]), new Map([['gems', at(to)]]))
      const amount = move?.amount ?? 0
      expect(Number.isSafeInteger(from - amount)).toBe(true)
      expect(Number.isSafeInteger(to + amount)).toBe(true)
      expect(BigInt(from - amount) + BigInt(to + amount)).toBe(BigInt(from) + BigInt(to))
      expect(Math.abs(amount)).toBeLessThanOrEqual(Math.abs(from))
    }),
  )
})

test('a clawback never takes more than was granted, and never leaves the range', () => {
  const mode = fc.constantFrom('none', 'available', 'full')
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: MAX_AMOUNT }), mode, (balance, granted, how) => {
      const taken = amountToTakeBack(balance, granted, how)
      expect(taken).toBeGreaterThanOrEqual(0)
      expect(taken).toBeLessThanOrEqual(granted)
      expect(applyAmount(at(balance), 'REFUND', 0 - taken).ok).toBe(true)
    }),
  )
})
