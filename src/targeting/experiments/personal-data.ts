import { inArray } from 'drizzle-orm'
import type { OnErase } from '../../people/subscribers/hooks'

export { exportExperiments } from './personal-export'

/** At an erasure: deletes the variants, exposures and tracked events of a person. */
export const eraseAssignments: OnErase = async (tx, _project, _subscriber, { ids }) => {
  const { assignments: a, trackedEvents: t } = tx.tables
  const assigned = tx.db.delete(a).where(inArray(a.subscriberId, [...ids]))
  const tracked = tx.db.delete(t).where(inArray(t.subscriberId, [...ids]))
  return {
    experiment_assignments: { removed: (await assigned.returning({ id: a.experimentId })).length },
    experiment_events: { removed: (await tracked.returning({ position: t.position })).length },
  }
}
