import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { SumScope } from '../figures/sums'
import { isTooMuch } from './client'

/**
 * Reads figures: from ClickHouse where that is configured, else from the database itself, beside the server's own
 * connection. All reads of metrics and charts go through here. 503 `ANALYTICS_UNREACHABLE` when ClickHouse is configured
 * and does not answer.
 */
export const readNumbers = <Result>(ctx: Context, work: (handle: Handle) => Promise<Result>): Promise<Result> =>
  ctx.state.analytics?.read(work) ?? ctx.storage.readInThread(work)

/** As `readNumbers`. Figures of chosen people are read from the database itself, where it is known who they are. */
export const readScoped = <Result>(
  ctx: Context,
  { owners }: Pick<SumScope, 'owners'>,
  work: (handle: Handle) => Promise<Result>,
): Promise<Result> => (owners ? ctx.storage.readInThread(work) : readNumbers(ctx, work))

/**
 * As `readNumbers`, for one step of a computation that may be long. What ClickHouse ends for its time or memory is read
 * from the database itself, so that every computation comes to its end.
 */
export async function readStep<Result>(ctx: Context, work: (handle: Handle) => Promise<Result>): Promise<Result> {
  try {
    return await readNumbers(ctx, work)
  } catch (error) {
    if (!isTooMuch(error)) throw error
    return ctx.storage.readInThread(work)
  }
}

/** Whether figures are read from ClickHouse. */
export const isElsewhere = ({ state }: Context): boolean => Boolean(state.analytics)
