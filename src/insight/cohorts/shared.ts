import type { Context } from '../../base/context'
import { contextInTurn } from '../../base/turn-context'
import type { CohortRow } from './queries'

/**
 * Runs a computation about a cohort once for everybody who asks at the same time, in the turn of its project. It ends
 * early when all of them have left.
 */
export const runShared = (
  ctx: Context,
  name: string,
  { projectId }: CohortRow,
  work: (ctx: Context, isStopping: () => boolean) => Promise<void>,
): Promise<void> =>
  ctx.state.cohortWork.run(
    name,
    ({ signal, isStopping }) => work(contextInTurn(ctx, { group: projectId, signal }), isStopping),
    ctx.turn?.signal,
  )
