import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { DAY, monotonicMs, SECOND } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import { type FeedFilter, type FeedMark, readCursor, writeCursor } from './feed-cursor'
import { type EventRow, listAccessEvents, listFeed, readFeedHead, readPrunedUntil } from './queries'

export type { EventRow }

/** For the slices that explain what a subscriber holds. */
export const listEventsAboutAccess = listAccessEvents

export interface FeedQuestion {
  filter: FeedFilter
  /** Cursor of the answer before; null = from the oldest event kept. */
  after: string | null
  limit: number
  /** How long to wait for a first event, in milliseconds. */
  waitMs: number
  /** Aborted when the caller leaves. */
  signal: AbortSignal
}

export interface FeedPage {
  rows: EventRow[]
  nextCursor: string
  hasMore: boolean
}

/** Another process rings no bell here. */
const POLL_MS = SECOND

/**
 * The next events of a project in commit order, oldest first; none is ever skipped (see `readFeedHead`). Waits for the
 * first one where the caller asks for that. 400 for a cursor that is not one of this filter, 410 past the retention.
 */
export async function readFeed(ctx: Context, project: ProjectState, question: FeedQuestion): Promise<FeedPage> {
  const { filter, after, waitMs, signal } = question
  const oldestKept = ctx.clock.now() - project.settings.eventRetentionDays * DAY
  const bell = ctx.state.feedSignal
  const until = monotonicMs() + waitMs
  let mark = after === null ? { position: 0, readUntil: oldestKept } : await openCursor(ctx, after, filter, oldestKept)
  for (;;) {
    const heard = bell.count(filter.projectId)
    const { rows, next, hasMore } = await readPage(ctx, question, mark, after === null ? oldestKept : null)
    const leftMs = until - monotonicMs()
    if (rows.length > 0 || leftMs <= 0 || signal.aborted || bell.hasEnded)
      return { rows, nextCursor: writeCursor(next, filter), hasMore }
    mark = next
    await bell.next(filter.projectId, heard, Math.min(leftMs, POLL_MS), signal)
  }
}

/** No project keeps its events for less. */
const LEAST_KEPT_MS = 30 * DAY

async function openCursor(ctx: Context, after: string, filter: FeedFilter, oldestKept: number): Promise<FeedMark> {
  const mark = readCursor(after, filter)
  if (!mark) throw invalid('after: not a cursor of this feed with this filter')
  const isYoung = mark.readUntil >= ctx.clock.now() - LEAST_KEPT_MS
  const isWhole = isYoung || mark.readUntil >= (await readPrunedUntil(ctx, filter.projectId))
  if (mark.readUntil >= oldestKept && isWhole) return mark
  const message = 'The cursor is older than the events that are kept; start again without after'
  throw new AppError('HTTP_ERROR', undefined, { status: 410, message })
}

/** Where nothing is left, the mark moves to the head: what the filter leaves out is not looked through again. */
async function readPage(ctx: Context, { filter, limit }: FeedQuestion, mark: FeedMark, keptSince: number | null) {
  const now = ctx.clock.now()
  const head = await readFeedHead(ctx, ctx.storage.driver === 'postgres', filter.projectId)
  const found = await listFeed(ctx, filter, { after: mark.position, head, limit: limit + 1, keptSince })
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  const last = rows.at(-1)
  const atEnd = { position: Math.max(mark.position, head), readUntil: now }
  const next = hasMore && last ? { position: last.position, readUntil: last.recordedAt } : atEnd
  return { rows, next, hasMore }
}
