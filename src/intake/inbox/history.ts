import type { Context } from '../../base/context'
import { toAppError } from '../../base/db/errors'
import { AppError } from '../../base/errors'
import { FAILURES_TO_OPEN } from '../../base/lib/circuit'
import type { Store } from '../../stores/observation'
import type { TakenIn } from './inbox'
import { type ArrivedRow, listArrived } from './queries'

/** What a store remembers to have told; `id` null: it cannot be read before it is taken in. */
export interface ListedNotification {
  id: string | null
  /** Takes it in by the way of its webhook. */
  take(): Promise<TakenIn>
}

export type HistoryPage = { ok: true; items: ListedNotification[]; next: string | null } | { ok: false; reason: string }

/** One page of what a store has told; null = the first. */
export type ReadPage = (page: string | null) => Promise<HistoryPage>

/** Both ends belong to it. */
export interface Span {
  from: number
  to: number
}

export interface HistoryCount {
  /** Taken in by this fetch. */
  new: number
  /** Had been taken in before. */
  known: number
  /** Refused, or without their full effect; each reason with its number is in `reasons`. */
  failed: number
}

export interface FetchedHistory extends HistoryCount, Span {
  /** Those that the inbox had never seen, whatever came of them but a refusal. */
  missing: number
  reasons: { reason: string; count: number }[]
  /** Why it ended before the end, and the page to go on with (null = the first); null when it came to the end. */
  stopped: { reason: string; page: string | null } | null
  /** Stored, but the store did not answer what they are about: a later fetch takes them up again. */
  unanswered: number
}

export interface FetchOptions {
  /** Stops after the notification at hand. */
  signal?: { readonly aborted: boolean }
  onCount?: (count: HistoryCount) => void
}

export interface HistoryOf extends Span {
  projectId: string
  store: Store
  /** The page to begin with. */
  page: string | null
  read: ReadPage
}

/** Takes in page after page what is not done yet. A fault of a store or of the database ends it with a report, not an error. */
export async function walkHistory(ctx: Context, of: HistoryOf, options: FetchOptions): Promise<FetchedHistory> {
  const { from, to, read } = of
  const tally = new Tally(options.onCount)
  const report = (stopped: FetchedHistory['stopped']) => ({ from, to, ...tally.report(), stopped })
  for (let { page } = of; ; ) {
    const found = await read(page)
    if (!found.ok) return report({ reason: found.reason, page })
    const fault = await takePage(ctx, of, found.items, tally, options.signal)
    if (fault !== null) return report({ reason: fault, page })
    if (found.next === null) return report(null)
    // Else the same page would be read for ever.
    if (found.next === page) return report({ reason: NO_END, page })
    page = found.next
  }
}

export const NO_END = 'The store says that there is more, but not where'

/** Null once all of the page are taken in or refused; else why it could not go on. */
async function takePage(
  ctx: Context,
  of: HistoryOf,
  items: readonly ListedNotification[],
  tally: Tally,
  signal: FetchOptions['signal'],
): Promise<string | null> {
  const arrived = await findArrived(ctx, of, items)
  if (typeof arrived === 'string') return arrived
  for (const { id, take } of items) {
    if (signal?.aborted) return 'It was interrupted'
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

/** One that failed is taken up again, as when the store tells it again. */
const isDone = ({ status, leasedUntil }: ArrivedRow, now: number): boolean =>
  status === 'PROCESSED' || status === 'IGNORED' || (status === 'PROCESSING' && (leasedUntil ?? 0) > now)

/** Why the fetch cannot go on. */
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
    // One object that the store cannot return must not hold up the rest for ever; an outage is known by its row.
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

  /** Null = it was known before. */
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

  /** True when it is no use to try the others. */
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
