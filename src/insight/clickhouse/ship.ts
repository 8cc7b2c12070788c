import type { Context } from '../../base/context'
import type { Tables } from '../../base/db/tables'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { type Clickhouse, literal } from './client'
import { columnName, columnsOf, MIRRORED, type Mirrored, tableNameOf } from './mirror'
import type { Copy, RowKey, TableRow } from './queries'
import * as queries from './queries'

/** How many changes one batch has at most. */
const MOST_CHANGES = 4000
/** How many rows are marked as deleted by one statement, whose length ClickHouse limits. */
const MOST_REMOVED = 1000
/** How many rows of a table are read first, and how many are read together at most. */
const FIRST_ROWS = 1000
const MOST_ROWS = 20_000
/** About how much of a table is read, sent and kept in memory together, in characters. */
const PART_LENGTH = 4_000_000
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
      const changes = await queries.listChanges(handle, MOST_CHANGES)
      const parts: Part[] = []
      for (const [tableName, own] of Map.groupBy(changes, (one) => one.tableName)) {
        const mirrored = MIRRORED.find((one) => tableNameOf(handle.tables, one) === tableName)
        const keys = [...new Set(own.map(({ rowKey }) => sameKey(rowKey)))].map(readKey)
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

/** PostgreSQL writes spaces into a list. */
const sameKey = (text: string): string => JSON.stringify(readKey(text))

async function shipPart(ctx: Context, client: Clickhouse, { mirrored, keys, found }: Part, version: number) {
  await insertRows(ctx, client, mirrored, found, version)
  const known = new Set(found.map(({ key }) => sameKey(key)))
  const gone = keys.filter((key) => !known.has(JSON.stringify(key)))
  for (let start = 0; start < gone.length; start += MOST_REMOVED)
    await removeRows(ctx, client, mirrored, gone.slice(start, start + MOST_REMOVED), version)
}

function insertRows(
  { tables }: Context,
  client: Clickhouse,
  mirrored: Mirrored,
  rows: readonly Copy[],
  version: number,
): Promise<void> {
  const columns = Object.values(columnsOf(tables, mirrored)).map(columnName)
  const marked = rows.map(({ row }) => `${row.slice(0, -1)}, ${version}, 0]`)
  return client.insert(tableNameOf(tables, mirrored), [...columns, '_version', '_deleted'], marked)
}

async function removeRows(
  { tables }: Context,
  client: Clickhouse,
  mirrored: Mirrored,
  keys: readonly RowKey[],
  version: number,
): Promise<void> {
  const all = columnsOf(tables, mirrored)
  const key = mirrored.key.flatMap((name) => (all[name] ? `"${columnName(all[name])}"` : []))
  const isGone = `(${key.join(', ')}) in (${keys.map((one) => `(${one.map(written).join(', ')})`).join(', ')})`
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

const written = (value: string | number): string => (typeof value === 'number' ? String(value) : literal(value))

/**
 * Copies the next rows of a table, for so many milliseconds. While rows are sent, those that follow are read. How many
 * are read together follows from their length, so that long rows take no more memory than short ones.
 */
export function backfillStep(
  ctx: Context,
  client: Clickhouse,
  mirrored: Mirrored,
  progress: TableRow,
  stepMs: number,
): Promise<Outcome> {
  return inBatch(ctx, async (version) => {
    let after = progress.doneUntil ? readKey(progress.doneUntil) : null
    let [isLast, limit, copied] = [false, FIRST_ROWS, progress.copied]
    let sending = Promise.resolve()
    for (const until = monotonicMs() + stepMs; ; ) {
      const rows = await ctx.storage.readInThread((handle) => queries.listAfter(handle, mirrored, after, limit))
      await sending
      sending = insertRows(ctx, client, mirrored, rows, version)
      sending.catch(() => {}) // It is waited for below, or the read that follows has failed too.
      after = rows.length > 0 ? readKey(rows.at(-1)?.key ?? '') : after
      copied += rows.length
      isLast = rows.length < limit
      if (isLast || monotonicMs() >= until) break
      limit = nextLimit(rows)
    }
    await sending
    if (isLast) await removeOlder(client, ctx.tables, mirrored, progress.since, version)
    return (tx) => queries.moveTable(tx, { ...progress, copied }, isLast ? null : JSON.stringify(after))
  })
}

function nextLimit(rows: readonly Copy[]): number {
  const length = rows.reduce((sum, { row }) => sum + row.length, 0)
  return Math.min(MOST_ROWS, Math.max(1, Math.floor((PART_LENGTH * rows.length) / length)))
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
