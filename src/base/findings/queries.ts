import { gte } from 'drizzle-orm'
import type { Handle } from '../db/handle'

export type FindingRow = Handle['tables']['serverFindings']['$inferSelect']

export async function saveFinding(
  { db, tables: { serverFindings: f } }: Pick<Handle, 'db' | 'tables'>,
  row: FindingRow,
) {
  const { facts, foundAt } = row
  await db.insert(f).values(row).onConflictDoUpdate({ target: f.name, set: { facts, foundAt } })
}

export const listFindings = ({ db, tables: { serverFindings: f } }: Handle, since: number): Promise<FindingRow[]> =>
  db.select().from(f).where(gte(f.foundAt, since)).orderBy(f.name)
