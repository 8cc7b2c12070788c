import { type TProperties, Type } from '@sinclair/typebox'
import type { PurchaseEventData, PurchaseEventType } from '../../people/purchases/purchase-event'
import { MoneySchema, TransactionView } from '../../people/purchases/wire'
import { type Body, strict, text, textOrNull, timeOrNull } from './event-body'

const transaction = Type.Union([TransactionView, Type.Null()], {
  description: 'The money line that this event is about; null when no money moved',
})

const withTransaction = <Members extends TProperties>(members: Members) =>
  Type.Object({ transaction, ...members }, strict)

const expiryReason = Type.Union([
  Type.Literal('UNSUBSCRIBED'),
  Type.Literal('BILLING_ERROR'),
  Type.Literal('PRICE_INCREASE'),
  Type.Literal('PRODUCT_UNAVAILABLE'),
  Type.Literal('DEVELOPER'),
  Type.Literal('REPLACED'),
  Type.Literal('PAUSED'),
  Type.Literal('UNKNOWN'),
])

const refund = {
  refundedTransactionId: Type.Union([text, Type.Null()], { description: 'The charge; null when it has no money line' }),
  current: Type.Boolean({ description: 'Whether it is about the current charge of the purchase' }),
  refund: Type.Union([MoneySchema, Type.Null()], {
    description: 'A positive amount; null when the store does not give it',
  }),
}

type Bodies = { [Type in PurchaseEventType]: Body<PurchaseEventData[Type]> }

/** The events of a purchase, except for the correction of one. */
export const PURCHASE_BODIES: Bodies = {
  'purchase.initial': {
    when: 'A subscription is bought for the first time, without a trial.',
    data: withTransaction({ offerId: textOrNull }),
  },
  'purchase.trial_started': {
    when: 'A trial begins.',
    data: withTransaction({ trialEndsAt: timeOrNull }),
  },
  'purchase.trial_converted': {
    when: 'The first paid period after a trial begins.',
    data: withTransaction({}),
  },
  'purchase.renewed': {
    when: 'Another paid period begins, also when somebody subscribes again.',
    data: withTransaction({
      reactivation: Type.Boolean({ description: 'The subscription had ended before' }),
      late: Type.Boolean({
        description: 'It was learned after the end had been reported, or after the end of the period',
      }),
    }),
  },
  'purchase.non_renewing': {
    when: 'Something is bought once: a consumable, a lifetime product, or a grant.',
    data: withTransaction({ quantity: Type.Integer() }),
  },
  'purchase.cancelled': {
    when: 'Automatic renewal is switched off. Access stays until the end of the period.',
    data: withTransaction({ endsAt: timeOrNull }),
  },
  'purchase.uncancelled': {
    when: 'Automatic renewal is switched on again before the end.',
    data: withTransaction({ endsAt: timeOrNull }),
  },
  'purchase.billing_issue': {
    when: 'A renewal cannot be charged. `phase` is `GRACE` while access stays, and `RETRY` when it does not.',
    data: withTransaction({ phase: Type.Union([Type.Literal('GRACE'), Type.Literal('RETRY')]) }),
  },
  'purchase.grace_period': {
    when: 'A grace period begins: access stays while the store tries to charge.',
    data: withTransaction({ gracePeriodExpiresAt: timeOrNull }),
  },
  'purchase.recovered': {
    when: 'A renewal that could not be charged is charged after all.',
    data: withTransaction({}),
  },
  'purchase.paused': {
    when: 'A subscription of Google Play is paused.',
    data: withTransaction({ autoResumeAt: timeOrNull }),
  },
  'purchase.resumed': {
    when: 'A paused subscription goes on.',
    data: withTransaction({ autoResumeAt: timeOrNull }),
  },
  'purchase.expired': {
    when: 'A subscription ends.',
    data: withTransaction({ reason: expiryReason }),
  },
  'purchase.refunded': {
    when: 'A charge is paid back, whole or in part. An earlier charge has `current` false.',
    data: withTransaction(refund),
  },
  'purchase.refund_reversed': {
    when: 'A refund is taken back.',
    data: withTransaction(refund),
  },
  'purchase.revoked': {
    when: 'The store or the seller takes the purchase away without a refund of it.',
    data: withTransaction({ reason: expiryReason }),
  },
  'purchase.product_changed': {
    when: 'The product changes now, or a change for the next period is announced or taken back.',
    data: withTransaction({
      fromProductId: textOrNull,
      toProductId: textOrNull,
      effective: Type.Union([Type.Literal('NOW'), Type.Literal('NEXT_PERIOD')]),
    }),
  },
  'purchase.charged': {
    when: 'Something is charged within a period: more seats, a proration, an item that was added by hand.',
    data: withTransaction({ kind: Type.Literal('ADJUSTMENT') }),
  },
  'purchase.price_increase_consent': {
    when: 'A higher price waits for consent, or is accepted or declined.',
    data: withTransaction({
      state: Type.Union([Type.Literal('PENDING'), Type.Literal('ACCEPTED'), Type.Literal('DECLINED')]),
    }),
  },
  'purchase.extended': {
    when: 'The store moves the end of the period without a charge.',
    data: withTransaction({ fromExpiresAt: timeOrNull, toExpiresAt: timeOrNull }),
  },
}

/** The content of a correction. */
export const CORRECTED: Body = {
  when: 'Rows that were one purchase of the store are joined, or charges that were reported twice are removed.',
  data: Type.Object(
    {
      transaction: Type.Null(),
      merged: Type.Array(text, { description: 'Ids of purchases that are part of this one now' }),
      linesRemoved: Type.Array(text, { description: 'Ids of transactions that do not exist any more' }),
    },
    strict,
  ),
}
