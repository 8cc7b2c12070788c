import { decodeJwt } from 'jose'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import { type IosApiClient, PAGE_TOKEN_UNKNOWN } from '../../stores/ios/api-client'
import type { ApiResult } from '../../stores/ios/api-client-answer'
import type { NotificationHistory } from '../../stores/ios/api-client-shapes'
import type { PurchaseEnvironment } from '../../stores/observation'
import {
  type FetchedHistory,
  type FetchOptions,
  type HistoryPage,
  type ListedNotification,
  NO_END,
  type Span,
  sentenceOf,
  walkHistory,
} from '../inbox/history'
import { type HistoryOrder, toSpan } from '../inbox/history-span'
import { requireIosClient, storeFault } from './call'
import { STORE } from './notification'
import { receiveIosNotification } from './notification-service'

/** How far back the store remembers. */
const HISTORY_MS: Readonly<Record<PurchaseEnvironment, number>> = { PRODUCTION: 180 * DAY, SANDBOX: 30 * DAY }

/**
 * Takes in what the iOS store has told, or has tried to tell, by the same way as its webhook: safe to repeat, and a
 * forged or foreign notification is refused. A fault of the store or of the database ends it with a report, not an error.
 */
export async function fetchIosHistory(
  ctx: Context,
  project: ProjectState,
  order: HistoryOrder,
  options: FetchOptions = {},
): Promise<FetchedHistory> {
  const { client, ios } = await requireIosClient(ctx, project)
  const span = toSpan(order, HISTORY_MS[order.environment], ctx.clock.now())
  if (order.environment === 'PRODUCTION' && ios.appId === null) throw new AppError('IOS_APP_ID_MISSING')
  const read = (page: string | null) => readPage(ctx, project, client, { environment: order.environment, span, page })
  return walkHistory(ctx, { ...span, projectId: project.id, store: STORE, page: order.page ?? null, read }, options)
}

interface PageOrder {
  environment: PurchaseEnvironment
  span: Span
  page: string | null
}

async function readPage(
  ctx: Context,
  project: ProjectState,
  client: IosApiClient,
  { environment, span: { from, to }, page }: PageOrder,
): Promise<HistoryPage> {
  const result = await client.getNotificationHistory(environment, { startDate: from, endDate: to }, page)
  if (!result.ok) return { ok: false, reason: refusalOf(result) }
  const { notificationHistory } = result.value
  const next = nextPage(result.value)
  if (next === undefined || (next !== null && next === page)) return { ok: false, reason: NO_END }
  return { ok: true, items: notificationHistory.map((item) => toListed(ctx, project, item)), next }
}

function toListed(
  ctx: Context,
  { id: projectId }: ProjectState,
  { signedPayload }: { signedPayload: string },
): ListedNotification {
  const bytes = Buffer.from(JSON.stringify({ signedPayload }))
  const take = () => receiveIosNotification(ctx, projectId, { bytes, contentType: null, encoding: null })
  return { id: idIn(signedPayload), take }
}

/** What it calls itself, believed only to look whether it is here; null when that cannot be read. */
function idIn(signedPayload: string): string | null {
  try {
    const { notificationUUID } = decodeJwt(signedPayload)
    return typeof notificationUUID === 'string' && /^[\x21-\x7e]{1,256}$/.test(notificationUUID)
      ? notificationUUID
      : null
  } catch {
    return null // No token of anybody: refused when it is taken in.
  }
}

function refusalOf(result: Extract<ApiResult<unknown>, { ok: false }>): string {
  const isForgotten = result.kind === 'rejected' && PAGE_TOKEN_UNKNOWN.includes(result.errorCode)
  return isForgotten
    ? 'The store does not know this page any more; fetch from the beginning'
    : sentenceOf(storeFault(result))
}

const nextPage = ({ hasMore, paginationToken }: NotificationHistory): string | null | undefined =>
  hasMore ? paginationToken : null
