import { and, count as countRows, eq, gte, lt, min } from 'drizzle-orm'
import type { Examination } from '../../base/cli/doctor'
import type { Handle } from '../../base/db/handle'
import { DAY, MINUTE } from '../../base/lib/clock'
import { type Finding, finding } from '../../core/finding/findings'
import type { StoreEventStatus } from './tables'

/** A notification that waits longer is late. */
const PATIENCE_MS = 5 * MINUTE

/** Whether the notifications of the stores are processed, and soon. */
export const inboxExamination: Examination = {
  name: 'store-notifications',
  async project({ handle, now }, { id }) {
    const failed = await countOf(handle, id, 'FAILED', now - DAY, now + DAY)
    const late = [
      await countOf(handle, id, 'RECEIVED', 0, now - PATIENCE_MS),
      await countOf(handle, id, 'PROCESSING', 0, now - PATIENCE_MS),
    ]
    const waiting = late.reduce((sum, one) => sum + one.count, 0)
    const first = Math.min(...late.flatMap(({ oldest }) => oldest ?? []))
    return {
      faults: [
        ...(failed.count > 0 ? [failedFinding(failed.count)] : []),
        ...(waiting > 0 ? [waitingFinding(waiting, Math.floor((now - first) / MINUTE))] : []),
      ],
    }
  },
}

async function countOf(
  { db, tables: { storeEvents: e } }: Handle,
  projectId: string,
  status: StoreEventStatus,
  from: number,
  to: number,
): Promise<{ count: number; oldest: number | null }> {
  const [row] = await db
    .select({ count: countRows(), oldest: min(e.receivedAt) })
    .from(e)
    .where(and(eq(e.status, status), gte(e.receivedAt, from), lt(e.receivedAt, to), eq(e.projectId, projectId)))
  return { count: Number(row?.count ?? 0), oldest: row?.oldest == null ? null : Number(row.oldest) }
}

const failedFinding = (count: number): Finding =>
  finding(
    'NOTIFICATIONS_FAILED',
    { count },
    `${count} notifications of stores that came in the last 24 hours could not be processed; look at them among the store events, correct the reason, and process them again.`,
  )

const waitingFinding = (count: number, minutes: number): Finding =>
  finding(
    'NOTIFICATIONS_WAIT',
    { count, minutes },
    `${count} notifications of stores wait, the oldest for ${minutes} minutes; check that a server runs and that the stores answer it.`,
  )
