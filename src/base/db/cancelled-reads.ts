import type { Sql, TransactionSql } from 'postgres'
import { assertAwaited, whileAwaited } from './caller'

type Query = ReturnType<Sql['unsafe']>

/** What the driver calls to end a query; its own `cancel` loses the promise. */
interface Cancellable {
  canceller: ((query: Query) => Promise<void>) | null
}

/** Cancels the reads of a transaction when no caller waits for it any more. */
export class CancelledReads {
  private readonly running = new Set<Query>()
  private ending: Promise<unknown> = Promise.resolve()

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** Runs the work of a transaction. It ends only after PostgreSQL has taken the order to end a statement. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal } = this
    assertAwaited(signal)
    const end = () => this.end()
    signal?.addEventListener('abort', end)
    try {
      return await whileAwaited(signal, work)
    } finally {
      signal?.removeEventListener('abort', end)
      // Otherwise the order could meet the next statement of this connection, which may be of another caller.
      await this.ending
    }
  }

  watched(client: TransactionSql): TransactionSql {
    if (!this.signal) return client
    const unsafe = (...args: Parameters<Sql['unsafe']>) => {
      assertAwaited(this.signal)
      const query = client.unsafe(...args)
      this.running.add(query)
      const ended = () => this.running.delete(query)
      query.then(ended, ended)
      return query
    }
    return new Proxy(client, { get: (inner, name) => (name === 'unsafe' ? unsafe : Reflect.get(inner, name)) })
  }

  private end(): void {
    const orders = [...this.running].map(async (query) => (query as unknown as Cancellable).canceller?.(query))
    // Where the order does not arrive, the statement ends at its time limit.
    this.ending = Promise.allSettled(orders)
  }
}
