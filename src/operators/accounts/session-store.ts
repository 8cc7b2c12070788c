import type { Context } from '../../base/context'
import { DAY, MINUTE } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import type { PersonalToken, Session, SessionStore, User } from '../../projects/doors/sessions'
import {
  findSessionEnd,
  findSessionRow,
  findTokenEnd,
  findTokenRow,
  touchSession,
  touchToken,
  type UserRow,
} from './queries'

/** A session ends when it was not used for so long. */
export const SESSION_LIFE_MS = 30 * DAY

/** Sessions and tokens that were used since the last flush, with the instants of their last uses. */
export interface SignInUse {
  sessions: Map<string, number>
  tokens: Map<string, number>
}

/** Reads the database for every request, so that an ended session is refused at once, by every process. */
export const accountSessions = (ctx: Context): SessionStore => ({
  findSession: (token) => findSession(ctx, token),
  findToken: (token) => findToken(ctx, token),
  isOpen: async ({ kind, id }, within) => {
    const expiresAt = kind === 'TOKEN' ? await findTokenEnd(within, id) : await findSessionEnd(within, id)
    return expiresAt === null || (expiresAt !== undefined && ctx.clock.now() < expiresAt)
  },
  async findRole(userId, projectId, within) {
    const reader = within ? { ...ctx, ...within } : ctx
    for (const roleOf of ctx.hooks.memberRole ?? []) {
      const role = await roleOf(reader, userId, projectId)
      if (role) return role
    }
    return null
  },
  isAdminDomain: (domain) => ctx.config.adminEmailDomains.includes(domain),
})

async function findSession(ctx: Context, token: string): Promise<Session | null> {
  const row = await findSessionRow(ctx, sha256Hex(token))
  if (!row) return null
  const { id, createdAt, expiresAt, lastSeenAt, secondFactorAt } = row.session
  const now = ctx.clock.now()
  if (now < expiresAt && now - lastSeenAt >= MINUTE) ctx.state.signInUse.sessions.set(id, now)
  const user = toUser(row.user, row.confirmedAt)
  return { id, user, createdAt, expiresAt, revokedAt: null, hasPassedTwoFactor: secondFactorAt !== null }
}

async function findToken(ctx: Context, token: string): Promise<PersonalToken | null> {
  const row = await findTokenRow(ctx, sha256Hex(token))
  if (!row) return null
  const { id, expiresAt, scopes } = row.token
  const now = ctx.clock.now()
  if (expiresAt === null || now < expiresAt) ctx.state.signInUse.tokens.set(id, now)
  return { id, user: toUser(row.user, row.confirmedAt), scopes, expiresAt, revokedAt: null }
}

const toUser = ({ id, email, emailVerifiedAt }: UserRow, confirmedAt: number | null): User => ({
  id,
  email,
  isEmailVerified: emailVerifiedAt !== null,
  hasTwoFactor: confirmedAt !== null,
})

/** Writes when sessions and tokens were last used. Every use of a session gives it its whole life again. */
export async function flushSignInUse(ctx: Context): Promise<void> {
  const { sessions, tokens } = ctx.state.signInUse
  if (sessions.size + tokens.size === 0) return
  const [usedSessions, usedTokens] = [[...sessions], [...tokens]]
  sessions.clear()
  tokens.clear()
  await ctx.write(async (tx) => {
    for (const [id, at] of usedSessions) await touchSession(tx, id, at, at + SESSION_LIFE_MS)
    for (const [id, at] of usedTokens) await touchToken(tx, id, at)
  })
}
