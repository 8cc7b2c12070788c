import { expect, test } from 'bun:test'
import { getTableName } from 'drizzle-orm'
import { tablesOf as dumpedTables, functionsOf } from '../src/base/db/dump-tables'
import type { Storage } from '../src/base/db/handle'
import { migrationsOf } from '../src/base/db/migrate'
import { makeTables } from '../src/base/db/tables'
import { tablesOf } from '../src/create-context'

const file = { driver: 'file' } as Storage
const postgres = { driver: 'postgres' } as Storage

const known = Object.values(makeTables('sqlite', tablesOf())).map((table) => getTableName(table))

test('every table of the product is found in the migrations of both dialects', () => {
  const expected = known.filter((name) => name !== 'svc_migrations')
  for (const storage of [file, postgres]) expect(dumpedTables(storage)).toEqual(expect.arrayContaining(expected))
})

test('functions are found where there are some', () => {
  expect(functionsOf(file)).toEqual([])
  expect(functionsOf(postgres)).toContain('ledger_is_append_only')
})

// A backup of one driver names its migrations, and another driver restores it.
test('the migrations of both dialects have the same names', () => {
  expect(migrationsOf(file).map(({ tag }) => tag)).toEqual(migrationsOf(postgres).map(({ tag }) => tag))
})
