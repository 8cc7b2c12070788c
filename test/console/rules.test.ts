import { expect, test } from 'bun:test'
import { complete, type RuleGroup, toDocument, toGroup } from '../../src/console/screens/growth/rules/model'

const shown: [name: string, document: object, again?: object][] = [
  ['nothing', {}],
  ['values', { country: 'TR', 'svc.hasActive': true, age: 30 }],
  ['operators', { age: { $gte: 18, $lt: 65 } }, { $and: [{ age: { $gte: 18 } }, { age: { $lt: 65 } }] }],
  ['an operator that is left out', { country: { $eq: 'TR' } }, { country: 'TR' }],
  ['a list', { country: { $in: ['TR', 'DE', 7] } }],
  ['an empty list', { country: { $in: [] } }],
  ['a group in a group', { $or: [{ a: 1 }, { b: 2, c: 3 }] }],
  ['nobody of', { $nor: [{ a: 1 }] }],
  ['presence and size', { a: { $exists: false }, b: { $size: 2 } }],
]
for (const [name, document, again = document] of shown)
  test(`the fields show ${name}`, () => {
    const group = toGroup(document) as RuleGroup
    expect(toDocument(complete(group))).toEqual(again as never)
  })

const hidden: [name: string, document: object][] = [
  ['$not', { $not: { a: 1 } }],
  ['an empty choice', { $or: [] }],
  ['an empty choice inside', { a: 1, $or: [] }],
  ['everybody inside of a group', { $nor: [{}] }],
  ['an empty condition', { a: {} }],
  ['null', { a: null }],
  ['null after an operator', { a: { $ne: null } }],
  ['null in a list', { a: { $in: ['x', null] } }],
  ['a comma in a list', { city: { $in: ['Paris, FR'] } }],
  ['an empty text in a list', { city: { $nin: ['', 'x'] } }],
  ['spaces at the end in a list', { city: { $all: ['x '] } }],
  ['an object', { a: { $eq: { b: 1 } } }],
  ['a list where one value is asked for', { a: { $eq: ['x'] } }],
  ['one value where a list is asked for', { a: { $in: 'x' } }],
  ['a size that is no count', { a: { $size: -1 } }],
  ['an attribute without a name', { '': 1 }],
]
for (const [name, document] of hidden)
  test(`the fields do not show ${name}`, () => expect(toGroup(document)).toBeNull())

test('a group without a complete test is everybody, however its tests are joined', () => {
  const row = { kind: 'test', attribute: '', operator: '$eq', operand: '' } as const
  for (const join of ['all', 'any', 'none'] as const) {
    const inner = { kind: 'group', join, parts: [row] } as const
    expect(toDocument(complete({ kind: 'group', join, parts: [row, { ...inner, parts: [row] }] }))).toEqual({})
  }
})
