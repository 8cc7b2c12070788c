import { invalid } from '../../base/errors'
import { BodyFault, parseJsonObject } from '../../base/http/body'
import { DAY } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import type { AndroidNotification } from '../../stores/android/notification'
import { type AndroidPush, decodePush, type PushResult } from '../../stores/android/push'
import type { PurchaseEnvironment } from '../../stores/observation'
import { isSimulatedToken } from '../../stores/test-keys/ids'
import type { Arrival } from '../inbox/inbox'
import { postOf, type StorePost } from '../inbox/on-notification'
import type { Posted } from '../inbox/posted'

/** A push as Pub/Sub posted it. */
export interface PostedPush extends Omit<Posted, 'countRefusal'> {
  authorization: string | null
}

export function readPush({ bytes, contentType, encoding }: PostedPush): AndroidPush {
  const body = parseJsonObject(bytes, contentType, encoding)
  if (body instanceof BodyFault) throw invalid(body.message)
  const result: PushResult = decodePush(body)
  if (result.ok) return result.push
  throw invalid(
    result.reason === 'too_large' ? 'message.data is too large' : `The push is malformed at ${result.field}`,
  )
}

export const toArrival = (projectId: string, { messageId, notification }: AndroidPush, body: string): Arrival => ({
  projectId,
  store: 'ANDROID_STORE',
  notificationId: messageId,
  type: notification.type,
  environment: environmentOf(notification),
  eventAt: notification.eventAt,
  body,
})

/** A notification names no environment, but a token of the test store is never of a real purchase. */
const environmentOf = ({ action }: AndroidNotification): PurchaseEnvironment | null =>
  action.kind !== 'IGNORED' && isSimulatedToken(action.purchaseToken) ? 'SANDBOX' : null

/** An older push is processed, but not passed on (wire 6). */
const FRESH_MS = 7 * DAY

/** The request, if it may be passed on. */
export function postOfPush(
  project: ProjectState,
  posted: PostedPush,
  { publishedAt, notification }: AndroidPush,
  now: number,
): StorePost | null {
  const age = now - (publishedAt ?? notification.eventAt ?? now)
  return age > FRESH_MS ? null : postOf(project, posted)
}
