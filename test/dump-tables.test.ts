import { expect, test } from 'bun:test'
import { getTableName } from 'drizzle-orm'
import { tablesOf as dumpedTables, functionsOf } from '../src/base/db/dump-tables'
import { MIGRATIONS } from '../src/base/db/migrations'
import { makeTables } from '../src/base/db/tables'
import { tablesOf } from '../src/create-context'

const { sqlite, postgres } = MIGRATIONS

const known = Object.values(makeTables('sqlite', tablesOf())).map((table) => getTableName(table))

test('every table of the product is found in the migrations of both dialects', () => {
  const expected = known.filter((name) => name !== 'svc_migrations')
  for (const migrations of [sqlite, postgres])
    expect(dumpedTables(migrations)).toEqual(expect.arrayContaining(expected))
})

test('functions are found where there are some', () => {
  expect(functionsOf(sqlite)).toEqual([])
  expect(functionsOf(postgres)).toContain('ledger_is_append_only')
})

// A backup of one driver names its migrations, and another driver restores it.
test('the migrations of both dialects have the same names', () => {
  expect(sqlite.map(({ tag }) => tag)).toEqual(postgres.map(({ tag }) => tag))
})
