import { type TProperties, Type } from '@sinclair/typebox'
import { invalid } from '../../base/errors'
import { listQuery } from '../../base/http/list'
import { queryInstant } from '../../base/http/parameters'
import { toIso } from '../../base/lib/time'
import { STATUSES } from '../../core/purchase/status'
import { oneOf } from '../../core/schema/object'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { LineFilter } from './list-queries'
import type { TransactionKind } from './model'
import type { TransactionRow } from './queries'
import { NOBODY } from './unlisted-sales'
import { MoneySchema } from './wire'

const strict = { additionalProperties: false } as const
const timeText = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

const STORES: readonly Store[] = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL']
const ENVIRONMENTS: readonly PurchaseEnvironment[] = ['PRODUCTION', 'SANDBOX']
const KINDS: readonly TransactionKind[] = [
  'INITIAL',
  'TRIAL',
  'TRIAL_CONVERSION',
  'RENEWAL',
  'REACTIVATION',
  'PRODUCT_CHANGE',
  'ADJUSTMENT',
  'NON_RENEWING_PURCHASE',
  'CREDIT_PURCHASE',
  'REFUND',
  'REFUND_REVERSAL',
  'CHARGEBACK',
  'GRANT',
]

const environment = Type.Optional(oneOf(ENVIRONMENTS))
const id = Type.Optional(Type.String({ maxLength: 64 }))

/** The filters that subscriptions and transactions have in common. */
const shared = {
  store: Type.Optional(oneOf(STORES)),
  productId: id,
  environment,
  from: timeText('ISO 8601; from this instant on'),
  to: timeText('ISO 8601; before this instant'),
}

const issueFilters = shared
const subscriptionFilters = {
  ...{ status: Type.Optional(oneOf(STATUSES)), ...shared },
  paid: Type.Optional(
    oneOf<'true'>(['true'], {
      description: 'Only those that are paid for, in their grace period too: the rows of `active` of the figures',
    }),
  ),
  renewsFrom: timeText('ISO 8601; only those that will renew, from this instant on'),
  renewsTo: timeText('ISO 8601; only those that will renew, before this instant'),
}
const transactionFilters = {
  ...{ kind: Type.Optional(oneOf(KINDS)), subscriberId: id, purchaseId: id, ...shared },
  listed: Type.Optional(
    oneOf<'true' | 'false'>(['true', 'false'], {
      description:
        'true: only of products of the catalogue, and grants; false: only what was sold outside of the catalogue. Without it both.',
    }),
  ),
}

export const SubscriptionQuery = Type.Object({ ...listQuery, ...subscriptionFilters }, strict)
export const SubscriptionExportQuery = Type.Object(subscriptionFilters, strict)
export const IssueQuery = Type.Object({ ...listQuery, ...issueFilters }, strict)
export const TransactionQuery = Type.Object({ ...listQuery, ...transactionFilters }, strict)
export const TransactionExportQuery = Type.Object(transactionFilters, strict)
export const FigureQuery = Type.Object({ environment }, strict)
export const SeriesQuery = Type.Object({ environment, from: shared.from, to: shared.to }, strict)

export const transactionMembers = {
  id: Type.String({ description: 'txn_ id' }),
  purchaseId: Type.String({
    description: 'Of an unlisted sale: the id that its purchase gets when a product has it',
  }),
  subscriberId: Type.Union([Type.String(), Type.Null()], { description: 'Null for an unlisted sale' }),
  kind: Type.String(),
  price: Type.Union([MoneySchema, Type.Null()], { description: 'Negative for what was given back' }),
  usdMicros: Type.Union([Type.Integer(), Type.Null()]),
  store: Type.String(),
  environment: Type.String(),
  productId: Type.Union([Type.String(), Type.Null()]),
  storeTransactionId: Type.String(),
  occurredAt: Type.String({ format: 'date-time' }),
  createdAt: Type.String({ format: 'date-time' }),
}

export const toTransactionItem = (row: TransactionRow) => ({
  id: row.id,
  purchaseId: row.purchaseId,
  subscriberId: row.subscriberId === NOBODY ? null : row.subscriberId,
  kind: row.kind,
  price:
    row.amountMicros === null || row.currency === null
      ? null
      : { amountMicros: row.amountMicros, currency: row.currency },
  usdMicros: row.usdMicros,
  store: row.store,
  environment: row.environment,
  productId: row.productId,
  storeTransactionId: row.storeTransactionId,
  occurredAt: toIso(row.occurredAt),
  createdAt: toIso(row.createdAt),
})

const answer = <Members extends TProperties>(title: string, members: Members) =>
  Type.Object({ data: Type.Object(members, { ...strict, title }) }, strict)

const VolumeDay = Type.Object(
  { date: Type.String({ format: 'date' }), transactions: Type.Integer(), amountMicros: Type.Integer() },
  { ...strict, title: 'VolumeDay' },
)

export const VolumeAnswer = answer('TransactionVolume', { currency: Type.String(), days: Type.Array(VolumeDay) })

const StoreShare = Type.Object(
  {
    store: Type.String(),
    transactions: Type.Integer(),
    amountMicros: Type.Integer(),
    unconverted: Type.Integer({ minimum: 0, description: 'Of the transactions, those without an exchange rate' }),
  },
  { ...strict, title: 'StoreShare' },
)

export const BreakdownAnswer = answer('StoreBreakdown', { currency: Type.String(), stores: Type.Array(StoreShare) })

export interface Window {
  from: number | null
  to: number | null
}

/** The instants of `from` and `to`; 400 for a text that is none, and for an end before the start. */
export const readWindow = ({ from, to }: { from?: string | undefined; to?: string | undefined }): Window =>
  windowOf(['from', from], ['to', to])

interface GivenRenewals {
  renewsFrom?: string | undefined
  renewsTo?: string | undefined
}

/** When the subscriptions of a list renew; null when it has those too that will not. */
export function readRenewals({ renewsFrom, renewsTo }: GivenRenewals): Window | null {
  if (renewsFrom === undefined && renewsTo === undefined) return null
  return windowOf(['renewsFrom', renewsFrom], ['renewsTo', renewsTo])
}

type Named = readonly [name: string, text: string | undefined]

function windowOf(first: Named, last: Named): Window {
  const window = { from: readInstant(...first), to: readInstant(...last) }
  if (window.from !== null && window.to !== null && window.to < window.from)
    throw invalid(`${last[0]}: lies before ${first[0]}`)
  return window
}

const readInstant = (name: string, text: string | undefined): number | null =>
  text === undefined ? null : queryInstant(name, text)

interface Given {
  store?: Store | undefined
  productId?: string | undefined
  environment?: PurchaseEnvironment | undefined
}

interface RowFacts {
  store: Store
  productId: string | null
  environment: PurchaseEnvironment
}

/** Whether a row has the store, the product and the environment that the filters name. */
export const isOfKind = ({ store, productId, environment }: Given, row: RowFacts): boolean =>
  (store === undefined || row.store === store) &&
  (productId === undefined || row.productId === productId) &&
  (environment === undefined || row.environment === environment)

interface GivenOwner {
  subscriberId?: string | undefined
  purchaseId?: string | undefined
}

export const toLineFilter = (query: GivenOwner, window: Window): LineFilter => ({
  subscriberId: query.subscriberId ?? null,
  purchaseId: query.purchaseId ?? null,
  ...window,
})
