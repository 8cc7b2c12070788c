import { and, count, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import type { FlagEnvironment } from '../../core/flag/names'

export type FlagTableRow = Handle['tables']['flags']['$inferSelect']

/** A project's flags of all environments, by key. */
export async function listFlags({ db, tables }: Handle, projectId: string): Promise<FlagTableRow[]> {
  const { flags: f } = tables
  return db.select().from(f).where(eq(f.projectId, projectId)).orderBy(f.key, f.env)
}

export interface FlagPage extends Page {
  /** Absent = of every environment. */
  env?: FlagEnvironment | undefined
  /** Absent = of every key. */
  key?: string | undefined
}

export async function pageFlags(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit, env, key }: FlagPage,
): Promise<FlagTableRow[]> {
  const { flags: f } = tables
  const isBefore = beforeId === undefined ? undefined : lt(f.id, beforeId)
  const isIn = env === undefined ? undefined : eq(f.env, env)
  const isOf = key === undefined ? undefined : eq(f.key, key)
  const found = db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), isBefore, isIn, isOf))
  return found.orderBy(desc(f.id)).limit(limit)
}

export async function findFlag({ db, tables }: Handle, projectId: string, id: string): Promise<FlagTableRow | null> {
  const { flags: f } = tables
  const [row] = await db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.id, id)))
  return row ?? null
}

/** The parts of the flags of one environment that count for its size. */
export async function listFlagsIn({ db, tables }: Handle, projectId: string, env: FlagEnvironment) {
  const { flags: f } = tables
  return db
    .select({ id: f.id, defaultValue: f.defaultValue, rules: f.rules })
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.env, env)))
}

/** The flag of one key in each of its environments. */
export async function listFlagsOfKey({ db, tables }: Handle, projectId: string, key: string): Promise<FlagTableRow[]> {
  const { flags: f } = tables
  return db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.key, key)))
}

/** Every key that a flag of the project has. */
export async function listFlagKeys({ db, tables }: Handle, projectId: string): Promise<string[]> {
  const { flags: f } = tables
  const rows = await db.selectDistinct({ key: f.key }).from(f).where(eq(f.projectId, projectId))
  return rows.map(({ key }) => key)
}

export async function countFlags({ db, tables }: Handle, projectId: string, env: FlagEnvironment): Promise<number> {
  const { flags: f } = tables
  const [row] = await db
    .select({ count: count() })
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.env, env)))
  return row?.count ?? 0
}

export async function insertFlags({ db, tables }: Handle, rows: FlagTableRow[]): Promise<void> {
  await db.insert(tables.flags).values(rows)
}

/** Gives the rows that are about to change a temporary key, so that they can exchange keys in one transaction. */
export async function releaseFlags({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { flags: f } = tables
  await db
    .update(f)
    .set({ key: sql`'~' || ${f.id}` })
    .where(inArray(f.id, [...ids]))
}

export async function updateFlag({ db, tables }: Handle, id: string, change: Partial<FlagTableRow>): Promise<void> {
  await db.update(tables.flags).set(change).where(eq(tables.flags.id, id))
}

export async function deleteFlags({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.flags).where(inArray(tables.flags.id, [...ids]))
}

/** What a search reads of a flag. */
export async function listFlagNames({ db, tables }: Handle, projectId: string) {
  const { flags: f } = tables
  return db
    .select({ id: f.id, key: f.key, env: f.env, description: f.description })
    .from(f)
    .where(eq(f.projectId, projectId))
}
