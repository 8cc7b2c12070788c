import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { ContextGroups } from './context-groups'

const NAMES = ['offering', 'placement', 'variant'] as const satisfies readonly (keyof ContextGroups)[]

/** A group that some entry of a project is in. */
export interface GroupValue {
  name: (typeof NAMES)[number]
  value: string
}

/** Every offering, placement and variant that entries of a project name. Reads many rows. */
export async function listGroupValues(handle: Handle, projectId: string): Promise<GroupValue[]> {
  const { figureEntries: f } = handle.tables
  const found: GroupValue[] = []
  for (const name of NAMES) {
    const isNamed = and(eq(f.projectId, projectId), isNotNull(f[name]))
    const rows = await handle.db.selectDistinct({ value: f[name] }).from(f).where(isNamed)
    found.push(...rows.flatMap(({ value }) => (value === null ? [] : [{ name, value }])))
  }
  return found
}

/** Takes some entries out of a group; false when none was left. */
export async function clearGroup(
  { db, tables: { figureEntries: f } }: Handle,
  projectId: string,
  { name, value }: GroupValue,
  limit: number,
): Promise<boolean> {
  const isIn = and(eq(f.projectId, projectId), eq(f[name], value))
  const rows = await db.select({ position: f.position }).from(f).where(isIn).limit(limit)
  if (rows.length === 0) return false
  const positions = rows.map(({ position }) => position)
  await db
    .update(f)
    .set({ [name]: null })
    .where(inArray(f.position, positions))
  return true
}

/** The sums of a project are made again from its entries, and the answers that were kept are forgotten. */
export async function forgetSums({ db, tables }: Handle, projectId: string): Promise<void> {
  const { figureRolls: r, figureAnswers: a } = tables
  await db.update(r).set({ basis: '' }).where(eq(r.scope, projectId))
  await db.delete(a).where(eq(a.projectId, projectId))
}
