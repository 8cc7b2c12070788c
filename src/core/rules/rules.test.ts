import { expect, test } from 'bun:test'
import { MAX_BYTES, MAX_ITEMS, MAX_NODES } from './faults'
import type { RuleFault } from './model'
import { parseRules } from './rules'

const list = (length: number): number[] => Array.from({ length }, (_, index) => index)

const members = (count: number) => Object.fromEntries(list(count).map((index) => [`key_${index}`, 'x']))

function faultOf(document: unknown): Pick<RuleFault, 'reason' | 'path'> | null {
  const parsed = parseRules(document)
  return parsed.ok ? null : { reason: parsed.fault.reason, path: parsed.fault.path }
}

for (const operator of ['$in', '$nin', '$all'])
  test(`500 items of ${operator} fit, and are no nodes; the 501st is refused`, () => {
    expect(faultOf({ a: { [operator]: list(MAX_ITEMS) } })).toBeNull()
    expect(faultOf({ a: { [operator]: list(MAX_ITEMS + 1) } })).toEqual({
      reason: 'TOO_MANY_ITEMS',
      path: `rules.a.${operator}`,
    })
  })

for (const operator of ['$and', '$or', '$nor'])
  test(`255 documents of ${operator} fit, the next is a node too many, and 501 are refused as a list`, () => {
    expect(faultOf({ [operator]: list(MAX_NODES - 1).map(() => ({})) })).toBeNull()
    expect(faultOf({ [operator]: list(MAX_NODES).map(() => ({})) })).toEqual({
      reason: 'TOO_MANY_NODES',
      path: `rules.${operator}[255]`,
    })
    expect(faultOf({ [operator]: list(MAX_ITEMS + 1).map(() => ({})) })).toEqual({
      reason: 'TOO_MANY_ITEMS',
      path: `rules.${operator}`,
    })
  })

test('256 members fit, the 257th is refused', () => {
  expect(faultOf(members(MAX_NODES))).toBeNull()
  expect(faultOf(members(MAX_NODES + 1))).toEqual({ reason: 'TOO_MANY_NODES', path: 'rules.key_256' })
})

test('an operator is a node beside its attribute', () => {
  const conditions = Object.fromEntries(list(MAX_NODES / 2).map((index) => [`key_${index}`, { $gt: 1 }]))
  expect(faultOf(conditions)).toBeNull()
  expect(faultOf({ ...conditions, last: 'x' })).toEqual({ reason: 'TOO_MANY_NODES', path: 'rules.last' })
})

test('regular expressions of one document are large together up to 5000 steps, wherever they stand', () => {
  const large = { $regex: '(x{100}y){9}' }
  const step = (count: number) => ({ $regexi: 'x'.repeat(count) })
  expect(faultOf({ $or: list(5).map(() => ({ a: large })), b: step(150), c: { $not: step(150) } })).toBeNull()
  const nested = {
    a: { $elemMatch: large },
    $nor: [{ a: large, b: { ...large, $not: large } }, { $and: [{ c: large }] }],
  }
  expect(faultOf({ ...nested, last: large })).toEqual({ reason: 'TOO_LARGE', path: 'rules.last.$regex' })
  expect(faultOf({ a: list(MAX_ITEMS).join('') })).toBeNull()
})

test('32 KiB of JSON fit to the byte, counted as UTF-8', () => {
  const empty = JSON.stringify({ a: '' }).length
  expect(faultOf({ a: 'x'.repeat(MAX_BYTES - empty) })).toBeNull()
  expect(faultOf({ a: 'x'.repeat(MAX_BYTES - empty + 1) })).toEqual({ reason: 'TOO_LARGE', path: 'rules' })
  expect(faultOf({ a: 'ü'.repeat((MAX_BYTES - empty) / 2) })).toBeNull()
  expect(faultOf({ a: 'ü'.repeat((MAX_BYTES - empty) / 2 + 1) })).toEqual({ reason: 'TOO_LARGE', path: 'rules' })
})

test('a long key is told by its beginning', () => {
  const fault = faultOf({ ['k'.repeat(100_000)]: { $x: 1 } })
  expect(fault).toEqual({ reason: 'UNKNOWN_OPERATOR', path: `rules.${'k'.repeat(40)}….$x` })
})

test('the steps of a place are the whole keys, for whoever looks it up in a file', () => {
  const parsed = parseRules({ $and: [{ 'svc.isTrial': { $x: 1 } }] })
  expect(parsed.ok ? null : parsed.fault.steps).toEqual(['rules', '$and', 0, 'svc.isTrial', '$x'])
})

test('what no JSON can hold is refused', () => {
  const loop: Record<string, unknown> = {}
  loop.$not = loop
  expect(faultOf(loop)?.reason).toBe('TOO_DEEP')
  for (const document of [undefined, new Map(), new Date(0), () => ({}), 5n, Symbol('a')])
    expect(faultOf(document)).toEqual({ reason: 'NOT_AN_OBJECT', path: 'rules' })
  for (const operand of [undefined, Number.NaN, Number.POSITIVE_INFINITY, 5n, () => 5, Symbol('a')])
    expect(faultOf({ a: { $eq: operand } })).toEqual({ reason: 'WRONG_OPERAND', path: 'rules.a.$eq' })
  expect(faultOf({ a: { $in: new Array(3) } })).toEqual({ reason: 'WRONG_OPERAND', path: 'rules.a.$in[0]' })
})

test('a document deeper than any stack is refused like one a little too deep', () => {
  let document: unknown = { a: 1 }
  for (const _ of list(200_000)) document = { $and: [document] }
  expect(faultOf(document)?.reason).toBe('TOO_DEEP')
})

test('every operator tells what it takes', () => {
  const messages = Object.entries({ $in: 'TR', $exists: 1, $size: -1, $gt: true, $eq: [] }).map(
    ([operator, operand]) => {
      const parsed = parseRules({ a: { [operator]: operand } })
      return parsed.ok ? null : parsed.fault.message
    },
  )
  expect(messages).toEqual([
    'rules.a.$in: takes a list',
    'rules.a.$exists: takes true or false',
    'rules.a.$size: takes a whole number from 0',
    'rules.a.$gt: takes a text or a number',
    'rules.a.$eq: takes a text, a number, true, false or null; for one of several use $in',
  ])
})
