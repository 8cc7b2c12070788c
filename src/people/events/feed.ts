import type { Context } from '../../base/context'
import type { TransactionHandle } from '../../base/db/handle'
import { AppError, invalid } from '../../base/errors'
import { DAY, monotonicMs, SECOND } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import { keptDays } from '../../projects/usage/retention'
import { type FeedFilter, type FeedMark, readCursor, writeCursor } from './feed-cursor'
import { type EventRow, listAccessEvents, listEventsAt, listFeed, readFeedHead, readPrunedUntil } from './queries'

export type { EventRow }

/** For slices that explain what access a subscriber holds. */
export const listEventsAboutAccess = listAccessEvents

/** For slices that read the feed by position: where it ends now, and events by their positions. */
export const feedHead = (handle: TransactionHandle, projectId: string): Promise<number> =>
  readFeedHead(handle, handle.needsLocks, projectId)
export const eventsAt = listEventsAt

/** As `feedHead`, outside a transaction. */
export const currentHead = (ctx: Context, projectId: string): Promise<number> =>
  readFeedHead(ctx, ctx.storage.driver === 'postgres', projectId)

/**
 * The events of a project after a position, in commit order, and the position up to which the reader has then read. It
 * never skips an event (see `readFeedHead`).
 */
export async function eventsAfter(
  handle: TransactionHandle,
  projectId: string,
  after: number,
  limit: number,
): Promise<{ rows: EventRow[]; position: number; hasMore: boolean }> {
  const head = await feedHead(handle, projectId)
  if (head <= after) return { rows: [], position: after, hasMore: false }
  const filter = { projectId, types: [], subscriberId: null }
  const rows = await listFeed(handle, filter, { after, head, limit, keptSince: null })
  const hasMore = rows.length === limit
  return { rows, position: hasMore ? (rows.at(-1)?.position ?? head) : head, hasMore }
}

export interface FeedQuestion {
  filter: FeedFilter
  /** Cursor of the previous answer; null = from the oldest event kept. */
  after: string | null
  /** Without `after`: only events recorded at or after this instant. Absent = from the oldest event kept. */
  since?: number | null
  limit: number
  /** How long to wait for a first event. */
  waitMs: number
  /** Aborted when the caller leaves. */
  signal: AbortSignal
}

export interface FeedPage {
  rows: EventRow[]
  nextCursor: string
  hasMore: boolean
}

/** How often a waiting reader reads again: the signal does not report commits of other processes. */
const POLL_MS = SECOND

/**
 * The next events of a project in commit order, oldest first. It never skips an event (see `readFeedHead`). Waits up to
 * `waitMs` milliseconds for a first event. 400 for a cursor of another filter; 410 for one older than the retention.
 */
export async function readFeed(ctx: Context, project: ProjectState, question: FeedQuestion): Promise<FeedPage> {
  const { filter, after, since, waitMs, signal } = question
  const days = await keptDays(ctx, project.id, project.settings.eventRetentionDays)
  const oldestKept = ctx.clock.now() - days * DAY
  const keptSince = after === null ? Math.max(oldestKept, since ?? 0) : null
  const feedSignal = ctx.state.feedSignal
  const until = monotonicMs() + waitMs
  let mark = after === null ? { position: 0, readUntil: oldestKept } : await openCursor(ctx, after, filter, oldestKept)
  for (;;) {
    const commitCount = feedSignal.count(filter.projectId)
    const { rows, next, hasMore } = await readPage(ctx, question, mark, keptSince)
    const leftMs = until - monotonicMs()
    if (rows.length > 0 || leftMs <= 0 || signal.aborted || feedSignal.hasEnded)
      return { rows, nextCursor: writeCursor(next, filter), hasMore }
    mark = next
    await feedSignal.next(filter.projectId, commitCount, Math.min(leftMs, POLL_MS), signal)
  }
}

/** The shortest retention that a project can set. */
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

/** At the end of the feed the mark moves to the head, so that events outside the filter are not searched again. */
async function readPage(ctx: Context, { filter, limit }: FeedQuestion, mark: FeedMark, keptSince: number | null) {
  const now = ctx.clock.now()
  const head = await readFeedHead(ctx, ctx.storage.driver === 'postgres', filter.projectId)
  // No event has been recorded in the future, and to look for one would read all of them.
  const isAhead = keptSince !== null && keptSince > now
  const window = { after: mark.position, head, limit: limit + 1, keptSince }
  const found = isAhead ? [] : await listFeed(ctx, filter, window)
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  const last = rows.at(-1)
  const atEnd = { position: Math.max(mark.position, head), readUntil: now }
  const next = hasMore && last ? { position: last.position, readUntil: last.recordedAt } : atEnd
  return { rows, next, hasMore }
}
