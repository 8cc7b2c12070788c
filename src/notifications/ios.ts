import type { Context, Tx } from '../context'
import { causeOf } from '../events/model'
import type { IosSettings, ProjectState } from '../projects/state'
import { type NewsProblem, recordNotified } from '../purchases/notified'
import { type NotificationExpectations, type NotificationResult, verifyNotification } from '../stores/ios/notification'
import type { DecodedNotification, IgnoredReason, NotificationEffect } from '../stores/ios/notification-decode'
import type { Apply, Arrival, Outcome } from './inbox'

export const STORE = 'IOS_STORE'

/** Verifies the `signedPayload` of a notification for the project's app. */
export const verifyForProject = (
  ctx: Context,
  { settings }: ProjectState,
  ios: IosSettings,
  signedPayload: string,
): Promise<NotificationResult> => {
  const expectations: NotificationExpectations = { ...ios, allowLocal: settings.allowLocalStoreTesting }
  return verifyNotification(signedPayload, ctx.ios, expectations)
}

type Named = Pick<DecodedNotification, 'notificationId' | 'type' | 'subtype' | 'signedAt'>

export const toArrival = (projectId: string, notification: Named, body: string): Arrival => ({
  projectId,
  store: STORE,
  notificationId: notification.notificationId,
  type: nameOf(notification),
  eventAt: notification.signedAt,
  body,
})

const nameOf = ({ type, subtype }: Named): string => (subtype === null ? type : `${type}/${subtype}`)

/** What a verified notification does once it is taken in (wire 5.5). */
export const applyNotification =
  (project: ProjectState, notification: DecodedNotification): Apply =>
  (tx, storeEventId) =>
    applyEffect(tx, project, notification, storeEventId)

async function applyEffect(
  tx: Tx,
  project: ProjectState,
  notification: DecodedNotification,
  storeEventId: string,
): Promise<Outcome> {
  const { effect } = notification
  if (effect.kind !== 'OBSERVATIONS') return { status: 'IGNORED', error: idleReason(effect) }
  const cause = causeOf('STORE_NOTIFICATION', storeEventId, STORE, nameOf(notification))
  const problem = await recordNotified(tx, project, effect.transaction, cause)
  if (problem === null) return { status: 'PROCESSED', error: null }
  if (problem === 'erased') return { status: 'IGNORED', error: 'its owner was erased' }
  return { status: 'FAILED', error: sentenceOf(problem, effect.transaction.storeProductId) }
}

function idleReason(effect: Exclude<NotificationEffect, { kind: 'OBSERVATIONS' }>): string {
  if (effect.kind === 'TEST') return 'a test of the connection'
  return effect.kind === 'IGNORED' ? IGNORED[effect.reason] : 'it asks about a refund and changes no purchase'
}

const IGNORED: Record<IgnoredReason, string> = {
  NO_PURCHASE: 'it is not about a purchase',
  NO_CHANGE: 'purchases of this kind stay as they are',
  UNKNOWN_TYPE: 'its type is not known to this release',
}

const sentenceOf = (problem: Exclude<NewsProblem, 'erased'>, storeProductId: string): string =>
  problem === 'environment'
    ? 'the purchase is of another environment'
    : `the purchase is recorded, but no product has the store id ${storeProductId}: add the product, then replay this`
