import { DAY } from '../lib/clock'
import type { RetentionRule } from '../retention/rule'

const KEPT_MS = DAY

/** What a process that was killed has left of a file. */
export const blobRetention: RetentionRule = {
  name: 'unfinished files',
  tables: [],
  keptMs: KEPT_MS,
  sweep: ({ state, clock }) => state.blobPlace.sweepUnfinished(clock.now() - KEPT_MS),
}
