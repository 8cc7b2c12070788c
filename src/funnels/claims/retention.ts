import { DAY, HOUR } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { deleteEndedLinks } from './queries-links'
import { deleteOldOpenings } from './queries-openings'

/** Longer than the links live, so that one that has ended is known as such for a while. */
const LINKS_KEPT = 7 * DAY
/** Only those of the last hour count. */
const OPENINGS_KEPT = 2 * HOUR

export const claimRetention: readonly RetentionRule[] = [
  {
    name: 'links of funnels in mails',
    tables: ['funnelLinks'],
    keptMs: LINKS_KEPT,
    sweep: (ctx, isStopping) =>
      deleteInBatches(ctx, isStopping, (tx, limit) => deleteEndedLinks(tx, tx.clock.now() - LINKS_KEPT, limit)),
    oldest: (handle) => oldestOf(handle, handle.tables.funnelLinks, handle.tables.funnelLinks.expiresAt, LINKS_KEPT),
  },
  {
    name: 'openings of links to the app',
    tables: ['funnelOpenings'],
    keptMs: OPENINGS_KEPT,
    sweep: (ctx, isStopping) =>
      deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldOpenings(tx, tx.clock.now() - OPENINGS_KEPT, limit)),
    oldest: (handle) => oldestOf(handle, handle.tables.funnelOpenings, handle.tables.funnelOpenings.at, OPENINGS_KEPT),
  },
]
