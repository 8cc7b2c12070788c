import type { RunningTurn } from './running-turn'

/** The answers that this process is writing, by the id of their message. */
export class Turns {
  private readonly running = new Map<string, RunningTurn>()
  private readonly work = new Set<Promise<void>>()

  find(messageId: string): RunningTurn | null {
    return this.running.get(messageId) ?? null
  }

  all(): RunningTurn[] {
    return [...this.running.values()]
  }

  /** Writes an answer. It continues when no client follows it any more. */
  start(turn: RunningTurn, write: () => Promise<void>): void {
    this.running.set(turn.messageId, turn)
    const done = write().finally(() => {
      this.running.delete(turn.messageId)
      this.work.delete(done)
      turn.end()
    })
    this.work.add(done)
  }

  /** The server stops: what was written until now is saved. */
  drain(): void {
    for (const turn of this.running.values()) turn.stop('INTERRUPTED')
  }

  async close(): Promise<void> {
    this.drain()
    await Promise.allSettled(this.work)
  }
}
