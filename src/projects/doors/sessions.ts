import type { Tx } from '../../base/context'
import type { MemberRole } from '../../core/roles/roles'

/** A person who uses the dashboard. */
export interface User {
  id: string
  email: string
  isEmailVerified: boolean
  hasTwoFactor: boolean
}

/** The session of a browser after a sign-in. Instants are milliseconds. */
export interface Session {
  id: string
  user: User
  createdAt: number
  expiresAt: number
  revokedAt: number | null
  /** Whether the user gave the second factor when this session was opened. */
  hasPassedTwoFactor: boolean
}

/** A token with the rights of the user who made it, or with some of them. */
export interface PersonalToken {
  id: string
  user: User
  /** What it may do of what its user may do; null = all. */
  scopes: readonly string[] | null
  /** Null = never. */
  expiresAt: number | null
  revokedAt: number | null
}

/** The session or the token of a call. */
export type SignIn = { kind: 'SESSION' | 'TOKEN'; id: string }

/** Reads users, sessions and tokens. It may return sessions and tokens that have ended: the caller checks that. */
export interface SessionStore {
  findSession(token: string): Promise<Session | null>
  findToken(token: string): Promise<PersonalToken | null>
  /** Whether a session or token that a call was made with is still valid, as a transaction reads it. */
  isOpen(signIn: SignIn, within: Tx): Promise<boolean>
  /**
   * The role of a user in a project, by membership or by a support grant that is valid now; null = none. `within`: read in
   * a transaction, which sees what was committed before its statement.
   */
  findRole(userId: string, projectId: string, within?: Tx): Promise<MemberRole | null>
  /** Whether e-mail addresses of a domain, in lower case, belong to administrators of the platform. */
  isAdminDomain(domain: string): boolean
}
