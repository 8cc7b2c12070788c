import { and, asc, type Column, eq, getTableColumns, gt, inArray, is, or, type SQL, sql } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { columnsOf, type Mirrored, mirroredTable } from './mirror'

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

/** Moves the place up to which a table is copied, unless copying it has started again. */
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

/** Starts a batch: the next version, or null while another process has one under way. */
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

/** Ends a batch. False when another process has started one since. */
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

export async function noteErasure({ db, tables, clock }: Tx): Promise<Record<string, never>> {
  const { analyticsState: s } = tables
  await db.update(s).set({ erasedAt: clock.now() }).where(eq(s.id, STATE_ID))
  return {} // The copies are counted where the rows themselves are.
}

/** Unless another person was erased meanwhile. */
export async function clearErasure({ db, tables }: Tx, erasedAt: number): Promise<void> {
  const { analyticsState: s } = tables
  await db
    .update(s)
    .set({ erasedAt: null })
    .where(and(eq(s.id, STATE_ID), eq(s.erasedAt, erasedAt)))
}

/** A row of a mirrored table: its key, and the values of the columns that are copied. Both are lists in JSON. */
export interface Copy {
  key: string
  row: string
}

/** The rows with these keys. */
export function listRows(handle: Handle, mirrored: Mirrored, keys: readonly RowKey[]): Promise<Copy[]> {
  return readRows(handle, mirrored, keys.length, hasKey(handle, mirrored, keys))
}

/** The rows after a key, in the order of the key. */
export function listAfter(handle: Handle, mirrored: Mirrored, after: RowKey | null, limit: number): Promise<Copy[]> {
  return readRows(handle, mirrored, limit, after ? isAfter(handle, mirrored, after) : undefined)
}

/**
 * The database itself writes the JSON: that is several times faster than reading the values here and writing them again,
 * and no integer is rounded.
 */
function readRows(handle: Handle, mirrored: Mirrored, limit: number, where: SQL | undefined): Promise<Copy[]> {
  const key = keyOf(handle, mirrored)
  const columns = Object.values(columnsOf(handle.tables, mirrored))
  return handle.db
    .select({ key: listOf(key), row: listOf(columns) })
    .from(mirroredTable(handle.tables, mirrored) as SQLiteTable)
    .where(where)
    .orderBy(...key.map((column) => asc(column)))
    .limit(limit)
}

function listOf(columns: readonly Column[]): SQL<string> {
  const values = sql.join(columns.map(copiedValue), sql`, `)
  return columns.some((column) => is(column, PgColumn))
    ? sql<string>`cast(json_build_array(${values}) as text)`
    : sql<string>`json_array(${values})`
}

/** JSON is copied as a text, and so it is a text within the list. */
const copiedValue = (column: Column): SQL =>
  column.getSQLType() === 'jsonb' ? sql`cast(${column} as text)` : sql`${column}`

const keyOf = ({ tables }: Handle, mirrored: Mirrored): Column[] => {
  const all: Record<string, Column> = getTableColumns(mirroredTable(tables, mirrored))
  return mirrored.key.flatMap((name) => all[name] ?? [])
}

function hasKey(handle: Handle, mirrored: Mirrored, keys: readonly RowKey[]): SQL {
  const columns = keyOf(handle, mirrored)
  const [only, second] = columns
  if (only && !second)
    return inArray(
      only,
      keys.map(([value]) => value),
    )
  return sql`${together(columns)} in (values ${sql.join(keys.map(together), sql`, `)})`
}

/** Columns of a key are compared one after the other. */
function isAfter(handle: Handle, mirrored: Mirrored, after: RowKey): SQL {
  const columns = keyOf(handle, mirrored)
  const [only, second] = columns
  return only && !second ? gt(only, after[0]) : sql`${together(columns)} > ${together(after)}`
}

const together = (values: readonly (Column | string | number)[]): SQL =>
  sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`
