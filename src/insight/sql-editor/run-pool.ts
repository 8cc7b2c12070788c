import { AppError } from '../../base/errors'
import type { Closable } from '../../base/state'
import type { QueryLimits, QueryRequest } from './child/protocol'
import { type QueryAnswer, type RunningQuery, startQuery } from './child/spawn'
import { QUERY_LIMITS } from './model'

const AT_ONCE = 2
/** The last of them begins within 16 seconds; the server closes a connection that is silent for 30. */
const MAX_WAITING = 4
/** How long somebody who finds no place is told to wait. */
const RETRY_SECONDS = 5

interface Waiting {
  projectId: string
  begin(): void
  refuse(error: AppError): void
}

/** The processes of queries: few at once, so that the server keeps its processors. Their end is the end of the server. */
export class RunPool implements Closable {
  private readonly running = new Map<RunningQuery, string>()
  private readonly waiting: Waiting[] = []
  private isStopping = false
  private places = AT_ONCE

  constructor(
    private readonly limits: QueryLimits = QUERY_LIMITS,
    private readonly start: (request: QueryRequest) => RunningQuery = startQuery,
  ) {}

  /** Runs a query when there is a place. Null when its process was ended from outside; then `signal` may say why. */
  async run(request: Omit<QueryRequest, 'limits'>, signal?: AbortSignal): Promise<QueryAnswer> {
    await this.place(request.projectId, signal)
    try {
      if (this.isStopping) throw stopping()
      if (signal?.aborted) return null
      return await this.runNow({ ...request, limits: this.limits }, signal)
    } finally {
      this.places++
      this.next()
    }
  }

  drain(): void {
    this.isStopping = true
    for (const { refuse } of this.waiting.splice(0)) refuse(stopping())
    for (const query of this.running.keys()) query.kill()
  }

  async close(): Promise<void> {
    this.drain()
    await Promise.allSettled([...this.running.keys()].map(({ answer }) => answer))
  }

  /** The processes that run now. */
  get processes(): number[] {
    return [...this.running.keys()].map(({ pid }) => pid)
  }

  private async runNow(request: QueryRequest, signal: AbortSignal | undefined): Promise<QueryAnswer> {
    const query = this.start(request)
    this.running.set(query, request.projectId)
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

  private async place(projectId: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.isStopping) throw stopping()
    if (this.places > 0) {
      this.places--
      return
    }
    if (this.waiting.length >= MAX_WAITING)
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS }, { retryAfter: RETRY_SECONDS })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Waiting = { projectId, begin: resolve, refuse: reject }
    this.waiting.push(entry)
    const leave = () => this.leave(entry)
    signal?.addEventListener('abort', leave)
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  /** A caller who is gone gives up the wait. */
  private leave(entry: Waiting): void {
    const at = this.waiting.indexOf(entry)
    if (at < 0) return
    this.waiting.splice(at, 1)
    entry.refuse(new AppError('HTTP_ERROR', undefined, { message: 'The caller is gone' }))
  }

  /** A project that has no query running comes before one that has. */
  private next(): void {
    if (this.places === 0 || this.waiting.length === 0) return
    const busy = new Set(this.running.values())
    const at = Math.max(
      0,
      this.waiting.findIndex(({ projectId }) => !busy.has(projectId)),
    )
    const [entry] = this.waiting.splice(at, 1)
    this.places--
    entry?.begin()
  }
}

const stopping = (): AppError =>
  new AppError('DATABASE_UNAVAILABLE', undefined, { message: 'The server is stopping; try again' })
