import type { Handle } from '../../base/db/handle'
import { findHead, hasUpdate, listChangedAfter, type RatesHead } from './queries'
import { RateTable } from './rate-table'

/**
 * The stored rates in memory. They are read when they are first needed; afterwards each use reads one row, which says
 * whether another process or this one has changed them, and only changed days are read again. Inside a transaction the
 * row is read there, so a conversion and the rates that it was made with are of one state of the database.
 */
export class RateStore {
  private held: { table: RateTable; seen: RatesHead | null } = { table: RateTable.EMPTY, seen: null }

  /** The rates as they are stored now. The table itself does not change any more. */
  async current(handle: Handle): Promise<RateTable> {
    const head = await findHead(handle)
    const { table, seen } = this.held
    if (head?.id === seen?.id) return table
    // A transaction that changed rates may have been rolled back after others in its group had read them.
    const isKept = seen !== null && (await hasUpdate(handle, seen))
    const days = await listChangedAfter(handle, isKept ? seen.position : -1)
    this.held = { table: (isKept ? table : RateTable.EMPTY).with(days), seen: head }
    return this.held.table
  }
}
