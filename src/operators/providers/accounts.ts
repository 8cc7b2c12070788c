import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import type { Actor } from '../../projects/audit/audit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { refuseLastWay } from '../accounts/ways-in'
import { deleteIdentity, listIdentities } from './queries'

/** The accounts at providers with which a user can sign in. There are few, so the list has one page. */
export async function listLinked(ctx: Context, userId: string) {
  const items = (await listIdentities(ctx, userId)).map(({ provider, email, createdAt }) => ({
    provider,
    email,
    createdAt: toIso(createdAt),
  }))
  return { items, nextCursor: null }
}

/** 404 for a provider that is not linked, 409 `CONFLICT` for the last way to sign in. */
export const unlink = (ctx: Context, actor: Actor, userId: string, provider: string): Promise<void> =>
  ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const linked = (await listIdentities(tx, userId)).find((one) => one.provider === provider)
    if (!linked) throw notFound('linked account', provider)
    await refuseLastWay(tx, userId)
    await deleteIdentity(tx, userId, provider)
    await recordAccount(tx, actor, userId, 'identity.unlink', { before: { provider, email: linked.email } })
  })
