import { describe, expect, test } from 'bun:test'
import { fromSmallestUnit } from './currency'

const micros = (amount: number, currency: string) => fromSmallestUnit(amount, currency)?.amountMicros ?? null

describe('price off by a factor', () => {
  const cases: [amount: number, currency: string, mainUnits: number][] = [
    [999, 'usd', 9.99],
    [1, 'eur', 0.01],
    [1200, 'jpy', 1200],
    [500, 'krw', 500],
    [5120, 'kwd', 5.12],
    [10, 'bhd', 0.01],
    [500, 'isk', 5],
    [500, 'ugx', 5],
    [1045, 'huf', 10.45],
    [80000, 'twd', 800],
    [100, 'mga', 100],
    [990, 'xyz', 9.9],
  ]
  for (const [amount, currency, mainUnits] of cases)
    test(`${amount} ${currency} are ${mainUnits}`, () => {
      expect(fromSmallestUnit(amount, currency)).toEqual({
        amountMicros: Math.round(mainUnits * 1_000_000),
        currency: currency.toUpperCase(),
      })
    })

  // Written independently of the table under test, from the documentation that the table names.
  const NO_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
  const THREE_DECIMALS = 'bhd jod kwd omr tnd'.split(' ')

  test('of a currency without decimals one unit is one', () => {
    for (const currency of NO_DECIMALS) expect([currency, micros(1, currency)]).toEqual([currency, 1_000_000])
  })
  test('of a currency with three decimals one unit is a thousandth', () => {
    for (const currency of THREE_DECIMALS) expect([currency, micros(1, currency)]).toEqual([currency, 1000])
  })
  test('of every other currency it is a hundredth', () => {
    const others = Intl.supportedValuesOf('currency').filter(
      (code) => !NO_DECIMALS.includes(code.toLowerCase()) && !THREE_DECIMALS.includes(code.toLowerCase()),
    )
    expect(others.length).toBeGreaterThan(100)
    for (const currency of others) expect([currency, micros(1, currency)]).toEqual([currency, 10_000])
  })
})

test('the case of the code does not matter', () => {
  expect(fromSmallestUnit(1200, 'JPY')).toEqual(fromSmallestUnit(1200, 'jpy'))
})

test('nothing is nothing', () => expect(micros(0, 'usd')).toBe(0))

test('an amount whose micros are no exact integer is unknown rather than wrong', () => {
  expect(micros(900_719_925_474, 'usd')).toBe(9_007_199_254_740_000)
  expect(micros(900_719_925_475, 'usd')).toBeNull()
  expect(micros(9_007_199_255, 'jpy')).toBeNull()
})
