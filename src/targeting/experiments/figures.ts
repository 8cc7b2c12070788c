import { and, asc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { PURCHASE_METRIC } from './conversion'
import { findExperiment } from './queries'
import { isBoughtInRun, type Run } from './tally-queries'

/** The run of an experiment, with the name under which charts show it. */
export interface NamedRun extends Run {
  key: string
}

/** The runs of a project, paused and completed ones too, in the order of their ids. */
export async function listRuns(handle: Handle, projectId: string): Promise<NamedRun[]> {
  const { experiments: e } = handle.tables
  const rows = await handle.db
    .select({ id: e.id })
    .from(e)
    .where(and(eq(e.projectId, projectId), isNotNull(e.startedAt)))
    .orderBy(asc(e.id))
  const runs: NamedRun[] = []
  for (const { id } of rows) {
    const found = await findExperiment(handle, projectId, id)
    if (!found) continue
    const { key, startedAt, createdAt, completedAt, metrics } = found
    const span = { startedAt: startedAt ?? createdAt, completedAt, matureAt: 0 }
    runs.push({ key, experimentId: id, projectId, metrics, ...span })
  }
  return runs
}

/** Whether an exposed subscriber has converted by now, as the results count it; about a row of the assignments. */
export function hasConverted(handle: Handle, run: Run): SQL {
  const { assignments: a } = handle.tables
  const isTracked = sql`${a.convertedAt} is not null`
  return run.metrics.includes(PURCHASE_METRIC)
    ? sql`(${isTracked} or ${isBoughtInRun(handle, run, a.subscriberId, a.exposedAt)})`
    : isTracked
}
