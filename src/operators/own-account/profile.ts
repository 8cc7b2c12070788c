import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { type Account, findAccount } from '../accounts/users'

/** 404 when the user was deleted meanwhile. */
export async function getAccount(ctx: Context, userId: string): Promise<Account> {
  const account = await findAccount(ctx, userId)
  if (!account) throw notFound()
  return account
}
