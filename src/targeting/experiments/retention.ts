import { oldestOf, type RetentionRule } from '../../base/retention/rule'
import { KEPT_MS, pruneTracked } from './track'

export const trackedRetention: RetentionRule = {
  name: 'events tracked for experiments',
  tables: ['trackedEvents'],
  keptMs: KEPT_MS,
  sweep: pruneTracked,
  oldest: (handle) => oldestOf(handle, handle.tables.trackedEvents, handle.tables.trackedEvents.recordedAt, KEPT_MS),
}
