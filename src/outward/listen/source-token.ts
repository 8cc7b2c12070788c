import { reasonOf } from '../../base/cli/reason'
import type { RemoteAddress } from '../../base/cli/remote'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import type { EventRow } from '../../people/events/feed'
import { type ProjectApi, pathOf } from '../../projects/project/project-api'
import { type Frame, Frames } from './frames'
import { readRemoteEvent } from './remote-event'
import { askSecret, askServer, awayFor, notSvc, parseOrNull } from './server'
import type { EventPage, EventSource, FeedStart, SourceAway } from './source'
import { placeOf } from './source-key'

/** A stream on which not even pings arrive for this long has broken off unnoticed. */
const SILENCE_MS = 60 * SECOND

/** How long the first frame, which names the place, may take. */
const OPENING_MS = 30 * SECOND

/** A stream that ends sooner is not opened again at once. */
const SHORT_MS = 5 * SECOND

/** The stream of a server (`GET P/events/stream`), opened with a personal access token. */
export function tokenSource(
  server: RemoteAddress,
  project: Pick<ProjectApi, 'id' | 'slug'>,
  types: readonly string[],
): EventSource {
  const stream = new EventStream(server, pathOf(project.id, 'events', 'stream'), types)
  return {
    project: project.slug,
    secret: (signal) => askSecret(server, pathOf(project.id, 'events', 'listen-secret'), signal),
    next: (start, waitMs, signal) => stream.next(start, waitMs, signal),
  }
}

class EventStream {
  private frames: Frames | null = null
  private openedAtMs = 0
  private silentMs = 0

  constructor(
    private readonly server: RemoteAddress,
    private readonly path: string,
    private readonly types: readonly string[],
  ) {}

  /** The events since the page before. A stream that has ended is opened again, behind what it sent. */
  async next(start: FeedStart, waitMs: number, signal: AbortSignal): Promise<EventPage> {
    const frames = this.frames ? await this.read(this.frames, waitMs) : await this.open(start, signal)
    if (frames === null) return { events: [], cursor: this.endedAt(start) }
    const cursor = frames.findLast(({ id }) => id !== null)?.id ?? this.cursorOf(start)
    return { events: frames.flatMap((frame) => this.eventsOf(frame)), cursor }
  }

  /** The first frame names the place, also where no event has come yet. */
  private async open(start: FeedStart, signal: AbortSignal): Promise<Frame[] | null> {
    const query = new URLSearchParams(placeOf(start))
    if (this.types.length > 0) query.set('types', this.types.join(','))
    const opening = new AbortController()
    const timer = setTimeout(() => opening.abort(), OPENING_MS)
    const both = AbortSignal.any([signal, opening.signal])
    const { body, headers } = await askServer(this.server, `${this.path}?${query}`, both).finally(() =>
      clearTimeout(timer),
    )
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream'))
      throw notSvc(this.server, 'answers with status 200')
    this.frames = new Frames(body)
    this.openedAtMs = monotonicMs()
    this.silentMs = 0
    return this.read(this.frames, OPENING_MS)
  }

  /** Null when the stream has ended. */
  private async read(from: Frames, waitMs: number): Promise<Frame[] | null> {
    const frames = await from.next(waitMs).catch((error: unknown) => {
      throw this.broken(reasonOf(error))
    })
    this.silentMs = frames?.length === 0 ? this.silentMs + waitMs : 0
    if (this.silentMs > SILENCE_MS) throw this.broken('nothing arrives any more')
    return frames
  }

  /** A server ends streams that are read too slowly, and all of them when it stops. */
  private endedAt(start: FeedStart): string {
    const isShort = monotonicMs() - this.openedAtMs < SHORT_MS
    if (isShort) throw this.broken('it has ended the stream')
    this.frames = null
    return this.cursorOf(start)
  }

  private cursorOf(start: FeedStart): string {
    if ('cursor' in start) return start.cursor
    throw this.broken('the stream does not begin')
  }

  private broken(reason: string): SourceAway {
    this.frames = null
    return awayFor(this.server, reason)
  }

  private eventsOf({ event, data }: Frame): EventRow[] {
    if (event !== 'event') return []
    const found = readRemoteEvent(parseOrNull(data))
    if (!found) throw notSvc(this.server, 'sends events of another form')
    return [found]
  }
}
