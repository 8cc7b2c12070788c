import type { Context } from '../../base/context'
import { simulatedIdentity } from '../../intake/android/notification-sender'
import { receiveAndroidPush } from '../../intake/android/notification-service'
import { submitAndroidReceipt } from '../../intake/android/receipt'
import { receiveIosNotification } from '../../intake/ios/notification-service'
import { submitIosReceipt } from '../../intake/ios/receipt'
import type { ProjectState } from '../../projects/project/state'
import { simulatorKeys, simulatorPushKey } from '../../stores/test-keys/service'
import { pushBody, signPushToken } from '../stores/android-push'
import { signTransaction } from '../stores/ios'
import type { SimulatedNews } from '../stores/life'
import { signNotification } from '../stores/notification'
import type { AppPost, Message } from '../stores/world'
import { deliverPaymentEvent } from './payment'

/**
 * Passes a message to the service that receives the real ones, signed like a real one. Throws the error of that
 * service.
 */
export async function sendMessage(
  ctx: Context,
  project: ProjectState,
  deviceKey: string,
  message: Message,
): Promise<void> {
  if (message.from === 'app') await postReceipt(ctx, project, deviceKey, message.post)
  else await notify(ctx, project, message.told)
}

async function notify(ctx: Context, project: ProjectState, told: SimulatedNews): Promise<void> {
  if (told.store === 'payment') return deliverPaymentEvent(ctx, project, told.word)
  if (told.store === 'ios') {
    const body = JSON.stringify({ signedPayload: signNotification(await simulatorKeys(ctx, project.id), told.word) })
    await receiveIosNotification(ctx, project.id, posted(body))
    return
  }
  const { packageName, word, messageId, at } = told
  const body = pushBody(packageName, word, { messageId, now: at })
  const token = await signPushToken(
    await simulatorPushKey(ctx, project.id),
    simulatedIdentity(project.id),
    ctx.clock.now(),
  )
  await receiveAndroidPush(ctx, project.id, { ...posted(body), authorization: `Bearer ${token}` })
}

const posted = (body: string) => ({ bytes: Buffer.from(body), contentType: 'application/json', encoding: null })

/** The receipt in an app's request body. */
export async function receiptOf(ctx: Context, { id }: Pick<ProjectState, 'id'>, post: AppPost): Promise<string> {
  return post.store === 'ios' ? signTransaction(await simulatorKeys(ctx, id), post.transaction) : post.token
}

async function postReceipt(ctx: Context, project: ProjectState, deviceKey: string, post: AppPost): Promise<void> {
  const key = { presented: 'public' } as const
  const input = {
    receipt: await receiptOf(ctx, project, post),
    deviceKey,
    productId: post.productId,
    presentedContext: null,
    appAccountToken: null,
    creation: null,
    requestId: ctx.ids.next('req'),
  }
  if (post.store === 'ios') await submitIosReceipt(ctx, project, key, input)
  else await submitAndroidReceipt(ctx, project, key, { ...input, obfuscatedAccountId: null })
}
