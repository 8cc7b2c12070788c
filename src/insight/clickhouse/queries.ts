import { and, asc, type Column, eq, getTableColumns, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../../base/context'
import { exactly } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'
import { columnName, columnsOf, type Mirrored, mirroredTable } from './mirror'

export type ChangeRow = Handle['tables']['analyticsChanges']['$inferSelect']
export type TableRow = Handle['tables']['analyticsTables']['$inferSelect']

/** The values of a primary key. */
export type RowKey = (string | number)[]

/** The first changes that wait. */
export async function listChanges({ db, tables }: Handle, limit: number): Promise<ChangeRow[]> {
  const { analyticsChanges: c } = tables
  return db.select().from(c).orderBy(asc(c.position)).limit(limit)
}

export async function hasChanges({ db, tables }: Handle): Promise<boolean> {
  const { analyticsChanges: c } = tables
  return (await db.select({ position: c.position }).from(c).limit(1)).length > 0
}

export async function countChanges({ db, tables }: Handle): Promise<number> {
  const [row] = await db.select({ count: sql<number | string>`count(*)` }).from(tables.analyticsChanges)
  return Number(row?.count ?? 0)
}

export async function deleteChanges({ db, tables }: Tx, positions: readonly number[]): Promise<void> {
  const { analyticsChanges: c } = tables
  await db.delete(c).where(inArray(c.position, [...positions]))
}

export async function deleteAll({ db, tables }: Tx): Promise<void> {
  await db.delete(tables.analyticsChanges)
  await db.delete(tables.analyticsTables)
}

export const listTables = ({ db, tables }: Handle): Promise<TableRow[]> => db.select().from(tables.analyticsTables)

export async function saveTable({ db, tables }: Tx, row: TableRow): Promise<void> {
  const { analyticsTables: t } = tables
  const { tableName: _, ...set } = row
  await db.insert(t).values(row).onConflictDoUpdate({ target: t.tableName, set })
}

/** Moves the place up to which a table is copied, unless copying it has begun anew. */
export async function moveTable(
  { db, tables }: Tx,
  { tableName, since, copied }: TableRow,
  doneUntil: string | null,
): Promise<void> {
  const { analyticsTables: t } = tables
  await db
    .update(t)
    .set({ doneUntil, copied })
    .where(and(eq(t.tableName, tableName), eq(t.since, since)))
}

const STATE_ID = 1

export async function findVersion({ db, tables }: Handle): Promise<number> {
  const { analyticsState: s } = tables
  const [row] = await db.select({ version: s.version }).from(s).where(eq(s.id, STATE_ID))
  return row?.version ?? 0
}

/** Makes the row of the state, with at least this version. */
export async function raiseVersion({ db, tables }: Tx, version: number): Promise<void> {
  const { analyticsState: s } = tables
  const row = { id: STATE_ID, version, holder: null, heldUntil: 0, erasedAt: null }
  const higher = sql`case when ${s.version} < ${version} then ${version} else ${s.version} end`
  await db
    .insert(s)
    .values(row)
    .onConflictDoUpdate({ target: s.id, set: { version: higher } })
}

/** Begins a batch: the next version, or null while another process has one under way. */
export async function beginBatch({ db, tables }: Tx, holder: string, now: number, until: number) {
  const { analyticsState: s } = tables
  const isFree = or(eq(s.holder, holder), sql`${s.heldUntil} <= ${now}`)
  const [row] = await db
    .update(s)
    .set({ version: sql`${s.version} + 1`, holder, heldUntil: until })
    .where(and(eq(s.id, STATE_ID), isFree))
    .returning({ version: s.version })
  return row?.version ?? null
}

/** Ends a batch. False when another process has begun one since. */
export async function endBatch({ db, tables }: Tx, holder: string, version: number): Promise<boolean> {
  const { analyticsState: s } = tables
  const isOwn = and(eq(s.id, STATE_ID), eq(s.holder, holder), eq(s.version, version))
  const ended = await db.update(s).set({ heldUntil: 0 }).where(isOwn).returning({ id: s.id })
  return ended.length > 0
}

export async function findErasure({ db, tables }: Handle): Promise<number | null> {
  const { analyticsState: s } = tables
  const [row] = await db.select({ erasedAt: s.erasedAt }).from(s).where(eq(s.id, STATE_ID))
  return row?.erasedAt ?? null
}

export async function noteErasure({ db, tables, clock }: Tx): Promise<void> {
  const { analyticsState: s } = tables
  await db.update(s).set({ erasedAt: clock.now() }).where(eq(s.id, STATE_ID))
}

/** Unless somebody else was erased meanwhile. */
export async function clearErasure({ db, tables }: Tx, erasedAt: number): Promise<void> {
  const { analyticsState: s } = tables
  await db
    .update(s)
    .set({ erasedAt: null })
    .where(and(eq(s.id, STATE_ID), eq(s.erasedAt, erasedAt)))
}

/** The rows with these keys, as ClickHouse takes them. */
export function listRows(handle: Handle, mirrored: Mirrored, keys: readonly RowKey[]): Promise<Copy[]> {
  return readRows(handle, mirrored, keys.length, hasKey(handle, mirrored, keys))
}

/** The rows after a key, in the order of the key. */
export function listAfter(handle: Handle, mirrored: Mirrored, after: RowKey | null, limit: number): Promise<Copy[]> {
  return readRows(handle, mirrored, limit, after ? isAfter(handle, mirrored, after) : undefined)
}

/** A row of a mirrored table. */
export interface Copy {
  key: RowKey
  row: Record<string, unknown>
}

async function readRows(handle: Handle, mirrored: Mirrored, limit: number, where: SQL | undefined): Promise<Copy[]> {
  const columns = columnsOf(handle.tables, mirrored)
  const fields = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, readAs(column)]))
  const rows = (await handle.db
    .select(fields as Record<string, SQLiteColumn>)
    .from(mirroredTable(handle.tables, mirrored) as SQLiteTable)
    .where(where)
    .orderBy(...keyOf(handle, mirrored).map((column) => asc(column)))
    .limit(limit)) as Record<string, unknown>[]
  return rows.map((found) => ({
    key: mirrored.key.map((name) => found[name]) as RowKey,
    row: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [columnName(column), toClickhouse(found[name])]),
    ),
  }))
}

