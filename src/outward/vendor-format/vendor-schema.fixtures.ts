import { type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

// The published form of the vendor's bodies, written from its documentation and not from our code. Every member that
// the documentation lists is required where we always know it, and no other member is allowed.

const strict = { additionalProperties: false } as const
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const text = Type.String({ minLength: 1 })
const ms = Type.Integer({ minimum: 1_000_000_000_000, maximum: 99_999_999_999_999 })
const fraction = Type.Number({ minimum: 0, maximum: 1 })
const ids = Type.Array(text, { minItems: 1, uniqueItems: true })
const oneOf = (...words: string[]) => Type.Union(words.map((word) => Type.Literal(word)))
const zero = Type.Literal(0)
const atMostZero = nullable(Type.Number({ maximum: 0 }))
const atLeastZero = nullable(Type.Number({ minimum: 0 }))

const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
const named = (type: string) => ({
  type: Type.Literal(type),
  id: Type.String({ pattern: UUID }),
  event_timestamp_ms: ms,
})

const identity = { app_user_id: text, original_app_user_id: text, aliases: ids }

const person = {
  subscriber_attributes: Type.Record(
    text,
    Type.Object({ value: Type.String(), updated_at_ms: Type.Integer({ minimum: 0 }) }, strict),
  ),
  experiments: Type.Optional(
    Type.Array(Type.Object({ experiment_id: text, experiment_variant: text, enrolled_at_ms: ms }, strict), {
      minItems: 1,
    }),
  ),
}

const SOLD = ['APP_STORE', 'PLAY_STORE', 'STRIPE', 'PADDLE', 'AMAZON', 'MAC_APP_STORE', 'ROKU', 'RC_BILLING']
const environment = oneOf('SANDBOX', 'PRODUCTION')
const sold = { store: oneOf(...SOLD), app_id: text }

interface Variation {
  price: TSchema
  own?: Record<string, TSchema>
}

/** A lifecycle event: of a store with its `app_id`, or of a grant without one. */
const lifecycle = (type: string, { price, own = {} }: Variation): TSchema =>
  Type.Union([
    lifecycleOf(type, sold, { price, own: { ...own, period_type: oneOf('TRIAL', 'INTRO', 'NORMAL') } }),
    lifecycleOf(
      type,
      { store: Type.Literal('PROMOTIONAL') },
      {
        price: zero,
        own: { ...own, period_type: Type.Literal('PROMOTIONAL'), environment: Type.Literal('PRODUCTION') },
      },
    ),
  ])

const lifecycleOf = (type: string, store: Record<string, TSchema>, { price, own }: Variation) =>
  Type.Object(
    {
      ...named(type),
      ...identity,
      ...person,
      ...store,
      product_id: text,
      entitlement_ids: nullable(ids),
      entitlement_id: Type.Null(),
      purchased_at_ms: ms,
      expiration_at_ms: nullable(ms),
      environment,
      presented_offering_id: nullable(text),
      price,
      price_in_purchased_currency: price,
      currency: nullable(Type.String({ pattern: '^[A-Z]{3}$' })),
      tax_percentage: nullable(fraction),
      commission_percentage: nullable(fraction),
      takehome_percentage: nullable(fraction),
      transaction_id: text,
      original_transaction_id: text,
      is_family_share: Type.Boolean(),
      country_code: nullable(Type.String({ pattern: '^[A-Z]{2}$' })),
      offer_code: nullable(text),
      renewal_number: nullable(Type.Integer({ minimum: 1 })),
      ...own,
    },
    strict,
  )

const PERIODIC = [
  'UNSUBSCRIBE',
  'BILLING_ERROR',
  'DEVELOPER_INITIATED',
  'PRICE_INCREASE',
  'CUSTOMER_SUPPORT',
  'UNKNOWN',
]

const refundable = nullable(Type.Number({ maximum: 0 }))

const consent = (type: string) =>
  Type.Object(
    {
      ...named(type),
      ...identity,
      ...person,
      ...sold,
      product_id: text,
      transaction_id: text,
      original_transaction_id: text,
      environment,
      currency: nullable(text),
      country_code: nullable(text),
    },
    strict,
  )

const currencyOf = (source: string, store: Record<string, TSchema>, purchased: TSchema) =>
  Type.Object(
    {
      ...named('VIRTUAL_CURRENCY_TRANSACTION'),
      app_user_id: text,
      aliases: ids,
      ...person,
      ...store,
      source: Type.Literal(source),
      adjustments: Type.Array(
        Type.Object(
          {
            amount: Type.Integer(),
            currency: Type.Object({ code: text, name: text, description: nullable(text) }, strict),
          },
          strict,
        ),
        { minItems: 1, maxItems: 1 },
      ),
      virtual_currency_transaction_id: Type.String({ pattern: '^vtx_' }),
      product_id: purchased,
      product_display_name: nullable(text),
      transaction_id: purchased,
      purchase_environment: environment,
      country_code: nullable(text),
    },
    strict,
  )

const SCHEMAS: Record<string, TSchema> = {
  INITIAL_PURCHASE: lifecycle('INITIAL_PURCHASE', { price: atLeastZero }),
  RENEWAL: lifecycle('RENEWAL', { price: atLeastZero, own: { is_trial_conversion: Type.Boolean() } }),
  CANCELLATION: lifecycle('CANCELLATION', { price: refundable, own: { cancel_reason: oneOf(...PERIODIC) } }),
  UNCANCELLATION: lifecycle('UNCANCELLATION', { price: zero }),
  NON_RENEWING_PURCHASE: lifecycle('NON_RENEWING_PURCHASE', { price: atLeastZero }),
  EXPIRATION: lifecycle('EXPIRATION', {
    price: atMostZero,
    own: { expiration_reason: oneOf(...PERIODIC, 'SUBSCRIPTION_PAUSED') },
  }),
  BILLING_ISSUE: lifecycle('BILLING_ISSUE', { price: zero, own: { grace_period_expiration_at_ms: nullable(ms) } }),
  PRODUCT_CHANGE: lifecycle('PRODUCT_CHANGE', { price: atLeastZero, own: { new_product_id: Type.Optional(text) } }),
  SUBSCRIPTION_EXTENDED: lifecycle('SUBSCRIPTION_EXTENDED', { price: zero }),
  REFUND_REVERSED: lifecycle('REFUND_REVERSED', { price: atLeastZero, own: { metadata: Type.Null() } }),
  TEST: lifecycle('TEST', { price: zero }),
  PRICE_INCREASE_CONSENT_REQUIRED: consent('PRICE_INCREASE_CONSENT_REQUIRED'),
  PRICE_INCREASE_CONSENT_APPROVED: consent('PRICE_INCREASE_CONSENT_APPROVED'),
  TRANSFER: Type.Object(
    { ...named('TRANSFER'), ...sold, environment, transferred_from: ids, transferred_to: ids },
    strict,
  ),
  VIRTUAL_CURRENCY_TRANSACTION: Type.Union([
    currencyOf('in_app_purchase', sold, text),
    currencyOf('admin_api', { store: Type.Literal('PROMOTIONAL') }, Type.Null()),
  ]),
  EXPERIMENT_ENROLLMENT: Type.Object(
    {
      ...named('EXPERIMENT_ENROLLMENT'),
      ...identity,
      experiment_id: text,
      experiment_variant: text,
      offering_id: nullable(text),
      enrolled_at_ms: ms,
      experiment_enrolled_at_ms: ms,
    },
    strict,
  ),
  PURCHASE_REDEEMED: Type.Object(
    {
      ...named('PURCHASE_REDEEMED'),
      ...sold,
      app_user_id: text,
      product_id: text,
      entitlement_ids: nullable(ids),
      environment,
      redeemed_from: ids,
      redeemed_by: ids,
      redemption_outcome: Type.Literal('alias'),
    },
    strict,
  ),
}

const COMPILED: ReadonlyMap<string, TypeCheck<TSchema>> = new Map(
  Object.entries(SCHEMAS).map(([type, schema]) => [type, TypeCompiler.Compile(schema)]),
)

/** What a strict receiver would complain about in a body; empty when it accepts the body. */
export function complaintsAbout(body: unknown): string[] {
  const { event, ...envelope } = body as { event: { type: string }; api_version: string }
  if (Object.keys(envelope).join() !== 'api_version' || envelope.api_version !== '1.0') return ['the envelope']
  const schema = COMPILED.get(event.type)
  if (!schema) return [`the type ${event.type}`]
  return schema.Check(event) ? [] : [...schema.Errors(event)].map(complaint)
}

const complaint = ({ path, message }: { path: string; message: string }): string => `${path}: ${message}`
