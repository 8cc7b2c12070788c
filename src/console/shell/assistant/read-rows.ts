/** What a call read, as a table; null when it is no list. */
export interface ReadRows {
  columns: readonly string[]
  rows: readonly (readonly unknown[])[]
}

const MOST_COLUMNS = 4

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const isCell = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** The items of a list, the rows of a query, or else the members of one object. */
export function rowsIn(answer: unknown): ReadRows | null {
  if (!isObject(answer)) return null
  const { items, rows, columns } = answer
  if (Array.isArray(items)) return ofItems(items.filter(isObject))
  if (Array.isArray(rows) && Array.isArray(columns))
    return {
      columns: columns.map((column) => String(isObject(column) ? column.name : column)),
      rows: rows.filter((row): row is unknown[] => Array.isArray(row)),
    }
  return null
}

function ofItems(items: readonly Json[]): ReadRows {
  const names = Object.keys(items[0] ?? {})
  const columns = names.filter((name) => items.some((one) => isCell(one[name]))).slice(0, MOST_COLUMNS)
  return { columns, rows: items.map((one) => columns.map((name) => one[name])) }
}

/** The members of an object that is no list. */
export const factsIn = (answer: unknown): readonly (readonly [name: string, value: unknown])[] =>
  isObject(answer) ? Object.entries(answer).filter(([, value]) => isCell(value)) : []
