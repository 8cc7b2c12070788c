import { CommandFailure } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { lockUser } from '../accounts/begin'
import { findAccount } from '../accounts/users'
import { requireUser } from '../user-commands/service'
import { findTokenOwner, listTokensWithOwners } from './queries'
import { deleteToken, makeToken, readScopes, toTokenView } from './service'

interface Wish {
  name: string
  /** Names of scopes; null = everything that the user may do. */
  scopes: readonly string[] | null
  /** Null = the token has no end. */
  days: number | null
}

const MAX_NAME = 100

/** Makes a token of a user, named by id or mail address. Its text is in this answer and nowhere else. */
export async function createTokenOf(ctx: Context, reference: string, { name, scopes: wanted, days }: Wish) {
  if (name.length === 0 || name.length > MAX_NAME) throw invalid(`name: it must have 1 to ${MAX_NAME} characters`)
  const scopes = readScopes(wanted)
  const { id: userId, email } = (await requireUser(ctx, reference)).user
  const made = await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    if (!(await findAccount(tx, userId))) throw notFound('account', reference)
    const expiresAt = days === null ? null : tx.clock.now() + days * DAY
    return makeToken(tx, CLI_ACTOR, userId, { name, scopes, expiresAt })
  })
  return { userId, email, ...made }
}

/** The tokens of a user, or of all; the newest first. */
export async function listTokensOf(ctx: Context, reference: string | null) {
  const user = reference === null ? null : (await requireUser(ctx, reference)).user
  const found = await listTokensWithOwners(ctx, user?.id ?? null)
  return found.map(({ token, email }) => ({ userId: token.userId, email, ...toTokenView(token) }))
}

export async function revokeToken(ctx: Context, id: string): Promise<void> {
  const userId = await findTokenOwner(ctx, id)
  if (userId === null) throw new CommandFailure('NOT_FOUND', `There is no token "${id}"; see: svc token list`)
  await deleteToken(ctx, CLI_ACTOR, userId, id)
}
