import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CommandFailure } from '../../base/cli/command'
import { reasonOf } from '../../base/cli/reason'
import type { RemoteAddress } from '../../base/cli/remote'
import { SECOND } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { EventRow } from '../../people/events/feed'
import { readRemoteEvent } from './remote-event'
import { askSecret, askServer, awayFor, notSvc, parseOrNull } from './server'
import { type EventPage, type EventSource, type FeedStart, PAGE_LIMIT } from './source'

const Feed = Type.Object({
  data: Type.Object({ items: Type.Array(Type.Unknown()), nextCursor: Type.String() }),
})

/** The longest that the feed waits for a first event. */
const MAX_WAIT_SECONDS = 25

/** The longest that an answer may take beyond the wait. */
const MARGIN_MS = 30 * SECOND

/** The feed of a server (`GET /v1/events`), opened with a secret key. The key decides which project it is. */
export const keySource = (
  server: RemoteAddress,
  project: string | undefined,
  types: readonly string[],
): EventSource => ({
  project: project ?? server.address,
  secret: (signal) => askSecret(server, '/v1/events/listen-secret', signal),
  async next(start, waitMs, signal) {
    const wait = Math.min(MAX_WAIT_SECONDS, Math.ceil(waitMs / SECOND))
    const query = new URLSearchParams({ ...placeOf(start), wait: String(wait), limit: String(PAGE_LIMIT) })
    if (types.length > 0) query.set('types', types.join(','))
    const limited = AbortSignal.any([signal, AbortSignal.timeout(wait * SECOND + MARGIN_MS)])
    const response = await askServer(server, `/v1/events?${query}`, limited)
    const text = await response.text().catch((error: unknown) => {
      throw awayFor(server, reasonOf(error))
    })
    const page = readPage(text)
    if (!page || isTooOld(start, page)) throw notSvc(server, 'answers with status 200')
    assertOf(project, page.events)
    return page
  },
})

/** Where a reading starts, as the feed and the stream take it in their query. */
export const placeOf = (start: FeedStart): Record<string, string> =>
  'cursor' in start ? { after: start.cursor } : { since: toIso(start.since) }

function readPage(text: string): EventPage | null {
  const answer = parseOrNull(text)
  if (!Value.Check(Feed, answer)) return null
  const events = answer.data.items.map(readRemoteEvent)
  return events.every((event) => event !== null) ? { events, cursor: answer.data.nextCursor } : null
}

/** A server that does not know `since` answers from its oldest event on. */
const isTooOld = (start: FeedStart, { events }: EventPage): boolean =>
  'since' in start && events.some(({ recordedAt }) => recordedAt < start.since)

/** `--project` with an id says which project is meant; the events say which it is. */
export function assertOf(project: string | undefined, events: readonly EventRow[]): void {
  const other = events.find(({ projectId }) => project?.startsWith('prj_') && projectId !== project)
  if (other) throw new CommandFailure('NOT_FOUND', `The token is of the project ${other.projectId}, not of ${project}.`)
}
