import { and, eq, isNotNull, isNull, lt, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { outsideNow } from '../../base/lib/clock'

export type NameRow = Handle['tables']['tlsNames']['$inferSelect']
export type CertificateRow = Handle['tables']['tlsCertificates']['$inferSelect']
export type AccountRow = Handle['tables']['tlsAccounts']['$inferSelect']
export type OrderRow = Handle['tables']['tlsOrders']['$inferSelect']

export async function findTlsAccount(
  { db, tables: { tlsAccounts: a } }: Handle,
  directory: string,
): Promise<AccountRow | null> {
  const [row] = await db.select().from(a).where(eq(a.directory, directory))
  return row ?? null
}

export async function saveTlsAccount({ db, tables: { tlsAccounts: a } }: Handle, row: AccountRow): Promise<void> {
  const { directory: _, ...set } = row
  await db.insert(a).values(row).onConflictDoUpdate({ target: a.directory, set })
}

export const listTlsNames = ({ db, tables: { tlsNames: n } }: Handle): Promise<NameRow[]> =>
  db.select().from(n).orderBy(n.name)

export async function findTlsName({ db, tables: { tlsNames: n } }: Handle, name: string): Promise<NameRow | null> {
  const [row] = await db.select().from(n).where(eq(n.name, name))
  return row ?? null
}

export async function saveTlsName({ db, tables: { tlsNames: n } }: Handle, row: NameRow): Promise<void> {
  const { name: _, ...set } = row
  await db.insert(n).values(row).onConflictDoUpdate({ target: n.name, set })
}

export async function changeTlsName(
  { db, tables: { tlsNames: n } }: Handle,
  name: string,
  change: Partial<Omit<NameRow, 'name'>>,
): Promise<void> {
  await db.update(n).set(change).where(eq(n.name, name))
}

/** Names that are not in the list any more get no certificates, and theirs are not served. */
export async function unwantOtherNames(tx: Tx, names: readonly string[]): Promise<void> {
  const { tlsNames: n } = tx.tables
  const isOther = names.length === 0 ? undefined : notInArray(n.name, [...names])
  await tx.db
    .update(n)
    .set({ isWanted: false })
    .where(and(eq(n.isWanted, true), isOther))
}

export const listCertificateIds = ({ db, tables: { tlsCertificates: c } }: Handle) =>
  db.select({ name: c.name, id: c.id }).from(c).orderBy(c.name)

export const listTlsCertificates = ({ db, tables: { tlsCertificates: c } }: Handle): Promise<CertificateRow[]> =>
  db.select().from(c).orderBy(c.name)

export async function findTlsCertificate({ db, tables: { tlsCertificates: c } }: Handle, name: string) {
  const [row] = await db.select().from(c).where(eq(c.name, name))
  return row ?? null
}

export async function saveTlsCertificate({ db, tables }: Handle, row: CertificateRow): Promise<void> {
  const { tlsCertificates: c } = tables
  const { name: _, ...set } = row
  await db.insert(c).values(row).onConflictDoUpdate({ target: c.name, set })
}

export async function findTlsOrder({ db, tables: { tlsOrders: o } }: Handle, name: string): Promise<OrderRow | null> {
  const [row] = await db.select().from(o).where(eq(o.name, name))
  return row ?? null
}

export async function saveTlsOrder({ db, tables: { tlsOrders: o } }: Handle, row: OrderRow): Promise<void> {
  const { name: _, ...set } = row
  await db.insert(o).values(row).onConflictDoUpdate({ target: o.name, set })
}

export async function deleteTlsOrder({ db, tables: { tlsOrders: o } }: Handle, name: string): Promise<void> {
  await db.delete(o).where(eq(o.name, name))
}

/** Takes or extends a lease, unless another process holds it. */
export async function takeLease(tx: Tx, name: string, holder: string, expiresAt: number): Promise<boolean> {
  const { tlsLeases: l } = tx.tables
  const isFree = sql`${l.holder} = ${holder} or ${l.expiresAt} < ${outsideNow(tx)}`
  const taken = await tx.db
    .insert(l)
    .values({ name, holder, expiresAt })
    .onConflictDoUpdate({ target: l.name, set: { holder, expiresAt }, setWhere: isFree })
    .returning({ name: l.name })
  return taken.length > 0
}

export async function endLease(tx: Tx, name: string, holder: string): Promise<void> {
  const { tlsLeases: l } = tx.tables
  await tx.db.delete(l).where(and(eq(l.name, name), eq(l.holder, holder)))
}

/** Certificates of names that are not wanted any more, once they have ended. */
export async function deleteEndedCertificates(tx: Tx): Promise<void> {
  const { tlsCertificates: c, tlsNames: n } = tx.tables
  const wanted = tx.db.select({ name: n.name }).from(n).where(ne(n.isWanted, false))
  await tx.db.delete(c).where(and(lt(c.notAfter, outsideNow(tx)), notInArray(c.name, wanted)))
}

/** Orders of names that are not wanted any more. */
export async function deleteLeftOrders(tx: Tx): Promise<void> {
  const { tlsNames: n, tlsOrders: o } = tx.tables
  const wanted = tx.db.select({ name: n.name }).from(n).where(ne(n.isWanted, false))
  await tx.db.delete(o).where(notInArray(o.name, wanted))
}

/**
 * Names that are not wanted any more and have no certificate. While one waits after a failure it stays, so that a name that
 * leaves and comes back is not tried sooner.
 */
export async function deleteLeftNames(tx: Tx): Promise<void> {
  const { tlsCertificates: c, tlsNames: n } = tx.tables
  const certified = tx.db.select({ name: c.name }).from(c)
  const isOver = or(isNull(n.nextAttemptAt), lte(n.nextAttemptAt, outsideNow(tx)))
  const isLeft = and(eq(n.isWanted, false), notInArray(n.name, certified))
  await tx.db.delete(n).where(and(isLeft, isOver))
}

export const listEnds = ({ db, tables: { tlsCertificates: c } }: Handle) =>
  db.select({ name: c.name, notBefore: c.notBefore, notAfter: c.notAfter }).from(c)

/** Notes that owners got the notice; null when they had it already. */
export async function raiseAlert(tx: Tx, name: string, stage: number): Promise<NameRow | null> {
  const { tlsNames: n } = tx.tables
  const isNew = and(eq(n.name, name), lt(n.alerted, stage))
  const [row] = await tx.db.update(n).set({ alerted: stage }).where(isNew).returning()
  return row ?? null
}

/** People whose mail address is proved. */
export const listProvedUsers = ({ db, tables: { users: u } }: Handle) =>
  db.select({ userId: u.id, email: u.email }).from(u).where(isNotNull(u.emailVerifiedAt))
