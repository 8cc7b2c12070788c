import type { Context } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { Recent } from '../../base/lib/recent'
import { sumWaiting, type WaitingSums } from '../../people/purchases/waiting-sums'
import type { Store } from '../../stores/observation'

/** The sums of what waits for store products, whose ids are in their order. */
type SumsReader = (projectId: string, store: Store, ids: readonly string[]) => Promise<readonly WaitingSums[]>

declare module '../../base/state' {
  interface SliceState {
    waitingSums: SumsReader
  }
}

/** Above this number of purchases sums are reused for a while: each purchase and each charge is read for them. */
const MANY = 10_000
const KEPT_MS = 30 * SECOND

export function sumsReader(ctx: Context): SumsReader {
  const isLarge = (all: readonly WaitingSums[]) => all.reduce((sum, one) => sum + one.purchases + one.sales, 0) > MANY
  const now = ctx.clock.now.bind(ctx.clock)
  const recent = new Recent<readonly WaitingSums[]>(now, (all) => (isLarge(all) ? KEPT_MS : 0))
  return async (projectId, store, ids) => {
    const [from, until] = [ids[0], ids.at(-1)]
    if (from === undefined || until === undefined) return []
    const read = () => ctx.storage.readInThread((handle) => sumWaiting(handle, projectId, { store, from, until }))
    return recent.of([projectId, store, ...ids].join('\n'), read)
  }
}
