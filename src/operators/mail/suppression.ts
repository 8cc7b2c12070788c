import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { sha256Hex } from '../../base/lib/hash'
import type { Letter } from './letter'
import { deleteSuppressions, insertSuppressions, listSuppressions } from './queries'
import type { SuppressionReason } from './tables'

/** How an address is stored that must be recognised and never read. */
export const hashAddress = (address: string): string => sha256Hex(address.trim().toLowerCase())

/**
 * Whether a letter is held back. Optional mail is, whatever the reason. To an address that does not exist only mail
 * about the receiver's own account is sent: a letter that is not optional and belongs to no project.
 */
export function isHeldBack(
  { isOptional = false, projectId = null }: Pick<Letter, 'isOptional' | 'projectId'>,
  reasons: readonly SuppressionReason[],
): boolean {
  if (reasons.length === 0) return false
  return isOptional || (projectId !== null && reasons.includes('BOUNCED'))
}

/** Whether the outbox would hold a letter back, so that no mail to the address needs to be written. */
export const isSuppressed = async (handle: Handle, letter: Pick<Letter, 'to' | 'isOptional' | 'projectId'>) =>
  isHeldBack(letter, await listSuppressions(handle, hashAddress(letter.to)))

export interface Suppression {
  addressHash: string
  reason: SuppressionReason
}

/** Writes suppressions; those that exist already stay as they are. */
export async function suppress(ctx: Pick<Context, 'write'>, suppressions: readonly Suppression[]): Promise<void> {
  if (suppressions.length === 0) return
  await ctx.write((tx) =>
    insertSuppressions(
      tx,
      suppressions.map((one) => ({ ...one, createdAt: tx.clock.now() })),
    ),
  )
}

/** The owner of an address wants optional mail again. */
export const resubscribe = (tx: Tx, address: string): Promise<void> =>
  deleteSuppressions(tx, hashAddress(address), ['UNSUBSCRIBED', 'COMPLAINED'])

/** Whether the owner of an address wants no optional mail. */
export const hasUnsubscribed = async (handle: Handle, address: string): Promise<boolean> =>
  (await listSuppressions(handle, hashAddress(address))).some((reason) => reason !== 'BOUNCED')
