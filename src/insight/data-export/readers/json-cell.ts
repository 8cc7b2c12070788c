import { type Column, type GetColumnData, type SQL, sql } from 'drizzle-orm'
import { parseExact } from '../../../base/lib/int64'

/**
 * A JSON column for a select. Null when the stored text is no JSON: one broken value must not end an export of all
 * others.
 */
export const jsonCell = <Of extends Column>(column: Of): SQL<GetColumnData<Of> | null> =>
  sql<GetColumnData<Of> | null>`cast(${column} as text)`.mapWith(readJson)

function readJson(text: string) {
  try {
    return parseExact(text)
  } catch {
    return null
  }
}
