import type { Identity } from './model'

/** What is known here of an identity and its address. */
export interface Known {
  /** The account that this identity was linked to. */
  linkedUserId: string | null
  /** The account with the same address. `isGuest`: a shown invitation link admits a person without a proof. */
  holder: { userId: string; isVerified: boolean; isGuest: boolean } | null
  /** Whether this person may make an account. */
  maySignUp: boolean
}

export type Decision =
  | { do: 'SIGN_IN'; userId: string }
  | { do: 'LINK'; userId: string }
  | { do: 'TAKE_OVER'; userId: string }
  | { do: 'SIGN_UP' }
  | { do: 'REFUSE'; failure: 'account_exists' | 'unverified' | 'denied' }

/**
 * Which account a sign-in by a provider opens. An account that exists is linked by its address only when both sides
 * have verified the address and the provider hands it out itself: otherwise a person who registers another person's
 * address, here or there, would get into that person's account (wire 7.2). An account whose guest has proved nothing
 * goes to the person whose address such a provider has verified.
 */
export function decide(identity: Identity, { linkedUserId, holder, maySignUp }: Known): Decision {
  if (linkedUserId !== null) return { do: 'SIGN_IN', userId: linkedUserId }
  if (!identity.isEmailVerified) return { do: 'REFUSE', failure: 'unverified' }
  if (holder?.isVerified && identity.isAuthoritative) return { do: 'LINK', userId: holder.userId }
  if (holder?.isGuest && identity.isAuthoritative) return { do: 'TAKE_OVER', userId: holder.userId }
  if (holder) return { do: 'REFUSE', failure: 'account_exists' }
  return maySignUp ? { do: 'SIGN_UP' } : { do: 'REFUSE', failure: 'denied' }
}
