import { AppError } from '../../base/errors'
import { type FairLimits, FairQueue } from '../../base/http/fair-queue'
import { SECOND } from '../../base/lib/clock'
import type { Closable } from '../../base/state'
import type { QueryLimits, QueryRequest } from './child/protocol'
import { type QueryAnswer, type RunningQuery, startQuery } from './child/spawn'
import { QUERY_LIMITS } from './model'

/** A query ends after 8 seconds, so a query that waits behind one of its project starts in time, or is refused in time. */
const LIMITS: FairLimits = { places: 2, placesOfGroup: 1, waitingOfGroup: 4, patienceMs: 18 * SECOND }

/** The processes of queries: few at once, so that the server keeps its processors. Their end is the end of the server. */
export class RunPool implements Closable {
  private readonly running = new Set<RunningQuery>()
  private readonly queue = new FairQueue(LIMITS)
  private isStopping = false

  constructor(
    private readonly limits: QueryLimits = QUERY_LIMITS,
    private readonly start: (request: QueryRequest) => RunningQuery = startQuery,
  ) {}

  /** Runs a query when there is a place. Null when its process was ended from outside; then `signal` may say why. */
  async run(request: Omit<QueryRequest, 'limits'>, signal?: AbortSignal): Promise<QueryAnswer> {
    if (signal?.aborted) return null
    return this.queue.run(request.projectId, signal, async () => {
      if (signal?.aborted) return null
      return this.runNow({ ...request, limits: this.limits }, signal)
    })
  }

  drain(): void {
    this.isStopping = true
    this.queue.stop(stopping())
    for (const query of this.running) query.kill()
  }

  async close(): Promise<void> {
    this.drain()
    await Promise.allSettled([...this.running].map(({ answer }) => answer))
  }

  /** The processes that run now. */
  get processes(): number[] {
    return [...this.running].map(({ pid }) => pid)
  }

  private async runNow(request: QueryRequest, signal: AbortSignal | undefined): Promise<QueryAnswer> {
    const query = this.start(request)
    this.running.add(query)
    signal?.addEventListener('abort', query.kill)
    try {
      const answer = await query.answer
      if (!answer && this.isStopping) throw stopping()
      return answer
    } finally {
      signal?.removeEventListener('abort', query.kill)
      this.running.delete(query)
    }
  }
}

const stopping = (): AppError =>
  new AppError('DATABASE_UNAVAILABLE', undefined, { message: 'The server is stopping; try again' })
