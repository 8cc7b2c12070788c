import { min, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context, Tx } from '../context'
import type { Handle } from '../db/handle'
import type { Tables } from '../db/tables'

/** Rows that are deleted at an age. */
export interface RetentionRule {
  /** The name of the rows: `webhook deliveries`. */
  name: string
  /** The tables whose rows it deletes. None = it deletes files. */
  tables: readonly (keyof Tables)[]
  /** How long it is kept, after it was made, or after it ended or expired. */
  keptMs: number
  /** Where another age is set. */
  setting?: string
  /** Deletes rows that are too old, in transactions of bounded size. Stops early when the process stops. */
  sweep(ctx: Context, isStopping: () => boolean): Promise<unknown>
  /** The oldest of what may be deleted, with the age at which it is. More than one where the ages differ. */
  oldest?(handle: Handle): Promise<readonly Oldest[]>
}

export interface Oldest {
  at: number
  keptMs: number
}

declare module '../state' {
  interface SliceHooks {
    /** What the slice keeps for a limited time. One hourly sweep follows these rules, and `svc doctor` shows them. */
    retention: readonly RetentionRule[]
  }
}

const BATCH = 500

/** Deletes page after page, each in a transaction of its own; returns how many rows. */
export async function deleteInBatches(
  ctx: Context,
  isStopping: () => boolean,
  deletePage: (tx: Tx, limit: number) => Promise<number>,
): Promise<number> {
  let deleted = 0
  for (let found = BATCH; found === BATCH && !isStopping(); deleted += found)
    found = await ctx.write((tx) => deletePage(tx, BATCH))
  return deleted
}

/** The least instant in a column of the rows that a condition is true for. */
export async function oldestOf(
  { db }: Handle,
  table: SQLiteTable,
  column: SQLiteColumn,
  keptMs: number,
  where?: SQL,
): Promise<Oldest[]> {
  const [row] = await db
    .select({ at: min(column) })
    .from(table)
    .where(where)
  return row?.at == null ? [] : [{ at: Number(row.at), keptMs }]
}
