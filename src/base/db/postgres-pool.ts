import postgres, { type Sql, type TransactionSql } from 'postgres'
import { isConnectionLost } from './errors'
import { Silence } from './silence'

type Options = NonNullable<Parameters<typeof postgres>[1]>
type Work = (tx: TransactionSql) => Promise<unknown>

const OLD_POOL_SECONDS = 10

/**
 * The driver's pool, left for a new one as soon as one of its connections breaks or hangs. Version 3.4.9 goes on with a
 * broken connection where it must not (github.com/porsager/postgres pulls 1209 and 1215): a write that was pending is
 * never sent and stands before the next log-in, what is left of a dead transaction runs inside the next one, and its
 * ROLLBACK ends the process.
 */
export class PostgresPool {
  private pool: Sql

  constructor(url: string, options: Options) {
    this.pool = this.watch(postgres(url, options))
  }

  /** For work that may take long. */
  get sql(): Sql {
    return this.pool
  }

  /** For everything else: a client whose queries fail when the server falls silent. */
  readonly impatient = new Proxy((() => {}) as unknown as Sql, {
    get: (_none, name) =>
      name === 'unsafe' ? this.query : name === 'begin' ? this.begin : Reflect.get(this.pool, name),
  })

  end(): Promise<void> {
    this.pool.options.onclose = () => {} // These connections do not break.
    return this.pool.end({ timeout: 5 })
  }

  private watch(pool: Sql): Sql {
    pool.options.onclose = () => {
      if (hasJustBroken(pool)) this.leave(pool)
    }
    return pool
  }

  /** What is in flight there may end; new work goes to a new pool. */
  private leave(pool: Sql): void {
    if (pool !== this.pool) return
    // Options that were read once are taken as they are: with them the new pool has the parsers that drizzle set.
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

  /** A transaction may take long, but no step of it. */
  private readonly begin = (...args: [...options: string[], work: Work]) => {
    const { pool } = this
    const silence = new Silence(() => this.leave(pool))
    const [work, ...options] = [args.at(-1) as Work, ...(args.slice(0, -1) as string[])]
    return silence.orResult(pool.begin(options.join(' '), (tx) => abandonedWhenLost(work(stepping(tx, silence)))))
  }
}

/** Only what stood before breaks: each failed attempt to connect is a close as well. */
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
 * Work whose connection is lost never ends for the driver, which would roll back on nothing; the transaction itself is
 * rejected when the connection closes.
 */
export async function abandonedWhenLost<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isConnectionLost(error)) return new Promise(() => {})
    throw error
  }
}
