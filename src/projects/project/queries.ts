import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'

export type ProjectRow = Handle['tables']['projects']['$inferSelect']
export type ApiKeyRow = Handle['tables']['apiKeys']['$inferSelect']

/** The project with this id, or null. Deleted projects are not found. */
export async function findProject(handle: Handle, id: string): Promise<ProjectRow | null> {
  const query = prepared(handle, 'projects.byId', ({ db, tables: { projects: p } }) =>
    db
      .select()
      .from(p)
      .where(and(eq(p.id, sql.placeholder('id')), isNull(p.deletedAt)))
      .prepare(),
  )
  const [row] = await query.execute({ id })
  return row ?? null
}

/** The project with this slug or id, or null. Deleted projects are not found. */
export async function findProjectByRef(handle: Handle, ref: string): Promise<ProjectRow | null> {
  const query = prepared(handle, 'projects.byRef', ({ db, tables: { projects: p } }) => {
    const isRef = or(eq(p.id, sql.placeholder('ref')), eq(p.slug, sql.placeholder('ref')))
    return db
      .select()
      .from(p)
      .where(and(isRef, isNull(p.deletedAt)))
      .prepare()
  })
  const [row] = await query.execute({ ref })
  return row ?? null
}

export async function listProjects({ db, tables }: Handle): Promise<ProjectRow[]> {
  const { projects } = tables
  return db.select().from(projects).where(isNull(projects.deletedAt)).orderBy(projects.id)
}

export async function insertProject({ db, tables }: Handle, row: ProjectRow): Promise<void> {
  await db.insert(tables.projects).values(row)
}

export async function updateProject({ db, tables }: Handle, id: string, change: Partial<ProjectRow>): Promise<void> {
  await db.update(tables.projects).set(change).where(eq(tables.projects.id, id))
}

/** The saved store settings of one section, or null. */
export async function findStoreSettings({ db, tables }: Handle, projectId: string, section: string) {
  const { storeSettings: s } = tables
  const [row] = await db
    .select()
    .from(s)
    .where(and(eq(s.projectId, projectId), eq(s.section, section)))
  return row ?? null
}

/** The payment provider settings of all projects, each with its project id. */
export async function listPaymentSettings({ db, tables }: Handle) {
  const { storeSettings: s } = tables
  const columns = { projectId: s.projectId, config: s.config }
  return db.select(columns).from(s).where(eq(s.section, 'payment')).orderBy(s.projectId)
}

/** The key row of a token: a public key as it is, a secret by its SHA-256 (also the secret before a rotation). */
export async function findKey(
  { db, tables }: Handle,
  presented: 'public' | 'secret',
  value: string,
): Promise<ApiKeyRow | null> {
  const { apiKeys: k } = tables
  const match = presented === 'public' ? eq(k.publicKey, value) : or(eq(k.secretHash, value), eq(k.previousHash, value))
  const [row] = await db.select().from(k).where(match)
  return row ?? null
}

export async function findKeyById({ db, tables }: Handle, id: string): Promise<ApiKeyRow | null> {
  const [row] = await db.select().from(tables.apiKeys).where(eq(tables.apiKeys.id, id))
  return row ?? null
}

export async function listKeys({ db, tables }: Handle, projectId: string): Promise<ApiKeyRow[]> {
  const { apiKeys: k } = tables
  return db.select().from(k).where(eq(k.projectId, projectId)).orderBy(k.id)
}

/** The newest keys of a project that are older than `beforeId`; null = the newest of all. */
export async function pageKeys(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<ApiKeyRow[]> {
  const { apiKeys: k } = tables
  const isNext = and(eq(k.projectId, projectId), beforeId === null ? undefined : lt(k.id, beforeId))
  return db.select().from(k).where(isNext).orderBy(desc(k.id)).limit(limit)
}

export async function insertKey({ db, tables }: Handle, row: ApiKeyRow): Promise<void> {
  await db.insert(tables.apiKeys).values(row)
}

export async function updateKey({ db, tables }: Handle, id: string, change: Partial<ApiKeyRow>): Promise<void> {
  await db.update(tables.apiKeys).set(change).where(eq(tables.apiKeys.id, id))
}

/** The configuration revision of the deployment: the highest `configVersion` that was given to a project. */
export async function readRevision(handle: Handle): Promise<number> {
  const query = prepared(handle, 'projects.revision', ({ db, tables: { revisions: r } }) =>
    db.select({ value: r.value }).from(r).where(eq(r.name, 'config')).prepare(),
  )
  return (await query.execute())[0]?.value ?? 0
}

/** Raises the configuration revision in a transaction and returns it. */
export async function nextRevision({ db, tables }: Handle): Promise<number> {
  const { revisions: r } = tables
  const raised = sql`${r.value} + 1`
  const [row] = await db
    .insert(r)
    .values({ name: 'config', value: 1 })
    .onConflictDoUpdate({ target: r.name, set: { value: raised } })
    .returning({ value: r.value })
  return row?.value ?? 1
}

export async function listProjectIdsChangedAfter({ db, tables }: Handle, revision: number): Promise<string[]> {
  const { projects } = tables
  const rows = await db.select({ id: projects.id }).from(projects).where(gt(projects.configVersion, revision))
  return rows.map(({ id }) => id)
}
