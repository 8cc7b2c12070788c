import { and, asc, eq, gt, inArray, max, ne, or, sql } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import { VALUE_NAMES } from '../model'
import type { RollGroup, RollSum } from './batch'

export type RollRow = Handle['tables']['figureRolls']['$inferSelect']

/** Scope of the row for everything. */
export const EVERYTHING = ''

/** The row for everything and those of the projects. */
export const listRolls = ({ db, tables: { figureRolls: r } }: Handle, projectIds: string[]): Promise<RollRow[]> =>
  db
    .select()
    .from(r)
    .where(inArray(r.scope, [EVERYTHING, ...projectIds]))

/** Projects of which sums are kept, in the order of their ids. */
export async function listRolledProjects({ db, tables: { figureRolls: r } }: Handle): Promise<string[]> {
  const rows = await db.select({ scope: r.scope }).from(r).where(ne(r.scope, EVERYTHING)).orderBy(asc(r.scope))
  return rows.map(({ scope }) => scope)
}

export async function lastPosition({ db, tables: { figureEntries: f } }: Handle): Promise<number> {
  const [row] = await db.select({ position: max(f.position) }).from(f)
  return Number(row?.position ?? 0)
}

/** Takes the next turn; false when another process took it. */
export async function takeTurn({ db, tables: { figureRolls: r } }: Handle, seen: RollRow | null): Promise<boolean> {
  const first = { scope: EVERYTHING, rolledUntil: 0, turn: 1, timezone: '', basis: '' }
  const taken = seen
    ? await db
        .update(r)
        .set({ turn: seen.turn + 1 })
        .where(and(eq(r.scope, EVERYTHING), eq(r.turn, seen.turn)))
        .returning()
    : await db.insert(r).values(first).onConflictDoNothing().returning()
  return taken.length > 0
}

export async function setRolledUntil(
  { db, tables: { figureRolls: r } }: Handle,
  scope: string,
  rolledUntil: number | null,
): Promise<void> {
  await db.update(r).set({ rolledUntil }).where(eq(r.scope, scope))
}

export async function saveProjectRolls({ db, tables: { figureRolls: r } }: Handle, rows: RollRow[]): Promise<void> {
  for (const row of rows) await db.insert(r).values(row).onConflictDoUpdate({ target: r.scope, set: row })
}

/** Adds sums to those that are kept. */
export async function addSums(handle: Handle, sums: readonly RollSum[]): Promise<void> {
  const ids = await ensureGroups(handle, sums)
  for (let first = 0; first < sums.length; first += ROWS)
    await addSome(handle, sums.slice(first, first + ROWS), (group) => ids.get(nameOf(group)) ?? 0)
}

/** Sums in one statement. */
const ROWS = 250

async function addSome(
  { db, tables: { figureSums: s } }: Handle,
  sums: readonly RollSum[],
  idOf: (group: RollGroup) => number,
): Promise<void> {
  // Only whole numbers and the kinds of the product: as text they take a tenth of the time that parameters take.
  const rows = sums.map(({ group, level, start, kind, values }) => [idOf(group), level, start, `'${kind}'`, ...values])
  const amounts = VALUE_NAMES.map((name) => [name, sql`${s[name]} + ${sql.raw(`excluded.${snake(name)}`)}`])
  await db
    .insert(s)
    .select(sql.raw(`values ${rows.map((row) => `(${row.join()})`).join()}`))
    .onConflictDoUpdate({ target: [s.groupId, s.level, s.start, s.kind], set: Object.fromEntries(amounts) })
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const nameOf = ({ projectId, key }: Pick<RollGroup, 'projectId' | 'key'>): string => `${projectId} ${key}`

/** The ids of the groups by name. Those that are missing are created. */
async function ensureGroups(handle: Handle, sums: readonly RollSum[]): Promise<Map<string, number>> {
  const groups = [...new Map(sums.map(({ group }) => [nameOf(group), group])).values()]
  const known = await findGroups(handle, groups)
  const missing = groups.filter((group) => !known.has(nameOf(group)))
  for (let first = 0; first < missing.length; first += ROWS) {
    const { db, tables } = handle
    const rows = missing.slice(first, first + ROWS).map(({ values, ...group }) => ({ ...group, ...values }))
    const { figureGroups: g } = tables
    const made = await db.insert(g).values(rows).returning({ id: g.id, projectId: g.projectId, key: g.key })
    for (const one of made) known.set(nameOf(one), one.id)
  }
  return known
}

async function findGroups(handle: Handle, groups: readonly RollGroup[]): Promise<Map<string, number>> {
  const { db, tables } = handle
  const { figureGroups: g } = tables
  const found = new Map<string, number>()
  for (const [projectId, own] of Map.groupBy(groups, (group) => group.projectId))
    for (let first = 0; first < own.length; first += ROWS) {
      const keys = own.slice(first, first + ROWS).map(({ key }) => key)
      const rows = await db
        .select({ id: g.id, key: g.key })
        .from(g)
        .where(and(eq(g.projectId, projectId), inArray(g.key, keys)))
      for (const { id, key } of rows) found.set(nameOf({ projectId, key }), id)
    }
  return found
}

/** Projects whose sums depend on something that is no longer so. */
export const listStale = (
  { db, tables: { figureRolls: r, projects: p } }: Handle,
  basis: string,
): Promise<{ scope: string; timezone: string }[]> =>
  db
    .select({ scope: r.scope, timezone: p.timezone })
    .from(r)
    .innerJoin(p, eq(p.id, r.scope))
    .where(or(ne(r.timezone, p.timezone), ne(r.basis, basis)))

export const findUnfinished = async ({ db, tables: { figureRolls: r } }: Handle): Promise<RollRow | null> => {
  const [row] = await db
    .select()
    .from(r)
    .where(and(ne(r.scope, EVERYTHING), gt(r.rolledUntil, -1)))
    .limit(1)
  return row ?? null
}

/** The sums of a project count no longer. They are deleted little by little. */
export async function abandonSums({ db, tables: { figureGroups: g } }: Handle, projectId: string): Promise<void> {
  await db
    .update(g)
    .set({ projectId: '', key: sql`cast(${g.id} as text)` })
    .where(eq(g.projectId, projectId))
}

export const hasAbandoned = async ({ db, tables: { figureGroups: g } }: Handle): Promise<boolean> =>
  (await db.select({ id: g.id }).from(g).where(eq(g.projectId, '')).limit(1)).length > 0

/** Deletes the sums of one group that counts no longer; false when there is none. */
export async function deleteAbandoned({ db, tables }: Handle): Promise<boolean> {
  const { figureGroups: g, figureSums: s } = tables
  const [group] = await db.select({ id: g.id }).from(g).where(eq(g.projectId, '')).limit(1)
  if (!group) return false
  await db.delete(s).where(eq(s.groupId, group.id))
  await db.delete(g).where(eq(g.id, group.id))
  return true
}
