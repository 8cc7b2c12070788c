import type { Client, InStatement, ResultSet } from '@libsql/client'
import { isUnavailable } from './errors'

interface Waiting {
  statement: InStatement
  settle: PromiseWithResolvers<ResultSet>
}

const MAX_BATCH = 64
/** Each request takes a connection of the server. */
const MAX_REQUESTS = 4

/**
 * Reads of a libSQL server outside transactions. A server needs milliseconds to open a connection for a request, so
 * reads that wait for a free place share one request, and one state of the database.
 */
export class ReadBatches {
  private waiting: Waiting[] = []
  private requests = 0

  constructor(private readonly client: Client) {}

  execute(statement: InStatement): Promise<ResultSet> {
    if (!isSelect(statement)) return this.client.execute(statement)
    const settle = Promise.withResolvers<ResultSet>()
    this.waiting.push({ statement, settle })
    if (this.waiting.length === 1) queueMicrotask(() => this.sendWaiting())
    return settle.promise
  }

  private sendWaiting(): void {
    while (this.requests < MAX_REQUESTS && this.waiting.length > 0) {
      this.requests++
      void this.send(this.waiting.splice(0, MAX_BATCH)).finally(() => {
        this.requests--
        this.sendWaiting()
      })
    }
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    const [only, ...others] = batch
    if (only && others.length === 0) return this.sendAlone(only)
    try {
      const results = await this.client.batch(
        batch.map(({ statement }) => statement),
        'read',
      )
      for (const [index, { settle }] of batch.entries()) settle.resolve(results[index] as ResultSet)
    } catch (error) {
      // Without a server each of them would fail in the same way.
      if (isUnavailable(error)) for (const { settle } of batch) settle.reject(error)
      // One statement that fails must fail for its own caller only.
      else await Promise.all(batch.map((one) => this.sendAlone(one)))
    }
  }

  private sendAlone({ statement, settle }: Waiting): Promise<void> {
    return this.client.execute(statement).then(settle.resolve, settle.reject)
  }
}

const isSelect = (statement: InStatement): boolean =>
  /^\s*select\b/i.test(typeof statement === 'string' ? statement : statement.sql)
