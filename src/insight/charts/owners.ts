import { and, eq, inArray, is, isNull, type SQL, sql } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { listAudienceNames } from '../../targeting/audiences/service'
import { audienceMembers } from '../../targeting/remote-config/audience-preview'
import { findMemberList } from '../cohorts/members'

/** The most people with purchases of whom it is found out whether they are in an audience. */
const MOST_EXAMINED = 10_000

/** The conditions of a query on the people whose purchases count. */
export interface OwnersQuery {
  audience?: string | undefined
  cohort?: string | undefined
}

/**
 * A statement with the ids of the purchases that count, by who owns them now; null = all count. 400 `VALIDATION_ERROR`
 * for an unknown audience or cohort, and for an audience of a project with too many people.
 */
export async function readOwners(ctx: Context, project: ProjectState, query: OwnersQuery): Promise<SQL | null> {
  const { audience, cohort } = query
  const { purchases: p } = ctx.tables
  const parts = [
    audience === undefined ? undefined : sql`${p.subscriberId} in (${await inAudience(ctx, project, audience)})`,
    cohort === undefined ? undefined : sql`${p.subscriberId} in (${await inCohort(ctx, project.id, cohort)})`,
  ]
  if (parts.every((part) => part === undefined)) return null
  return sql`select ${p.id} from ${p} where ${and(eq(p.projectId, project.id), ...parts)}`
}

async function inCohort(ctx: Context, projectId: string, name: string): Promise<SQL> {
  const listId = await findMemberList(ctx, projectId, name)
  if (listId === null) throw invalid('cohort: the project has no cohort with this identifier')
  const { cohortMembers: m } = ctx.tables
  return sql`select ${m.subscriberId} from ${m} where ${m.listId} = ${listId}`
}

async function inAudience(ctx: Context, project: ProjectState, name: string): Promise<SQL> {
  const names = [...(await listAudienceNames(ctx, project.id))]
  const [id] = names.find(([, own]) => own === name) ?? names.find(([own]) => own === name) ?? []
  const membersAmong = id === undefined ? null : await audienceMembers(ctx, project, id)
  if (!membersAmong) throw invalid('audience: the project has no audience with this name')
  const buyers = await listBuyers(ctx, project.id)
  if (buyers.length > MOST_EXAMINED)
    throw invalid(`audience: more than ${MOST_EXAMINED} people of the project have purchases; make a cohort of them`)
  const ids = JSON.stringify((await membersAmong(buyers)).map((row) => row.id))
  return is(ctx.tables.purchases.id, PgColumn)
    ? sql`select jsonb_array_elements_text(cast(${ids} as jsonb))`
    : sql`select value from json_each(${ids})`
}

/** Those who own a purchase; one more than are examined shows that there are too many. */
const listBuyers = (ctx: Context, projectId: string): Promise<SubscriberRow[]> =>
  ctx.storage.readInThread(async ({ db, tables: { purchases: p, subscribers: s } }) => {
    const owners = db.selectDistinct({ id: p.subscriberId }).from(p).where(eq(p.projectId, projectId))
    return db
      .select()
      .from(s)
      .where(and(inArray(s.id, owners), isNull(s.mergedInto), isNull(s.erasedAt)))
      .limit(MOST_EXAMINED + 1)
  })
