import { expect, test } from 'bun:test'
import { declaredTables } from '../src/base/db/personal-data'
import { makeTables } from '../src/base/db/tables'
import { tablesOf } from '../src/create-context'
import { SLICES } from '../src/slices'

const tables = makeTables('sqlite', tablesOf())
const hooks = {
  personalData: SLICES.flatMap(({ personalData }) => personalData ?? []),
  exportedRows: SLICES.flatMap(({ exportedRows }) => exportedRows ?? []),
}

test('every table of the product says what it holds about people, and where a data export has it', () => {
  expect(declaredTables(tables, hooks).size).toBe(Object.keys(tables).length)
})

test('each slice declares only its own tables', () => {
  for (const { name, tables: define, personalData = {}, exportedRows = {}, cachedRows = {} } of SLICES) {
    const own = Object.keys(define ? makeTables('sqlite', [define]) : {})
    for (const member of [...Object.keys(personalData), ...Object.keys(exportedRows)])
      expect({ slice: name, member, isOwn: own.includes(member) || member in cachedRows }).toMatchObject({
        isOwn: true,
      })
  }
})

const without = (member: string, declarations: readonly object[]) =>
  declarations.map((own) => Object.fromEntries(Object.entries(own).filter(([name]) => name !== member)))

const faulty: [string, object, string][] = [
  ['a table that no slice declares', { personalData: without('ledger', hooks.personalData) }, 'the table ledger must'],
  [
    'rows about people in no file',
    { exportedRows: without('ledger', hooks.exportedRows) },
    'exportedRows where a data',
  ],
  ['a table that two slices declare', { personalData: [...hooks.personalData, { ledger: 'ERASED' }] }, 'of two slices'],
  [
    'a table without personal data that is exported',
    { exportedRows: [...hooks.exportedRows, { flags: 'events.jsonl' }] },
    'flags holds nothing',
  ],
]
test.each(faulty)('%s is a fault', (_, change, message) => {
  expect(() => declaredTables(tables, { ...hooks, ...change })).toThrow(message)
})
