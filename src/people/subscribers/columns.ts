import type { ColumnsWith, ColumnUse } from '../../core/columns/columns'
import type { SubscriberRow } from './queries'

/** A column that is not here does not compile: decide each use of it. */
export const SUBSCRIBER_COLUMNS = {
  id: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  projectId: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'COPIED', fork: 'KEEP' },
  deviceKey: { erasure: 'CLEARED', export: 'SHOWN', data: 'EXPORTED', mirror: 'LEFT_OUT', fork: 'PSEUDONYM' },
  appUserId: { erasure: 'HASHED', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  attributes: { erasure: 'CLEARED', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'TEXT' },
  seq: { erasure: 'KEPT', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'KEEP' },
  toldAccess: { erasure: 'KEPT', export: 'SHOWN', data: 'LEFT_OUT', mirror: 'COPIED', fork: 'KEEP' },
  isSynthetic: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  mergedInto: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'COPIED', fork: 'PSEUDONYM' },
  erasedAt: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  // A part of the hash of the device key: with it, a guess at the key of an erased person could be confirmed.
  holdoutBucket: { erasure: 'CLEARED', export: 'HIDDEN', data: 'LEFT_OUT', mirror: 'LEFT_OUT', fork: 'DROP' },
  firstSeenAt: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  lastSeenAt: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  createdAt: { erasure: 'KEPT', export: 'SHOWN', data: 'EXPORTED', mirror: 'COPIED', fork: 'KEEP' },
  updatedAt: { erasure: 'KEPT', export: 'HIDDEN', data: 'EXPORTED', mirror: 'LEFT_OUT', fork: 'KEEP' },
} as const satisfies Record<keyof SubscriberRow, ColumnUse>

type Uses = typeof SUBSCRIBER_COLUMNS

/** The columns that an erasure replaces. */
export type ErasedColumn = ColumnsWith<Uses, 'erasure', 'CLEARED' | 'HASHED'>
/** The columns that a person gets in an export of their data. */
export type ShownColumn = ColumnsWith<Uses, 'export', 'SHOWN'>
/** The columns in the files of a data export. */
export type ExportedColumn = ColumnsWith<Uses, 'data', 'EXPORTED'>
