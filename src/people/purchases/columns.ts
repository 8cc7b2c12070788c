import type { ColumnsWith, ColumnUse } from '../../core/columns/columns'
import type { PurchaseRow, TransactionRow } from './queries'

/** A column that is not here does not compile: decide each use of it. */
export const PURCHASE_COLUMNS = {
  id: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  projectId: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'COPIED', fork: 'KEEP' },
  subscriberId: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  store: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  environment: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  chainKey: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'LEFT_OUT', fork: 'PSEUDONYM' },
  lineKey: { erasure: 'KEPT', export: 'SHOWN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'PSEUDONYM' },
  formerLineKeys: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'PSEUDONYM' },
  chargeScope: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'PSEUDONYM' },
  productId: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  storeProductId: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'KEEP' },
  originalTransactionId: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  accessIds: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'LEFT_OUT', fork: 'KEEP' },
  accountToken: { erasure: 'CLEARED', export: 'SHOWN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'DROP' },
  status: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  fold: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  effectiveEnd: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  sweepAt: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'KEEP' },
  recheckAt: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'DROP' },
  presentedContext: { erasure: 'CLEARED', export: 'SHOWN', data: 'LEFT_OUT', mirror: 'COPIED', fork: 'DROP' },
  createdAt: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  updatedAt: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
} as const satisfies Record<keyof PurchaseRow, ColumnUse>

export const TRANSACTION_COLUMNS = {
  id: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  projectId: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'COPIED', fork: 'KEEP' },
  purchaseId: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  subscriberId: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  store: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  environment: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  revenueKey: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'COPIED', fork: 'PSEUDONYM' },
  storeTransactionId: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  kind: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  productId: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  storeProductId: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'KEEP' },
  amountMicros: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  currency: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  usdMicros: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  quantity: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  renewalNumber: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  occurredAt: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  createdAt: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
} as const satisfies Record<keyof TransactionRow, ColumnUse>

/** The columns that an erasure replaces. */
export type ErasedColumn = ColumnsWith<typeof PURCHASE_COLUMNS, 'erasure', 'CLEARED' | 'HASHED'>
/** The columns that a person gets in an export of their data. */
export type ShownColumn = ColumnsWith<typeof PURCHASE_COLUMNS, 'export', 'SHOWN'>
export type ShownTransactionColumn = ColumnsWith<typeof TRANSACTION_COLUMNS, 'export', 'SHOWN'>
/** The columns in the files of a data export. */
export type ExportedColumn = ColumnsWith<typeof PURCHASE_COLUMNS, 'data', 'EXPORTED'>
export type ExportedTransactionColumn = ColumnsWith<typeof TRANSACTION_COLUMNS, 'data', 'EXPORTED'>
