import type { Context } from '../../base/context'
import { toAppError } from '../../base/db/errors'
import { AppError } from '../../base/errors'
import { FAILURES_TO_OPEN } from '../../base/lib/circuit'
import type { Store } from '../../stores/observation'
import type { TakenIn } from './inbox'
import { type ArrivedRow, listArrived } from './queries'

/** A notification in a store's history. `id` is null when it cannot be read before the notification is processed. */
export interface ListedNotification {
  id: string | null
  /** Processes it in the same way as its webhook does. */
  take(): Promise<TakenIn>
}

export type HistoryPage = { ok: true; items: ListedNotification[]; next: string | null } | { ok: false; reason: string }

/** Reads one page of a store's history; null = the first page. */
export type ReadPage = (page: string | null) => Promise<HistoryPage>

/** Instants, both inclusive. */
export interface Span {
  from: number
  to: number
}

export interface HistoryCount {
  /** Processed by this fetch. */
  new: number
  /** Processed before this fetch. */
  known: number
  /** Refused, or processed without their full effect; `reasons` has each reason with its count. */
  failed: number
}

export interface FetchedHistory extends HistoryCount, Span {
  /** Notifications that were not in the inbox before this fetch, without those that were refused. */
  missing: number
  reasons: { reason: string; count: number }[]
  /** Why the fetch stopped early, and the page to continue with (null = the first); null when it read all pages. */
  stopped: { reason: string; page: string | null } | null
  /** Stored, but not processed because the store did not answer a query about them. A later fetch tries them again. */
  unanswered: number
}

export interface FetchOptions {
  /** Stops after the current notification. */
  signal?: { readonly aborted: boolean }
  /** The reason to report when `signal` has stopped it. */
  interruption?: string
  onCount?: (count: HistoryCount) => void
}

export interface HistoryOf extends Span {
  projectId: string
  store: Store
  /** The page to start with; null = the first. */
  page: string | null
  read: ReadPage
}

/**
 * Reads a store's history page by page and processes the notifications that are not done yet. A fault of the store or
 * of the database does not throw: it is the `stopped` of the report.
 */
export async function walkHistory(ctx: Context, of: HistoryOf, options: FetchOptions): Promise<FetchedHistory> {
  const { from, to, read } = of
  const tally = new Tally(options.onCount)
  const report = (stopped: FetchedHistory['stopped']) => ({ from, to, ...tally.report(), stopped })
  for (let { page } = of; ; ) {
    const found = await read(page)
    if (!found.ok) return report({ reason: found.reason, page })
    const fault = await takePage(ctx, of, found.items, tally, options)
    if (fault !== null) return report({ reason: fault, page })
    if (found.next === null) return report(null)
    // Without this check the same page would be read for ever.
    if (found.next === page) return report({ reason: NO_END, page })
    page = found.next
  }
}

export const NO_END = 'The store says that there is more, but not where'

/** Null when every notification of the page was processed or refused; else the reason why the fetch stops. */
async function takePage(
  ctx: Context,
  of: HistoryOf,
  items: readonly ListedNotification[],
  tally: Tally,
  { signal, interruption = 'It was interrupted' }: FetchOptions,
): Promise<string | null> {
  const arrived = await findArrived(ctx, of, items)
  if (typeof arrived === 'string') return arrived
  for (const { id, take } of items) {
    if (signal?.aborted) return interruption
    const row = arrived.get(id)
    if (row && isDone(row, ctx.clock.now())) tally.add(null)
    else {
      const fault = await takeOne(take, row !== undefined, tally)
      if (fault !== null) return fault
    }
  }
  return null
}

async function findArrived(ctx: Context, { projectId, store }: HistoryOf, items: readonly ListedNotification[]) {
  const ids = items.flatMap(({ id }) => id ?? [])
  try {
    const rows = ids.length === 0 ? [] : await listArrived(ctx, projectId, store, ids)
    return new Map<string | null, ArrivedRow>(rows.map((row) => [row.notificationId, row]))
  } catch (error) {
    const fault = toAppError(error)
    if (fault instanceof AppError) return sentenceOf(fault)
    throw error
  }
}

/** Whether to skip a notification. A failed one is processed again, as when the store sends it again. */
const isDone = ({ status, leasedUntil }: ArrivedRow, now: number): boolean =>
  status === 'PROCESSED' || status === 'IGNORED' || (status === 'PROCESSING' && (leasedUntil ?? 0) > now)

/** Processes one notification. Returns the reason why the fetch stops; null when it continues. */
async function takeOne(take: ListedNotification['take'], hasArrived: boolean, tally: Tally): Promise<string | null> {
  try {
    const { outcome } = await take()
    tally.add(outcome)
    if (outcome !== null && !hasArrived) tally.miss()
    return null
  } catch (error) {
    return countFault(toAppError(error), hasArrived, tally)
  }
}

function countFault(error: unknown, hasArrived: boolean, tally: Tally): string | null {
  const isOurs = error instanceof AppError
  if (isOurs && error.refusal === 'WEBHOOK_IN_PROGRESS') tally.add(null)
  else if (!isOurs) tally.refuse('it could not be processed')
  else if (error.refusal === 'STORE_UNAVAILABLE') {
    if (!hasArrived) tally.miss()
    // One object that the store cannot return must not stop all later ones. Several in a row are an outage.
    return tally.leave() ? sentenceOf(error) : null
  } else if (error.status < 500 || error.refusal === 'IOS_APP_ID_MISSING') tally.refuse(error.message)
  else return sentenceOf(error)
  return null
}

export const sentenceOf = ({ message, cause }: AppError): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message

class Tally {
  readonly #count: HistoryCount = { new: 0, known: 0, failed: 0 }
  readonly #reasons = new Map<string, number>()
  #missing = 0
  #unanswered = 0
  #inRow = 0

  constructor(private readonly onCount: ((count: HistoryCount) => void) | undefined) {}

  /** Null = the notification was processed before. */
  add(outcome: TakenIn['outcome']): void {
    if (outcome !== null) this.#inRow = 0
    if (outcome?.status === 'FAILED') this.refuse(outcome.error ?? 'it failed')
    else this.#step(outcome === null ? 'known' : 'new')
  }

  refuse(reason: string): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    this.#step('failed')
  }

  miss(): void {
    this.#missing++
  }

  /** Counts an unanswered notification. True when so many in a row mean that the store is down. */
  leave(): boolean {
    this.#unanswered++
    return ++this.#inRow >= FAILURES_TO_OPEN
  }

  #step(kind: keyof HistoryCount): void {
    this.#count[kind]++
    this.onCount?.(this.#count)
  }

  report(): Omit<FetchedHistory, 'stopped' | keyof Span> {
    const reasons = [...this.#reasons].map(([reason, count]) => ({ reason, count }))
    return { ...this.#count, missing: this.#missing, unanswered: this.#unanswered, reasons }
  }
}
