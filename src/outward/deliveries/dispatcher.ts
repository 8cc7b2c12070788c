import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { type EventRow, eventsAt } from '../../people/events/feed'
import { attempt } from './attempt'
import { type Claim, claim } from './claim'
import { fanOut } from './fan-out'
import { type Ended, record } from './record'
import { releaseLeases, releaseOf } from './release'
import { Slots } from './slots'
import { findCursor, hasDueTarget, lastPosition, listBehind } from './target-queries'

const NEVER = -1
const DRAIN_MS = 10 * SECOND
/** What one turn takes at most: outcomes of attempts, and projects with new events. */
const MAX_RECORDED = 200
const MAX_PROJECTS = 50
/**
 * Deliveries that one turn makes of events, about. While events are recorded a turn is short, because these wait for
 * it.
 */
const MAX_MADE = 250
const MAX_MADE_BESIDE = 20
/** How long after the last event a turn stays short. */
const QUIET_MS = SECOND

/**
 * Sends everything that leaves this process by attempts. Each turn is one transaction that saves the outcomes of the
 * attempts that have ended, turns new events into deliveries, and leases the due ones; then their attempts run beside
 * each other. Several processes share the work by row locks.
 */
export class Dispatcher {
  private readonly slots = new Slots()
  private readonly running = new Map<Claim, Promise<void>>()
  /** Projects with events that this process has just recorded. Their turn comes first. */
  private readonly fresh = new Set<string>()
  private freshAt = Number.NEGATIVE_INFINITY
  /** Projects with other events that are not deliveries yet. */
  private readonly behind = new Set<string>()
  /** Attempts whose outcome is not saved yet. */
  private readonly ended: Ended[] = []
  private turning: Promise<void> | null = null
  private isWanted = false
  private isStarted = false
  private isStopping = false
  private isFailing = false
  /** The last position for which every project was up to date. */
  private readUntil = NEVER
  private endListening = () => {}

  constructor(private readonly ctx: Context) {}

  /** Something may be due now. Does nothing in a process that does not send. */
  wake(): void {
    if (!this.isStarted || this.isStopping) return
    this.isWanted = true
    this.turning ??= this.turnWhileWanted()
  }

  /** Looks for due deliveries, also those that other processes have written. Runs every second. */
  async tick(): Promise<void> {
    if (!this.isStarted) await this.start()
    await this.guard(() => this.findBehind())
    this.wake()
  }

  /** Makes all attempts that are due at this instant of the clock, and all that follow from them at once. For tests. */
  async runDue(): Promise<void> {
    for (;;) {
      for (const projectId of await listBehind(this.ctx)) this.behind.add(projectId)
      const claims = await this.turn()
      await Promise.all(this.running.values())
      if (claims.length === 0 && !this.hasMore()) return
    }
  }

  /** Makes the attempt of a delivery that the caller has claimed, and saves its outcome. */
  async attemptNow(claimed: Claim): Promise<void> {
    const [event = null] = (await this.eventsOf([claimed])).values()
    const ended = await attempt(this.ctx, claimed, event)
    await this.ctx.write((tx) => record(tx, [ended]))
    this.wake()
  }

  /** Takes no more, waits for the running attempts, and releases those that have not ended. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.endListening()
    const deadline = monotonicMs() + DRAIN_MS
    await this.turning
    await Promise.race([Promise.all(this.running.values()), Bun.sleep(Math.max(0, deadline - monotonicMs()))])
    const left = [...this.running.keys()]
    if (this.ended.length > 0) await this.guard(() => this.recordLast())
    if (left.length > 0) await this.guard(() => this.ctx.write((tx) => releaseOf(tx, left)))
  }

  /**
   * On a local file no other process sends, so a delivery that is still leased belongs to a process that was killed.
   */
  private async start(): Promise<void> {
    this.endListening = this.ctx.state.feedSignal.listen((projectId) => {
      this.fresh.add(projectId)
      this.freshAt = monotonicMs()
      this.wake()
    })
    this.isStarted = true
    if (this.ctx.storage.driver === 'file') await this.guard(() => this.ctx.write(releaseLeases))
  }

