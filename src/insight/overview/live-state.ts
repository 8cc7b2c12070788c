import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { Figures } from './figures'
import { type Firsts, readFirsts } from './firsts'
import { readStores, type StoreOverview } from './stores'

/** What a live overview shows. */
export interface LiveState {
  figures: Figures
  first: Firsts
  stores: StoreOverview[]
}

export async function readLiveState(
  ctx: Context,
  project: ProjectState,
  environment: PurchaseEnvironment = 'PRODUCTION',
): Promise<LiveState> {
  const first = await readFirsts(ctx, project.id)
  const stores = await readStores(ctx, project)
  return { figures: await ctx.state.overviewFigures.read(project, environment), first, stores }
}
