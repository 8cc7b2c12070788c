import type { MemberRole } from '../../src/core/roles/roles'
import type { PersonalToken, Session, SessionStore, SignIn, User } from '../../src/projects/doors/sessions'

/** Sessions, tokens and roles in memory. */
export class TestSessions implements SessionStore {
  readonly sessions = new Map<string, Session>()
  readonly tokens = new Map<string, PersonalToken>()
  readonly roles = new Map<string, MemberRole>()
  readonly adminDomains = new Set<string>()

  findSession = async (token: string) => this.sessions.get(token) ?? null
  findToken = async (token: string) => this.tokens.get(token) ?? null
  isOpen = async ({ kind, id }: SignIn) =>
    [...(kind === 'TOKEN' ? this.tokens : this.sessions).values()].some((one) => one.id === id)
  findRole = async (userId: string, projectId: string) => this.roles.get(`${userId} ${projectId}`) ?? null
  isAdminDomain = (domain: string) => this.adminDomains.has(domain)
}

export const person = (id: string, members: Partial<User> = {}): User => ({
  id,
  email: `${id}@example.com`,
  isEmailVerified: true,
  hasTwoFactor: true,
  ...members,
})