  /** Other processes, and this one before it was stopped, may have written events. */
  private async findBehind(): Promise<void> {
    const isInOrder = this.ctx.storage.driver !== 'postgres'
    const last = isInOrder ? await lastPosition(this.ctx) : NEVER
    if (isInOrder && last === this.readUntil) return
    for (const projectId of await listBehind(this.ctx)) this.behind.add(projectId)
    this.readUntil = last
  }

  private async turnWhileWanted(): Promise<void> {
    while (this.isWanted && !this.isStopping) {
      await Promise.resolve() // The writers of a group are committed one after the other, and share a turn.
      this.isWanted = false
      const hasTurned = await this.guard(async () => {
        const claims = await this.turn()
        if (claims.length > 0 || this.hasMore()) this.isWanted = true
      })
      if (hasTurned) this.goesOn()
    }
    // Runs in the same synchronous step as the last check of `isWanted`, so that no wake-up is lost between the two.
    this.turning = null
  }

  private async turn(): Promise<Claim[]> {
    const next = this.nextProjects()
    for (const projectId of next) this.forget(projectId)
    const projectIds = await this.withTargets(next)
    const ended = this.ended.slice(0, MAX_RECORDED)
    const isIdle = projectIds.length === 0 && ended.length === 0
    if (isIdle && !(await hasDueTarget(this.ctx, this.ctx.clock.now()))) return []
    const claims = await this.write(ended, projectIds)
    this.ended.splice(0, ended.length)
    await this.launch(claims)
    return claims
  }

  private hasMore(): boolean {
    return this.fresh.size > 0 || this.behind.size > 0 || this.ended.length > 0
  }

  /** One that has waited longer is among them, so that new events elsewhere do not hold it up for good. */
  private nextProjects(): string[] {
    const [longest] = this.behind
    const first = [...this.fresh].slice(0, MAX_PROJECTS)
    const all = [...first.slice(0, 1), ...(longest === undefined ? [] : [longest]), ...first, ...this.behind]
    return [...new Set(all)].slice(0, MAX_PROJECTS)
  }

  /** Projects without a target need no turn. One that gets its first target starts with the events after it. */
  private async withTargets(projectIds: readonly string[]): Promise<string[]> {
    try {
      const cursors = await Promise.all(projectIds.map((projectId) => findCursor(this.ctx, projectId)))
      return projectIds.filter((_, index) => cursors[index] !== null)
    } catch (error) {
      for (const projectId of projectIds) this.behind.add(projectId)
      throw error
    }
  }

  private forget(projectId: string): void {
    this.fresh.delete(projectId)
    this.behind.delete(projectId)
  }

