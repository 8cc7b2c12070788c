import type Stripe from 'stripe'

// See payment-billing-objects.ts.

type SetupMembers = Pick<Stripe.SetupIntent, 'id' | 'created' | 'customer' | 'metadata'>

/** A payment method that is still to be saved. */
export const toSetupIntent = (members: SetupMembers): Stripe.SetupIntent =>
  ({
    ...members,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${members.id}_secret_simulated`,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  }) satisfies Stripe.SetupIntent

/** A code that a customer types in, for a percentage off. */
export interface WrittenCode {
  id: string
  object: 'promotion_code'
  code: string
  active: boolean
  percent_off: number
  /** The products that it is for; absent = all. */
  products?: readonly string[]
  restrictions?: { minimum_amount: number; minimum_amount_currency: string }
}
