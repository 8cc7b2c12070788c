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

/** How far back the store keeps notifications. */
const HISTORY_MS: Readonly<Record<PurchaseEnvironment, number>> = { PRODUCTION: 180 * DAY, SANDBOX: 30 * DAY }

/**
 * Processes the iOS store's history of sent and undelivered notifications, in the same way as its webhook does. Safe to
 * repeat. A forged or foreign notification is refused. A fault of the store or of the database does not throw: it is
 * the `stopped` of the report.
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

/** The unverified id of a notification, used only to look it up in the inbox; null when it cannot be read. */
function idIn(signedPayload: string): string | null {
  try {
    const { notificationUUID } = decodeJwt(signedPayload)
    return typeof notificationUUID === 'string' && /^[\x21-\x7e]{1,256}$/.test(notificationUUID)
      ? notificationUUID
      : null
  } catch {
    return null // Not a token: it is refused when it is processed.
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
