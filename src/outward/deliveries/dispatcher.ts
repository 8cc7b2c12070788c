import type { Context, Tx } from '../../base/context'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { type EventRow, eventsAt } from '../../people/events/feed'
import { attempt } from './attempt'
import { type Claim, claim, claimOne } from './claim'
import { fanOut } from './fan-out'
import { type Ended, record } from './record'
import { releaseLeases, releaseOf } from './release'
import { Slots } from './slots'
import { hasDueTarget, lastPosition, listBehind } from './target-queries'

const DRAIN_MS = 10 * SECOND
/** Outcomes that one transaction saves. */
const RECORD_PAGE = 200

/**
 * Sends everything that leaves this process by attempts. Each turn is one transaction that turns new events into
 * deliveries and leases the due ones; then the attempts run beside each other, and their outcomes are saved in groups.
 * Several processes share the work by row locks.
 */
export class Dispatcher {
  private readonly slots = new Slots()
  private readonly running = new Map<Claim, Promise<void>>()
  /** Projects with new events. */
  private readonly behind = new Set<string>()
  private ended: Ended[] = []
  private saving: Promise<void> | null = null
  private turning: Promise<void> | null = null
  private isWanted = false
  private isStarted = false
  private isStopping = false
  private isFailing = false
  /** The last position for which every project was up to date. */
  private readUntil = -1
  private endListening = () => {}

  constructor(private readonly ctx: Context) {}

  /** Something may be due now. Does nothing in a process that does not send. */
  wake(): void {
    if (!this.isStarted || this.isStopping) return
    this.isWanted = true
    this.turning ??= this.turnWhileWanted()
  }

  /** Looks for what is due: also what other processes have written. Runs every second. */
  async tick(): Promise<void> {
    if (!this.isStarted) await this.start()
    await this.guard(() => this.findBehind())
    void this.save()
    this.wake()
  }

  /** Makes all attempts that are due at this instant of the clock, and all that follow from them at once. For tests. */
  async runDue(): Promise<void> {
    for (;;) {
      for (const projectId of await listBehind(this.ctx)) this.behind.add(projectId)
      const claims = await this.turn()
      await Promise.all(this.running.values())
      await this.saveEverything()
      if (claims.length === 0 && this.behind.size === 0) return
    }
  }

  /** Makes one attempt of an open delivery now, whatever its schedule, and waits for its end. */
  async attemptNow(deliveryId: string): Promise<void> {
    const claimed = await this.ctx.write((tx) => claimOne(tx, deliveryId))
    if (!claimed) return
    await this.launch([claimed])
    await this.running.get(claimed)
    await this.saveEverything()
  }

  /** Takes no more, waits for the running attempts, and releases those that have not ended. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.endListening()
    const deadline = monotonicMs() + DRAIN_MS
    await this.turning
    await Promise.race([Promise.all(this.running.values()), Bun.sleep(Math.max(0, deadline - monotonicMs()))])
    await this.saveEverything()
    const left = [...this.running.keys()]
    if (left.length > 0) await this.ctx.write((tx) => releaseOf(tx, left))
  }

  /** On a local file no other process sends, so what is still leased belongs to a process that was killed. */
  private async start(): Promise<void> {
    this.endListening = this.ctx.state.feedSignal.listen((projectId) => {
      this.behind.add(projectId)
      this.wake()
    })
    this.isStarted = true
    if (this.ctx.storage.driver === 'file') await this.guard(() => this.ctx.write(releaseLeases))
  }

  /** Other processes, and this one before it was stopped, may have written events. */
  private async findBehind(): Promise<void> {
    const isInOrder = this.ctx.storage.driver !== 'postgres'
    const last = isInOrder ? await lastPosition(this.ctx) : -1
    if (isInOrder && last === this.readUntil) return
    for (const projectId of await listBehind(this.ctx)) this.behind.add(projectId)
    this.readUntil = last
  }

