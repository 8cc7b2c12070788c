import type { Context, Tx } from '../context'
import { cronRunsOf, moveCronRun } from './queries'
import { enqueue } from './queue'
import { type CronLine, instantsOf } from './registry'

interface Scheduled {
  readonly line: CronLine
  nextAt: number
}

/**
 * Enqueues the jobs of the cron lines. Every process runs one. The process that moves the line's row past an instant
 * enqueues the job for it. Instants that passed while no process ran count as one, the latest. A line without a row is
 * due at once. The rows are read first, because a process that starts mostly finds that none is to be moved.
 */
export class Cron {
  private readonly scheduled: readonly Scheduled[]

  constructor(
    private readonly ctx: Context,
    lines: readonly CronLine[],
  ) {
    this.scheduled = lines.map((line) => ({ line, nextAt: Number.NEGATIVE_INFINITY }))
  }

  async enqueueDue(): Promise<void> {
    const now = this.ctx.clock.now()
    const due = this.scheduled.filter(({ nextAt }) => nextAt <= now)
    if (due.length === 0) return
    const runs = await cronRunsOf(this.ctx)
    await Promise.all(due.map((scheduled) => this.enqueueOne(scheduled, now, runs.get(scheduled.line.name))))
  }

  private async enqueueOne(scheduled: Scheduled, now: number, lastRunAt = Number.NEGATIVE_INFINITY): Promise<void> {
    const { line } = scheduled
    const { latestAt, nextAt } = instantsOf(line.pattern, now)
    if (latestAt !== null && latestAt > lastRunAt) await this.ctx.write((tx) => claimInstant(tx, line, latestAt))
    scheduled.nextAt = nextAt
  }
}

async function claimInstant(tx: Tx, line: CronLine, dueAt: number): Promise<void> {
  if (!(await moveCronRun(tx, line.name, dueAt))) return
  // A run that takes longer than the interval, or that waits for its next attempt, is not queued a second time.
  await enqueue(tx, line.job, line.payload, { dedupeKey: `cron:${line.name}` })
}
