import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { readDate } from '../../projects/exchange-rates/day'
import { RateTable } from '../../projects/exchange-rates/rate-table'
import { type DollarLine, dollarsOf } from './line-dollars'
import file from './line-dollars.cases.json'
import type { TransactionKind } from './model'

const TABLE = RateTable.EMPTY.with(
  Object.entries(file.rates).map(([date, rates]) => ({
    ...{ source: 'LOADED', day: readDate(date) ?? 0, rates: JSON.stringify(rates) },
  })),
)

type Written = [id: string, kind: TransactionKind, at: string, amountMicros: number | null, currency: string | null]

const toLine = ([id, kind, at, amountMicros, currency]: Written, index: number): DollarLine => ({
  key: `${id}:${index}`,
  storeTransactionId: id,
  kind,
  price: amountMicros === null || currency === null ? null : { amountMicros, currency },
  occurredAt: Date.parse(at),
})

for (const { name, lines, usdMicros } of file.cases)
  test(name, () => {
    const found = dollarsOf((lines as Written[]).map(toLine), TABLE)
    expect(lines.map((_, index) => found.get(`${(lines[index] as Written)[0]}:${index}`))).toEqual(usdMicros)
  })

const START = Date.parse('2026-11-18T00:00:00Z')

/** A charge with refunds, chargebacks and reversals that never give back more than there is. */
const life = fc
  .record({
    amount: fc.integer({ min: 1, max: 500_000_000_000 }),
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD'),
    turns: fc.array(fc.record({ share: fc.integer({ min: 1, max: 1000 }), isReversal: fc.boolean() }), {
      maxLength: 8,
    }),
  })
  .map(({ amount, currency, turns }) => {
    const charge: DollarLine = {
      ...{ key: '0', storeTransactionId: 'a', kind: 'INITIAL', occurredAt: START },
      price: { amountMicros: amount, currency },
    }
    const lines = [charge]
    let kept = amount
    for (const { share, isReversal } of turns) {
      const there = isReversal ? amount - kept : kept
      const part = Math.floor((there * share) / 1000)
      if (part === 0) continue
      const moved = isReversal ? part : -part
      kept += moved
      lines.push(lineAfter(lines, isReversal ? 'REFUND_REVERSAL' : 'REFUND', moved, currency))
    }
    return { lines, kept, currency }
  })

const lineAfter = (
  lines: readonly DollarLine[],
  kind: TransactionKind,
  amountMicros: number,
  currency: string,
): DollarLine => ({
  ...{ key: String(lines.length), storeTransactionId: 'a', kind, occurredAt: START + lines.length * DAY },
  price: { amountMicros, currency },
})

const sumOf = (lines: readonly DollarLine[]): number =>
  [...dollarsOf(lines, TABLE).values()].reduce<number>((sum, value) => sum + (value ?? Number.NaN), 0)

test('what is given back of a charge adds up to its sum, converted once; a single refund is converted by itself', () => {
  fc.assert(
    fc.property(life, ({ lines, kept, currency }) => {
      const [charge] = lines
      const amount = charge?.price?.amountMicros ?? 0
      const usd = (micros: number) => TABLE.toUsd(micros, currency, START / DAY) ?? Number.NaN
      expect(sumOf(lines)).toBe(usd(amount) - usd(amount - kept))
      if (charge && kept < amount) {
        const single = [charge, lineAfter([charge], 'REFUND', kept - amount, currency)]
        expect(dollarsOf(single, TABLE).get('1')).toBe(usd(kept - amount))
      }
    }),
  )
})

test('giving back the rest makes the sum exactly zero, whatever happened before', () => {
  fc.assert(
    fc.property(life, ({ lines, kept, currency }) => {
      const all = kept === 0 ? lines : [...lines, lineAfter(lines, 'CHARGEBACK', -kept, currency)]
      expect(sumOf(all)).toBe(0)
    }),
  )
})

test('the order in which lines are given never changes their amounts', () => {
  fc.assert(
    fc.property(life, ({ lines }) => {
      const byKey = (given: readonly DollarLine[]) => [...dollarsOf(given, TABLE)].sort(([a], [b]) => (a < b ? -1 : 1))
      expect(byKey(lines.toReversed())).toEqual(byKey(lines))
    }),
  )
})

test('a charge alone has the amount of its own conversion, so the next refund changes no earlier line', () => {
  fc.assert(
    fc.property(life, ({ lines }) => {
      const before = dollarsOf(lines.slice(0, -1), TABLE)
      const after = dollarsOf(lines, TABLE)
      for (const [key, value] of before) expect(after.get(key)).toBe(value)
    }),
  )
})
