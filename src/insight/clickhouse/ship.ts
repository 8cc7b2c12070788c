import type { Context } from '../../base/context'
import type { Tables } from '../../base/db/tables'
import { MINUTE } from '../../base/lib/clock'
import type { Clickhouse } from './client'
import { columnName, columnsOf, MIRRORED, type Mirrored, tableNameOf } from './mirror'
import type { Copy, RowKey, TableRow } from './queries'
import * as queries from './queries'

/** How many changes, or rows of a table, one batch has at most. */
export const BATCH = 2000
/** When a process that does not end its batch is taken for dead. */
const LEASE_MS = 2 * MINUTE

/** What a batch did: `empty`: nothing waited. `held`: another process is at it. */
export type Outcome = 'done' | 'empty' | 'held'

/**
 * A batch has a version of its own, above those of all batches before it, and reads its rows afterwards. So of two
 * copies of a row the one with the higher version is never the older one, however often and in whatever order they
 * arrive. What the batch was about is forgotten only when ClickHouse has said that it has all of it.
 */
async function inBatch(
  ctx: Context,
  copy: (version: number) => Promise<(tx: Parameters<Parameters<Context['write']>[0]>[0]) => Promise<void>>,
): Promise<Outcome> {
  const now = ctx.clock.now()
  const version = await ctx.write((tx) => queries.beginBatch(tx, ctx.instanceId, now, now + LEASE_MS))
  if (version === null) return 'held'
  let save: Awaited<ReturnType<typeof copy>> = async () => {}
  try {
    save = await copy(version)
  } finally {
    await ctx.write(async (tx) => {
      if (await queries.endBatch(tx, ctx.instanceId, version)) await save(tx)
    })
  }
  return 'done'
}

/** Copies the rows that were written since they were last copied, the first of them in one batch. */
export async function shipChanges(ctx: Context, client: Clickhouse): Promise<Outcome> {
  if (!(await queries.hasChanges(ctx))) return 'empty'
  return inBatch(ctx, async (version) => {
    const { changes, parts } = await ctx.storage.readInThread(async (handle) => {
      const changes = await queries.listChanges(handle, BATCH)
      const parts: Part[] = []
      for (const [tableName, own] of Map.groupBy(changes, (one) => one.tableName)) {
        const mirrored = MIRRORED.find((one) => tableNameOf(handle.tables, one) === tableName)
        const keys = [...new Set(own.map(({ rowKey }) => JSON.stringify(JSON.parse(rowKey))))].map(readKey)
        if (mirrored) parts.push({ mirrored, keys, found: await queries.listRows(handle, mirrored, keys) })
      }
      return { changes, parts }
    })
    for (const part of parts) await shipPart(ctx, client, part, version)
    return (tx) =>
      queries.deleteChanges(
        tx,
        changes.map(({ position }) => position),
      )
  })
}

interface Part {
  mirrored: Mirrored
  keys: readonly RowKey[]
  found: readonly Copy[]
}

const readKey = (text: string): RowKey => JSON.parse(text) as RowKey

async function shipPart(ctx: Context, client: Clickhouse, { mirrored, keys, found }: Part, version: number) {
  await insertRows(ctx, client, mirrored, found, version)
  const known = new Set(found.map(({ key }) => JSON.stringify(key)))
  const gone = keys.filter((key) => !known.has(JSON.stringify(key)))
  if (gone.length > 0) await removeRows(ctx, client, mirrored, gone, version)
}

const insertRows = (
  { tables }: Context,
  client: Clickhouse,
  mirrored: Mirrored,
  rows: readonly Copy[],
  version: number,
): Promise<void> =>
  client.insert(
    tableNameOf(tables, mirrored),
    rows.map(({ row }) => ({ ...row, _version: version, _deleted: 0 })),
  )

async function removeRows(
  { tables }: Context,
  client: Clickhouse,
  mirrored: Mirrored,
  keys: readonly RowKey[],
  version: number,
): Promise<void> {
  const all = columnsOf(tables, mirrored)
  const key = mirrored.key.flatMap((name) => (all[name] ? `"${columnName(all[name])}"` : []))
  const isGone = `(${key.join(', ')}) in (${keys.map((one) => `(${one.map(literal).join(', ')})`).join(', ')})`
  await remove(client, tables, mirrored, isGone, version)
}

/** Marks rows as deleted; what was known of them leaves the disk when ClickHouse comes to it. */
async function remove(client: Clickhouse, tables: Tables, mirrored: Mirrored, condition: string, version: number) {
  const table = `"${tableNameOf(tables, mirrored)}"`
  const names = Object.values(columnsOf(tables, mirrored)).map((column) => `"${columnName(column)}"`)
  const marked = `select ${names.join(', ')}, ${version}, 1 from ${table} final where ${condition}`
  await client.command(`insert into ${table} (${names.join(', ')}, "_version", "_deleted") ${marked}`)
  await client.command(`alter table ${table} delete where (${condition}) and "_version" < ${version}`)
}

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Copies the next rows of a table from its beginning on. */
export function backfillStep(
  ctx: Context,
  client: Clickhouse,
  mirrored: Mirrored,
  progress: TableRow,
): Promise<Outcome> {
  return inBatch(ctx, async (version) => {
    const after = progress.doneUntil ? readKey(progress.doneUntil) : null
    const rows = await ctx.storage.readInThread((handle) => queries.listAfter(handle, mirrored, after, BATCH))
    await insertRows(ctx, client, mirrored, rows, version)
    const last = rows.length < BATCH ? null : (rows.at(-1)?.key ?? null)
    if (last === null) await removeOlder(client, ctx.tables, mirrored, progress.since, version)
    const copied = progress.copied + rows.length
    return (tx) => queries.moveTable(tx, { ...progress, copied }, last && JSON.stringify(last))
  })
}

/** What was not copied again is no longer in the table. */
async function removeOlder(
  client: Clickhouse,
  tables: Tables,
  mirrored: Mirrored,
  since: number,
  version: number,
): Promise<void> {
  const isOlder = `"_version" < ${since}`
  const found = await client.query(`select 1 from "${tableNameOf(tables, mirrored)}" where ${isOlder} limit 1`)
  if (found.length > 0) await remove(client, tables, mirrored, isOlder, version)
}
