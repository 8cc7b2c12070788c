import { and, count, desc, eq, inArray, isNull, lt, ne } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Role } from '../../core/roles/roles'
import type { ProjectRow } from '../../projects/project/service'

export type MembershipRow = Handle['tables']['memberships']['$inferSelect']

/** A membership with the person's address and name. */
export interface Member extends MembershipRow {
  email: string
  name: string
}

export interface IdPage {
  /** Only rows that are older than this one; null = the newest of all. */
  beforeId: string | null
  limit: number
}

const columnsOf = ({ tables: { memberships: m, users: u } }: Handle) => ({
  membership: m,
  email: u.email,
  name: u.name,
})

const toMember = ({ membership, email, name }: { membership: MembershipRow; email: string; name: string }): Member => ({
  ...membership,
  email,
  name,
})

/** The newest members of a project. */
export async function pageMembers(handle: Handle, projectId: string, { beforeId, limit }: IdPage): Promise<Member[]> {
  const { memberships: m, users: u } = handle.tables
  const isNext = and(eq(m.projectId, projectId), beforeId === null ? undefined : lt(m.id, beforeId))
  const members = handle.db.select(columnsOf(handle)).from(m).innerJoin(u, eq(u.id, m.userId)).where(isNext)
  return (await members.orderBy(desc(m.id)).limit(limit)).map(toMember)
}

export async function findMember(handle: Handle, projectId: string, userId: string): Promise<Member | null> {
  const { memberships: m, users: u } = handle.tables
  const isIt = and(eq(m.projectId, projectId), eq(m.userId, userId))
  const [row] = await handle.db.select(columnsOf(handle)).from(m).innerJoin(u, eq(u.id, m.userId)).where(isIt)
  return row ? toMember(row) : null
}

/** The member with this address, in the form in which addresses are compared. */
export async function findMemberByEmail(handle: Handle, projectId: string, emailKey: string): Promise<Member | null> {
  const { memberships: m, users: u } = handle.tables
  const isIt = and(eq(m.projectId, projectId), eq(u.emailKey, emailKey))
  const [row] = await handle.db.select(columnsOf(handle)).from(m).innerJoin(u, eq(u.id, m.userId)).where(isIt)
  return row ? toMember(row) : null
}

/**
 * The members of a project who have one of the roles, the oldest first. A project has at most 500. `isProved`: whether
 * the address is theirs; nothing about the project is mailed to another one.
 */
export async function listMembersOf(
  handle: Handle,
  projectId: string,
  roles: readonly Role[],
): Promise<(Member & { isProved: boolean })[]> {
  if (roles.length === 0) return []
  const { memberships: m, users: u } = handle.tables
  const isOne = and(eq(m.projectId, projectId), inArray(m.role, [...roles]))
  const columns = { ...columnsOf(handle), admittedBy: u.admittedBy }
  const members = handle.db.select(columns).from(m).innerJoin(u, eq(u.id, m.userId)).where(isOne)
  return (await members.orderBy(m.id)).map((row) => ({ ...toMember(row), isProved: row.admittedBy === null }))
}

export const listOwners = (handle: Handle, projectId: string) => listMembersOf(handle, projectId, ['OWNER'])

/** How many owners a project has besides one user. */
export async function countOtherOwners({ db, tables }: Handle, projectId: string, userId: string): Promise<number> {
  const { memberships: m } = tables
  const isOther = and(eq(m.projectId, projectId), eq(m.role, 'OWNER'), ne(m.userId, userId))
  const [row] = await db.select({ count: count() }).from(m).where(isOther)
  return row?.count ?? 0
}

export async function countMembers({ db, tables }: Handle, projectId: string): Promise<number> {
  const { memberships: m } = tables
  const [row] = await db.select({ count: count() }).from(m).where(eq(m.projectId, projectId))
  return row?.count ?? 0
}

