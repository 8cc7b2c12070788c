import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { Money } from '../../base/lib/money'
import { countExposures, findResolutions, sumPurchases } from './metric-queries'
import { getPlacement } from './service'

export interface PlacementMetrics {
  /** How often apps asked for it. */
  resolutions: number
  exposures: number
  purchases: number
  revenue: Money
}

/** 404 when the project has no such placement. Clients name a placement by its identifier, and may name it by its id. */
export async function placementMetrics(ctx: Context, projectId: string, id: string): Promise<PlacementMetrics> {
  const { identifier } = await getPlacement(ctx, projectId, id)
  await ctx.state.resolutions.flush(ctx)
  const read = async (handle: Handle): Promise<PlacementMetrics> => {
    const names = [identifier, id]
    const { purchases, usdMicros } = await sumPurchases(handle, projectId, names)
    return {
      resolutions: await findResolutions(handle, projectId, identifier),
      exposures: await countExposures(handle, projectId, names),
      purchases,
      revenue: { amountMicros: usdMicros, currency: 'USD' },
    }
  }
  return ctx.storage.readInThread(read, { group: projectId })
}
