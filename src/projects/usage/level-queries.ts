import { and, between, desc, eq, lte } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type LevelRow = Handle['tables']['usageLevels']['$inferSelect']

/** The project of what the whole deployment has. */
export const DEPLOYMENT = ''
/** The free bytes of the disk with the database. */
export const FREE_BYTES = 'freeBytes'

export async function saveLevel({ db, tables: { usageLevels: l } }: Handle, row: LevelRow): Promise<void> {
  const target = [l.projectId, l.name, l.day]
  await db
    .insert(l)
    .values(row)
    .onConflictDoUpdate({ target, set: { value: row.value } })
}

/** The levels of each name, by day. */
export async function listLevels(
  { db, tables: { usageLevels: l } }: Handle,
  projectId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<Map<string, Map<number, number>>> {
  const rows = await db
    .select({ name: l.name, day: l.day, value: l.value })
    .from(l)
    .where(and(eq(l.projectId, projectId), between(l.day, first, last)))
    .orderBy(l.day)
  const groups = Map.groupBy(rows, ({ name }) => name)
  return new Map([...groups].map(([name, some]) => [name, new Map(some.map(({ day, value }) => [day, value]))]))
}

/** The last level up to the end of a day; null when none was saved. */
export async function findLevel(
  { db, tables: { usageLevels: l } }: Handle,
  { projectId, name, day }: Omit<LevelRow, 'value'>,
): Promise<number | null> {
  const isBefore = and(eq(l.projectId, projectId), eq(l.name, name), lte(l.day, day))
  const [row] = await db.select({ value: l.value }).from(l).where(isBefore).orderBy(desc(l.day)).limit(1)
  return row?.value ?? null
}
