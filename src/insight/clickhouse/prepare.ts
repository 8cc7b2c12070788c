import type { Context } from '../../base/context'
import type { Tables } from '../../base/db/tables'
import type { Clickhouse } from './client'
import { columnsMark, MIRRORED, type Mirrored, tableNameOf } from './mirror'
import * as queries from './queries'
import { createTriggers, dropTriggers, tablesWithoutTriggers } from './triggers'

/**
 * Makes sure that every change is noted from now on. A table whose changes were not noted until now, or whose columns
 * are others, is copied from its start.
 */
export async function prepareTables(ctx: Context, tables: Tables): Promise<void> {
  const bare = await tablesWithoutTriggers(ctx)
  await createTriggers(ctx, bare)
  const known = new Map((await queries.listTables(ctx)).map((row) => [row.tableName, row]))
  const isFresh = (one: Mirrored) => {
    const row = known.get(tableNameOf(tables, one))
    return bare.includes(one) || row?.columns !== columnsMark(tables, one)
  }
  await beginAnew(ctx, tables, MIRRORED.filter(isFresh))
}

/** Copies these tables from their start. What is only in ClickHouse is removed when all is copied. */
export async function beginAnew(ctx: Context, tables: Tables, mirrored: readonly Mirrored[]): Promise<void> {
  if (mirrored.length === 0) return
  await ctx.write(async (tx) => {
    await queries.raiseVersion(tx, 0)
    const since = (await queries.findVersion(tx)) + 1
    for (const one of mirrored) {
      const row = { tableName: tableNameOf(tables, one), columns: columnsMark(tables, one) }
      await queries.saveTable(tx, { ...row, since, doneUntil: '', copied: 0 })
    }
  })
}

/**
 * Copies everything again when ClickHouse has newer batches than the database knows of: then the database was restored
 * from a backup.
 */
export async function compareVersions(ctx: Context, client: Clickhouse, tables: Tables): Promise<void> {
  const all = MIRRORED.map((one) => `select max("_version") as v from "${tableNameOf(tables, one)}"`)
  const settings = { final: 0, aggregate_functions_null_for_empty: 0 } as const
  const [[newest] = [0]] = await client.query(`select max(v) from (${all.join(' union all ')})`, [], settings)
  if (Number(newest) <= (await queries.findVersion(ctx))) return
  await ctx.write((tx) => queries.raiseVersion(tx, Number(newest)))
  await beginAnew(ctx, tables, MIRRORED)
}

/** Ends the copying: figures are read from the database itself again. */
export async function forgetMirror(ctx: Context): Promise<void> {
  if ((await queries.listTables(ctx)).length === 0) return
  await dropTriggers(ctx)
  await ctx.write((tx) => queries.deleteAll(tx))
}
