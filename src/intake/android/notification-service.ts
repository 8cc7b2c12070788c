import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { BodyFault, parseJsonObject } from '../../base/http/body'
import { causeOf } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import type { AndroidNotification } from '../../stores/android/notification'
import { type AndroidPush, decodePush, type PushResult } from '../../stores/android/push'
import { addressedProject } from '../inbox/addressed'
import { type Apply, type Arrival, takeIn } from '../inbox/inbox'
import { outcomeOf } from '../inbox/outcome'
import { fetchUpdate } from './ask'
import { recordUpdate } from './news'
import { checkReach, checkSender } from './notification-sender'

const STORE = 'ANDROID_STORE'

/** A push as Pub/Sub posted it. */
export interface PostedPush {
  bytes: Uint8Array
  contentType: string | null
  encoding: string | null
  authorization: string | null
}

/** Stores and processes a push of Google Play (wire 7.17). It is committed when this returns. */
export async function receiveAndroidPush(
  ctx: Context,
  projectId: string,
  posted: PostedPush,
): Promise<{ duplicate: boolean }> {
  const project = await addressedProject(ctx, projectId)
  const sender = await checkSender(ctx, project, posted.authorization)
  const push = readPush(posted)
  if (push.notification.packageName !== sender.packageName) throw invalid('The notification is for another package')
  checkReach(sender, push.notification.action)
  const arrival = toArrival(project.id, push, new TextDecoder().decode(posted.bytes))
  return takeIn(ctx, arrival, () => prepareNotification(ctx, project, push.notification))
}

function readPush({ bytes, contentType, encoding }: PostedPush): AndroidPush {
  const body = parseJsonObject(bytes, contentType, encoding)
  if (body instanceof BodyFault) throw invalid(body.message)
  const result: PushResult = decodePush(body)
  if (result.ok) return result.push
  throw invalid(
    result.reason === 'too_large' ? 'message.data is too large' : `The push is malformed at ${result.field}`,
  )
}

const toArrival = (projectId: string, { messageId, notification }: AndroidPush, body: string): Arrival => ({
  projectId,
  store: STORE,
  notificationId: messageId,
  type: notification.type,
  eventAt: notification.eventAt,
  body,
})

/** Fetches the purchase of the notification from the store. The function returned records it. */
async function prepareNotification(
  ctx: Context,
  project: ProjectState,
  { action, type }: AndroidNotification,
): Promise<Apply> {
  if (action.kind === 'IGNORED') return async () => ({ status: 'IGNORED', error: 'it is not about a paid purchase' })
  const news = await fetchUpdate(ctx, project, action)
  return async (tx, storeEventId) =>
    outcomeOf(
      await recordUpdate(tx, project, news, causeOf('STORE_NOTIFICATION', storeEventId, STORE, type)),
      'Android id',
    )
}

/** Processes a stored push. Its sender was verified when it arrived. */
export const reopenAndroidPush = (ctx: Context, project: ProjectState, body: string): Promise<Apply> => {
  const posted = { bytes: Buffer.from(body), contentType: null, encoding: null, authorization: null }
  return prepareNotification(ctx, project, readPush(posted).notification)
}
