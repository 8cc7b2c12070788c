import type { Invitation } from './invitation-queries'

export const INVITATION_STATES = ['OPEN', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const
export type InvitationState = (typeof INVITATION_STATES)[number]

/** At the end of its life an invitation can no longer be accepted. */
export function stateOf(
  { acceptedAt, revokedAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'revokedAt' | 'expiresAt'>,
  now: number,
): InvitationState {
  if (acceptedAt !== null) return 'ACCEPTED'
  if (revokedAt !== null) return 'REVOKED'
  return now < expiresAt ? 'OPEN' : 'EXPIRED'
}
