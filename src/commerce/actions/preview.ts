import type { Context, Tx } from '../../base/context'
import { writeOrTry } from '../../base/db/dry-run'
import type { JsonInteger } from '../../base/lib/int64'
import { visibleBalances } from '../../people/currencies/service'
import { currentAccess } from '../../people/entitlements/service'
import { listEventTypesAfter } from '../../people/events/service'
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

/** An action that is ready to run, with the subscriber whose lock its transaction holds. */
interface Prepared<Result> {
  subscriber: SubscriberRow
  run: () => Promise<Result>
}

/**
 * Runs an action in a transaction that is rolled back, and compares its subscriber before and after. `prepare` makes the
 * checks of the action.
 */
export const preview = <Result>(
  ctx: Context,
  project: ProjectState,
  prepare: (tx: Tx) => Promise<Prepared<Result>>,
): Promise<Preview<Result>> => writeOrTry(ctx, true, async (tx) => compare(tx, project, await prepare(tx)))

async function compare<Result>(
  tx: Tx,
  project: ProjectState,
  { subscriber, run }: Prepared<Result>,
): Promise<Preview<Result>> {
  const before = await readSide(tx, project, subscriber)
  const result = await run()
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
