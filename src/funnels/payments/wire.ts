import { Type } from '@sinclair/typebox'
import { orNull } from '../../base/http/object-answer'
import { toIso } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import { TEST_ATTEMPTS } from '../../stores/in-process'
import type { Confirmed } from './confirm'
import type { PaymentIntent } from './open-payment'

const strict = { additionalProperties: false } as const
const PaymentId = Type.String({ minLength: 1, maxLength: 64 })

export const IntentBody = Type.Object(
  {
    package_identifier: Type.String({ minLength: 1, maxLength: 64 }),
    page_id: Type.String({ minLength: 1, maxLength: 64, description: 'The payment page, which is the current one' }),
    email: Type.String({ minLength: 3, maxLength: 254 }),
    expected_amount_micros: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1e15, description: 'The price that the visitor saw; another one is 409' }),
    ),
    promotion_code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  { ...strict, title: 'FunnelPaymentIntentRequest' },
)

const Money = Type.Object({ amountMicros: Type.Integer(), currency: Type.String() }, strict)

export const IntentSchema = Type.Object(
  {
    kind: Type.Union([Type.Literal('payment'), Type.Literal('setup')], { description: 'setup: nothing is due now' }),
    client_secret: Type.String(),
    publishable_key: Type.String(),
    account_id: orNull(Type.String()),
    amount: Money,
    payment_id: Type.String(),
    expires_at: Type.String(),
  },
  { ...strict, title: 'FunnelPaymentIntent' },
)

export const toIntentView = ({ account, ...intent }: PaymentIntent) => ({
  kind: intent.kind,
  client_secret: intent.clientSecret,
  publishable_key: account.publishableKey,
  account_id: account.accountId,
  amount: intent.amount,
  payment_id: intent.paymentId,
  expires_at: toIso(intent.expiresAt),
})

export const TestBody = Type.Object(
  { payment_id: PaymentId, outcome: oneOf(TEST_ATTEMPTS) },
  { ...strict, title: 'FunnelTestPaymentRequest' },
)

export const TestSchema = Type.Object(
  { status: oneOf(['succeeded', 'requires_payment', 'requires_action', 'processing', 'failed']) },
  { ...strict, title: 'FunnelTestPayment' },
)

export const ConfirmBody = Type.Object({ payment_id: PaymentId }, { ...strict, title: 'FunnelConfirmRequest' })

export const ConfirmSchema = Type.Object(
  {
    already_issued: Type.Boolean({ description: 'True: the token was given before, and cannot be read again' }),
    token: Type.Optional(Type.String()),
    deep_link_url: Type.Optional(orNull(Type.String())),
    universal_link_url: Type.Optional(orNull(Type.String())),
  },
  { ...strict, title: 'FunnelConfirmation' },
)

export function toConfirmedView(confirmed: Confirmed) {
  if (confirmed.alreadyIssued) return { already_issued: true }
  const { token, deep_link_url, universal_link_url } = confirmed
  return { already_issued: false, token, deep_link_url, universal_link_url }
}
