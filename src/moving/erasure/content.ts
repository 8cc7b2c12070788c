import { and, asc, eq, gt, gte, inArray, or } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { PersonTexts } from '../../people/subscribers/hooks'
import { isAbout } from './body-text'

/** Rows that say only in their content whom they are about. */
export interface ContentRows {
  storeEventIds: string[]
  /** Of kept answers to calls with an `Idempotency-Key`. */
  answerScopes: string[]
}

const PAGE = 200

/** Reads everything that arrived at or after an instant. Outside of any transaction, because it may take long. */
export async function findContent(
  ctx: Context,
  projectId: string,
  texts: PersonTexts,
  since: number,
): Promise<ContentRows> {
  return {
    storeEventIds: await findStoreEvents(ctx, projectId, texts, since),
    answerScopes: await findAnswers(ctx, projectId, texts, since),
  }
}

async function findStoreEvents(ctx: Context, projectId: string, texts: PersonTexts, since: number) {
  const found: string[] = []
  let last = { receivedAt: since, id: '' }
  for (;;) {
    const rows = await ctx.storage.readInThread((handle) => listBodies(handle, projectId, last))
    found.push(...rows.filter(({ body }) => isAbout(body, texts)).map(({ id }) => id))
    last = rows.at(-1) ?? last
    if (rows.length < PAGE) return found
  }
}

function listBodies({ db, tables }: Handle, projectId: string, after: { receivedAt: number; id: string }) {
  const { storeEvents: e } = tables
  const isLater = or(gt(e.receivedAt, after.receivedAt), and(eq(e.receivedAt, after.receivedAt), gt(e.id, after.id)))
  return db
    .select({ id: e.id, receivedAt: e.receivedAt, body: e.body })
    .from(e)
    .where(and(eq(e.projectId, projectId), gte(e.receivedAt, after.receivedAt), isLater))
    .orderBy(asc(e.receivedAt), asc(e.id))
    .limit(PAGE)
}

async function findAnswers(ctx: Context, projectId: string, texts: PersonTexts, since: number) {
  const found: string[] = []
  for (let after = ''; ; ) {
    const rows = await ctx.storage.readInThread((handle) => listAnswers(handle, after))
    const own = rows.filter((row) => row.projectId === projectId && row.claimedAt >= since)
    found.push(...own.filter(({ body }) => body !== null && isAbout(body, texts)).map(({ scope }) => scope))
    after = rows.at(-1)?.scope ?? after
    if (rows.length < PAGE) return found
  }
}

function listAnswers({ db, tables }: Handle, after: string) {
  const { idempotencyKeys: k } = tables
  const columns = { scope: k.scope, projectId: k.projectId, claimedAt: k.claimedAt, body: k.body }
  return db.select(columns).from(k).where(gt(k.scope, after)).orderBy(asc(k.scope)).limit(PAGE)
}

/** A call that is repeated with its key afterwards is done again, and refused. Returns how many were deleted. */
export async function deleteAnswers({ db, tables }: Tx, scopes: readonly string[]): Promise<number> {
  const { idempotencyKeys: k } = tables
  let count = 0
  for (let at = 0; at < scopes.length; at += PAGE) {
    const isNamed = inArray(k.scope, scopes.slice(at, at + PAGE))
    count += (await db.delete(k).where(isNamed).returning({ scope: k.scope })).length
  }
  return count
}

/** Notifications that events and observations of the person name as their cause. */
export async function listCauses(
  { db, tables }: Handle,
  ids: readonly string[],
  purchaseIds: readonly string[],
): Promise<string[]> {
  const { events: e, observations: o } = tables
  const ofEvents = await db
    .select({ cause: e.cause })
    .from(e)
    .where(inArray(e.subscriberId, [...ids]))
  const ofPurchases = await db
    .select({ cause: o.cause })
    .from(o)
    .where(inArray(o.purchaseId, [...purchaseIds]))
  const refs = [...ofEvents, ...ofPurchases].flatMap(({ cause }) => cause.ref ?? [])
  return [...new Set(refs.filter((ref) => ref.startsWith('sev_')))]
}

/** Ids of what audit rows about a person can name. */
export async function listAudited({ db, tables }: Handle, ids: readonly string[], purchaseIds: readonly string[]) {
  const { transfers: t, scheduledActions: a } = tables
  const moves = await db
    .select({ id: t.id })
    .from(t)
    .where(or(inArray(t.fromSubscriberId, [...ids]), inArray(t.toSubscriberId, [...ids])))
  const actions = await db
    .select({ id: a.id })
    .from(a)
    .where(inArray(a.purchaseId, [...purchaseIds]))
  return [...ids, ...purchaseIds, ...[...moves, ...actions].map(({ id }) => id)]
}
