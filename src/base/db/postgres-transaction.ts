import { DrizzleQueryError } from 'drizzle-orm'
import type { Sql, TransactionSql } from 'postgres'
import { hasCode, isConnectionLost } from './errors'
import { NOTIFY, type PostgresChanges } from './postgres-changes'
import { execute, type HotStatements } from './postgres-statements'
import { returnsNothing } from './returns-nothing'
import type { Silence } from './silence'
import type { TransactionChanges } from './transaction-changes'

export type Work = (tx: TransactionSql) => Promise<unknown>
type Unsafe = Parameters<Sql['unsafe']>
type Query = ReturnType<Sql['unsafe']>

/** After so many statements without waiting, the next one is waited for. */
const MAX_AHEAD = 50
const LOCKS = /^\s*select pg_advisory_xact_lock/i

/**
 * Whether the statement has no result that the caller could use. A lock need not be waited for either: the statements
 * behind it on the same connection wait.
 */
const hasNoResult = (text: string): boolean => returnsNothing(text) || LOCKS.test(text)

const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'

interface Parts {
  silence: Silence
  statements: HotStatements
  changes: PostgresChanges
}

/**
 * One transaction. Statements without a result are sent, but not waited for: the next statement goes right behind them,
 * and so does the commit. When one of them fails, every later statement fails too, and the commit rolls back.
 */
export class PostgresTransaction {
  readonly changes: TransactionChanges
  private readonly ahead = new Ahead()

  constructor(private readonly parts: Parts) {
    this.changes = parts.changes.begin()
  }

  /** Runs the work; what is returned resolves when the commit can be sent. */
  run(tx: TransactionSql, work: Work): Promise<unknown> {
    const all = async () => {
      const result = await work(this.clientFor(tx, this.ahead))
      this.tell(tx)
      return result
    }
    return abandonedWhenLost(all())
  }

  /** Call this after the commit. Throws when it has rolled the transaction back. */
  assertKept(): void {
    if (this.ahead.failure !== null) throw this.ahead.failure
  }

  /** Why the transaction failed: what failed first, not a statement behind it. */
  reasonOf(error: unknown): unknown {
    return this.ahead.reasonOf(error)
  }

  private clientFor(tx: TransactionSql, ahead: Ahead): TransactionSql {
    const unsafe = (...[text, values]: Unsafe) => {
      const query = this.send(tx, text, values)
      if (!hasNoResult(text)) return query
      const sent = ahead.after(query, text, values)
      return Object.assign(sent, { values: () => sent }) // Drizzle asks for the values of a statement with columns.
    }
    const savepoint = (work: Work) => tx.savepoint((inner) => abandonedWhenLost(this.inSavepoint(inner, work)))
    return new Proxy(tx, {
      get: (inner, name) => (name === 'unsafe' ? unsafe : name === 'savepoint' ? savepoint : Reflect.get(inner, name)),
    })
  }

  /** A failure in a savepoint undoes only the savepoint, so its statements are waited for at its end. */
  private async inSavepoint(tx: TransactionSql, work: Work): Promise<unknown> {
    const ahead = new Ahead()
    try {
      const result = await work(this.clientFor(tx, ahead))
      await ahead.all()
      return result
    } catch (error) {
      throw ahead.reasonOf(error)
    }
  }

  private send(tx: TransactionSql, text: string, values: Unsafe[1]): Query {
    const { silence, statements } = this.parts
    silence.restart()
    this.changes.note(text, values ?? [])
    const use = statements.use(text)
    const query = execute(tx, use, values)
    // After a repair the whole transaction can run again.
    query.then(
      () => silence.answered(),
      (error) => statements.repair(error, use.generation),
    )
    return query
  }

  /** Tells the other processes what the transaction has changed. Sent together with the commit that follows. */
  private tell(tx: TransactionSql): void {
    const payload = this.parts.changes.payloadFor(this.changes)
    if (payload !== null) this.ahead.add(this.send(tx, NOTIFY, [payload]), NOTIFY)
  }
}

/** The statements of a transaction, or of a savepoint, that were sent and not waited for. */
class Ahead {
  /** What failed first of them. */
  failure: DrizzleQueryError | null = null
  private queries: Query[] = []

  /** A failure gets the form that drizzle gives to those of statements that it waits for. */
  add(query: Query, text: string, values: Unsafe[1] = []): void {
    query.catch((error) => {
      this.failure ??= new DrizzleQueryError(text, values, error)
    })
    this.queries.push(query)
  }

  async after(query: Query, text: string, values: Unsafe[1]): Promise<never[]> {
    this.add(query, text, values)
    if (this.queries.length >= MAX_AHEAD) await this.all()
    return []
  }

  async all(): Promise<void> {
    const { queries } = this
    this.queries = []
    await Promise.all(queries).catch((error) => {
      throw this.failure ?? error
    })
  }

  reasonOf(error: unknown): unknown {
    if (this.failure === null) return error
    const same: unknown[] = [this.failure, this.failure.cause]
    const isSame = same.includes(error) || (error instanceof DrizzleQueryError && same.includes(error.cause))
    return isSame || hasCode(error, (code) => code === '25P02') ? this.failure : error
  }
}

/** Sends the statement that takes the lock of a name. */
export const takeLock = async (client: Pick<Sql, 'unsafe'>, name: string): Promise<void> =>
  void (await client.unsafe(LOCK, [name]))

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
