import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, or, type SQL } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { beginsWith, contains, isAfter } from '../../base/db/range'
import { emailOf, toEmailText } from './email'
import type { SubscriberRow } from './queries'

/** The rows of a project before an id, newest first; merged and erased rows included. */
export async function listNewest(
  { db, tables }: Handle,
  projectId: string,
  beforeId: string | null,
  limit: number,
): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  const isBefore = beforeId === null ? undefined : lt(s.id, beforeId)
  const found = db.select().from(s)
  return found
    .where(and(eq(s.projectId, projectId), isBefore))
    .orderBy(desc(s.id))
    .limit(limit)
}

export async function listByRowIds(
  { db, tables }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<SubscriberRow[]> {
  if (ids.length === 0) return []
  const { subscribers: s } = tables
  return db
    .select()
    .from(s)
    .where(and(eq(s.projectId, projectId), inArray(s.id, [...ids])))
}

/** The rows that were erased among some of a project. */
export async function listErasedIds(
  { db, tables: { subscribers: s } }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const isErased = and(eq(s.projectId, projectId), inArray(s.id, [...ids]), isNotNull(s.erasedAt))
  return (await db.select({ id: s.id }).from(s).where(isErased)).map(({ id }) => id)
}

/** Where a page of a search by prefix starts: after this value and, where values repeat, this id. */
export interface After {
  value: string
  id: string
}

interface PrefixPage {
  prefix: string
  after: After | null
  limit: number
}

type Column = 'deviceKey' | 'appUserId'

/** Rows whose label or device key starts with the text, in the order of that column. Its values are unique. */
export async function listByPrefix(
  { db, tables }: Handle,
  projectId: string,
  column: Column,
  { prefix, after, limit }: PrefixPage,
): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  const isLater = after === null ? undefined : gt(s[column], after.value)
  return find({ db, tables }, and(eq(s.projectId, projectId), beginsWith(s[column], prefix), isLater))
    .orderBy(asc(s[column]))
    .limit(limit)
}

/** Rows whose e-mail address starts with the text, which is in lower case. Several rows may have one address. */
export async function listByEmail(
  { db, tables }: Handle,
  projectId: string,
  { prefix, after, limit }: PrefixPage,
): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  const email = emailOf(s.attributes)
  const isLater = after === null ? undefined : isAfter([email, s.id], [after.value, after.id])
  const isFound = and(eq(s.projectId, projectId), isNotNull(email), beginsWith(email, prefix), isLater)
  return find({ db, tables }, isFound).orderBy(asc(email), asc(s.id)).limit(limit)
}

/** The id of the row that is `count` rows below an id, newest first; null when so many do not follow. */
export async function findRowBelow(
  { db, tables }: Handle,
  projectId: string,
  beforeId: string | null,
  count: number,
): Promise<string | null> {
  const { subscribers: s } = tables
  const isBefore = beforeId === null ? undefined : lt(s.id, beforeId)
  const [row] = await db
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.projectId, projectId), isBefore))
    .orderBy(desc(s.id))
    .limit(1)
    .offset(count - 1)
  return row?.id ?? null
}

interface Stretch {
  beforeId: string | null
  /** The oldest id; null = to the first row of the project. */
  fromId: string | null
}

/** Of a stretch of rows those that have the text inside their label, device key or e-mail address, newest first. */
export async function listContaining(
  { db, tables }: Handle,
  projectId: string,
  text: string,
  { beforeId, fromId }: Stretch,
  limit: number,
): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  const isWithin = and(
    beforeId === null ? undefined : lt(s.id, beforeId),
    fromId === null ? undefined : gte(s.id, fromId),
  )
  const isFound = or(
    contains(s.appUserId, text),
    contains(s.deviceKey, text),
    contains(emailOf(s.attributes), toEmailText(text)),
  )
  return find({ db, tables }, and(eq(s.projectId, projectId), isWithin, isFound))
    .orderBy(desc(s.id))
    .limit(limit)
}

const find = ({ db, tables }: Handle, which: SQL | undefined) => db.select().from(tables.subscribers).where(which)

/** The rows that were merged into a subscriber, oldest first. */
export async function listMergedInto({ db, tables }: Handle, id: string, limit: number): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  return db.select().from(s).where(eq(s.mergedInto, id)).orderBy(asc(s.id)).limit(limit)
}
