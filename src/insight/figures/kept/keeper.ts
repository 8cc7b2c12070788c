import type { Context } from '../../../base/context'
import { SharedWork } from '../../../base/jobs/shared-work'
import { DAY } from '../../../base/lib/clock'
import { contextInTurn } from '../../../base/turn-context'
import type { KeptAnswer, KeptAnswers, Version } from './answer'
import { deleteAnswersBefore, saveAnswers } from './queries'

/** Answers that were not brought up to date for so long are deleted. */
const KEPT_FOR = 14 * DAY

const LEAST_CHARGES = 20_000

/** Keeps answers in memory until a loop saves them, so that a read writes nothing. */
export class AnswerKeeper {
  /** Of a database whose transactions can commit in another order than their entries have. */
  settled: Version | null
  leastCharges = LEAST_CHARGES
  private unsaved = new Map<string, KeptAnswer>()
  private readonly shared = new SharedWork()

  constructor(private readonly ctx: Context) {
    this.settled = ctx.storage.driver === 'postgres' ? { position: 0, moved: 0 } : null
  }

  /** Null where a read can show parts of two states: what follows from them could be kept for good. */
  forReading(): KeptAnswers | null {
    const { settled, leastCharges } = this
    const { driver } = this.ctx.storage
    if (driver !== 'file' && driver !== 'postgres') return null
    return {
      settled,
      leastCharges,
      listNew: (projectId, name) =>
        [...this.unsaved.values()].filter((one) => one.projectId === projectId && one.name === name),
      keep: (answers) => this.keep(answers),
    }
  }

  keep(answers: readonly KeptAnswer[]): void {
    for (const one of answers) {
      const key = JSON.stringify([one.projectId, one.name, one.start, one.end])
      const known = this.unsaved.get(key)
      if (!known || known.position <= one.position) this.unsaved.set(key, one)
    }
  }

  /**
   * Runs work that others may have started already; then only waits for it. The work gets a context of its own: it ends
   * when the last of its callers has left.
   */
  once(ctx: Context, key: string, work: (ctx: Context) => Promise<void>): Promise<void> {
    const { group, signal: caller } = ctx.turn ?? {}
    return this.shared.run(key, ({ signal }) => work(contextInTurn(ctx, { group, signal })), caller)
  }

  async save(): Promise<void> {
    const answers = this.unsaved
    if (answers.size === 0) return
    const before = this.ctx.clock.now() - KEPT_FOR
    await this.ctx.write(async (tx) => {
      await saveAnswers(tx, [...answers.values()])
      await deleteAnswersBefore(tx, before)
    })
    // Answers that were kept meanwhile stay for the next time.
    for (const [key, one] of answers) if (this.unsaved.get(key) === one) this.unsaved.delete(key)
  }
}
