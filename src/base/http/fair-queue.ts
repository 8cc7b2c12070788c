import { callerLeft } from '../db/caller'
import { AppError } from '../errors'

export interface FairLimits {
  /** Works that run at the same time. */
  places: number
  /** Of one group. */
  placesOfGroup: number
  /** How many of one group may wait. One more is 429. */
  waitingOfGroup: number
  /** One who has waited so long is refused with 503: before the server would close the silent connection after 30 s. */
  patienceMs: number
}

/** Calls `run` after a time, unless it is cancelled before. */
export type After = (ms: number, run: () => void) => () => void

/** The wait in a refusal for a full queue. */
const RETRY_SECONDS = 5

interface Waiting {
  begin(): void
  refuse(error: AppError): void
}

interface Group {
  running: number
  waiting: Waiting[]
  /** When its newest work started, counted in works. */
  turn: number
}

/**
 * Runs works of many groups (projects), a few at once. A free place goes to the group whose newest work started first, so
 * that a group with many works makes another one wait for at most one of them in each place.
 */
export class FairQueue {
  private readonly groups = new Map<string, Group>()
  private places: number
  private turns = 0
  private stopped: AppError | null = null

  constructor(
    private readonly limits: FairLimits,
    private readonly after: After = realTime,
  ) {
    this.places = limits.places
  }

  /**
   * Runs `work` when its group has a place. Throws 429 when too many of the group wait, 503 after the patience, and an
   * error of the client's when `signal` ends the wait: that one is not read.
   */
  async run<Result>(group: string, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    await this.place(group, signal)
    try {
      return await work()
    } finally {
      this.end(group)
    }
  }

  /** Rejects all waiting and all later calls of `run` with this error. Work that has started continues. */
  stop(error: AppError): void {
    this.stopped = error
    for (const { waiting } of this.groups.values()) for (const { refuse } of waiting.splice(0)) refuse(error)
  }

  private async place(name: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.stopped) throw this.stopped
    if (signal?.aborted) throw callerLeft()
    const group = this.groupOf(name)
    if (this.places > 0 && group.running < this.limits.placesOfGroup) return this.begin(group)
    if (group.waiting.length >= this.limits.waitingOfGroup) throw crowded()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Waiting = { begin: resolve, refuse: reject }
    group.waiting.push(entry)
    const leave = () => this.leave(name, entry, callerLeft())
    const cancel = this.after(this.limits.patienceMs, () => this.leave(name, entry, tooLong()))
    signal?.addEventListener('abort', leave)
    await promise.finally(() => {
      cancel()
      signal?.removeEventListener('abort', leave)
    })
  }

  private groupOf(name: string): Group {
    const known = this.groups.get(name)
    if (known) return known
    const group = { running: 0, waiting: [], turn: 0 }
    this.groups.set(name, group)
    return group
  }

  private begin(group: Group): void {
    this.places--
    group.running++
    group.turn = ++this.turns
  }

  private leave(name: string, entry: Waiting, error: AppError): void {
    const { waiting } = this.groupOf(name)
    const at = waiting.indexOf(entry)
    if (at < 0) return
    waiting.splice(at, 1)
    entry.refuse(error)
    this.forgetIdle(name)
  }

  private end(name: string): void {
    this.places++
    this.groupOf(name).running--
    this.forgetIdle(name)
    const next = this.nextGroup()
    if (!next) return
    this.begin(next)
    next.waiting.shift()?.begin()
  }

  private nextGroup(): Group | undefined {
    const ready = [...this.groups.values()].filter(
      ({ waiting, running }) => waiting.length > 0 && running < this.limits.placesOfGroup,
    )
    return ready.toSorted((a, b) => a.turn - b.turn)[0]
  }

  private forgetIdle(name: string): void {
    const group = this.groups.get(name)
    if (group && group.running === 0 && group.waiting.length === 0) this.groups.delete(name)
  }
}

const realTime: After = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

const crowded = (): AppError =>
  new AppError(
    'RATE_LIMITED',
    { retryAfterSeconds: RETRY_SECONDS },
    {
      retryAfter: RETRY_SECONDS,
      message: `Too many of these calls wait for the project already; try again in ${RETRY_SECONDS} s`,
    },
  )

const tooLong = (): AppError =>
  new AppError('QUEUE_UNAVAILABLE', undefined, {
    retryAfter: RETRY_SECONDS,
    message: `The server is busy with other computations; try again in ${RETRY_SECONDS} s`,
  })