/** The role of a user, without a look at the user: the check of every dashboard request. */
export async function findRole({ db, tables }: Handle, projectId: string, userId: string) {
  const { memberships: m } = tables
  const isIt = and(eq(m.projectId, projectId), eq(m.userId, userId))
  const [row] = await db.select({ role: m.role }).from(m).where(isIt)
  return row?.role ?? null
}

/** The newest projects of which a user is a member, with the user's role. */
export async function pageProjectsOf(
  { db, tables }: Handle,
  userId: string,
  { beforeId, limit }: IdPage,
): Promise<{ project: ProjectRow; role: MembershipRow['role'] }[]> {
  const { memberships: m, projects: p } = tables
  const isTheirs = and(eq(m.userId, userId), isNull(p.deletedAt), beforeId === null ? undefined : lt(p.id, beforeId))
  const projects = db.select({ project: p, role: m.role }).from(m).innerJoin(p, eq(p.id, m.projectId)).where(isTheirs)
  return projects.orderBy(desc(p.id)).limit(limit)
}

/** Projects without a member, in the order of their ids. */
export async function listUnownedProjects({ db, tables }: Handle): Promise<string[]> {
  const { memberships: m, projects: p } = tables
  const isUnowned = and(isNull(p.deletedAt), isNull(m.id))
  const rows = db.select({ id: p.id }).from(p).leftJoin(m, eq(m.projectId, p.id)).where(isUnowned)
  return (await rows.orderBy(p.id)).map(({ id }) => id)
}

/** Every project of a user that was not deleted, with the membership. */
export async function listMembershipsOf({ db, tables }: Handle, userId: string) {
  const { memberships: m, projects: p } = tables
  const isTheirs = and(eq(m.userId, userId), isNull(p.deletedAt))
  const columns = { membership: m, projectName: p.name }
  return db.select(columns).from(m).innerJoin(p, eq(p.id, m.projectId)).where(isTheirs).orderBy(m.projectId)
}

export async function insertMembership({ db, tables }: Handle, row: MembershipRow): Promise<void> {
  await db.insert(tables.memberships).values(row)
}

export async function updateMembership(
  { db, tables }: Handle,
  id: string,
  change: Pick<MembershipRow, 'role' | 'updatedAt'>,
): Promise<void> {
  await db.update(tables.memberships).set(change).where(eq(tables.memberships.id, id))
}

export async function deleteMembership({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.memberships).where(eq(tables.memberships.id, id))
}

/** Deletes all memberships of a user, also in projects that were deleted. */
export async function deleteMembershipsOf({ db, tables }: Handle, userId: string): Promise<void> {
  await db.delete(tables.memberships).where(eq(tables.memberships.userId, userId))
}

/** For each project: its number of members, and the address of its first owner. */
export async function summariseMembers({ db, tables }: Handle, projectIds: readonly string[]) {
  const found = new Map<string, { members: number; ownerEmail: string | null }>()
  if (projectIds.length === 0) return found
  const { memberships: m, users: u } = tables
  const isAsked = inArray(m.projectId, [...projectIds])
  const counts = await db.select({ id: m.projectId, members: count() }).from(m).where(isAsked).groupBy(m.projectId)
  for (const { id, members } of counts) found.set(id, { members, ownerEmail: null })
  const owners = db.select({ id: m.projectId, email: u.email }).from(m).innerJoin(u, eq(u.id, m.userId))
  for (const { id, email } of await owners.where(and(isAsked, eq(m.role, 'OWNER'))).orderBy(desc(m.id)))
    found.set(id, { members: found.get(id)?.members ?? 0, ownerEmail: email })
  return found
}

/** For each user: in how many projects they are a member. */
export async function countProjectsOf(
  { db, tables }: Handle,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const { memberships: m, projects: p } = tables
  const isAsked = and(inArray(m.userId, [...userIds]), isNull(p.deletedAt))
  const counts = db.select({ id: m.userId, count: count() }).from(m).innerJoin(p, eq(p.id, m.projectId)).where(isAsked)
  return new Map((await counts.groupBy(m.userId)).map(({ id, count }) => [id, count]))
}
