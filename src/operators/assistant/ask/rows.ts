import { table } from '../../../base/cli/table'
import { isObject } from '../../../base/lib/json-schema'

const MOST_ROWS = 20
const MOST_COLUMNS = 6
const MOST_CHARACTERS = 40

/** The rows of an answer as a table: of a list, or of a query. Null for what has none. */
export function rowsTable(answer: unknown): string | null {
  if (!isObject(answer)) return null
  const { items, rows, columns } = answer
  const [head, lines] = Array.isArray(items) ? ofItems(items) : ofRows(columns, rows)
  if (head.length === 0 || lines.length === 0) return null
  const shown = table([head, ...lines.slice(0, MOST_ROWS)])
  return lines.length > MOST_ROWS ? `${shown}\nand ${lines.length - MOST_ROWS} more` : shown
}

type Table = [head: string[], lines: string[][]]

function ofItems(items: readonly unknown[]): Table {
  const objects = items.filter(isObject)
  const names = Object.keys(objects[0] ?? {})
  const head = names.filter((name) => objects.some((one) => isCell(one[name]))).slice(0, MOST_COLUMNS)
  return [head, objects.map((one) => head.map((name) => cellOf(one[name])))]
}

function ofRows(columns: unknown, rows: unknown): Table {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return [[], []]
  const lines = rows.filter((row) => Array.isArray(row)).map((row: unknown[]) => row.map(cellOf))
  return [columns.map((column) => (isObject(column) ? cellOf(column.name) : cellOf(column))), lines]
}

const isCell = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** A line break in a value would break its row. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const line = text.replace(/\s+/g, ' ')
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line
}
