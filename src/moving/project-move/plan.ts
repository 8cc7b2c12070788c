import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { type Page, quoteName, type RawValue } from '../../base/db/dump'
import type { Tables } from '../../base/db/tables'
import { columnName } from '../../insight/clickhouse/mirror'
import { BELONGINGS, type ProjectRows } from './belongings'

/** A table with rows of projects. */
export interface TablePlan {
  table: string
  rows: ProjectRows
  /** The columns that hold JSON. */
  json: ReadonlySet<string>
}

/** The tables with rows of projects, each after those that its rows belong to. */
export function plansOf(tables: Tables): TablePlan[] {
  return Object.entries(BELONGINGS).flatMap(([member, belonging]) =>
    typeof belonging === 'string' ? [] : [planOf(Reflect.get(tables, member) as Table, belonging)],
  )
}

function planOf(table: Table, rows: ProjectRows): TablePlan {
  const columns = Object.values(getTableColumns(table))
  const json = columns.filter((column) => column.dataType === 'json' || column.getSQLType() === 'jsonb')
  return { table: getTableName(table), rows, json: new Set(json.map(columnName)) }
}

export const isMoved = ({ rows }: TablePlan): boolean => rows.isRebuilt !== true

/** A condition in SQL that is true for the rows of the project. */
export function conditionOf(plans: readonly TablePlan[], { table, rows }: TablePlan, projectId: string): string {
  const id = `'${projectId.replaceAll("'", "''")}'`
  if (rows.where !== undefined) return rows.where.replaceAll('$', () => id)
  if (rows.by !== undefined) return `${quoteName(table)}.${quoteName(rows.by)} = ${id}`
  const { through } = rows
  if (!through) throw new Error(`the rows of ${table} belong to no project`)
  const key = `${quoteName(table)}.${quoteName(through.column)}`
  const conditions = parentsOf(plans, rows).map((parent) => {
    const above = quoteName(parent.table)
    const isTheirs = `${above}.${quoteName(through.parentKey)} = ${key}`
    return `exists (select 1 from ${above} where ${isTheirs} and ${conditionOf(plans, parent, projectId)})`
  })
  return `(${conditions.join(' or ')})`
}

/** The tables to whose rows the rows of a table belong. */
export const parentsOf = (plans: readonly TablePlan[], { through }: ProjectRows): TablePlan[] =>
  plans.filter(({ table }) => table === through?.parent || table === through?.other)

/**
 * The page without the rights that only the command line of its own server could give: they hold on that server alone.
 * Doing it twice changes nothing more, so the digest of a project is the same before and after its move.
 */
export function withoutTrust({ rows: { untrusted } }: TablePlan, page: Page): Page {
  if (untrusted === undefined) return page
  const { columns } = page
  return {
    columns,
    rows: page.rows.map((row) => {
      const changes = untrusted((column) => row[columns.indexOf(column)] ?? null)
      return columns.map((column, index): RawValue => (column in changes ? changes[column] : row[index]) ?? null)
    }),
  }
}
