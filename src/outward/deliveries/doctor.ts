import { and, count, eq, lt, min } from 'drizzle-orm'
import type { Examination } from '../../base/cli/doctor'
import { MINUTE } from '../../base/lib/clock'
import { type Finding, finding } from '../../core/finding/findings'

/** An attempt that is due for longer is late. */
const PATIENCE_MS = 10 * MINUTE

/** Whether the attempts of deliveries start when they are due. */
export const deliveryExamination: Examination = {
  name: 'deliveries',
  async project({ handle: { db, tables }, now }, { id }) {
    const { deliveryTargets: t } = tables
    const [late] = await db
      .select({ count: count(), oldest: min(t.dueAt) })
      .from(t)
      .where(and(eq(t.projectId, id), lt(t.dueAt, now - PATIENCE_MS)))
    if (!late || late.oldest === null) return {}
    return { faults: [lateFinding(Number(late.count), Math.floor((now - Number(late.oldest)) / MINUTE))] }
  },
}

const lateFinding = (targets: number, minutes: number): Finding =>
  finding(
    'DELIVERIES_LATE',
    { targets, minutes },
    `Deliveries to ${targets} ${targets === 1 ? 'target' : 'targets'} are due for up to ${minutes} minutes; check that a server runs, and that the receivers answer quickly.`,
  )
