import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { describeError } from '../../base/lib/log'
import { inParallel } from '../../base/lib/parallel'
import { causeOf } from '../../people/events/model'
import type { Store } from '../../stores/observation'
import { compareWithStore } from './compare-with-store'
import type { Place } from './queries'
import type { Difference, RunOrder } from './store-run'
import { RECONCILED } from './stores'

/** A difference that was found in a store's own list. */
export interface ListedDifference extends Difference {
  projectId: string
  store: Store
}

/** Records the refunds in the stores' lists. Such a list is short and reliable, so the drift limit does not apply. */
export async function repairListed(
  ctx: Context,
  places: readonly Place[],
  run: RunOrder,
  width: number,
): Promise<ListedDifference[]> {
  const found: ListedDifference[] = []
  // One list has both environments.
  const listing = places.filter((place) => place.environment === 'PRODUCTION' && RECONCILED[place.store]?.listUntold)
  await inParallel(listing, width, async (place) => {
    if (run.isOver()) return
    try {
      found.push(...(await repairPlace(ctx, place, run)))
    } catch (error) {
      if (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE') throw error
      const { projectId, store } = place
      ctx.log.warn('a store did not list its refunds', { projectId, store, error: describeError(error) })
    }
  })
  return found
}

async function repairPlace(ctx: Context, { projectId, store }: Place, run: RunOrder): Promise<ListedDifference[]> {
  const found: ListedDifference[] = []
  const project = await ctx.state.projects.find(projectId)
  const reconciled = RECONCILED[store]
  if (!project || !reconciled?.listUntold || !(await reconciled.canAsk(ctx, project))) return found
  const cause = causeOf('RECONCILE', null, store)
  for (const { purchase, refresh } of await reconciled.listUntold(ctx, project)) {
    const order = { project, purchase, cause, isDryRun: run.isDryRun }
    const { comparison, before, after } = await compareWithStore(ctx, refresh, order)
    if (comparison !== 'DRIFT' || !before || !after) continue
    if (!run.isDryRun) ctx.metrics.reconcileRepairs.inc({ store })
    found.push({ projectId, store, purchaseId: purchase.id, before, after })
  }
  return found
}
