import type { Fault } from '../../core/text/fault'
import type { ColumnSet, ExportContent, ExportFormat, ExportTable } from './model'
import { tablesOf } from './readers/readers'

interface GivenContent {
  tables?: readonly ExportTable[] | undefined
  format?: ExportFormat | undefined
  columns?: ColumnSet | undefined
}

/** What is exported when nothing else is said: every table of the column set, as CSV in our columns. */
export function contentOf({ tables, format = 'csv', columns = 'svc' }: GivenContent): ExportContent {
  const known = tablesOf(columns)
  // In the order in which the column set names them, each once.
  const wanted = tables === undefined ? known : known.filter((table) => tables.includes(table))
  return { tables: wanted, format, columns }
}

/** What is wrong with the wanted tables. */
export function contentFaults({ tables, columns = 'svc' }: GivenContent): Fault[] {
  if (tables === undefined) return []
  if (tables.length === 0) return [{ path: 'tables', message: 'tables must name at least one table' }]
  const strange = tables.find((table) => !tablesOf(columns).includes(table))
  if (strange === undefined) return []
  const message = `tables must be of the column set ${columns}, which has ${tablesOf(columns).join(', ')} and not ${strange}`
  return [{ path: 'tables', message }]
}
