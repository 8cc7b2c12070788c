import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { type EventRow, type FeedPage, readFeed } from '../../people/events/feed'
import { type FeedFilter, writeCursor } from '../../people/events/feed-cursor'
import { toEventView } from '../../people/events/feed-wire'
import { EventStreamClient, type StreamOwner } from './client'

// Server-sent events. The `id` of a frame is a cursor of the feed: reading continues after what was sent so far.

const frame = (lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\n')}\n\n`)

const eventFrame = (row: EventRow, cursor: string): Uint8Array =>
  frame(['event: event', `id: ${cursor}`, `data: ${JSON.stringify(toEventView(row))}`])

/** Names the present cursor and is no event: a client that leaves before the first event can continue from here. */
const cursorFrame = (cursor: string): Uint8Array => frame([`id: ${cursor}`])

/** Sent regularly, so that no proxy closes an idle connection. */
const pingFrame = (cursor: string | null): Uint8Array =>
  frame(['event: ping', ...(cursor === null ? [] : [`id: ${cursor}`]), 'data:'])

const MAX_OPEN = 20_000
/** One project can take this part of all streams. */
const PROJECT_SHARE = 1 / 2
const MAX_PER_USER = 20
/** Of one person in all projects: a browser window has one or two. */
const MAX_PER_USER_IN_ALL = 60
const RETRY_SECONDS = 5

/** Events that a stream reads at once. */
const PAGE = 100
/** How long one read of the feed waits for events. */
const WAIT_MS = 25 * SECOND

/** The open streams of the dashboard in this process. */
export class EventStreams {
  /** In the order in which they were opened. */
  private readonly clients = new Set<EventStreamClient>()
  private isClosed = false

  constructor(private readonly ctx: Context) {}

  get size(): number {
    return this.clients.size
  }

  /** The server stops: new streams end at once. */
  get hasEnded(): boolean {
    return this.isClosed
  }

  /** 429 when no more streams may be open: of all, or of this project. */
  assertRoom(projectId: string): void {
    if (this.clients.size >= MAX_OPEN) throw full('Too many streams are open; try again later')
    if (this.of((owner) => owner.projectId === projectId).length >= MAX_OPEN * PROJECT_SHARE)
      throw full('Too many streams of this project are open; try again later')
  }

  /** Sends a first page of events, and then what follows. While the server stops, it ends after its first page. */
  open(owner: StreamOwner, filter: FeedFilter, page: FeedPage, isAllowed: () => Promise<boolean>): EventStreamClient {
    const client = this.admit(owner, isAllowed)
    void this.follow(client, filter, page)
    return client
  }

  /** A stream that its maker fills. A person who has too many streams, of a project or of all, loses the oldest. */
  admit(owner: StreamOwner, isAllowed: () => Promise<boolean>): EventStreamClient {
    const client = new EventStreamClient(owner, isAllowed, (left) => this.end(left))
    const own = this.of(({ projectId, userId }) => projectId === owner.projectId && userId === owner.userId)
    if (own[0] && own.length >= MAX_PER_USER) this.end(own[0])
    const everywhere = this.of(({ userId }) => userId === owner.userId)
    if (everywhere[0] && everywhere.length >= MAX_PER_USER_IN_ALL) this.end(everywhere[0])
    this.clients.add(client)
    return client
  }

  end(client: EventStreamClient): void {
    client.end()
    this.clients.delete(client)
  }

  /** Keeps idle connections alive, and ends the streams whose clients have read nothing since the last time. */
  ping(): void {
    for (const client of [...this.clients]) {
      if (client.isStalled()) this.end(client)
      else client.send(pingFrame(client.cursor))
    }
  }

  /** Ends the streams whose callers may not read the events any more. */
  async checkAccess(): Promise<void> {
    for (const client of [...this.clients])
      if (client.isOpen && !(await client.isAllowed().catch(() => true))) this.end(client)
  }

  /** Closes all streams and refuses new ones. */
  drain(): void {
    this.isClosed = true
    for (const client of [...this.clients]) this.end(client)
  }

  private of(isWanted: (owner: StreamOwner) => boolean): EventStreamClient[] {
    return [...this.clients].filter(({ owner }) => isWanted(owner))
  }

  private async follow(client: EventStreamClient, filter: FeedFilter, first: FeedPage): Promise<void> {
    try {
      await sendPage(client, filter, first)
      if (first.rows.length === 0) client.send(cursorFrame(first.nextCursor))
      while (client.isOpen && !this.isClosed) {
        const page = await this.next(client, filter)
        if (!page) break
        await sendPage(client, filter, page)
      }
    } catch (error) {
      this.ctx.log.warn('a stream of events was ended', { projectId: filter.projectId, error: describeError(error) })
    }
    client.finish()
    this.clients.delete(client)
  }

  private async next({ cursor, signal }: EventStreamClient, filter: FeedFilter): Promise<FeedPage | null> {
    const project = await this.ctx.state.projects.find(filter.projectId)
    return project && readFeed(this.ctx, project, { filter, after: cursor, limit: PAGE, waitMs: WAIT_MS, signal })
  }
}

async function sendPage(client: EventStreamClient, filter: FeedFilter, { rows, nextCursor }: FeedPage): Promise<void> {
  for (const row of rows) {
    await client.room()
    const cursor = writeCursor({ position: row.position, readUntil: row.recordedAt }, filter)
    client.cursor = cursor
    client.send(eventFrame(row, cursor))
  }
  client.cursor = nextCursor
}

const full = (message: string): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS }, { retryAfter: RETRY_SECONDS, message })
