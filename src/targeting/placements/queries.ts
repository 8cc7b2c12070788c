import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { type Readable, readEach } from '../../base/db/readable'

export type PlacementTableRow = Handle['tables']['placements']['$inferSelect']

/** A project's placements, by identifier. */
export async function listPlacements({ db, tables }: Handle, projectId: string): Promise<PlacementTableRow[]> {
  const { placements: p } = tables
  return db.select().from(p).where(eq(p.projectId, projectId)).orderBy(p.identifier)
}

export async function findPlacement(
  { db, tables }: Handle,
  projectId: string,
  id: string,
): Promise<PlacementTableRow | null> {
  const { placements: p } = tables
  const [row] = await db
    .select()
    .from(p)
    .where(and(eq(p.projectId, projectId), eq(p.id, id)))
  return row ?? null
}

/** As `listPlacements`; a row that cannot be read does not fail the others. */
export async function readPlacements({ db, tables }: Handle, projectId: string): Promise<Readable<PlacementTableRow>> {
  const { placements: p } = tables
  const isOfProject = eq(p.projectId, projectId)
  return readEach(
    (which) => db.select().from(p).where(and(isOfProject, which)),
    () => db.select({ id: p.id }).from(p).where(isOfProject),
    (id) => eq(p.id, id),
  )
}

/**
 * Gives the rows that are about to change a temporary identifier, so that they can exchange identifiers in one
 * transaction.
 */
export async function releasePlacements({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { placements: p } = tables
  await db
    .update(p)
    .set({ identifier: sql`'~' || ${p.id}` })
    .where(inArray(p.id, [...ids]))
}

export async function insertPlacements({ db, tables }: Handle, rows: PlacementTableRow[]): Promise<void> {
  await db.insert(tables.placements).values(rows)
}

export async function updatePlacement(
  { db, tables }: Handle,
  id: string,
  change: Partial<PlacementTableRow>,
): Promise<void> {
  await db.update(tables.placements).set(change).where(eq(tables.placements.id, id))
}

export async function deletePlacements({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.placements).where(inArray(tables.placements.id, [...ids]))
}

/** What a search reads of a placement. */
export async function listPlacementNames({ db, tables }: Handle, projectId: string) {
  const { placements: p } = tables
  return db.select({ id: p.id, identifier: p.identifier, name: p.name }).from(p).where(eq(p.projectId, projectId))
}

/** By its id or its identifier. */
export async function hasPlacement({ db, tables }: Handle, projectId: string, ref: string): Promise<boolean> {
  const { placements: p } = tables
  const isIt = and(eq(p.projectId, projectId), or(eq(p.id, ref), eq(p.identifier, ref)))
  return (await db.select({ id: p.id }).from(p).where(isIt).limit(1)).length > 0
}
