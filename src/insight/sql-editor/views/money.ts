import type { QueryDialect } from '../compile/dialect'
import { boolean, integer, json, member, text, time, type View, type ViewColumn } from './model'

const productIdentifier = (of: string): ViewColumn => ({
  ...text('product_identifier'),
  sql: (dialect) =>
    dialect === 'clickhouse'
      ? 'r.identifier'
      : `(select r.identifier from products as r where r.id = ${of}.product_id and r.project_id = ${of}.project_id)`,
})

/** ClickHouse joins what the others look up for each row. */
const withProducts = (dialect: QueryDialect, of: string): string =>
  dialect === 'clickhouse'
    ? ` left join products as r on r.id = ${of}.product_id and r.project_id = ${of}.project_id`
    : ''

export const purchases: View = {
  name: 'purchases',
  description: 'Purchases with their last recorded state',
  columns: [
    text('id', 'p.id'),
    text('subscriber_id', 'p.subscriber_id'),
    text('store', 'p.store'),
    text('environment', 'p.environment'),
    text('product_id', 'p.product_id'),
    productIdentifier('p'),
    member('text', 'product_type', 'p.fold', 'productType'),
    text('status', 'p.status'),
    text('original_transaction_id', 'p.original_transaction_id'),
    member('time', 'started_at', 'p.fold', 'originalPurchaseDate'),
    member('time', 'purchased_at', 'p.fold', 'purchaseDate'),
    member('time', 'expires_at', 'p.fold', 'expiresAt'),
    member('time', 'grace_expires_at', 'p.fold', 'gracePeriodExpiresAt'),
    time('access_ends_at', 'p.effective_end'),
    member('boolean', 'is_trial', 'p.fold', 'isTrial'),
    member('boolean', 'is_intro_offer', 'p.fold', 'isIntroOffer'),
    member('boolean', 'auto_renews', 'p.fold', 'autoRenews'),
    member('time', 'cancelled_at', 'p.fold', 'cancelledAt'),
    member('time', 'refunded_at', 'p.fold', 'refundedAt'),
    member('time', 'revoked_at', 'p.fold', 'revokedAt'),
    member('text', 'expiry_reason', 'p.fold', 'expiryReason'),
    member('integer', 'price_micros', 'p.fold', 'price', 'amountMicros'),
    member('text', 'currency', 'p.fold', 'price', 'currency'),
    member('integer', 'quantity', 'p.fold', 'quantity'),
    member('text', 'offer_id', 'p.fold', 'offerId'),
    member('text', 'ownership_type', 'p.fold', 'ownershipType'),
    json('presented_context', 'p.presented_context'),
    time('created_at', 'p.created_at'),
    time('updated_at', 'p.updated_at'),
  ],
  from: (dialect, project) => `purchases as p${withProducts(dialect, 'p')} where p.project_id = ${project}`,
}

export const transactions: View = {
  name: 'transactions',
  description: 'One row for each charge, free period, refund and grant; refunds are negative',
  columns: [
    text('id', 'm.id'),
    text('purchase_id', 'm.purchase_id'),
    text('subscriber_id', 'm.subscriber_id'),
    text('store', 'm.store'),
    text('environment', 'm.environment'),
    text('kind', 'm.kind'),
    text('product_id', 'm.product_id'),
    productIdentifier('m'),
    text('store_transaction_id', 'm.store_transaction_id'),
    integer('amount_micros', 'm.amount_micros'),
    text('currency', 'm.currency'),
    integer('usd_micros', 'm.usd_micros'),
    integer('quantity', 'm.quantity'),
    integer('renewal_number', 'm.renewal_number'),
    time('occurred_at', 'm.occurred_at'),
    time('recorded_at', 'm.created_at'),
  ],
  from: (dialect, project) => `transactions as m${withProducts(dialect, 'm')} where m.project_id = ${project}`,
}

export const deliveries: View = {
  name: 'deliveries',
  description: 'Deliveries to webhook endpoints, integrations and forwarding addresses',
  columns: [
    text('id'),
    text('kind'),
    text('target_id'),
    text('event_id'),
    text('type'),
    text('subscriber_id'),
    integer('seq'),
    text('status'),
    integer('attempts'),
    time('due_at'),
    integer('last_status_code'),
    text('last_error'),
    text('skip_reason'),
    boolean('is_test'),
    time('created_at'),
    time('ended_at'),
  ],
  from: (_dialect, project) => `deliveries where project_id = ${project}`,
}
