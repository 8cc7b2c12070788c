import { and, eq, gt } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { callerAddress, factsOf } from '../../base/http/request'
import { MINUTE } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { actorOf, recordAccount } from './audit-entry'
import { type Visit, writeCookies } from './cookies'
import { type Account, findAccount, insertChallenge, insertSession, type UserRow } from './queries'
import { SESSION_LIFE_MS } from './session-store'

export const CHALLENGE_LIFE_MS = 10 * MINUTE

/** How a person has shown who they are. A passkey is both factors. */
export type Way =
  | {
      by: 'PASSWORD'
      /** The hash that the password was compared with. */
      passwordHash: string
    }
  | { by: 'PROVIDER' | 'TWO_FACTOR' | 'PASSKEY' }

/** What follows: null = the session is open. */
export type Begun =
  | { next: null; account: Account; token: string }
  | { next: 'TWO_FACTOR'; token: string }
  | { next: 'VERIFY_EMAIL' }

/**
 * The end of every way to sign in. It opens a session, or a challenge when the second factor is missing, and sets the
 * cookie; a token that the browser sent is never used again. Null when the user is gone, or the password was changed
 * since it was compared.
 */
export async function begin(ctx: Context, visit: Visit, userId: string, way: Way): Promise<Begun | null> {
  const from = originOf(ctx, visit)
  const begun = await ctx.write((tx) => beginIn(tx, from, userId, way))
  if (begun) handOver(ctx, visit, begun)
  return begun
}

/** Where a session is opened from, as its owner reads it in the list of sessions. */
export interface From {
  ip: string
  userAgent: string
}

export const originOf = (ctx: Context, { request }: Visit): From => ({
  ip: callerAddress(ctx, request, factsOf(request)),
  userAgent: (request.headers.get('user-agent') ?? '').slice(0, 300),
})

/** The part of `begin` in a transaction. The caller sets the cookies with `handOver` after the commit. */
export async function beginIn(tx: Tx, from: From, userId: string, way: Way): Promise<Begun | null> {
  await lockUser(tx, userId)
  const account = await findAccount(tx, userId)
  if (!account) return null
  const { user, hasTwoFactor } = account
  if (way.by === 'PASSWORD' && user.passwordHash !== way.passwordHash) return null
  if (!maySignIn(user)) return { next: 'VERIFY_EMAIL' }
  const isWhole = way.by === 'TWO_FACTOR' || way.by === 'PASSKEY'
  if (hasTwoFactor && !isWhole) return openChallenge(tx, userId)
  const token = tx.ids.token(TOKEN_LENGTH)
  const now = tx.clock.now()
  await insertSession(tx, {
    id: tx.ids.next('ses'),
    tokenHash: sha256Hex(token),
    userId,
    ...from,
    secondFactorAt: isWhole ? now : null,
    lastSeenAt: now,
    expiresAt: now + SESSION_LIFE_MS,
    createdAt: now,
  })
  await recordAccount(tx, actorOf(user), userId, 'session.create', { after: { by: way.by, ...from } })
  return { next: null, account, token }
}

/** A person whose address is proved, or whom the shown link of an invitation admitted without a proof. */
const maySignIn = ({ emailVerifiedAt, admittedBy }: UserRow): boolean => emailVerifiedAt !== null || admittedBy !== null

/** 43 characters of 62 have more than 256 bits. */
export const TOKEN_LENGTH = 43

/** Changes of one user's account run one after another, so that a password reset sees every session. */
export const lockUser = (tx: Tx, userId: string): Promise<void> => tx.lock(`user:${userId}`)

async function openChallenge(tx: Tx, userId: string): Promise<Begun> {
  const token = tx.ids.token(TOKEN_LENGTH)
  const expiresAt = tx.clock.now() + CHALLENGE_LIFE_MS
  await insertChallenge(tx, { tokenHash: sha256Hex(token), userId, attempts: 0, expiresAt })
  return { next: 'TWO_FACTOR', token }
}

/** Sets the cookies of what has started. */
export function handOver(ctx: Context, visit: Visit, begun: Begun): void {
  if (begun.next === null)
    writeCookies(ctx, visit, { svc_session: { value: begun.token, lifeMs: SESSION_LIFE_MS }, svc_challenge: null })
  if (begun.next === 'TWO_FACTOR')
    writeCookies(ctx, visit, { svc_challenge: { value: begun.token, lifeMs: CHALLENGE_LIFE_MS } })
}

/**
 * 401 when the session of a request has ended since the request was let in. What is made here outlives sessions: a new
 * password that ended the session must have ended this too. Call it under the lock of the user.
 */
export async function requireOpenSession(tx: Tx, userId: string, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined || !(await hasSession(tx, userId, sessionId))) throw new AppError('UNAUTHORIZED')
}

export async function hasSession({ db, tables, clock }: Tx, userId: string, sessionId: string): Promise<boolean> {
  const { userSessions: s } = tables
  const isIt = and(eq(s.id, sessionId), eq(s.userId, userId), gt(s.expiresAt, clock.now()))
  return (await db.select({ id: s.id }).from(s).where(isIt)).length > 0
}
