export const PROVIDERS = ['google', 'github', 'oidc'] as const
export type Provider = (typeof PROVIDERS)[number]

/** A person as a provider describes them. */
export interface Identity {
  provider: Provider
  /** The provider's own id of the person, which never changes. */
  subject: string
  email: string
  name: string
  /** Whether the provider has verified the address. */
  isEmailVerified: boolean
  /** Whether the provider issues the address itself, so that no one else can have verified it. */
  isAuthoritative: boolean
}

/** What the browser keeps while the person is at the provider. */
export interface Handover {
  provider: Provider
  state: string
  nonce: string
  verifier: string
  /** Where the person goes after the sign-in. */
  page: string
  /** The account and session to which the identity shall be linked; null for a sign-in. */
  link: { userId: string; sessionId: string } | null
  invitationToken: string | null
}

/** Why a sign-in by a provider did not succeed, as the sign-in page reads it from its address. */
export type OAuthFailure = 'account_exists' | 'denied' | 'unverified' | 'failed'
