import { sql } from 'drizzle-orm'
import type { Handle } from './handle'
import { madeOnce, prepared } from './prepared'

/** Numbers of rows for which a statement is kept; the last ones of a list are written by the smaller ones. */
const SIZES = [128, 64, 32, 16, 8, 4, 2, 1]
/** From this number of rows on it is worth to look for columns that are the same in all of them. */
const COMPARED_FROM = 16

interface Execution<Result> {
  execute(values: Record<string, unknown>): Promise<Result>
  /** Faster; where the database is a local file. */
  executeRows?(rows: readonly object[]): Promise<Result>
}

/** How rows of one kind are inserted. */
export interface ManyInsert<Row, Result> {
  /** Unique in the whole product. */
  name: string
  /**
   * Columns whose null must be part of the statement: given as a value, null in a JSON column would become the JSON text
   * `null`. So are those that are absent in some rows.
   */
  jsonColumns?: readonly (keyof Row & string)[]
  build(handle: Handle, values: Row[]): Execution<Result>
}

/**
 * Inserts many rows with few statements, each of which is built once. All rows have the same members. Returns the
 * results of the statements.
 */
export async function insertMany<Row extends object, Result>(
  handle: Handle,
  rows: readonly Row[],
  insert: ManyInsert<Row, Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [nulls, group] of groupByNulls(rows, insert.jsonColumns ?? []))
    for (let start = 0; start < group.length; ) {
      const size = SIZES.find((one) => one <= group.length - start) ?? 1
      results.push(await insertSome(handle, group.slice(start, start + size), nulls, insert))
      start += size
    }
  return results
}

/** How the rows of one thing are inserted. */
export interface TogetherInsert<Row> {
  /** Unique in the whole product, and for the columns. */
  name: string
  /** The columns of each row whose values are bound. None of them is JSON. */
  columns(): readonly (readonly (keyof Row & string)[])[]
  /** Those of them that have one value in all rows. It is bound once. */
  shared(): ReadonlySet<string>
  build(handle: Handle, values: Row[]): Execution<unknown>
}

/** Inserts rows with one statement, which is built once for each number of rows. */
export async function insertTogether<Row extends object>(
  handle: Handle,
  rows: readonly Row[],
  { name, columns, shared, build }: TogetherInsert<Row>,
): Promise<void> {
  const query = prepared(handle, `${name} ${rows.length}`, (one) => {
    const [all, common] = [columns(), shared()]
    const placed = rows.map((row, index) => {
      const bound = Object.fromEntries((all[index] ?? []).map((column) => [column, row[column]])) as Row
      return toPlaceholders(bound, index, NONE, (column) => common.has(column))
    })
    return build(one, placed)
  })
  if (query.executeRows) return void (await query.executeRows(rows))
  const common = shared()
  await query.execute(togetherParams(rows, columns(), (column) => common.has(column)))
}

const NONE: ReadonlySet<string> = new Set()

function groupByNulls<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]) {
  if (columns.length === 0) return rows.length === 0 ? [] : [['', rows] as const]
  return Map.groupBy(rows, (row) => columns.filter((column) => row[column] === null).join())
}

function insertSome<Row extends object, Result>(
  handle: Handle,
  rows: readonly Row[],
  nulls: string,
  { name, build }: ManyInsert<Row, Result>,
): Promise<Result> {
  const isNull = new Set(nulls.split(','))
  const unlike = madeOnce(handle, `${name} unlike ${nulls}`, () => new Unlike())
  const isCompared = rows.length >= COMPARED_FROM
  if (isCompared) unlike.add(rows)
  const isShared = (column: string): boolean => isCompared && !unlike.columns.has(column)
  const query = prepared(handle, `${name} ${rows.length} ${nulls} ${isCompared ? unlike.names : ''}`, (one) =>
    build(
      one,
      rows.map((row, index) => toPlaceholders(row, index, isNull, isShared)),
    ),
  )
  return query.executeRows ? query.executeRows(rows) : query.execute(paramsOf(rows, isNull, isShared))
}

/**
 * Columns in which some rows of one statement differed. Of the other columns a statement has one value for all its rows,
 * because binding a value takes longer than storing it. A column that differed once counts as one that differs, so that
 * there are few statements.
 */
class Unlike {
  readonly columns = new Set<string>()
  names = ''

  add(rows: readonly object[]): void {
    const [first, ...others] = rows as readonly Record<string, unknown>[]
    const before = this.columns.size
    for (const column in first)
      if (!this.columns.has(column) && isUnlike(first, others, column)) this.columns.add(column)
    if (this.columns.size > before) this.names = [...this.columns].sort().join()
  }
}

function isUnlike(first: Record<string, unknown>, others: readonly Record<string, unknown>[], column: string): boolean {
  const value = first[column]
  for (const row of others) if (row[column] !== value) return true
  return false
}

function paramsOf<Row extends object>(
  rows: readonly Row[],
  isNull: ReadonlySet<string>,
  isShared: (column: string) => boolean,
): Record<string, unknown> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !isNull.has(column))
  return togetherParams(
    rows,
    rows.map(() => columns),
    isShared,
  )
}

function togetherParams(
  rows: readonly object[],
  columns: readonly (readonly string[])[],
  isShared: (column: string) => boolean,
): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as Record<string, unknown>
    for (const column of columns[index] ?? [])
      if (index === 0 || !isShared(column)) params[column + index] = row[column]
  }
  return params
}

function toPlaceholders<Row extends object>(
  row: Row,
  index: number,
  isNull: ReadonlySet<string>,
  isShared: (column: string) => boolean,
): Row {
  const members = Object.keys(row).map((column): [string, unknown] => [
    column,
    isNull.has(column) ? sql`null` : sql.placeholder(column + (isShared(column) ? 0 : index)),
  ])
  // Drizzle accepts a placeholder wherever it accepts a value.
  return Object.fromEntries(members) as Row
}
