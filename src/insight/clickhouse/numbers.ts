import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { FairQueue } from '../../base/http/fair-queue'
import { SECOND } from '../../base/lib/clock'
import { contextInTurn } from '../../base/turn-context'
import type { SumScope } from '../figures/sums'
import { isTooMuch } from './client'

/**
 * Reads figures: from ClickHouse where that is configured, else from the database itself, beside the server's own
 * connection. All reads of metrics and charts go through here. 503 `ANALYTICS_UNREACHABLE` when ClickHouse is configured
 * and does not answer.
 */
export const readNumbers = <Result>(ctx: Context, work: (handle: Handle) => Promise<Result>): Promise<Result> =>
  ctx.state.analytics?.read(work, ctx.turn) ?? ctx.storage.readInThread(work)

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

/**
 * The queue of the calls that compute figures, fair by project. A database in one file has two threads for them, one
 * for each project; another database computes several at once.
 */
export function figureQueueOf(ctx: Context): FairQueue {
  const isOneThread = ctx.storage.driver !== 'postgres' && !ctx.config.analytics
  const [places, placesOfGroup] = isOneThread ? [2, 1] : [4, 2]
  return new FairQueue({ places, placesOfGroup, waitingOfGroup: 30, patienceMs: 15 * SECOND })
}

/**
 * Runs a call's computation when it is the project's turn, with a context of its own: when the caller leaves, it ends at
 * its next step and gives its place back. 429 `RATE_LIMITED` and 503 `QUEUE_UNAVAILABLE`.
 */
export const inTurn = <Result>(
  ctx: Context,
  projectId: string,
  { signal }: Pick<Request, 'signal'>,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> =>
  ctx.state.figureQueue.run(projectId, signal, () => work(contextInTurn(ctx, { group: projectId, signal })))

/** What a route with such a computation can answer. */
export const TURN_REFUSALS = ['RATE_LIMITED', 'QUEUE_UNAVAILABLE'] as const
