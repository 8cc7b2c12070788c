import {
  bigint,
  bigserial,
  boolean,
  customType,
  doublePrecision,
  index as pgIndex,
  primaryKey as pgPrimaryKey,
  pgTable,
  text as pgText,
  uniqueIndex as pgUniqueIndex,
} from 'drizzle-orm/pg-core'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * The column vocabulary of both dialects. A slice's `tables.ts` is a function of a kit, so each table is written
 * once. Instants and amounts are 64-bit integers; `json` is `jsonb` on Postgres and text on SQLite.
 */
export const sqliteKit = {
  table: sqliteTable,
  index,
  unique: uniqueIndex,
  primaryKey,
  str: () => text(),
  int: () => integer({ mode: 'number' }),
  bool: () => integer({ mode: 'boolean' }),
  num: () => real(),
  json: <Value>() => text({ mode: 'json' }).$type<Value>(),
  /** A key that the database numbers upwards. */
  serial: () => integer({ mode: 'number' }).primaryKey({ autoIncrement: true }),
}

export type Kit = typeof sqliteKit

/** The driver parses JSON; drizzle's own column parses texts once more, so that `"1.0"` would come back as 1. */
const driverJson = customType<{ data: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
})

// The one cast between the dialects: application code is typed against the SQLite flavour (DESIGN section 6).
export const postgresKit = {
  table: pgTable,
  index: pgIndex,
  unique: pgUniqueIndex,
  primaryKey: pgPrimaryKey,
  str: () => pgText(),
  int: () => bigint({ mode: 'number' }),
  bool: () => boolean(),
  num: () => doublePrecision(),
  json: <Value>() => driverJson().$type<Value>(),
  serial: () => bigserial({ mode: 'number' }).primaryKey(),
} as unknown as Kit
