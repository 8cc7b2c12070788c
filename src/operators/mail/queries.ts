import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { bySome } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import type { MailStatus, SuppressionReason } from './tables'

export type MailRow = Handle['tables']['mails']['$inferSelect']

export async function insertMail({ db, tables }: Handle, row: MailRow): Promise<void> {
  await db.insert(tables.mails).values(row)
}

/** Whether a mail of a kind was written to a user since an instant. */
export async function hasMailSince(
  { db, tables: { mails } }: Handle,
  { userId, kind, since }: { userId: string; kind: string; since: number },
): Promise<boolean> {
  const isSuch = and(eq(mails.userId, userId), eq(mails.kind, kind), gt(mails.createdAt, since))
  return (await db.select({ id: mails.id }).from(mails).where(isSuch).limit(1)).length > 0
}

export async function findMail({ db, tables: { mails } }: Handle, id: string): Promise<MailRow | null> {
  const [row] = await db.select().from(mails).where(eq(mails.id, id))
  return row ?? null
}

interface MailFilter {
  status?: MailStatus | undefined
  /** Only mails that were written before this one. */
  beforeId?: string | undefined
  limit: number
}

/** The newest first. */
export const listMails = (
  { db, tables: { mails } }: Handle,
  { status, beforeId, limit }: MailFilter,
): Promise<MailRow[]> =>
  db
    .select()
    .from(mails)
    .where(
      and(
        status === undefined ? undefined : eq(mails.status, status),
        beforeId === undefined ? undefined : lt(mails.id, beforeId),
      ),
    )
    .orderBy(desc(mails.id))
    .limit(limit)

/** Mails whose next attempt is due and whose text is in the row, or held by this process; the longest due first. */
export const listDueMails = (
  { db, tables: { mails } }: Handle,
  { heldIds, now, limit }: { heldIds: readonly string[]; now: number; limit: number },
): Promise<MailRow[]> =>
  db
    .select()
    .from(mails)
    .where(
      and(
        eq(mails.status, 'QUEUED'),
        lte(mails.nextAttemptAt, now),
        heldIds.length === 0 ? isNotNull(mails.sealed) : or(isNotNull(mails.sealed), inArray(mails.id, [...heldIds])),
      ),
    )
    .orderBy(asc(mails.nextAttemptAt), asc(mails.id))
    .limit(limit)

const isAttempt = ({ mails }: Handle['tables'], id: string, attempts: number) =>
  and(eq(mails.id, id), eq(mails.status, 'QUEUED'), eq(mails.attempts, attempts))

/**
 * Counts an attempt before it is made and puts off the next one. False when another process was faster, so that two
 * processes never make the same attempt.
 */
export async function claimMail(
  { db, tables }: Handle,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  nextAttemptAt: number,
): Promise<boolean> {
  const change = { attempts: attempts + 1, nextAttemptAt }
  const rows = await db
    .update(tables.mails)
    .set(change)
    .where(isAttempt(tables, id, attempts))
    .returning({
      id: tables.mails.id,
    })
  return rows.length > 0
}

type MailChange = Partial<Pick<MailRow, 'status' | 'sealed' | 'nextAttemptAt' | 'lastError' | 'sentAt'>>

/** Writes the result of an attempt; nothing when the mail was settled or attempted again in the meantime. */
export async function settleAttempt(
  { db, tables }: Handle,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  change: MailChange,
  now: number,
): Promise<void> {
  await db
    .update(tables.mails)
    .set({ ...change, updatedAt: now })
    .where(isAttempt(tables, id, attempts))
}

/** Whether `blankExpired` would change anything. */
export async function hasExpired({ db, tables: { mails } }: Handle, now: number): Promise<boolean> {
  const isDead = and(lte(mails.expiresAt, now), or(isNotNull(mails.sealed), eq(mails.status, 'QUEUED')))
  return (await db.select({ id: mails.id }).from(mails).where(isDead).limit(1)).length > 0
}

