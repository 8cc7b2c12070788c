import type { ImportRow } from '../row'

const JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/
const BASE64 = /^[A-Za-z0-9+/\s]{16,}={0,2}\s*$/

/** Why a text is no receipt of the iOS store: neither a signed transaction nor the receipt of an older app. */
export const receiptFault = (text: string): string | null =>
  JWS.test(text) || BASE64.test(text) ? null : 'It is neither base64 nor a three-part JWS'

/** Whether a store can be asked about the row. */
export const hasAnchor = (row: ImportRow): boolean =>
  row.store !== 'MANUAL' &&
  (row.receipt ?? row.purchaseToken ?? row.providerId ?? row.originalTransactionId ?? row.storeTransactionId) !== null

/** Whether the row is about a person alone, and about no purchase. */
export const isOfPerson = (row: ImportRow): boolean =>
  row.store === 'MANUAL' && row.productIdentifier === null && row.purchaseDate === null
