import postgres, { type Sql, type TransactionSql } from 'postgres'
import { isConnectionLost } from './errors'
import { Silence } from './silence'

type Options = NonNullable<Parameters<typeof postgres>[1]>
type Work = (tx: TransactionSql) => Promise<unknown>

const OLD_POOL_SECONDS = 10

/**
 * The pool of the driver. As soon as one of its connections breaks or hangs, it is replaced by a new pool. Version
 * 3.4.9 of the driver continues to use a broken connection in three wrong ways (github.com/porsager/postgres pulls 1209
 * and 1215): a pending write is never sent and is placed before the next log-in; the rest of a dead transaction runs
 * inside the next one; and its ROLLBACK ends the process.
 */
export class PostgresPool {
  private pool: Sql

  constructor(url: string, options: Options) {
    this.pool = this.watch(postgres(url, options))
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
    // These options were already read once by the driver. With them the new pool has the parsers that drizzle has set.
    this.pool = this.watch(postgres({ ...pool.options } as unknown as Options))
    pool.end({ timeout: OLD_POOL_SECONDS }).catch(() => {})
  }

  private readonly query = (...args: Parameters<Sql['unsafe']>) => {
    const { pool } = this
    const wait = () => new Silence(() => this.leave(pool))
    const query = pool.unsafe(...args)
    return {
      // biome-ignore lint/suspicious/noThenProperty: drizzle awaits what it is given, or asks for the values first.
      then: (resolve: (rows: unknown) => unknown, reject: (error: unknown) => unknown) =>
        wait().orResult(query).then(resolve, reject),
      values: () => wait().orResult(query.values()),
    }
  }

  /** A transaction may take long, but none of its statements may. */
  private readonly begin = (...args: [...options: string[], work: Work]) => {
    const { pool } = this
    const silence = new Silence(() => this.leave(pool))
    const [work, ...options] = [args.at(-1) as Work, ...(args.slice(0, -1) as string[])]
    return silence.orResult(pool.begin(options.join(' '), (tx) => abandonedWhenLost(work(stepping(tx, silence)))))
  }
}

/** Only a connection that was open can break. The driver also reports each failed attempt to connect as a close. */
const hasJustBroken = ({ options }: Sql): boolean =>
  (options as unknown as { shared: { retries: number } }).shared.retries <= 1

function stepping(tx: TransactionSql, silence: Silence): TransactionSql {
  const unsafe = (...query: Parameters<Sql['unsafe']>) => {
    silence.isBroken()
    return tx.unsafe(...query)
  }
  const savepoint = (work: Work) => tx.savepoint((inner) => abandonedWhenLost(work(stepping(inner, silence))))
  return new Proxy(tx, {
    get: (inner, name) => (name === 'unsafe' ? unsafe : name === 'savepoint' ? savepoint : Reflect.get(inner, name)),
  })
}

/**
 * For the driver, work on a lost connection never ends: it would wait for a rollback that cannot happen. The
 * transaction itself is rejected when the connection closes.
 */
export async function abandonedWhenLost<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isConnectionLost(error)) return new Promise(() => {})
    throw error
  }
}
