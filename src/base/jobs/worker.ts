import type { Context } from '../context'
import { monotonicMs, SECOND } from '../lib/clock'
import { Cron } from './cron'
import { describeFailure } from './failure'
import { countByState, extendLeases, findUnknownJob, type JobRow, releaseLeases } from './queries'
import type { Registry } from './registry'
import { claim, LEASE_MS, revive, runClaimed } from './run'
import { settlesWithin } from './within'

const STATES = ['WAITING', 'RUNNING', 'DEAD'] as const
const SHARE_OF_TIME = 0.01

/** Counts the rows and sets the metric for the depth of the queue. */
async function measureDepth(ctx: Context): Promise<void> {
  const depths = await countByState(ctx)
  for (const state of STATES) ctx.metrics.outboxDepth.set({ state }, depths.get(state) ?? 0)
}

/**
 * Measures at every call while counting is fast, and a long queue less often, so that counting takes 1 % of the time.
 */
class DepthMeter {
  private nextAtMs = 0

  async measure(ctx: Context): Promise<void> {
    const startedAtMs = monotonicMs()
    if (startedAtMs < this.nextAtMs) return
    await measureDepth(ctx)
    const endedAtMs = monotonicMs()
    this.nextAtMs = endedAtMs + (endedAtMs - startedAtMs) / SHARE_OF_TIME
  }
}

const CONCURRENCY = 4
const TICK_MS = SECOND
const DRAIN_MS = 10 * SECOND
const RENEW_AFTER_MS = LEASE_MS / 3

interface Running {
  readonly row: JobRow
  readonly done: Promise<void>
}

/**
 * Takes due jobs from the database and runs them, four at a time. Each process has one worker, which has the only timer
 * for jobs.
 */
export class Worker {
  private readonly running = new Set<Running>()
  private readonly cron: Cron
  private readonly depth = new DepthMeter()
  private readonly loggedUnknown = new Set<string>()
  private readonly failingParts = new Set<string>()
  private timer: ReturnType<typeof setInterval> | null = null
  private ticking: Promise<void> | null = null
  private filling: Promise<void> | null = null
  private isWanted = false
  private isStopping = false
  private renewedAt = 0

  constructor(
    private readonly ctx: Context,
    private readonly registry: Registry,
  ) {
    this.cron = new Cron(ctx, registry.lines)
  }

  /** Looks for jobs now, every second, and whenever a write of this process has enqueued one. */
  start(tickMs = TICK_MS): void {
    if (this.timer) return
    this.isStopping = false
    this.ctx.wakeWorker = () => this.wake()
    this.timer = setInterval(() => void this.tick(), tickMs)
    void this.tick()
  }

  /** Takes no more jobs, waits for the running ones, and releases the leases of those that do not end in time. */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
    this.ctx.wakeWorker = () => {}
    this.isStopping = true
    const deadlineMs = monotonicMs() + drainMs
    await settlesWithin(Promise.all([this.ticking, this.filling]), drainMs)
    const isDrained = await settlesWithin(this.drained(), Math.max(0, deadlineMs - monotonicMs()))
    // A lease that cannot be released runs out by itself, so stopping continues.
    await this.guard('release', () => this.releaseLeases(isDrained))
  }

  /** Runs due jobs until none is due, cron lines included; returns the number of runs. For tests and the CLI. */
  async runDue(): Promise<number> {
    for (let count = 0; ; ) {
      await this.cron.enqueueDue()
      await revive(this.ctx)
      const rows = await claim(this.ctx, this.registry, CONCURRENCY)
      if (rows.length === 0) return this.ended(count)
      count += rows.length
      await Promise.all(rows.map((row) => this.launch(row)))
    }
  }

  private async ended(count: number): Promise<number> {
    await this.logUnknownJobs()
    await measureDepth(this.ctx)
    return count
  }

  private async tick(): Promise<void> {
    // When the database is slow, ticks must not accumulate.
    if (this.ticking) return
    this.ticking = this.guard('upkeep', () => this.upkeep())
    await this.ticking
    this.ticking = null
    this.wake()
  }

  private async upkeep(): Promise<void> {
    await this.renewLeases()
    await revive(this.ctx)
    await this.cron.enqueueDue()
    if (this.running.size === 0) await this.logUnknownJobs()
    await this.depth.measure(this.ctx)
  }

  private wake(): void {
    this.isWanted = true
    if (!this.filling && this.timer) this.filling = this.fillWhileWanted()
  }

  private async fillWhileWanted(): Promise<void> {
    while (this.isWanted && !this.isStopping) {
      this.isWanted = false
      await this.guard('claim', () => this.fill())
    }
    // Runs in the same synchronous step as the last check of `isWanted`, so that no wake-up is lost between the two.
    this.filling = null
  }

  private async fill(): Promise<void> {
    while (this.running.size < CONCURRENCY && !this.isStopping) {
      const rows = await claim(this.ctx, this.registry, CONCURRENCY - this.running.size)
      // A claim that was running when `stop` was called may still return jobs. They are not started; `stop` releases
      // their leases with the others.
      if (rows.length === 0 || this.isStopping) return
      for (const row of rows) void this.launch(row)
    }
  }

  private launch(row: JobRow): Promise<void> {
    const job = this.registry.jobs.get(row.name)
    if (!job) throw new Error(`claimed a job of unknown name ${row.name}`)
    const running = { row, done: runClaimed(this.ctx, job, row, () => this.isStopping) }
    this.running.add(running)
    return running.done.then(() => {
      this.running.delete(running)
      this.wake()
    })
  }

  private async drained(): Promise<void> {
    await Promise.all([...this.running].map(({ done }) => done))
  }

  private async renewLeases(): Promise<void> {
    const now = this.ctx.clock.now()
    if (this.running.size === 0 || now - this.renewedAt < RENEW_AFTER_MS) return
    const ids = [...this.running].map(({ row }) => row.id)
    await this.ctx.write((tx) => extendLeases(tx, ids, this.ctx.instanceId, now + LEASE_MS))
    this.renewedAt = now
  }

  private async releaseLeases(isDrained: boolean): Promise<void> {
    const released = await this.ctx.write((tx) => releaseLeases(tx, this.ctx.instanceId))
    if (!isDrained) this.ctx.log.warn('stopped before all jobs ended', { released })
  }

  /** Another version of this program may know the name, so the job stays as it is. Each name is logged once. */
  private async logUnknownJobs(): Promise<void> {
    const known = [...this.registry.jobs.keys(), ...this.loggedUnknown]
    const name = await findUnknownJob(this.ctx, known, this.ctx.clock.now())
    if (name === null) return
    this.loggedUnknown.add(name)
    this.ctx.log.warn('jobs of an unknown name are left waiting', { job: name })
  }

  /**
   * The loop continues when the database fails. The first failure and the first success after it are logged, not every
   * second.
   */
  private async guard(part: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      if (this.failingParts.delete(part)) this.ctx.log.info('jobs run again', { part })
    } catch (error) {
      if (!this.failingParts.has(part)) this.ctx.log.error('jobs do not run', { part, error: describeFailure(error) })
      this.failingParts.add(part)
    }
  }
}
