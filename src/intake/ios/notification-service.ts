import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { BodyFault, parseJsonObject } from '../../base/http/body'
import type { IosSettings, ProjectState } from '../../projects/project/state'
import type { NotificationRefusal, NotificationResult } from '../../stores/ios/notification'
import { decodeEnvelope, environmentOf } from '../../stores/ios/notification-envelope'
import { keepRefused, type TakenIn, takeInAtOnce } from '../inbox/inbox'
import { postOf } from '../inbox/on-notification'
import { addressedProject, type Posted } from '../inbox/posted'
import { applyNotification, toArrival, verifyForProject } from './notification'

/** Stores and processes a notification of the iOS store (wire 7.17). It is committed when this returns. */
export async function receiveIosNotification(ctx: Context, projectId: string, posted: Posted): Promise<TakenIn> {
  const project = await addressedProject(ctx, projectId)
  const { ios } = project
  if (!ios) throw new AppError('STORE_NOT_CONFIGURED')
  if (!ctx.state.iosStore.isReady) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'ios_webhook_verifier' })
  const signedPayload = readSignedPayload(posted)
  const result = await verifyForProject(ctx, project, ios, signedPayload)
  if (!result.ok) return refuse(ctx, project.id, posted, { signedPayload, result })
  const { notification } = result
  const body = new TextDecoder().decode(posted.bytes)
  const arrival = toArrival(project.id, notification, body)
  return takeInAtOnce(ctx, arrival, applyNotification(project, notification), postOf(project, posted))
}

/** Verifies a stored notification again, because the project's settings may have changed since it arrived. */
export async function reopenIosNotification(
  ctx: Context,
  project: ProjectState,
  ios: IosSettings,
  body: string,
): Promise<NotificationResult> {
  const signedPayload = readSignedPayload({ bytes: Buffer.from(body), contentType: null, encoding: null })
  return verifyForProject(ctx, project, ios, signedPayload)
}

const Body = Type.Object({ signedPayload: Type.String({ minLength: 1 }) })

function readSignedPayload({ bytes, contentType, encoding }: Posted): string {
  const body = parseJsonObject(bytes, contentType, encoding)
  if (body instanceof BodyFault) throw invalid(body.message)
  if (!Value.Check(Body, body)) throw invalid('The body must be { "signedPayload": text }')
  return body.signedPayload
}

interface Refused {
  signedPayload: string
  result: Extract<NotificationResult, { ok: false }>
}

/**
 * Stores a refused notification with the reason if the store signed it: the fault may be in the project's settings. Only
 * what was signed is stored, because the rest of the body can be anything.
 */
async function refuse(
  ctx: Context,
  projectId: string,
  { countRefusal }: Posted,
  { signedPayload, result }: Refused,
): Promise<never> {
  const refusal = refusalOf(result.reason, result.detail)
  countRefusal?.(refusal)
  // A forged notification is not verified a second time, so that many of them cost little.
  const signed = result.isForged
    ? null
    : await ctx.state.iosStore.of(projectId).verify(signedPayload, { allowLocal: true, environmentOf })
  const decoded = signed?.ok ? decodeEnvelope(signed.payload) : null
  if (decoded?.ok) {
    const arrival = toArrival(projectId, decoded.envelope, JSON.stringify({ signedPayload }))
    await keepRefused(ctx, arrival, describeRefusal(result.reason, result.detail))
  }
  throw refusal
}

const SENTENCES: Record<NotificationRefusal, string> = {
  signature: 'a token in it is not signed by the store',
  bundle: 'it is for another app (bundle id)',
  environment: 'it is of an environment that is not taken here',
  app_id_missing: 'the numeric app id of this project is not saved',
  app_id_mismatch: 'it is for another app (app id)',
  malformed: 'it could not be read',
}

export const describeRefusal = (reason: NotificationRefusal, detail: string): string =>
  `${SENTENCES[reason]} [${detail}]`

function refusalOf(reason: NotificationRefusal, detail: string): AppError {
  if (reason === 'app_id_missing') return new AppError('IOS_APP_ID_MISSING')
  if (reason === 'app_id_mismatch') return new AppError('IOS_APP_ID_MISMATCH')
  if (reason === 'malformed') return invalid(`The notification could not be read (${detail})`)
  return new AppError('UNAUTHORIZED', undefined, { message: `The notification was refused: ${SENTENCES[reason]}` })
}
