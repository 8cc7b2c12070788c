import { assertAwaited, callerLeft } from './caller'

/** Whose long read it is. */
export interface ReadTurn {
  /** The project that it is about: projects take turns. Absent for reads about no project. */
  group?: string | undefined
  /** Aborted when the last caller has left. The read then starts no further statement. */
  signal?: AbortSignal | undefined
  /** Called with the milliseconds for which each answer of a statement occupied the main thread. */
  held?: ((ms: number) => void) | undefined
}

interface Waiting<Place> {
  begin(place: Place): void
}

interface Group<Place> {
  waiting: Waiting<Place>[]
  isRunning: boolean
  /** When its newest work started, counted in works. */
  turn: number
}

/**
 * Runs works of many groups (projects), one of each group at a time, and as many groups at once as there are places. A
 * free place goes to the group whose newest work started first: many works of one group make another group wait only for
 * those that have started.
 */
export class TurnQueue<Place> {
  private readonly groups = new Map<string, Group<Place>>()
  private turns = 0
  private readonly waitingAlone: (() => void)[] = []
  private free: Place[]

  constructor(private readonly places: readonly Place[]) {
    this.free = [...places]
  }

  /** Runs `work` with a place of its own. Rejects as soon as the signal is aborted before it starts. */
  async run<Result>(work: (place: Place) => Promise<Result>, { group = '', signal }: ReadTurn = {}): Promise<Result> {
    assertAwaited(signal)
    const place = await this.takePlace(group, signal)
    try {
      assertAwaited(signal)
      return await work(place)
    } finally {
      this.free.push(place)
      this.end(group)
    }
  }

  /** Runs `work` while nothing else runs, before everything that waits. */
  async runAlone<Result>(work: (places: readonly Place[]) => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.waitingAlone.push(resolve)
    this.beginNext()
    await promise
    try {
      return await work(this.places)
    } finally {
      this.free = [...this.places]
      this.beginNext()
    }
  }

  private takePlace(name: string, signal: AbortSignal | undefined): Promise<Place> {
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    const group = this.groups.get(name) ?? { waiting: [], isRunning: false, turn: 0 }
    this.groups.set(name, group)
    const own = { begin: resolve }
    group.waiting.push(own)
    const leave = () => {
      if (removed(group.waiting, own)) reject(callerLeft())
      this.forgetIdle(name)
    }
    signal?.addEventListener('abort', leave)
    this.beginNext()
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  private end(name: string): void {
    const group = this.groups.get(name)
    if (group) group.isRunning = false
    this.forgetIdle(name)
    this.beginNext()
  }

  private forgetIdle(name: string): void {
    const group = this.groups.get(name)
    if (group && !group.isRunning && group.waiting.length === 0) this.groups.delete(name)
  }

  private beginNext(): void {
    if (this.waitingAlone.length > 0) {
      this.beginAlone()
      return
    }
    const ready = [...this.groups.values()].filter(({ waiting, isRunning }) => waiting.length > 0 && !isRunning)
    for (const group of ready.toSorted((a, b) => a.turn - b.turn)) {
      const place = this.free.shift()
      if (place === undefined) return
      group.isRunning = true
      group.turn = ++this.turns
      group.waiting.shift()?.begin(place)
    }
  }

  private beginAlone(): void {
    if (this.free.length < this.places.length) return
    this.free = []
    this.waitingAlone.shift()?.()
  }
}

/** Whether the list had the entry, which it no longer has. */
function removed<Entry>(list: Entry[], entry: Entry): boolean {
  const at = list.indexOf(entry)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}
