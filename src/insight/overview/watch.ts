import type { Context } from '../../base/context'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import type { EventStreamClient } from '../../outward/event-log/client'
import { currentHead } from '../../people/events/feed'
import { namedPage } from '../../people/purchases/person-ref'
import { cursorAt, eventFrames, stateFrames } from './frames'
import { type LiveState, readLiveState } from './live-state'
import { listNewestEvents } from './queries'
import type { NamedEvent } from './wire'

/** Figures are sent at most once a second. */
const LEAST_MS = SECOND
/** Between two looks that find nothing. */
const PAUSE_MS = 50
/** Events that are sent in one message; of more, the newest. */
const MOST_EVENTS = 50

/**
 * The open overviews of one project. It reads once for all of them, tells at most once a second, and sends the same bytes to
 * each, so that neither many streams nor many purchases make much work.
 */
export class Watch {
  private readonly clients = new Set<EventStreamClient>()
  private state: LiveState | null = null
  /** Events up to here were sent. */
  private position = 0
  private looking: Promise<void> | null = null
  private isPoked = false
  private isUrgent = false
  private lookedAtMs = Number.NEGATIVE_INFINITY
  private toldAtMs = Number.NEGATIVE_INFINITY
  private timer: ReturnType<typeof setTimeout> | null = null
  private joining = 0

  constructor(
    private readonly ctx: Context,
    private readonly projectId: string,
  ) {}

  get isNeeded(): boolean {
    for (const client of this.clients) if (!client.isOpen) this.clients.delete(client)
    return this.clients.size + this.joining > 0
  }

  private get isFresh(): boolean {
    return this.state !== null && monotonicMs() - this.lookedAtMs < LEAST_MS
  }

  /** Sends the state as it is, and the events behind `after`; then the client gets what changes. */
  async join(client: EventStreamClient, after: number | null): Promise<void> {
    this.joining++
    try {
      if (this.looking) await this.looking
      // Another process may have sent more to the client.
      if (!this.isFresh || (after ?? 0) > this.position) await (this.looking ?? this.look())
      let from = after ?? this.position
      while (from < this.position) {
        const range = { after: from, until: this.position }
        from = range.until
        client.send(Buffer.from(await this.eventsIn(range)))
      }
      if (!this.state) throw new Error('the project cannot be read')
      client.send(Buffer.from(stateFrames(null, this.state)))
      client.cursor = this.cursor()
      this.clients.add(client)
    } finally {
      this.joining--
    }
    this.poke()
  }

  /** Something may have changed. What happens within the same second is sent together, unless it is urgent. */
  poke(isUrgent = false): void {
    this.isPoked = true
    this.isUrgent ||= isUrgent
    if (this.looking || !this.isNeeded) return
    const nextMs = Math.max(this.toldAtMs + LEAST_MS, this.lookedAtMs + PAUSE_MS)
    const waitMs = this.isUrgent ? 0 : nextMs - monotonicMs()
    if (waitMs <= 0) void this.look()
    else this.timer ??= setTimeout(() => void this.look(), waitMs)
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
  }

  private look(): Promise<void> {
    this.close()
    this.isPoked = false
    this.isUrgent = false
    this.lookedAtMs = monotonicMs()
    this.looking = this.tellChanges()
      .catch((error) => this.fail(error))
      .finally(() => {
        this.looking = null
        if (this.isPoked) this.poke()
      })
    return this.looking
  }

  private async tellChanges(): Promise<void> {
    const project = await this.ctx.state.projects.find(this.projectId)
    if (!project) return
    const { state: before, position: after } = this
    const until = await currentHead(this.ctx, this.projectId)
    const events = before === null || until <= after ? '' : await this.eventsIn({ after, until })
    const state = await readLiveState(this.ctx, project)
    this.position = Math.max(after, until)
    this.state = state
    const text = before === null ? '' : events + stateFrames(before, state)
    if (text !== '') this.broadcast(Buffer.from(text))
  }

  private eventsIn = async (range: { after: number; until: number }): Promise<string> =>
    eventFrames(this.projectId, await this.namedEvents(range))

  private async namedEvents(range: { after: number; until: number }): Promise<NamedEvent[]> {
    const rows = await listNewestEvents(this.ctx, this.projectId, range, MOST_EVENTS)
    const named = await namedPage(this.ctx, this.projectId, { rows, next: null })
    return named.rows.map(({ row, person }) => ({ ...row, person }))
  }

  private broadcast(bytes: Uint8Array): void {
    this.toldAtMs = monotonicMs()
    const cursor = this.cursor()
    for (const client of this.clients) {
      if (client.isFull) this.ctx.state.eventStreams.end(client)
      if (!client.isOpen) this.clients.delete(client)
      client.cursor = cursor
      client.send(bytes)
    }
  }

  private cursor = (): string => cursorAt(this.projectId, this.position, this.ctx.clock.now())

  /** The clients come back, and start with the whole state again. */
  private fail(error: unknown): void {
    this.ctx.log.warn('the streams of an overview were ended', {
      projectId: this.projectId,
      error: describeError(error),
    })
    for (const client of this.clients) this.ctx.state.eventStreams.end(client)
    this.clients.clear()
    this.state = null
  }
}
