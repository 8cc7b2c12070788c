import type Stripe from 'stripe'

// See payment-billing-objects.ts.

export const toCustomer = (members: Pick<Stripe.Customer, 'id' | 'created' | 'metadata'>) =>
  ({
    ...members,
    object: 'customer',
    balance: 0,
    default_source: null,
    description: null,
    email: null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    shipping: null,
  }) satisfies Stripe.Customer

/** A successful payment, and what it paid for. */
export interface PaymentMembers {
  id: string
  chargeId: string
  amount: number
  currency: string
  customer: string | null
  created: number
  metadata: Stripe.Metadata
}

const INTENT = {
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount_capturable: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic',
  confirmation_method: 'automatic',
  customer_account: null,
  description: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  livemode: false,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'succeeded',
  transfer_group: null,
} satisfies Partial<Stripe.PaymentIntent>

export const toPaymentIntent = ({ chargeId, ...members }: PaymentMembers): Stripe.PaymentIntent =>
  ({
    ...structuredClone(INTENT),
    ...members,
    amount_received: members.amount,
    client_secret: `${members.id}_secret_simulated`,
    latest_charge: chargeId,
  }) satisfies Stripe.PaymentIntent

const CHARGE = {
  object: 'charge',
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  calculated_statement_descriptor: null,
  captured: true,
  description: null,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: null,
  livemode: false,
  on_behalf_of: null,
  outcome: null,
  paid: true,
  payment_method: null,
  payment_method_details: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'succeeded',
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.Charge>

export const toCharge = ({ id, chargeId, ...members }: PaymentMembers): Stripe.Charge =>
  ({
    ...structuredClone(CHARGE),
    ...members,
    id: chargeId,
    amount_captured: members.amount,
    payment_intent: id,
  }) satisfies Stripe.Charge

type RefundMembers = Pick<Stripe.Refund, 'id' | 'amount' | 'created' | 'status'> & { charge: Stripe.Charge }

export const toRefund = ({ charge, ...members }: RefundMembers): Stripe.Refund =>
  ({
    ...members,
    object: 'refund',
    balance_transaction: null,
    charge: charge.id,
    currency: charge.currency,
    customer: typeof charge.customer === 'string' ? charge.customer : null,
    customer_account: null,
    metadata: {},
    payment_intent: typeof charge.payment_intent === 'string' ? charge.payment_intent : null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    transfer_reversal: null,
  }) satisfies Stripe.Refund

const EVIDENCE = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Stripe.Dispute.Evidence

type DisputeMembers = Pick<Stripe.Dispute, 'id' | 'amount' | 'created'> & { charge: Stripe.Charge }

export const toDispute = ({ charge, ...members }: DisputeMembers): Stripe.Dispute =>
  ({
    ...members,
    object: 'dispute',
    balance_transactions: [],
    charge: charge.id,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: structuredClone(EVIDENCE),
    evidence_details: {
      due_by: null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: true,
    livemode: charge.livemode,
    metadata: {},
    payment_intent: typeof charge.payment_intent === 'string' ? charge.payment_intent : null,
    reason: 'general',
    status: 'needs_response',
  }) satisfies Stripe.Dispute

const SESSION = {
  object: 'checkout.session',
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_reference_id: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_details: null,
  customer_email: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'],
  payment_status: 'unpaid',
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  total_details: null,
  ui_mode: null,
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>

export type SessionMembers = Pick<
  Stripe.Checkout.Session,
  'id' | 'created' | 'mode' | 'customer' | 'customer_creation' | 'metadata' | 'success_url' | 'cancel_url' | 'url'
> & { price: Stripe.Price }

export const toSession = ({ price, ...members }: SessionMembers): Stripe.Checkout.Session =>
  ({
    ...structuredClone(SESSION),
    ...members,
    amount_subtotal: price.unit_amount,
    amount_total: price.unit_amount,
    client_secret: `${members.id}_secret_simulated`,
    currency: price.currency,
    expires_at: members.created + 86_400,
  }) satisfies Stripe.Checkout.Session

export const toSoldItem = (id: string, price: Stripe.Price): Stripe.LineItem =>
  ({
    id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: price.unit_amount ?? 0,
    amount_tax: 0,
    amount_total: price.unit_amount ?? 0,
    currency: price.currency,
    description: null,
    metadata: {},
    price,
    quantity: 1,
  }) satisfies Stripe.LineItem

type PortalMembers = Pick<Stripe.BillingPortal.Session, 'id' | 'created' | 'customer' | 'return_url' | 'url'>

export const toPortalSession = (members: PortalMembers) =>
  ({
    ...members,
    object: 'billing_portal.session',
    configuration: 'bpc_simulated',
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
  }) satisfies Stripe.BillingPortal.Session
