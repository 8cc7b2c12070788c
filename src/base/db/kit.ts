import {
  bigint,
  bigserial,
  boolean,
  doublePrecision,
  customType as pgCustomType,
  index as pgIndex,
  primaryKey as pgPrimaryKey,
  pgTable,
  text as pgText,
  uniqueIndex as pgUniqueIndex,
} from 'drizzle-orm/pg-core'
import { customType, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { fromStored } from './exact'

const exactInteger = customType<{ data: bigint }>({ dataType: () => 'integer', fromDriver: fromStored })
const pgExactInteger = pgCustomType<{ data: bigint }>({ dataType: () => 'bigint', fromDriver: fromStored })
const pgOrderedText = pgCustomType<{ data: string }>({ dataType: () => 'text collate "C"' })

/**
 * The column types of both dialects. The `tables.ts` of a slice is a function of a kit, so each table is written once.
 * Instants and money are integers that a number holds exactly; `json` is `jsonb` on Postgres and text on SQLite.
 */
export const sqliteKit = {
  table: sqliteTable,
  index,
  unique: uniqueIndex,
  primaryKey,
  str: () => text(),
  /** Text that both databases order byte by byte, so that all values with a prefix are one range of an index. */
  ordered: () => text(),
  int: () => integer({ mode: 'number' }),
  /** A 64-bit integer: every one is exact. Select it through `exactly`, because the SQLite driver reads numbers. */
  int64: () => exactInteger(),
  bool: () => integer({ mode: 'boolean' }),
  num: () => real(),
  json: <Value>() => text({ mode: 'json' }).$type<Value>(),
  /** A key that the database counts upwards. */
  serial: () => integer({ mode: 'number' }).primaryKey({ autoIncrement: true }),
}

export type Kit = typeof sqliteKit

/**
 * The driver already parses JSON. Drizzle's own column type would parse a text a second time, so that the text `"1.0"`
 * would be read as the number 1.
 */
const driverJson = pgCustomType<{ data: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
})

// The only cast between the dialects: application code is typed for SQLite (DESIGN section 6).
export const postgresKit = {
  table: pgTable,
  index: pgIndex,
  unique: pgUniqueIndex,
  primaryKey: pgPrimaryKey,
  str: () => pgText(),
  ordered: () => pgOrderedText(),
  int: () => bigint({ mode: 'number' }),
  int64: () => pgExactInteger(),
  bool: () => boolean(),
  num: () => doublePrecision(),
  json: <Value>() => driverJson().$type<Value>(),
  serial: () => bigserial({ mode: 'number' }).primaryKey(),
} as unknown as Kit