  private async turnWhileWanted(): Promise<void> {
    while (this.isWanted && !this.isStopping) {
      this.isWanted = false
      await this.guard(async () => {
        const claims = await this.turn()
        if (claims.length > 0 || this.behind.size > 0) this.isWanted = true
      })
    }
    // Runs in the same synchronous step as the last check of `isWanted`, so that no wake-up is lost between the two.
    this.turning = null
  }

  private async turn(): Promise<Claim[]> {
    const projectIds = [...this.behind]
    if (projectIds.length === 0 && !(await hasDueTarget(this.ctx, this.ctx.clock.now()))) return []
    this.behind.clear()
    try {
      const { claims, more } = await this.ctx.write((tx) => this.fanOutAndClaim(tx, projectIds))
      for (const projectId of more) this.behind.add(projectId)
      await this.launch(claims)
      return claims
    } catch (error) {
      for (const projectId of projectIds) this.behind.add(projectId)
      throw error
    }
  }

  private async fanOutAndClaim(tx: Tx, projectIds: readonly string[]) {
    const more: string[] = []
    for (const projectId of projectIds) if (await fanOut(tx, projectId)) more.push(projectId)
    return { claims: await claim(tx, this.slots.room()), more }
  }

  /** Begins the attempts. What was leased is released again when its event cannot be read. */
  private async launch(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return
    for (const one of claims) this.slots.take(one)
    const events = await this.eventsOf(claims).catch((error) => this.giveBack(claims, error))
    for (const one of claims) this.running.set(one, this.run(one, events.get(one.row.eventPosition ?? -1) ?? null))
  }

  private async giveBack(claims: readonly Claim[], error: unknown): Promise<never> {
    for (const one of claims) this.slots.free(one)
    await this.ctx.write((tx) => releaseOf(tx, claims))
    throw error
  }

  private async run(one: Claim, event: EventRow | null): Promise<void> {
    if (event) this.measureLag(one, event)
    this.ended.push(await attempt(this.ctx, one, event))
    this.running.delete(one)
    this.slots.free(one)
    void this.save()
    this.wake()
  }

  private async eventsOf(claims: readonly Claim[]): Promise<Map<number, EventRow>> {
    const positions = claims.flatMap(({ row }) => row.eventPosition ?? [])
    const events = await eventsAt(this.ctx, [...new Set(positions)])
    return new Map(events.map((event) => [event.position, event]))
  }

  private measureLag({ row }: Claim, event: EventRow): void {
    if (row.attempts > 0) return
    this.ctx.metrics.deliveryLag.observe({ kind: row.kind }, (this.ctx.clock.now() - event.recordedAt) / SECOND)
  }

  /** Saves the outcomes. When the database is away they wait for the next tick; their leases may run out meanwhile. */
  private save(): Promise<void> {
    this.saving ??= this.saveAll()
    return this.saving
  }

  private async saveEverything(): Promise<void> {
    do await this.save()
    while (this.ended.length > 0 && !this.isFailing)
  }

  private async saveAll(): Promise<void> {
    // Outcomes of the same turn of the event loop are saved together.
    await new Promise(setImmediate)
    while (this.ended.length > 0) {
      const isSaved = await this.guard(() => this.savePage(this.ended.slice(0, RECORD_PAGE)))
      if (!isSaved) break
    }
    // Runs in the same synchronous step as the last check of `ended`.
    this.saving = null
    this.wake()
  }

  private async savePage(page: readonly Ended[]): Promise<void> {
    await this.ctx.write((tx) => record(tx, page))
    this.ended.splice(0, page.length)
  }

  /** The first failure and the first success after it are logged, not each one. */
  private async guard(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      if (this.isFailing) this.ctx.log.info('deliveries go on')
      this.isFailing = false
      return true
    } catch (error) {
      if (!this.isFailing) this.ctx.log.error('deliveries do not go on', { error: describeError(error) })
      this.isFailing = true
      return false
    }
  }
}
