import type { Context } from '../context'
import { toAppError } from '../db/errors'
import { AppError, invalid } from '../errors'
import { DAY, MINUTE } from '../lib/clock'
import type { ProjectState } from '../projects/state'
import { type IosApiClient, PAGE_TOKEN_UNKNOWN } from '../stores/ios/api-client'
import type { ApiResult } from '../stores/ios/api-client-answer'
import type { NotificationHistory } from '../stores/ios/api-client-shapes'
import type { PurchaseEnvironment } from '../stores/observation'
import { requireIosClient, storeTrouble } from './ios-call'
import { receiveIosNotification } from './ios-service'

/** How far back the store remembers. */
const HISTORY_MS: Readonly<Record<PurchaseEnvironment, number>> = { PRODUCTION: 180 * DAY, SANDBOX: 30 * DAY }
/** The store's clock is another one. */
const MARGIN_MS = MINUTE

export interface HistoryOrder {
  environment: PurchaseEnvironment
  /** Both included; left out, all that the store remembers. */
  from?: number | undefined
  to?: number | undefined
  /** Goes on where an earlier fetch of the same span has stopped. */
  page?: string | undefined
}

export interface HistoryCount {
  /** Taken in by this fetch. */
  new: number
  /** Had been taken in before. */
  known: number
  /** Refused, or without their full effect; each reason with its number is in `reasons`. */
  failed: number
}

export interface FetchedHistory extends HistoryCount {
  from: number
  to: number
  reasons: { reason: string; count: number }[]
  /** Why it ended before the end, and the page to go on with (null = the first); null when it came to the end. */
  stopped: { reason: string; page: string | null } | null
}

interface Options {
  /** Stops after the notification at hand. */
  signal?: AbortSignal
  onCount?: (count: HistoryCount) => void
}

/**
 * Takes in what the iOS store has told, or has tried to tell, by the same way as its webhook: safe to repeat, and a
 * forged or foreign notification is refused. A store or a database in trouble ends it with a report, not an error.
 */
export async function fetchIosHistory(
  ctx: Context,
  project: ProjectState,
  order: HistoryOrder,
  { signal, onCount }: Options = {},
): Promise<FetchedHistory> {
  const { client, ios } = await requireIosClient(ctx, project)
  const span = toSpan(order, ctx.clock.now())
  if (order.environment === 'PRODUCTION' && ios.appId === null) throw new AppError('IOS_APP_ID_MISSING')
  const tally = new Tally(onCount)
  const report = (stopped: FetchedHistory['stopped']) => ({ ...span, ...tally.report(), stopped })
  let page = order.page ?? null
  for (;;) {
    const read = await readPage(client, order.environment, span, page)
    if (!read.ok) return report({ reason: read.reason, page })
    const trouble = await takePage(ctx, project, read.items, tally, signal)
    if (trouble !== null) return report({ reason: trouble, page })
    if (read.next === null) return report(null)
    page = read.next
  }
}

interface Span {
  from: number
  to: number
}

function toSpan({ environment, from, to }: HistoryOrder, now: number): Span {
  const earliest = now - HISTORY_MS[environment] + MARGIN_MS
  const span = { from: from ?? earliest, to: to ?? now }
  if (span.from < earliest - MARGIN_MS)
    throw invalid(`The store remembers ${HISTORY_MS[environment] / DAY} days; begin later`)
  if (span.from >= span.to) throw invalid('The span must begin before it ends')
  return span
}

type Page = { ok: true; items: string[]; next: string | null } | { ok: false; reason: string }

async function readPage(
  client: IosApiClient,
  environment: PurchaseEnvironment,
  { from, to }: Span,
  page: string | null,
): Promise<Page> {
  const result = await client.getNotificationHistory(environment, { startDate: from, endDate: to }, page)
  if (!result.ok) return { ok: false, reason: refusalOf(result) }
  const { notificationHistory } = result.value
  const next = nextPage(result.value)
  // Else the same page would be read for ever.
  if (next === undefined || (next !== null && next === page))
    return { ok: false, reason: 'The store says that there is more, but not where' }
  return { ok: true, items: notificationHistory.map(({ signedPayload }) => signedPayload), next }
}

function refusalOf(result: Extract<ApiResult<unknown>, { ok: false }>): string {
  const isForgotten = result.kind === 'rejected' && PAGE_TOKEN_UNKNOWN.includes(result.errorCode)
  return isForgotten
    ? 'The store does not know this page any more; fetch from the beginning'
    : sentenceOf(storeTrouble(result))
}

const nextPage = ({ hasMore, paginationToken }: NotificationHistory): string | null | undefined =>
  hasMore ? paginationToken : null

/** Null once all of the page are taken in or refused; else why it could not go on. */
async function takePage(
  ctx: Context,
  project: ProjectState,
  items: readonly string[],
  tally: Tally,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  for (const signedPayload of items) {
    if (signal?.aborted) return 'It was interrupted'
    const bytes = Buffer.from(JSON.stringify({ signedPayload }))
    try {
      const { outcome } = await receiveIosNotification(ctx, project.id, { bytes, contentType: null, encoding: null })
      tally.add(outcome)
    } catch (error) {
      const trouble = judge(toAppError(error), tally)
      if (trouble !== null) return trouble
    }
  }
  return null
}

/** Why the fetch cannot go on; null when it is the fault of this one notification, which was counted. */
function judge(error: unknown, tally: Tally): string | null {
  const isOurs = error instanceof AppError
  if (isOurs && error.refusal === 'WEBHOOK_IN_PROGRESS') tally.add(null)
  else if (!isOurs) tally.refuse('it could not be processed')
  else if (error.status < 500 || error.refusal === 'IOS_APP_ID_MISSING') tally.refuse(error.message)
  else return sentenceOf(error)
  return null
}

const sentenceOf = ({ message, cause }: AppError): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message

type Taken = Awaited<ReturnType<typeof receiveIosNotification>>['outcome']

class Tally {
  readonly #count: HistoryCount = { new: 0, known: 0, failed: 0 }
  readonly #reasons = new Map<string, number>()

  constructor(private readonly onCount: ((count: HistoryCount) => void) | undefined) {}

  /** Null = it was known before. */
  add(outcome: Taken): void {
    if (outcome?.status === 'FAILED') this.refuse(outcome.error ?? 'it failed')
    else this.#step(outcome === null ? 'known' : 'new')
  }

  refuse(reason: string): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    this.#step('failed')
  }

  #step(kind: keyof HistoryCount): void {
    this.#count[kind]++
    this.onCount?.(this.#count)
  }

  report(): HistoryCount & Pick<FetchedHistory, 'reasons'> {
    return { ...this.#count, reasons: [...this.#reasons].map(([reason, count]) => ({ reason, count })) }
  }
}
