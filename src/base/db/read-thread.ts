import { monotonicMs } from '../lib/clock'
import { assertAwaited, whileAwaited } from './caller'
import type { Db, Handle } from './handle'
import type { Tables } from './tables'
import { ThreadConnection } from './thread-connection'
import type { ReadTurn } from './turn-queue'

/** A thread in which long reads run, one after the other. */
export class ReadThread {
  readonly connection: ThreadConnection
  private readonly handle: Handle
  private turn: ReadTurn | undefined
  /** Since when the main thread works with the answer of a statement; null = it has none. */
  private answeredAtMs: number | null = null

  constructor(path: string, tables: Tables, toDb: (connection: Pick<ThreadConnection, 'execute'>) => Db) {
    this.connection = new ThreadConnection(path)
    const execute: ThreadConnection['execute'] = async (statement) => {
      this.used()
      assertAwaited(this.turn?.signal)
      const answer = await this.connection.execute(statement)
      this.answeredAtMs = monotonicMs()
      return answer
    }
    this.handle = { db: toDb({ execute }), tables }
  }

  /** In one transaction. A statement that has started comes to its end, but after the signal no other starts. */
  async read<Result>(work: (handle: Handle) => Promise<Result>, turn: ReadTurn | undefined): Promise<Result> {
    await this.connection.execute({ sql: 'BEGIN', args: [] })
    this.turn = turn
    try {
      return await whileAwaited(turn?.signal, () => work(this.handle))
    } finally {
      this.used()
      this.turn = undefined
      await this.connection.execute({ sql: 'ROLLBACK', args: [] })
    }
  }

  /** The rows of an answer are read without a pause, up to the next statement or to the end. */
  private used(): void {
    if (this.answeredAtMs !== null) this.turn?.held?.(monotonicMs() - this.answeredAtMs)
    this.answeredAtMs = null
  }
}
