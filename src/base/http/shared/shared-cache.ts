import type { RedisClient } from 'bun'
import { AppError } from '../../errors'
import { monotonicMs } from '../../lib/clock'
import type { Log } from '../../lib/log'
import { HIT, type Script, TAKE_LEASE } from './scripts'

const ANSWER_MS = 500
/** The time is counted in steps, so that a moment in which this process itself did nothing counts as one step only. */
const STEPS = 10
/** Longer than an answer may take, so that the steps decide. */
const CONNECTION_MS = 4 * ANSWER_MS
/** After a fault, calls fail at once for this time, so that requests do not wait for a cache that is down. */
const REST_MS = 1000
const PREFIX = 'svc:'

export interface SharedWindow {
  count: number
  /** Milliseconds of the oldest counted request. */
  oldest: number
  isExceeded: boolean
}

/**
 * A Redis or Valkey server that several processes share (`SVC_CACHE_URL`). Everything in it expires by itself, and
 * nothing in it is the only copy of anything: the database decides, and the cache only counts and remembers.
 */
export class SharedCache {
  private client: RedisClient | null = null
  private restsUntil = 0
  private isDown = false

  constructor(
    private readonly url: string,
    private readonly log: Log,
  ) {}

  /** Counts a request in a sliding window; null when the cache does not answer. */
  async hit(name: string, limit: number, now: number, amount: number, windowMs: number): Promise<SharedWindow | null> {
    const keys = [`${PREFIX}limit:{${name}}`, `${PREFIX}limit:{${name}}:n`]
    try {
      const answer = await this.run(HIT, keys, [now, limit, amount, windowMs])
      const [count = 0, oldest = now, isExceeded = 0] = answer as number[]
      return { count, oldest, isExceeded: isExceeded === 1 }
    } catch {
      return null
    }
  }

  /** Whether the mark was set. 503 `CACHE_UNAVAILABLE` when the cache does not answer. */
  async hasMark(name: string): Promise<boolean> {
    return (await this.required((client) => client.send('GET', [`${PREFIX}mark:${name}`]))) !== null
  }

  /** Sets a mark. A mark that cannot be set is only logged: its readers then use the row in the database. */
  async mark(name: string, lifeMs: number): Promise<void> {
    try {
      await this.call((client) => client.send('SET', [`${PREFIX}mark:${name}`, '1', 'PX', String(lifeMs)]))
    } catch {
      // `call` has logged that the cache is down.
    }
  }

  /**
   * Takes or prolongs one of at most `limit` leases; false when all are taken. 503 `CACHE_UNAVAILABLE` when the cache
   * does not answer.
   */
  async takeLease(name: string, holder: string, limit: number, now: number, until: number): Promise<boolean> {
    const args = [holder, now, until, limit]
    return (await this.required(() => this.run(TAKE_LEASE, [`${PREFIX}lease:${name}`], args))) === 1
  }

  /** Gives a lease back. When the cache does not answer, the lease ends by itself. */
  async giveLease(name: string, holder: string): Promise<void> {
    try {
      await this.call((client) => client.send('ZREM', [`${PREFIX}lease:${name}`, holder]))
    } catch {
      // As in `mark`.
    }
  }

  close(): void {
    this.client?.close()
    this.client = null
  }

  private async required<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    try {
      return await this.call(work)
    } catch (cause) {
      throw new AppError('CACHE_UNAVAILABLE', undefined, { cause })
    }
  }

  private run({ sha, text }: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args.map(String)]
    return this.call(async (client) => {
      try {
        return await client.send('EVALSHA', [sha, ...rest])
      } catch (error) {
        if (!String(error).includes('NOSCRIPT')) throw error
        return client.send('EVAL', [text, ...rest])
      }
    })
  }

  private async call<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    if (monotonicMs() < this.restsUntil) throw new Error('the shared cache did not answer a moment ago')
    const client = this.connected()
    try {
      const result = await within(work(client), ANSWER_MS)
      this.succeeded()
      return result
    } catch (error) {
      this.failed(client, error)
      throw error
    }
  }

  private connected(): RedisClient {
    // The connection is made anew after a fault: the client's own attempts end after some time.
    this.client ??= new Bun.RedisClient(this.url, { connectionTimeout: CONNECTION_MS, autoReconnect: false })
    return this.client
  }

  private failed(client: RedisClient, error: unknown): void {
    if (this.client !== client) return // Another call that failed on the same connection has reported it.
    this.client = null
    client.close()
    this.restsUntil = monotonicMs() + REST_MS
    if (!this.isDown) this.log.warn('the shared cache does not answer', { error: messageOf(error) })
    this.isDown = true
  }

  private succeeded(): void {
    if (this.isDown) this.log.info('the shared cache answers again')
    this.isDown = false
  }
}

// Not the error itself: an error of a connection can contain its address, and the address can contain a password.
const messageOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}

function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const late = Promise.withResolvers<never>()
  let steps = 0
  const timer = setInterval(() => {
    steps += 1
    if (steps === STEPS) late.reject(Object.assign(new Error('no answer'), { code: 'TIMEOUT' }))
  }, ms / STEPS)
  return Promise.race([work, late.promise]).finally(() => clearInterval(timer))
}
