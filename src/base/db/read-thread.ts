import { assertAwaited, whileAwaited } from './caller'
import type { Db, Handle } from './handle'
import type { Tables } from './tables'
import { ThreadConnection } from './thread-connection'

/** A thread in which long reads run, one after the other. */
export class ReadThread {
  readonly connection: ThreadConnection
  private readonly handle: Handle
  private signal: AbortSignal | undefined

  constructor(path: string, tables: Tables, toDb: (connection: Pick<ThreadConnection, 'execute'>) => Db) {
    this.connection = new ThreadConnection(path)
    const execute: ThreadConnection['execute'] = (statement) => {
      assertAwaited(this.signal)
      return this.connection.execute(statement)
    }
    this.handle = { db: toDb({ execute }), tables }
  }

  /** In one transaction. A statement that has begun comes to its end, but after the signal no other begins. */
  async read<Result>(work: (handle: Handle) => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    await this.connection.execute({ sql: 'BEGIN', args: [] })
    this.signal = signal
    try {
      return await whileAwaited(signal, () => work(this.handle))
    } finally {
      this.signal = undefined
      await this.connection.execute({ sql: 'ROLLBACK', args: [] })
    }
  }
}
