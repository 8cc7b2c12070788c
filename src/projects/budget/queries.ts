import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Budget } from './marks'

export async function findBudget({ db, tables: { budgets: b } }: Handle, projectId: string): Promise<Budget | null> {
  const columns = { alertsAt: b.alertsAt, stopTelemetryAt: b.stopTelemetryAt }
  const [row] = await db.select(columns).from(b).where(eq(b.projectId, projectId))
  return row ?? null
}

export async function saveBudget(
  { db, tables: { budgets: b } }: Handle,
  projectId: string,
  { alertsAt, stopTelemetryAt }: Budget,
): Promise<void> {
  const set = { alertsAt: [...alertsAt], stopTelemetryAt }
  await db
    .insert(b)
    .values({ projectId, ...set })
    .onConflictDoUpdate({ target: b.projectId, set })
}

/** The projects with marks, with their names. */
export async function listAlerting({ db, tables: { budgets: b, projects: p } }: Handle) {
  return db
    .select({ projectId: b.projectId, name: p.name, alertsAt: b.alertsAt, stopTelemetryAt: b.stopTelemetryAt })
    .from(b)
    .innerJoin(p, eq(p.id, b.projectId))
    .where(and(isNull(p.deletedAt), ne(b.alertsAt, sql`'[]'`)))
    .orderBy(b.projectId)
}

/** The marks of a month for which notices were sent. */
export async function listTold(
  { db, tables: { budgetAlerts: a } }: Handle,
  projectId: string,
  month: string,
): Promise<number[]> {
  const isAsked = and(eq(a.projectId, projectId), eq(a.month, month))
  return (await db.select({ percent: a.percent }).from(a).where(isAsked)).map(({ percent }) => percent)
}

/** Records a mark as reached; false when it is recorded already, also by another process. */
export async function noteTold(
  { db, tables: { budgetAlerts: a } }: Handle,
  row: { projectId: string; month: string; percent: number },
): Promise<boolean> {
  const added = await db.insert(a).values(row).onConflictDoNothing().returning({ percent: a.percent })
  return added.length > 0
}
