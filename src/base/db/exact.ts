import { type Column, type GetColumnData, type SQL, sql } from 'drizzle-orm'
import { parseExact } from '../lib/int64'

/** A stored 64-bit integer. Throws for a number that the driver may have rounded: then the query lacks `exactly`. */
export function fromStored(value: unknown): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('a 64-bit integer was read as a number')
  return BigInt(value as number | string | bigint)
}

/** A 64-bit column for a select. It is read as text, because the SQLite driver would round it to a number. */
export const exactly = <Of extends Column>(column: Of): SQL<GetColumnData<Of>> =>
  sql<GetColumnData<Of>>`cast(${column} as text)`.mapWith(fromStored)

/** A JSON column for a select, with the digits of integers beyond ±(2^53−1) kept as `RawJson`. */
export const exactJson = <Of extends Column>(column: Of): SQL<GetColumnData<Of>> =>
  sql<GetColumnData<Of>>`cast(${column} as text)`.mapWith(parseExact)
