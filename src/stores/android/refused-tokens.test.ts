import { expect, test } from 'bun:test'
import { MINUTE } from '../../base/lib/clock'
import { RefusedTokens } from './refused-tokens'

const NOW = Date.UTC(2026, 10, 20, 8)

test('a refusal is known for a minute, in whichever direction the clock goes', () => {
  const refused = new RefusedTokens()
  refused.add('t', 'SUBSCRIPTION', NOW)
  for (const at of [NOW, NOW + MINUTE - 1, NOW - MINUTE + 1]) expect(refused.has('t', 'SUBSCRIPTION', at)).toBe(true)
  for (const at of [NOW + MINUTE, NOW - MINUTE]) expect(refused.has('t', 'SUBSCRIPTION', at)).toBe(false)
})

test('it is of one token under one name', () => {
  const refused = new RefusedTokens()
  refused.add('t', 'coins', NOW)
  expect(refused.has('t', 'gems', NOW)).toBe(false)
  expect(refused.has('u', 'coins', NOW)).toBe(false)
  refused.add('t', 'gems', NOW + 1)
  expect([refused.has('t', 'coins', NOW + 1), refused.has('t', 'gems', NOW + 1)]).toEqual([true, true])
  expect(refused.has('t', 'gems', NOW + MINUTE)).toBe(false)
})

test('a new refusal after the minute counts from then', () => {
  const refused = new RefusedTokens()
  refused.add('t', 'coins', NOW)
  refused.add('t', 'coins', NOW + MINUTE)
  expect(refused.has('t', 'coins', NOW + 2 * MINUTE - 1)).toBe(true)
})

test('the memory is bounded', () => {
  const refused = new RefusedTokens()
  for (let index = 0; index < 10_500; index++) refused.add(`t${index}`, 'coins', NOW)
  expect(refused.size).toBe(10_000)
  expect([refused.has('t0', 'coins', NOW), refused.has('t10499', 'coins', NOW)]).toEqual([false, true])
  for (let index = 0; index < 100; index++) refused.add('one', `product ${index}`, NOW)
  expect(refused.has('one', 'product 0', NOW)).toBe(false)
})
