import { expect, test } from 'bun:test'
import { doubledGrants } from './doubled-grants'

const rows = { survivorId: 'pur_s', mergedIds: ['pur_b', 'pur_a'] }
const entry = (grantReference: string, currencyId = 'coins') => ({ currencyId, grantReference })
const doubled = (...names: string[]) =>
  doubledGrants(
    rows,
    names.map((name) => entry(name)),
  ).map((one) => one.grantReference)

test('every grant beside that of the row that stayed is doubled', () => {
  expect(doubled('purchase:pur_b', 'purchase:pur_s', 'purchase:pur_a')).toEqual(['purchase:pur_a', 'purchase:pur_b'])
})

test('where the row that stayed gave none, the first of the others counts', () => {
  expect(doubled('purchase:pur_b', 'purchase:pur_a')).toEqual(['purchase:pur_b'])
  expect(doubled('purchase:pur_b')).toEqual([])
})

test('what was taken back is not doubled, and neither counts as the first', () => {
  expect(doubled('purchase:pur_s', 'purchase:pur_a', 'refund:purchase:pur_a')).toEqual([])
  expect(doubled('purchase:pur_s', 'refund:purchase:pur_s', 'purchase:pur_a')).toEqual([])
})

test('each currency is judged for itself, and grants of other purchases are nothing', () => {
  const entries = [
    entry('purchase:pur_s'),
    entry('purchase:pur_a', 'gems'),
    entry('purchase:pur_z'),
    entry('txn:1', 'gems'),
  ]
  expect(doubledGrants(rows, entries)).toEqual([])
})
