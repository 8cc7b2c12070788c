import { and, count, desc, eq, gt, isNull, lt, min, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { IdPage } from './queries'

type Table = Handle['tables']['invitations']

/** An invitation with the status of its newest mail; null when that mail is gone. */
export type Invitation = Table['$inferSelect'] & { mailStatus: string | null }

const invitations = ({ db, tables: { invitations: i, mails: m } }: Handle) =>
  db.select({ row: i, mailStatus: m.status }).from(i).leftJoin(m, eq(m.id, i.mailId))

const toInvitation = ({ row, mailStatus }: { row: Table['$inferSelect']; mailStatus: string | null }): Invitation => ({
  ...row,
  mailStatus,
})

/** The newest invitations of a project. */
export async function pageInvitations(
  handle: Handle,
  projectId: string,
  { beforeId, limit }: IdPage,
): Promise<Invitation[]> {
  const { invitations: i } = handle.tables
  const isNext = and(eq(i.projectId, projectId), beforeId === null ? undefined : lt(i.id, beforeId))
  return (await invitations(handle).where(isNext).orderBy(desc(i.id)).limit(limit)).map(toInvitation)
}

export async function findInvitation(handle: Handle, projectId: string, id: string): Promise<Invitation | null> {
  const { invitations: i } = handle.tables
  const [found] = await invitations(handle).where(and(eq(i.id, id), eq(i.projectId, projectId)))
  return found ? toInvitation(found) : null
}

/** By the token of the mail, or by the one of the link that was shown. */
export async function findInvitationByToken(
  handle: Handle,
  tokenHash: string,
): Promise<(Invitation & { isByShownLink: boolean }) | null> {
  const { invitations: i } = handle.tables
  const [found] = await invitations(handle).where(or(eq(i.tokenHash, tokenHash), eq(i.shownTokenHash, tokenHash)))
  return found ? { ...toInvitation(found), isByShownLink: found.row.tokenHash !== tokenHash } : null
}

const isOpenAt = ({ tables: { invitations: i } }: Handle, projectId: string, now: number) =>
  and(eq(i.projectId, projectId), isNull(i.acceptedAt), isNull(i.revokedAt), gt(i.expiresAt, now))

/** Whether an invitation to this address can be accepted now. */
export async function hasOpenInvitation(
  handle: Handle,
  projectId: string,
  emailKey: string,
  now: number,
): Promise<boolean> {
  const { invitations: i } = handle.tables
  const isIt = and(isOpenAt(handle, projectId, now), eq(i.emailKey, emailKey))
  return (await handle.db.select({ id: i.id }).from(i).where(isIt).limit(1)).length > 0
}

export async function countOpenInvitations(handle: Handle, projectId: string, now: number): Promise<number> {
  const open = handle.db.select({ count: count() }).from(handle.tables.invitations)
  return (await open.where(isOpenAt(handle, projectId, now)))[0]?.count ?? 0
}

export async function insertInvitation({ db, tables }: Handle, row: Table['$inferSelect']): Promise<void> {
  await db.insert(tables.invitations).values(row)
}

export async function updateInvitation(
  { db, tables }: Handle,
  id: string,
  change: Partial<Table['$inferSelect']>,
): Promise<void> {
  await db.update(tables.invitations).set(change).where(eq(tables.invitations.id, id))
}

/** The invitations that were mailed to an address since an instant, from all projects. */
export async function countInvitationMails(
  { db, tables: { mails } }: Handle,
  email: string,
  since: number,
): Promise<{ count: number; oldestAt: number }> {
  const [found] = await db
    .select({ count: count(), oldestAt: min(mails.createdAt) })
    .from(mails)
    .where(
      and(
        gt(mails.createdAt, since),
        eq(mails.kind, 'invitation'),
        sql`lower(${mails.toAddress}) = ${email.toLowerCase()}`,
      ),
    )
  return { count: Number(found?.count ?? 0), oldestAt: Number(found?.oldestAt ?? 0) }
}
