import { DAY, MINUTE } from '../../base/lib/clock'
import type { DataRequestRow } from './queries'

/** How long the artefact of an export can be downloaded. Then it is deleted. */
export const LINK_MS = 30 * DAY
/** A request without a sign of work for this long is free again. */
export const CLAIM_MS = 10 * MINUTE
/** How long a request that fails for a reason of ours is tried again. */
export const GIVE_UP_MS = 3 * DAY

/** Where the zip of an export lies in the blob store. */
export const artefactKeyOf = (requestId: string): string => `dsar/${requestId}.zip`

/**
 * Whether there is something to download: the zip of an export until its link ends, the certificate of an erasure
 * always.
 */
export function isDownloadReady(row: DataRequestRow, now: number): boolean {
  if (row.status !== 'COMPLETED') return false
  if (row.type === 'ERASURE') return row.certificate !== null
  return row.artefactKey !== null && row.expiresAt !== null && now <= row.expiresAt
}
