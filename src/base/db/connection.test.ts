import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from './connection'

let folder: string
let writer: Connection
let reader: Connection
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-connection-'))
  writer = new Connection(join(folder, 'a.db'), 50)
  writer.exec('PRAGMA journal_mode = WAL')
  writer.exec('CREATE TABLE t (id integer PRIMARY KEY, v text)')
  writer.exec("INSERT INTO t VALUES (1, 'one'), (2, NULL), (3, 'three')")
  reader = new Connection(join(folder, 'a.db'), 50)
})
afterEach(() => {
  for (const connection of [reader, writer]) connection.close()
  rmSync(folder, { recursive: true, force: true })
})

const rows = async (sql: string, ...args: unknown[]) => (await reader.execute({ sql, args })).rows

const cases: [name: string, sql: string, args: unknown[], expected: unknown[][]][] = [
  ['one row of a limit of one', 'select id, v from t order by id limit ?', [1], [[1, 'one']]],
  ['as many as a higher limit allows', 'select id from t order by id limit ?', [2], [[1], [2]]],
  ['none where none is', 'select id from t where id = ? limit ?', [9, 1], []],
  ['a null as a null', 'select v from t where id = ? limit ?', [2, 1], [[null]]],
  ['all rows when a last parameter of one is no limit', 'select id from t where id >= ?', [1], [[1], [2], [3]]],
  ['all rows when another parameter is the limit', 'select id from t limit ? offset ?', [2, 1], [[2], [3]]],
]
for (const [name, sql, args, expected] of cases)
  test(`gives ${name}`, async () => expect(await rows(sql, ...args)).toEqual(expected))

test('a single row is found by a statement that has read more rows before', async () => {
  const some = 'select id from t where id >= ? order by id limit ?'
  expect(await rows(some, 2, 5)).toEqual([[2], [3]])
  expect(await rows(some, 2, 1)).toEqual([[2]])
  expect(await rows(some, 9, 5)).toEqual([])
  expect(await rows(some, 3, 1)).toEqual([[3]])
})

test('a single row read keeps no old state and no lock', async () => {
  const first = 'select v from t order by id limit ?'
  expect(await rows(first, 1)).toEqual([['one']])
  await writer.execute({ sql: 'update t set v = ?', args: ['new'] })
  expect(await rows(first, 1)).toEqual([['new']])
  // 0 = no reader blocked the checkpoint.
  const { rows: done } = await writer.execute({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', args: [] })
  expect(done).toEqual([[0, 0, 0]])
})
