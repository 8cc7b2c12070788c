import { expect, test } from 'bun:test'
import { ImportTurns } from './turns'

test('two projects have a place, a second import of one of them has none', () => {
  const turns = new ImportTurns()
  expect([turns.take('a', 0), turns.take('a', 0), turns.take('b', 0), turns.take('c', 0)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  turns.free('a')
  expect([turns.take('b', 1), turns.take('c', 1)]).toEqual([false, true])
})

test('only the second place is given up, after a while, and only for another project', () => {
  const turns = new ImportTurns()
  turns.take('long', 0)
  turns.take('second', 0)
  turns.take('second', 0)
  expect(turns.mustYield('second', 60_000)).toBe(false) // No other project waits.
  turns.take('small', 9_000)
  expect([9_999, 10_000].map((now) => turns.mustYield('second', now))).toEqual([false, true])
  expect(turns.mustYield('long', 10_000)).toBe(false)
  expect(turns.mustYield('second', 60_000)).toBe(false) // Who waited has not asked again.
  turns.free('second')
  expect(turns.take('small', 10_001)).toBe(true)
})

test('who is left in the second place has the first one from then on', () => {
  const turns = new ImportTurns()
  turns.take('a', 0)
  turns.take('b', 0)
  turns.free('a')
  turns.take('c', 1)
  turns.take('d', 20_000)
  expect([turns.mustYield('b', 20_000), turns.mustYield('c', 20_000)]).toEqual([false, true])
})
