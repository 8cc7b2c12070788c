import type { JsonInteger } from '../../base/lib/int64'
import type { EventRow } from '../../people/events/feed'
import type { toPurchaseView, toTransactionView } from '../../people/purchases/wire'

/** The members of an event that a body is made of. */
export type FormatEvent = Pick<
  EventRow,
  | 'id'
  | 'type'
  | 'projectId'
  | 'subscriberId'
  | 'appUserId'
  | 'environment'
  | 'occurredAt'
  | 'recordedAt'
  | 'before'
  | 'after'
  | 'data'
> & { cause: Pick<EventRow['cause'], 'kind'> }

export type PurchaseImage = ReturnType<typeof toPurchaseView>
export type TransactionImage = ReturnType<typeof toTransactionView>

/** What `purchase.*` events tell of the purchase. */
export interface PurchaseImages {
  before: PurchaseImage | null
  after: PurchaseImage
  transaction: TransactionImage | null
}

/** Null for an event without a purchase, and for one that was reduced because its person was erased. */
export function purchaseImages({ before, after, data }: FormatEvent): PurchaseImages | null {
  const image = imageOf(after)
  if (image === null) return null
  // Our own code wrote the line, by `toTransactionView`.
  const transaction = (data.transaction ?? null) as TransactionImage | null
  return { before: imageOf(before), after: image, transaction }
}

/** Our own code wrote the image, by `toPurchaseView`. */
const imageOf = (image: unknown): PurchaseImage | null =>
  (image as { purchase?: PurchaseImage | null } | null)?.purchase ?? null

/** The data of `currency.transaction`. Our own code wrote it, by `currencyEvent`. */
export interface CurrencyData {
  code: string
  amount: JsonInteger
  balance: JsonInteger
  ledgerType: string
  referenceType: string | null
  referenceId: string | null
}

/** The data of `subscriber.transferred`. */
export interface TransferData {
  transferId: string
  role: 'FROM' | 'TO'
  fromSubscriberId: string
  toSubscriberId: string
  purchaseIds: string[]
}

/** The data of `experiment.exposed`. */
export interface ExposureData {
  experimentId: string
  variantId: string
}

/** The data of `funnel.claimed`. */
export interface ClaimData {
  sessionId: string
  fromSubscriberId: string
}

/** The data of an event as its type defines it; our own code wrote it. Empty when its person was erased. */
export const dataOf = <Data>({ data }: FormatEvent): Partial<Data> => data as Partial<Data>
