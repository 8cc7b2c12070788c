import { and, asc, desc, eq, gt, inArray, isNotNull, lt, type SQL } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { beginsWith, isAfter } from '../../base/db/range'
import { emailOf } from './email'
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

/** Where a page of a search by prefix begins: after this value and, where values repeat, this id. */
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

/** Rows whose label or device key begins with the text, in the order of that column. Its values are unique. */
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

/** Rows whose e-mail address begins with the text, which is in lower case. Several rows may have one address. */
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

const find = ({ db, tables }: Handle, which: SQL | undefined) => db.select().from(tables.subscribers).where(which)

/** The rows that were merged into a subscriber, oldest first. */
export async function listMergedInto({ db, tables }: Handle, id: string, limit: number): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  return db.select().from(s).where(eq(s.mergedInto, id)).orderBy(asc(s.id)).limit(limit)
}
