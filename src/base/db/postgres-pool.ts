import postgres, { type Sql } from 'postgres'
import { monotonicMs } from '../lib/clock'
import type { PostgresChanges } from './postgres-changes'
import { execute, type HotStatements, leaveControlUnprepared } from './postgres-statements'
import { PostgresTransaction, type Work } from './postgres-transaction'
import { Silence } from './silence'

type Options = NonNullable<Parameters<typeof postgres>[1]>
type Unsafe = Parameters<Sql['unsafe']>
type Query = ReturnType<Sql['unsafe']>

const OLD_POOL_SECONDS = 10

interface PoolParts {
  statements: HotStatements
  changes: PostgresChanges
  /** How long a query waits for the database, in milliseconds. */
  silenceMs: number
}

/**
 * The pool of the driver. As soon as one of its connections breaks or hangs, it is replaced by a new pool. Version
 * 3.4.9 of the driver continues to use a broken connection in three wrong ways (github.com/porsager/postgres pulls 1209
 * and 1215): a pending write is never sent and is placed before the next log-in; the rest of a dead transaction runs
 * inside the next one; and its ROLLBACK ends the process.
 */
export class PostgresPool {
  private pool: Sql
  /** Monotonic milliseconds of the last answer of a database, to any query of this pool. */
  private answeredAtMs = Number.NEGATIVE_INFINITY

  constructor(
    url: string,
    options: Options,
    private readonly parts: PoolParts,
  ) {
    this.pool = this.watch(postgres(url, options))
    leaveControlUnprepared(this.pool)
  }

  /** The client for work that may take long. */
  get sql(): Sql {
    return this.pool
  }

  /** The client for all other work: its queries fail when the server stops answering. */
  readonly impatient = new Proxy((() => {}) as unknown as Sql, {
    get: (_none, name) =>
      name === 'unsafe' ? this.query : name === 'begin' ? this.begin : Reflect.get(this.pool, name),
  })

  end(): Promise<void> {
    this.pool.options.onclose = () => {} // The connections of this pool do not break.
    return this.pool.end({ timeout: 5 })
  }

  private watch(pool: Sql): Sql {
    pool.options.onclose = () => {
      if (hasJustBroken(pool)) this.leave(pool)
    }
    return pool
  }

  /** Queries that already run in the old pool may end there. New work goes to a new pool. */
  private leave(pool: Sql): void {
    if (pool !== this.pool) return
    this.answeredAtMs = Number.NEGATIVE_INFINITY
    // These options were already read once by the driver. With them the new pool has the parsers that drizzle has set.
    this.pool = this.watch(postgres({ ...pool.options } as unknown as Options))
    pool.end({ timeout: OLD_POOL_SECONDS }).catch(() => {})
  }

  private readonly query = (...[text, values]: Unsafe) => {
    const run = (read: (query: Query) => PromiseLike<unknown>) => {
      const { pool } = this
      const changes = this.parts.changes.begin()
      changes.note(text, values ?? [])
      const write = () => this.begin(async (tx) => read(tx.unsafe(text, values)))
      if (changes.change !== 'NOBODY') return write().catch((error) => this.again(error, write))
      let sent: Query | undefined
      const watched = (query: Query) => {
        sent = query
        return read(query)
      }
      const silence = this.silence(pool, () => sent !== undefined && hasConnection(sent))
      return silence.orResult(this.executeOutside(pool, text, values, watched))
    }
    return {
      // biome-ignore lint/suspicious/noThenProperty: drizzle awaits what it is given, or asks for the values first.
      then: (resolve: (rows: unknown) => unknown, reject: (error: unknown) => unknown) =>
        run((query) => query).then(resolve, reject),
      values: () => run((query) => query.values()),
    }
  }

  /**
   * Watches one query of a pool. Without an answer in time, its caller gets an error. The pool is replaced only when a
   * connection hangs. A query that has no connection yet, while other queries are answered, shows that the pool is busy;
   * more connections would make the database slower.
   */
  private silence(pool: Sql, hasStarted: () => boolean): Silence {
    const sinceMs = monotonicMs()
    return new Silence({
      ms: this.parts.silenceMs,
      onSilence: () => {
        if (hasStarted() || this.answeredAtMs < sinceMs) this.leave(pool)
      },
      onAnswer: () => {
        if (pool === this.pool) this.answeredAtMs = monotonicMs() // A replaced pool is not the new one.
      },
    })
  }

  /** A single statement can be executed again when the preparation of its text was the reason that it failed. */
  private async executeOutside(
    pool: Sql,
    text: string,
    values: Unsafe[1],
    read: (query: Query) => PromiseLike<unknown>,
  ): Promise<unknown> {
    const use = this.parts.statements.use(text)
    try {
      return await read(execute(pool, use, values))
    } catch (error) {
      if (!this.parts.statements.repair(error, use.generation)) throw error
      return read(execute(pool, this.parts.statements.use(text), values))
    }
  }

  /** As `executeOutside`, for a statement with a transaction of its own, which has already repaired the preparation. */
  private again(error: unknown, write: () => Promise<unknown>): Promise<unknown> {
    if (!this.parts.statements.isReason(error)) throw error
    return write()
  }

  /** A transaction may take long, but none of its statements may. */
  private readonly begin = async (...args: [...options: string[], work: Work]) => {
    const { pool } = this
    let isBegun = false
    const silence = this.silence(pool, () => isBegun)
    const [work, ...options] = [args.at(-1) as Work, ...(args.slice(0, -1) as string[])]
    const transaction = new PostgresTransaction({ silence, ...this.parts })
    const begun = pool.begin(options.join(' '), (tx) => {
      if (silence.isOver) throw new Error('the caller was refused while the transaction waited for a connection')
      isBegun = true
      return transaction.run(tx, work)
    })
    let isCommitted = false
    try {
      const result = await silence.orResult(begun)
      transaction.assertKept()
      isCommitted = true
      return result
    } catch (error) {
      throw transaction.reasonOf(error)
    } finally {
      this.parts.changes.ended(transaction.changes, isCommitted)
    }
  }
}

/** Whether a query was sent on a connection, or still waits for one. The driver's types lack this member. */
const hasConnection = (query: Query): boolean => (query as Query & { active: boolean }).active

/** Only a connection that was open can break. The driver also reports each failed attempt to connect as a close. */
const hasJustBroken = ({ options }: Sql): boolean =>
  (options as unknown as { shared: { retries: number } }).shared.retries <= 1