/** 64-bit integers and JSON are read as text: the SQLite driver would round the first, and so would a parser the second. */
function readAs(column: Column) {
  if (column.dataType === 'json' || column.getSQLType() === 'jsonb') return sql<string | null>`cast(${column} as text)`
  return column.dataType === 'custom' && /^(integer|bigint)$/.test(column.getSQLType()) ? exactly(column) : column
}

const toClickhouse = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const keyOf = ({ tables }: Handle, mirrored: Mirrored): Column[] => {
  const all: Record<string, Column> = getTableColumns(mirroredTable(tables, mirrored))
  return mirrored.key.flatMap((name) => all[name] ?? [])
}

function hasKey(handle: Handle, mirrored: Mirrored, keys: readonly RowKey[]): SQL | undefined {
  const columns = keyOf(handle, mirrored)
  const [only, second] = columns
  if (only && !second)
    return inArray(
      only,
      keys.map(([value]) => value),
    )
  return or(...keys.map((key) => and(...columns.map((column, index) => eq(column, key[index])))))
}

/** Columns of a key are compared one after the other. */
function isAfter(handle: Handle, mirrored: Mirrored, after: RowKey): SQL | undefined {
  const columns = keyOf(handle, mirrored)
  return or(
    ...columns.map((column, at) =>
      and(...columns.slice(0, at).map((before, index) => eq(before, after[index])), gt(column, after[at])),
    ),
  )
}
