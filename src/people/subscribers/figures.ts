import { and, count, gte, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Period, PlatformFigures, ProjectFigures } from '../../operators/platform/figures'
import type { UsageLevel } from '../../projects/usage/levels'

/** The subscribers of each project. Rows that became part of another are not counted; both counts use an index. */
export async function subscribersOfProjects(
  { db, tables }: Handle,
  projectIds: readonly string[],
): Promise<Map<string, ProjectFigures>> {
  const { subscribers: s } = tables
  const isAsked = inArray(s.projectId, [...projectIds])
  const columns = { id: s.projectId, count: count() }
  const all = await db.select(columns).from(s).where(isAsked).groupBy(s.projectId)
  const merged = await db
    .select(columns)
    .from(s)
    .where(and(isAsked, isNotNull(s.mergedInto)))
    .groupBy(s.projectId)
  const gone = new Map(merged.map(({ id, count }) => [id, count]))
  return new Map(all.map(({ id, count }) => [id, { subscribers: count - (gone.get(id) ?? 0) }]))
}

export async function countSubscribers({ db, tables }: Handle, { from, to }: Period): Promise<PlatformFigures> {
  const { subscribers: s } = tables
  const isAsked = and(
    isNull(s.mergedInto),
    from === null ? undefined : gte(s.createdAt, from),
    to === null ? undefined : lt(s.createdAt, to),
  )
  return { subscribers: (await db.select({ count: count() }).from(s).where(isAsked))[0]?.count ?? 0 }
}

export const subscriberLevel: UsageLevel = {
  name: 'subscribers',
  read: async (handle, projectId) =>
    (await subscribersOfProjects(handle, [projectId])).get(projectId)?.subscribers ?? 0,
}
