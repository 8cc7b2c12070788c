import type { Tx } from '../../../base/context'
import { listByManyIds } from '../../../people/subscribers/many-queries'
import { type SubscriberRow, updateSubscriber } from '../../../people/subscribers/service'
import type { SubscriberMark } from '../commit/marks'
import type { ImportJobRow } from '../queries'
import type { SubscriberBefore } from '../tables'
import { deleteSubscriberMarks, deleteSubscribers, handOverSubscribers, listReferred } from './queries'

/**
 * Removes the subscribers that only a job has made, and gives others back what it changed. Returns how many it removed.
 */
export async function undoSubscribers(tx: Tx, job: ImportJobRow, marks: readonly SubscriberMark[]): Promise<number> {
  const ids = marks.map(({ subscriberId }) => subscriberId)
  if (ids.length === 0) return 0
  if (tx.needsLocks) await Promise.all(ids.toSorted().map((id) => tx.lock(`subscriber:${id}`)))
  const rows = new Map((await listByManyIds(tx, ids)).map((row) => [row.id, row]))
  await deleteSubscriberMarks(tx, job.id, ids)
  const made = marks.filter(({ isNew }) => isNew).flatMap(({ subscriberId }) => rows.get(subscriberId) ?? [])
  const referred = await listReferred(tx, ids)
  const gone = made.filter((row) => !referred.has(row.id) && isUntouched(row, job)).map(({ id }) => id)
  await deleteSubscribers(tx, gone)
  await handOverSubscribers(
    tx,
    made.map(({ id }) => id).filter((id) => !gone.includes(id)),
  )
  for (const { subscriberId, before } of marks) {
    const row = rows.get(subscriberId)
    if (row && before) await restore(tx, job, row, before)
  }
  return gone.length
}

/** Whether only the import has written it: no event, no merge, no device, no attribute of another source. */
function isUntouched(row: SubscriberRow, { committedAt }: ImportJobRow): boolean {
  const { seq, mergedInto, erasedAt, attributes, isSynthetic, lastSeenAt } = row
  const isOnlyImported = Object.values(attributes).every(({ source }) => source === 'import')
  const isUnused = isSynthetic || lastSeenAt <= (committedAt ?? lastSeenAt)
  return seq === 0 && mergedInto === null && erasedAt === null && isOnlyImported && isUnused
}

/** A value that was changed since stays. */
async function restore(
  tx: Tx,
  { committedAt }: ImportJobRow,
  row: SubscriberRow,
  before: SubscriberBefore,
): Promise<void> {
  const attributes = new Map(Object.entries(row.attributes))
  for (const [key, value] of Object.entries(before.attributes)) {
    if (attributes.get(key)?.source !== 'import') continue
    if (value) attributes.set(key, value)
    else attributes.delete(key)
  }
  const isSeenSince = row.lastSeenAt > (committedAt ?? row.lastSeenAt)
  await updateSubscriber(tx, row.id, {
    attributes: Object.fromEntries(attributes),
    firstSeenAt: before.firstSeenAt,
    ...(!isSeenSince && { lastSeenAt: before.lastSeenAt }),
    updatedAt: tx.clock.now(),
  })
}
