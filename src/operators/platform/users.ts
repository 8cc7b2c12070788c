import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { Actor } from '../../projects/audit/audit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { deleteChallenges, endSessions } from '../accounts/sessions'
import { findAccount, type UserRow } from '../accounts/users'
import { countProjectsOf } from '../members/service'
import { listLastSeen } from './queries'

export { pageUsers } from './queries'

interface Listed {
  user: UserRow
  hasTwoFactor: boolean
}

export async function toUserSummaries(ctx: Context, rows: readonly Listed[]) {
  const ids = rows.map(({ user }) => user.id)
  const [projects, seen] = await Promise.all([countProjectsOf(ctx, ids), listLastSeen(ctx, ids)])
  return rows.map(({ user, hasTwoFactor }) => ({
    id: user.id,
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    twoFactorEnabled: hasTwoFactor,
    projects: projects.get(user.id) ?? 0,
    lastSeenAt: toIsoOrNull(seen.get(user.id) ?? null),
    createdAt: toIso(user.createdAt),
    updatedAt: toIso(user.updatedAt),
  }))
}

export async function getUser(ctx: Context, id: string) {
  const account = await findAccount(ctx, id)
  const [view] = account ? await toUserSummaries(ctx, [account]) : []
  if (!view) throw notFound('user', id)
  return view
}

/** Ends all sessions of a user, and sign-ins that wait for a second factor. Personal access tokens stay. */
export const signOutUser = (ctx: Context, actor: Actor, id: string): Promise<number> =>
  ctx.write(async (tx) => {
    await lockUser(tx, id)
    if (!(await findAccount(tx, id))) throw notFound('user', id)
    await deleteChallenges(tx, id)
    const sessions = await endSessions(tx, id, null)
    if (sessions > 0) await recordAccount(tx, actor, id, 'user.sign_out', { after: { sessions } })
    return sessions
  })
