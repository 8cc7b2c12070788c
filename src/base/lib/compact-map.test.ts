import { expect, test } from 'bun:test'
import { CompactMap } from './compact-map'

test('keeps the numbers of many texts while it grows', () => {
  const map = new CompactMap(2)
  const count = 20_000
  for (let n = 0; n < count; n++) map.set(`text ${n}`, [n, 4_294_967_295 - n])
  expect(map.size).toBe(count)
  for (let n = 0; n < count; n++) expect(map.get(`text ${n}`)).toEqual([n, 4_294_967_295 - n])
  expect(map.get('text')).toBeNull()
  expect(map.get(`text ${count}`)).toBeNull()
})

test('a text that is set again has its new numbers, and counts once', () => {
  const map = new CompactMap(1)
  map.set('', [1])
  map.set('', [2])
  expect([map.get(''), map.size]).toEqual([[2], 1])
})

test('a map without numbers is a set', () => {
  const map = new CompactMap(0)
  map.set('a', [])
  expect([map.get('a'), map.get('b')]).toEqual([[], null])
})

test('a full map keeps what it has and takes no more', () => {
  const map = new CompactMap(1, 2)
  for (const [text, number] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
  ] as const)
    map.set(text, [number])
  expect([map.get('a'), map.get('b'), map.get('c'), map.size, map.isFull]).toEqual([[4], [2], null, 2, true])
})
