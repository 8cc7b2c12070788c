import type { Tx } from '../../base/context'
import type { JsonInteger } from '../../base/lib/int64'
import { visibleBalances } from '../../people/currencies/service'
import { currentAccess } from '../../people/entitlements/service'
import { listEventTypesAfter } from '../../people/events/queries'
import type { AccessMap } from '../../people/subscribers/access-map'
import { findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'

interface Sides<Value> {
  before: Value
  after: Value
}

/** What an action would do to its subscriber (wire 7.1, `dryRun`). */
export interface Preview<Result> {
  /** What the action itself would answer. */
  result: Result
  access: Sides<AccessMap>
  /** Currency code -> balance. */
  balances: Sides<Record<string, JsonInteger>>
  /** Types of the events that would be written, in their order. */
  eventTypes: string[]
}

/**
 * Runs an action and compares its subscriber before and after. The caller holds the lock of the subscriber, and rolls
 * the transaction back.
 */
export async function previewed<Result>(
  tx: Tx,
  project: ProjectState,
  subscriber: SubscriberRow,
  work: () => Promise<Result>,
): Promise<Preview<Result>> {
  const before = await readSide(tx, project, subscriber)
  const result = await work()
  const after = await readSide(tx, project, (await findSubscriber(tx, project.id, subscriber.id)) ?? subscriber)
  return {
    result,
    access: { before: before.access, after: after.access },
    balances: { before: before.balances, after: after.balances },
    eventTypes: await listEventTypesAfter(tx, subscriber.id, before.seq),
  }
}

const readSide = async (tx: Tx, project: ProjectState, row: SubscriberRow) => ({
  access: await currentAccess(tx, project, row),
  balances: await visibleBalances(tx, project, row),
  seq: row.seq,
})
