import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { type BillingEvent, foldLife, NO_LIFE } from './life'

export type BillingAccount = Handle['tables']['billingAccounts']['$inferSelect']
export type BillingCustomer = Handle['tables']['billingCustomers']['$inferSelect']

/** The account of a project; one with nothing in it where none was saved. */
export async function findBillingAccount({ db, tables }: Handle, projectId: string): Promise<BillingAccount> {
  const { billingAccounts: a } = tables
  const [row] = await db.select().from(a).where(eq(a.projectId, projectId))
  return row ?? emptyAccount(projectId)
}

const emptyAccount = (projectId: string): BillingAccount => ({
  ...{ projectId, life: NO_LIFE, leadMs: 0, details: null, mailedPause: null, firstMailAt: null },
  ...{ secondMailAt: null, closedSubscription: null, cardNeededBy: null },
})

export async function changeBillingAccount(
  { db, tables }: Handle,
  projectId: string,
  change: Partial<Omit<BillingAccount, 'projectId'>>,
): Promise<void> {
  const { billingAccounts: a } = tables
  await db
    .insert(a)
    .values({ ...emptyAccount(projectId), ...change })
    .onConflictDoUpdate({ target: a.projectId, set: change })
}

/** Ids of the projects that have, or have had, a customer at the provider. */
export async function listBilledProjects({ db, tables: { billingCustomers: c } }: Handle): Promise<string[]> {
  const rows = await db.selectDistinct({ projectId: c.projectId }).from(c).orderBy(c.projectId)
  return rows.map(({ projectId }) => projectId)
}

export async function findCustomer({ db, tables }: Handle, id: string): Promise<BillingCustomer | null> {
  const { billingCustomers: c } = tables
  const [row] = await db.select().from(c).where(eq(c.id, id))
  return row ?? null
}

/** Oldest first. */
export async function listCustomers({ db, tables }: Handle, projectId: string): Promise<BillingCustomer[]> {
  const { billingCustomers: c } = tables
  return db.select().from(c).where(eq(c.projectId, projectId)).orderBy(c.createdAt, c.id)
}

export async function insertCustomer({ db, tables }: Handle, row: Omit<BillingCustomer, 'goneAt'>): Promise<void> {
  await db.insert(tables.billingCustomers).values(row).onConflictDoNothing()
}

/** The customer was deleted at the provider. */
export async function setCustomerGone({ db, tables }: Handle, id: string, goneAt: number): Promise<void> {
  const { billingCustomers: c } = tables
  await db.update(c).set({ goneAt }).where(eq(c.id, id))
}

/** False when the project has the event already. */
export async function insertBillingEvent(
  { db, tables }: Handle,
  projectId: string,
  event: BillingEvent,
): Promise<boolean> {
  const rows = await db
    .insert(tables.billingEvents)
    .values({ projectId, ...event })
    .onConflictDoNothing()
    .returning({ id: tables.billingEvents.id })
  return rows.length > 0
}

/** Folds all events of a project again, and saves the result. */
export async function refold(handle: Handle, projectId: string): Promise<void> {
  const { billingEvents: e } = handle.tables
  const events = await handle.db.select().from(e).where(eq(e.projectId, projectId))
  await changeBillingAccount(handle, projectId, { life: foldLife(events) })
}
