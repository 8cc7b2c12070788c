import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lt, max, or, type SQL, sql } from 'drizzle-orm'
import type { Handle, Storage } from '../../base/db/handle'
import type { ProjectRow } from '../../projects/project/service'
import { emailKey } from '../accounts/email'
import type { UserRow } from '../accounts/users'
import type { Period } from './figures'

interface IdPage {
  beforeId: string | null
  limit: number
}

export interface ProjectFilter {
  /** The id, a prefix of the slug, or a part of the name. */
  q?: string | undefined
  isSuspended?: boolean | undefined
}

/** The newest projects that match. */
export async function pageProjects(
  { db, tables }: Handle,
  { q, isSuspended }: ProjectFilter,
  { beforeId, limit }: IdPage,
): Promise<ProjectRow[]> {
  const { projects: p } = tables
  const isAsked = and(
    isNull(p.deletedAt),
    beforeId === null ? undefined : lt(p.id, beforeId),
    q === undefined ? undefined : or(eq(p.id, q), begins(p.slug, q.toLowerCase()), contains(p.name, q)),
    isSuspended === undefined ? undefined : isSuspended ? isNotNull(p.suspendedAt) : isNull(p.suspendedAt),
  )
  return db.select().from(p).where(isAsked).orderBy(desc(p.id)).limit(limit)
}

/** `%`, `_` and the backslash of a search mean themselves. */
const pattern = (q: string, before: '' | '%'): string => `${before}${q.replace(/[\\%_]/g, '\\$&')}%`

// SQLite knows lower case of ASCII letters only; the second comparison finds other letters as they are written.
const contains = (column: Handle['tables']['projects']['name'], q: string): SQL =>
  sql`(lower(${column}) like ${pattern(q.toLowerCase(), '%')} escape '\\' or ${column} like ${pattern(q, '%')} escape '\\')`

const begins = (column: Handle['tables']['users']['emailKey'] | Handle['tables']['projects']['slug'], q: string): SQL =>
  sql`${column} like ${pattern(q, '')} escape '\\'`

/** The newest users whose address starts with `q`, or whose id it is. */
export async function pageUsers(
  { db, tables }: Handle,
  q: string | undefined,
  { beforeId, limit }: IdPage,
): Promise<{ user: UserRow; hasTwoFactor: boolean }[]> {
  const { users: u, twoFactors: f } = tables
  const isAsked = and(
    beforeId === null ? undefined : lt(u.id, beforeId),
    q === undefined ? undefined : or(eq(u.id, q), begins(u.emailKey, emailKey(q))),
  )
  const columns = { user: u, confirmedAt: f.confirmedAt }
  const rows = db.select(columns).from(u).leftJoin(f, eq(f.userId, u.id)).where(isAsked).orderBy(desc(u.id))
  return (await rows.limit(limit)).map(({ user, confirmedAt }) => ({ user, hasTwoFactor: confirmedAt !== null }))
}

/** For each user: when one of their sessions was used last. */
export async function listLastSeen({ db, tables }: Handle, userIds: readonly string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const { userSessions: s } = tables
  const seen = db
    .select({ id: s.userId, at: max(s.lastSeenAt) })
    .from(s)
    .where(inArray(s.userId, [...userIds]))
  return new Map((await seen.groupBy(s.userId)).flatMap(({ id, at }) => (at === null ? [] : [[id, Number(at)]])))
}

/** For each project: its live keys, and when one of its keys was used last. */
export async function summariseKeys({ db, tables }: Handle, projectIds: readonly string[]) {
  const { apiKeys: k } = tables
  if (projectIds.length === 0) return new Map<string, { keys: number; usedAt: number | null }>()
  const isLive = sql<number>`sum(case when ${k.revokedAt} is null then 1 else 0 end)`
  const columns = { id: k.projectId, keys: isLive, usedAt: max(k.lastUsedAt) }
  const rows = await db
    .select(columns)
    .from(k)
    .where(inArray(k.projectId, [...projectIds]))
    .groupBy(k.projectId)
  return new Map(
    rows.map(({ id, keys, usedAt }) => [id, { keys: Number(keys), usedAt: usedAt === null ? null : Number(usedAt) }]),
  )
}

/** The stores that a project has settings for. */
export async function listStores({ db, tables }: Handle, projectId: string): Promise<string[]> {
  const { storeSettings: s } = tables
  const isStore = and(eq(s.projectId, projectId), inArray(s.section, ['ios', 'android', 'payment']))
  return (await db.select({ section: s.section }).from(s).where(isStore).orderBy(s.section)).map(
    ({ section }) => section,
  )
}

export async function countProjects({ db, tables }: Handle, { from, to }: Period): Promise<number> {
  const { projects: p } = tables
  const isAsked = and(
    isNull(p.deletedAt),
    from === null ? undefined : gte(p.createdAt, from),
    to === null ? undefined : lt(p.createdAt, to),
  )
  return (await db.select({ count: count() }).from(p).where(isAsked))[0]?.count ?? 0
}

export async function countUsers({ db, tables }: Handle, { from, to }: Period): Promise<number> {
  const { users: u } = tables
  const isAsked = and(from === null ? undefined : gte(u.createdAt, from), to === null ? undefined : lt(u.createdAt, to))
  return (await db.select({ count: count() }).from(u).where(isAsked))[0]?.count ?? 0
}

/** Bytes of the database; null for a remote libSQL server, which does not tell. */
export async function databaseBytes({ db, driver }: Storage): Promise<number | null> {
  if (driver === 'remote') return null
  const isPostgres = driver === 'postgres'
  const bytes = isPostgres ? sql<number>`size.bytes` : sql<number>`c.page_count * s.page_size`
  const source = isPostgres
    ? sql`(select pg_database_size(current_database()) as bytes) as size`
    : sql`pragma_page_count() as c, pragma_page_size() as s`
  const [row] = await db.select({ bytes }).from(source)
  return row ? Number(row.bytes) : null
}

export interface JobFilter {
  state?: Handle['tables']['jobs']['$inferSelect']['state'] | undefined
  name?: string | undefined
}

/** The newest jobs that wait, run or are dead. */
export async function pageJobs({ db, tables }: Handle, { state, name }: JobFilter, { beforeId, limit }: IdPage) {
  const { jobs: j } = tables
  const isAsked = and(
    beforeId === null ? undefined : lt(j.id, beforeId),
    state === undefined ? undefined : eq(j.state, state),
    name === undefined ? undefined : eq(j.name, name),
  )
  return db.select().from(j).where(isAsked).orderBy(desc(j.id)).limit(limit)
}
