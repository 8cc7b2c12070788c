import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { reasonText } from '../../core/reason/reasons'
import { causeOf } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import type { AndroidNotification } from '../../stores/android/notification'
import { type Apply, outcomeOf, takeIn } from '../inbox/inbox'
import { addressedProject } from '../inbox/posted'
import { fetchUpdate } from './ask'
import { recordUpdate } from './news'
import { checkReach, checkSender } from './notification-sender'
import { type PostedPush, postOfPush, readPush, toArrival } from './posted-push'

const STORE = 'ANDROID_STORE'

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
  const post = postOfPush(project, posted, push, ctx.clock.now())
  return takeIn(ctx, arrival, () => prepareNotification(ctx, project, push.notification), post)
}

/** Fetches the purchase of the notification from the store. The function returned records it. */
async function prepareNotification(
  ctx: Context,
  project: ProjectState,
  { action, type }: AndroidNotification,
): Promise<Apply> {
  if (action.kind === 'IGNORED') return async () => ({ status: 'IGNORED', error: reasonText('NOT_A_PAID_PURCHASE') })
  const news = await fetchUpdate(ctx, project, action)
  return async (tx, storeEventId) => {
    const recording = await recordUpdate(tx, project, news, causeOf('STORE_NOTIFICATION', storeEventId, STORE, type))
    const { environment } = news
    return { ...outcomeOf(recording, 'Android id'), ...(environment && { environment }) }
  }
}

/** Processes a stored push. Its sender was verified when it arrived. */
export const reopenAndroidPush = (ctx: Context, project: ProjectState, body: string): Promise<Apply> => {
  const posted = { bytes: Buffer.from(body), contentType: null, encoding: null, authorization: null }
  return prepareNotification(ctx, project, readPush(posted).notification)
}
