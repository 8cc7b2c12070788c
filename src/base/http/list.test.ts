import { expect, test } from 'bun:test'
import { AppError } from '../errors'
import { integerAt, readCursor, toList, writeCursor } from './list'

const SCOPE = ['products', 'prj_1', null, true]

const refusalOf = (read: () => unknown): string => {
  try {
    read()
    return 'none'
  } catch (error) {
    return error instanceof AppError ? error.refusal : String(error)
  }
}

test('a cursor gives back its position in its own list', () => {
  for (const position of [['prd_1'], [17, 'ä'], [1.5, 'x', '']])
    expect(readCursor(writeCursor(position, SCOPE), SCOPE, position.length)).toEqual(position)
  expect(readCursor(undefined, SCOPE, 1)).toBeNull()
})

test('a cursor of another list, a damaged one or one of another length is refused', () => {
  const cursor = writeCursor(['prd_1'], SCOPE)
  const forged = Buffer.from(JSON.stringify(['000000000000', 'prd_2'])).toString('base64url')
  const wrong: [string, typeof SCOPE, number][] = [
    [cursor, ['products', 'prj_2', null, true], 1],
    [cursor, ['products', 'prj_1', '', true], 1],
    [cursor, SCOPE, 2],
    [cursor.slice(0, -2), SCOPE, 1],
    [`${cursor}A`, SCOPE, 1],
    [forged, SCOPE, 1],
    ['', SCOPE, 1],
    ['null', SCOPE, 1],
    [Buffer.from('{"a":1}').toString('base64url'), SCOPE, 1],
    [Buffer.from('["x",null]').toString('base64url'), SCOPE, 1],
    [writeCursor(['prd_1\0'], SCOPE), SCOPE, 1],
    [writeCursor(['prd_\ud800'], SCOPE), SCOPE, 1],
  ]
  for (const [text, scope, length] of wrong)
    expect(refusalOf(() => readCursor(text, scope, length))).toBe('VALIDATION_ERROR')
})

test('a place of a cursor that must be an integer is refused with anything else', () => {
  expect(integerAt(['a', 17], 1)).toBe(17)
  for (const value of ['17', 'x', 1.5, 2 ** 60]) expect(refusalOf(() => integerAt([value], 0))).toBe('VALIDATION_ERROR')
  expect(refusalOf(() => integerAt([], 0))).toBe('VALIDATION_ERROR')
})

test('a list ends with null, and otherwise with the position of its last row', () => {
  const parts = { positionOf: (row: number) => [row], toItem: (row: number) => `n${row}` }
  expect(toList([1, 2], 2, SCOPE, parts)).toEqual({ items: ['n1', 'n2'], nextCursor: null })
  expect(toList([], 2, SCOPE, parts)).toEqual({ items: [], nextCursor: null })
  const { items, nextCursor } = toList([1, 2, 3], 2, SCOPE, parts)
  expect(items).toEqual(['n1', 'n2'])
  expect(readCursor(nextCursor ?? undefined, SCOPE, 1)).toEqual([2])
})