  /** While the database is away nothing of the turn is saved, and the next turn does the same again. */
  private async write(ended: readonly Ended[], projectIds: readonly string[]): Promise<Claim[]> {
    try {
      const { claims, more } = await this.writeTurn(ended, projectIds)
      for (const projectId of more) this.behind.add(projectId)
      return claims
    } catch (error) {
      for (const projectId of projectIds) this.behind.add(projectId)
      if (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE') throw error
      await this.writeApart(ended, projectIds)
      return this.ctx.write((tx) => claim(tx, this.slots.room()))
    }
  }

  /** At the stop: an outcome that cannot be saved must not lose the others. */
  private async recordLast(): Promise<void> {
    const ended = [...this.ended]
    try {
      await this.ctx.write((tx) => record(tx, ended))
    } catch (error) {
      if (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE') throw error
      await this.writeApart(ended, [])
    }
  }

  /** After a turn that cannot be written: each of its parts alone, so that one that is broken holds up no other. */
  private async writeApart(ended: readonly Ended[], projectIds: readonly string[]): Promise<void> {
    for (const one of ended)
      await this.alone({ delivery: one.claim.row.id }, () => this.ctx.write((tx) => record(tx, [one])))
    for (const projectId of projectIds) {
      this.forget(projectId)
      await this.alone({ projectId }, () => this.ctx.write((tx) => fanOut(tx, projectId, MAX_MADE)))
    }
    this.readUntil = NEVER // The next tick looks for the rest.
  }

  private async alone(what: Record<string, string>, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.ctx.log.error('a part of the deliveries cannot be written', { ...what, error: describeError(error) })
    }
  }

  /**
   * The steps of a turn. Where there is one writer they share a transaction, and so one sync to the disk. On PostgreSQL
   * each has its own, because two processes with several locks each would wait for each other.
   */
  private async writeTurn(ended: readonly Ended[], projectIds: readonly string[]) {
    const isOwn = this.ctx.storage.driver === 'postgres'
    const inTurn = <Result>(work: (write: Writer) => Promise<Result>): Promise<Result> =>
      isOwn ? work((step) => this.ctx.write(step)) : this.ctx.write((tx) => work((step) => step(tx)))
    return inTurn(async (write) => {
      if (ended.length > 0) await write((tx) => record(tx, ended))
      const more = await fanOutAll(
        write,
        projectIds,
        monotonicMs() - this.freshAt < QUIET_MS ? MAX_MADE_BESIDE : MAX_MADE,
      )
      return { claims: await write((tx) => claim(tx, this.slots.room())), more }
    })
  }

  /** Starts the attempts. A leased delivery is released again when its event cannot be read. */
  private async launch(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return
    for (const one of claims) this.slots.take(one)
    const events = await this.eventsOf(claims).catch((error) => this.giveBack(claims, error))
    for (const one of claims) this.running.set(one, this.run(one, eventOf(one, events)))
  }

  private async giveBack(claims: readonly Claim[], error: unknown): Promise<never> {
    for (const one of claims) this.slots.free(one)
    await this.ctx.write((tx) => releaseOf(tx, claims))
    throw error
  }

  private async run(one: Claim, event: EventRow | null): Promise<void> {
    if (event) this.measureLag(one, event)
    const ended = await attempt(this.ctx, one, event)
    this.ended.push(ended)
    this.running.delete(one)
    this.slots.free(one)
    this.wake()
  }

  private async eventsOf(claims: readonly Claim[]): Promise<Map<number, EventRow>> {
    const positions = claims.flatMap(({ row }) => row.eventPosition ?? [])
    const events = await eventsAt(this.ctx, [...new Set(positions)])
    return new Map(events.map((event) => [event.position, event]))
  }

  private measureLag({ row }: Claim, event: EventRow): void {
    const isFirst = row.attempts === 0 && row.log.length === 0
    if (!isFirst) return
    this.ctx.metrics.deliveryLag.observe({ kind: row.kind }, (this.ctx.clock.now() - event.recordedAt) / SECOND)
  }

  /** The first failure is logged, and the first turn after it, not each one. Returns whether the work succeeded. */
  private async guard(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!this.isFailing) this.ctx.log.error('delivery worker failed', { error: describeError(error) })
      this.isFailing = true
      return false
    }
  }

  /** Only a complete turn shows that a fault is over: with a full or locked database, reading alone succeeds. */
  private goesOn(): void {
    if (this.isFailing) this.ctx.log.info('delivery worker recovered')
    this.isFailing = false
  }
}

/** Runs a step in a transaction of its own, or in that of the turn. */
type Writer = <Result>(step: (tx: Tx) => Promise<Result>) => Promise<Result>

/** Turns events of the projects into deliveries until there are enough; returns the projects that must come again. */
async function fanOutAll(write: Writer, projectIds: readonly string[], most: number): Promise<string[]> {
  const more: string[] = []
  let room = most
  for (const [index, projectId] of projectIds.entries()) {
    if (room <= 0) return [...projectIds.slice(index), ...more]
    const { work, hasMore } = await write((tx) => fanOut(tx, projectId, room))
    room -= work
    if (hasMore) more.push(projectId)
  }
  return more
}

/**
 * The delivery of a moved project may name the position of an event that was deleted and that another project has now.
 */
function eventOf({ row }: Claim, events: ReadonlyMap<number, EventRow>): EventRow | null {
  const event = events.get(row.eventPosition ?? -1)
  return event?.projectId === row.projectId ? event : null
}
