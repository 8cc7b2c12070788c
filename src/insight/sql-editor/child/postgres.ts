import postgres, { type TransactionSql } from 'postgres'
import type { Compiled } from '../compile/compile'
import { Rejection } from '../rejection'
import type { QueryLimits } from './protocol'
import type { Cell } from './result'

const MEGABYTE = 1024 * 1024
const CURSOR_ROWS = 100

/** Reads in one transaction that cannot write, on a connection of its own. */
export async function queryPostgres(url: string, compiled: Compiled, limits: QueryLimits): Promise<Cell[][]> {
  const client = postgres(url, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: 'svc-query' },
  })
  return (
    await client.begin('read only', async (tx) => {
      await restrict(tx, limits)
      return { rows: await readRows(tx, compiled, limits) }
    })
  ).rows
}

/** What every server and every user can set, and what some can. */
async function restrict(tx: TransactionSql, { timeMs, databaseBytes }: QueryLimits): Promise<void> {
  const always = [
    `statement_timeout = ${timeMs}`,
    `idle_in_transaction_session_timeout = ${timeMs}`,
    'lock_timeout = 1000',
    "work_mem = '16MB'",
    'max_parallel_workers_per_gather = 0',
    'jit = off',
    'standard_conforming_strings = on',
    'transform_null_equals = off',
  ]
  await tx.unsafe(always.map((setting) => `set local ${setting}`).join('; '))
  // The first needs PostgreSQL 14, the second a right.
  await tryToSet(tx, 'client_connection_check_interval = 250')
  await tryToSet(tx, `temp_file_limit = '${Math.round(databaseBytes / MEGABYTE)}MB'`)
}

const tryToSet = (tx: TransactionSql, setting: string): Promise<unknown> =>
  tx.savepoint((inner) => inner.unsafe(`set local ${setting}`)).catch(() => {})

async function readRows(
  tx: TransactionSql,
  { sql, values, columns }: Compiled,
  limits: QueryLimits,
): Promise<Cell[][]> {
  const rows: Cell[][] = []
  let bytes = 0
  await tx.unsafe(sql, [...values]).cursor(CURSOR_ROWS, (page) => {
    for (const found of page) {
      const row = columns.map((_, index) => (found as Record<string, Cell>)[`c${index + 1}`] ?? null)
      bytes += row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
      rows.push(row)
    }
    if (bytes > limits.bytes) throw new Rejection('memory', `The result is larger than ${limits.bytes / MEGABYTE} MiB`)
  })
  return rows
}