/** Blanks the texts whose links have died, and gives up those that were not sent until then. */
export async function blankExpired({ db, tables: { mails } }: Handle, now: number): Promise<void> {
  const isDead = lte(mails.expiresAt, now)
  const given = { status: 'FAILED' as const, nextAttemptAt: null, lastError: EXPIRED, updatedAt: now }
  await db
    .update(mails)
    .set(given)
    .where(and(isDead, eq(mails.status, 'QUEUED')))
  await db
    .update(mails)
    .set({ sealed: null, updatedAt: now })
    .where(and(isDead, isNotNull(mails.sealed)))
}

const EXPIRED = 'its link died before it could be sent'

/** Gives up mails whose text was only in the memory of a process that has ended. Returns how many. */
export async function giveUpLost(
  { db, tables: { mails } }: Handle,
  heldIds: readonly string[],
  dueBefore: number,
  now: number,
): Promise<number> {
  const held = new Set(heldIds)
  const isLost = and(eq(mails.status, 'QUEUED'), isNull(mails.sealed), lt(mails.nextAttemptAt, dueBefore))
  const rows = await db.select({ id: mails.id }).from(mails).where(isLost).limit(500)
  const ids = rows.map(({ id }) => id).filter((id) => !held.has(id))
  if (ids.length === 0) return 0
  const lastError = 'its text was only in the memory of a process that has ended, because there is no master key'
  await db
    .update(mails)
    .set({ status: 'FAILED', nextAttemptAt: null, lastError, updatedAt: now })
    .where(and(inArray(mails.id, ids), eq(mails.status, 'QUEUED')))
  return ids.length
}

/** Deletes settled mails that were written before an instant. */
export async function deleteOldMails(
  { db, tables: { mails } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const old = db.select({ id: mails.id }).from(mails).where(lt(mails.createdAt, before)).limit(limit)
  return (await db.delete(mails).where(inArray(mails.id, old)).returning({ id: mails.id })).length
}

interface Sort {
  projectId: string
  kinds: readonly string[]
}

const isOfSort = ({ mails }: Handle['tables'], { projectId, kinds }: Sort) =>
  and(eq(mails.projectId, projectId), inArray(mails.kind, [...kinds]))

/** The addresses that mails of a project were written to, each once. */
export async function listReceivers({ db, tables }: Handle, sort: Sort): Promise<string[]> {
  const rows = await db
    .selectDistinct({ address: tables.mails.toAddress })
    .from(tables.mails)
    .where(isOfSort(tables, sort))
  return rows.map(({ address }) => address)
}

/** Deletes the mails of a project to these addresses; returns their ids. */
export async function deleteMails({ db, tables }: Handle, sort: Sort, addresses: readonly string[]): Promise<string[]> {
  const { mails } = tables
  const rows = await bySome(addresses, (some) =>
    db
      .delete(mails)
      .where(and(isOfSort(tables, sort), inArray(mails.toAddress, some)))
      .returning({ id: mails.id }),
  )
  return rows.map(({ id }) => id)
}

/** Deletes the text of a mail whose links open nothing any more. */
export async function blankMail({ db, tables: { mails } }: Handle, id: string, now: number): Promise<void> {
  await db.update(mails).set({ sealed: null, expiresAt: now, updatedAt: now }).where(eq(mails.id, id))
}

export async function listSuppressions(
  { db, tables: { mailSuppressions: s } }: Handle,
  addressHash: string,
): Promise<SuppressionReason[]> {
  const rows = await db.select({ reason: s.reason }).from(s).where(eq(s.addressHash, addressHash))
  return rows.map(({ reason }) => reason)
}

export async function insertSuppressions(
  { db, tables }: Handle,
  rows: readonly { addressHash: string; reason: SuppressionReason; createdAt: number }[],
): Promise<void> {
  if (rows.length > 0)
    await db
      .insert(tables.mailSuppressions)
      .values([...rows])
      .onConflictDoNothing()
}

export async function deleteSuppressions(
  { db, tables: { mailSuppressions: s } }: Handle,
  addressHash: string,
  reasons: readonly SuppressionReason[],
): Promise<void> {
  await db.delete(s).where(and(eq(s.addressHash, addressHash), inArray(s.reason, [...reasons])))
}
