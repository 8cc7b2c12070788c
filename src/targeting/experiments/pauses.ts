import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ExperimentStatus } from './model'

interface Status {
  id: string
  status: ExperimentStatus
}

/**
 * Records the pauses and resumptions in a change of experiments that is about to be written: results leave that time
 * out.
 */
export async function notePauses(tx: Tx, changed: readonly Status[]): Promise<void> {
  if (changed.length === 0) return
  const before = await listStatuses(
    tx,
    changed.map(({ id }) => id),
  )
  const now = tx.clock.now()
  for (const { id, status } of changed) {
    const was = before.get(id)
    if (status === 'PAUSED' && was === 'RUNNING') await openPause(tx, id, now)
    if (status !== 'PAUSED' && was === 'PAUSED') await closePause(tx, id, now)
  }
}

async function listStatuses({ db, tables }: Handle, ids: string[]): Promise<Map<string, ExperimentStatus>> {
  const { experiments: e } = tables
  const rows = await db.select({ id: e.id, status: e.status }).from(e).where(inArray(e.id, ids))
  return new Map(rows.map(({ id, status }) => [id, status]))
}

async function openPause({ db, tables }: Handle, experimentId: string, pausedAt: number): Promise<void> {
  const { experimentPauses: p } = tables
  const again = { target: [p.experimentId, p.pausedAt], set: { resumedAt: null } }
  await db.insert(p).values({ experimentId, pausedAt, resumedAt: null }).onConflictDoUpdate(again)
}

async function closePause({ db, tables }: Handle, experimentId: string, resumedAt: number): Promise<void> {
  const { experimentPauses: p } = tables
  await db
    .update(p)
    .set({ resumedAt })
    .where(and(eq(p.experimentId, experimentId), isNull(p.resumedAt)))
}
