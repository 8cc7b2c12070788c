import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { ContextGroups } from './context-groups'
import type { PersonGroups } from './person-groups'

export type Name = keyof ContextGroups | keyof PersonGroups

export const NAMES: readonly Name[] = ['country', 'platform', 'offering', 'placement', 'variant']

/** A group that some entry of a project about a store is in. */
export interface GroupValue {
  name: Name
  value: string
  store: Store
}

/** Every group by what devices can name that entries of a project are in. Reads many rows. */
export async function listGroupValues(handle: Handle, projectId: string): Promise<GroupValue[]> {
  const { figureEntries: f } = handle.tables
  const found: GroupValue[] = []
  for (const name of NAMES) {
    const isNamed = and(eq(f.projectId, projectId), isNotNull(f[name]))
    const rows = await handle.db.selectDistinct({ value: f[name], store: f.store }).from(f).where(isNamed)
    found.push(...rows.flatMap(({ value, store }) => (value === null ? [] : [{ name, value, store }])))
  }
  return found
}

/** What an entry is grouped by. */
export interface GroupRow extends Record<Name, string | null> {
  position: number
  at: number
  store: Store
}

/** Entries of a project in the order of one index, after the given one. */
export async function pageGroupRows(
  { db, tables: { figureEntries: f } }: Handle,
  projectId: string,
  environment: PurchaseEnvironment,
  after: Pick<GroupRow, 'at' | 'position'>,
  limit: number,
): Promise<GroupRow[]> {
  const { position, at, store, country, platform, offering, placement, variant } = f
  const isOwn = and(eq(f.projectId, projectId), eq(f.environment, environment))
  return db
    .select({ position, at, store, country, platform, offering, placement, variant })
    .from(f)
    .where(and(isOwn, sql`(${at}, ${position}) > (${after.at}, ${after.position})`))
    .orderBy(at, position)
    .limit(limit)
}

/** Moves entries to other groups; null = to none. */
export async function moveEntries(
  { db, tables: { figureEntries: f } }: Handle,
  positions: readonly number[],
  groups: Partial<Record<Name, string | null>>,
): Promise<void> {
  for (let first = 0; first < positions.length; first += SOME)
    await db
      .update(f)
      .set(groups)
      .where(inArray(f.position, positions.slice(first, first + SOME)))
}

/** Rows of one statement. */
const SOME = 500

/** The sums of a project are made again from its entries, and the answers that were kept are forgotten. */
export async function forgetSums({ db, tables }: Handle, projectId: string): Promise<void> {
  const { figureRolls: r, figureAnswers: a } = tables
  await db.update(r).set({ basis: '' }).where(eq(r.scope, projectId))
  await db.delete(a).where(eq(a.projectId, projectId))
}
