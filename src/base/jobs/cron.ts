import type { Cron as Pattern } from 'croner'
import type { Context, Tx } from '../context'
import { latestInstant, nextInstant, patternOf } from './pattern'
import { moveCronRun } from './queries'
import { enqueue } from './queue'
import type { CronLine } from './registry'

interface Scheduled {
  readonly line: CronLine
  readonly pattern: Pattern
  nextAt: number
}

/**
 * Enqueues the jobs of the cron lines. Every process runs one. The process that moves the line's row past an instant
 * enqueues the job for it. Instants that passed while no process ran count as one, the latest. A line without a row is
 * due at once.
 */
export class Cron {
  private readonly scheduled: readonly Scheduled[]

  constructor(
    private readonly ctx: Context,
    lines: readonly CronLine[],
  ) {
    this.scheduled = lines.map((line) => ({ line, pattern: patternOf(line.pattern), nextAt: Number.NEGATIVE_INFINITY }))
  }

  async enqueueDue(): Promise<void> {
    const now = this.ctx.clock.now()
    const due = this.scheduled.filter(({ nextAt }) => nextAt <= now)
    await Promise.all(due.map((scheduled) => this.enqueueOne(scheduled, now)))
  }

  private async enqueueOne(scheduled: Scheduled, now: number): Promise<void> {
    const { line, pattern } = scheduled
    const dueAt = latestInstant(pattern, now)
    if (dueAt !== null) await this.ctx.write((tx) => claimInstant(tx, line, dueAt))
    scheduled.nextAt = nextInstant(pattern, now)
  }
}

async function claimInstant(tx: Tx, line: CronLine, dueAt: number): Promise<void> {
  if (!(await moveCronRun(tx, line.name, dueAt))) return
  // A run that takes longer than the interval, or that waits for its next attempt, is not queued a second time.
  await enqueue(tx, line.job, line.payload, { dedupeKey: `cron:${line.name}` })
}
