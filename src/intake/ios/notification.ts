import type { Context, Tx } from '../../base/context'
import { reasonText } from '../../core/reason/reasons'
import { causeOf } from '../../people/events/model'
import type { IosSettings, ProjectState } from '../../projects/project/state'
import {
  type NotificationExpectations,
  type NotificationResult,
  verifyNotification,
} from '../../stores/ios/notification'
import type { DecodedNotification, IgnoredReason, NotificationEffect } from '../../stores/ios/notification-decode'
import { type Apply, type Arrival, ignored, type Outcome, PROCESSED, unsold } from '../inbox/inbox'
import { ERASED } from '../recording/recording'
import { type Recorded, type RefundUpdate, recordRefundOutcome, recordRefundRequest } from '../refund-shield/service'
import { recordNotified } from './record'

export const STORE = 'IOS_STORE'

/** Verifies the `signedPayload` of a notification for the project's app. */
export const verifyForProject = (
  ctx: Context,
  { id, settings }: ProjectState,
  ios: IosSettings,
  signedPayload: string,
): Promise<NotificationResult> => {
  const expectations: NotificationExpectations = { ...ios, allowLocal: settings.allowLocalStoreTesting }
  return verifyNotification(signedPayload, ctx.state.iosStore.of(id), expectations)
}

type Named = Pick<DecodedNotification, 'notificationId' | 'type' | 'subtype' | 'environment' | 'signedAt'>

export const toArrival = (projectId: string, notification: Named, body: string): Arrival => ({
  projectId,
  store: STORE,
  notificationId: notification.notificationId,
  type: nameOf(notification),
  environment: notification.environment,
  eventAt: notification.signedAt,
  body,
})

const nameOf = ({ type, subtype }: Named): string => (subtype === null ? type : `${type}/${subtype}`)

/** Applies a verified notification (wire 5.5). */
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
  switch (effect.kind) {
    case 'OBSERVATIONS':
      return applyObservations(tx, project, notification, effect, storeEventId)
    case 'CONSUMPTION_REQUEST':
      return toOutcome(await recordRefundRequest(tx, project, toNews(notification, effect)))
    case 'REFUND_OUTCOME':
      return toOutcome(await recordRefundOutcome(tx, project, effect.outcome, toNews(notification, effect)))
    default:
      return ignored(effect.kind === 'TEST' ? reasonText('CONNECTION_TEST') : IGNORED[effect.reason])
  }
}

type EffectOf<Kind extends NotificationEffect['kind']> = Extract<NotificationEffect, { kind: Kind }>

async function applyObservations(
  tx: Tx,
  project: ProjectState,
  notification: DecodedNotification,
  effect: EffectOf<'OBSERVATIONS'>,
  storeEventId: string,
): Promise<Outcome> {
  const { transaction } = effect
  const cause = causeOf('STORE_NOTIFICATION', storeEventId, STORE, nameOf(notification))
  const problem = await recordNotified(tx, project, transaction, cause)
  if (effect.refundOutcome !== null)
    await recordRefundOutcome(tx, project, effect.refundOutcome, toNews(notification, effect))
  if (problem === null) return PROCESSED
  if (problem === 'erased') return ignored(ERASED)
  return problem === 'environment' ? OTHER_ENVIRONMENT : unsold(transaction.storeProductId, 'store id')
}

const toNews = (
  { notificationId, signedAt }: DecodedNotification,
  { transaction }: Pick<EffectOf<'REFUND_OUTCOME'>, 'transaction'>,
): RefundUpdate => ({ notificationId, signedAt, transaction })

function toOutcome(recorded: Recorded): Outcome {
  if (recorded === 'recorded') return PROCESSED
  return recorded === 'environment' ? OTHER_ENVIRONMENT : ignored(reasonText('REFUND_NOT_ASKED'))
}

const IGNORED: Record<IgnoredReason, string> = {
  NO_PURCHASE: reasonText('NOT_A_PURCHASE'),
  NO_CHANGE: reasonText('NO_CHANGE'),
  UNKNOWN_TYPE: reasonText('UNKNOWN_TYPE'),
}

const OTHER_ENVIRONMENT: Outcome = { status: 'FAILED', error: reasonText('OTHER_ENVIRONMENT') }
