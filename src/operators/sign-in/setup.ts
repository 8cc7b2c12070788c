import type { Context, Tx } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { TOKEN_LENGTH } from '../accounts/begin'
import { hasUsers } from '../accounts/users'
import { deleteSetupTokens, insertSetupToken } from './queries'

const SETUP_LIFE_MS = 7 * DAY

/** The link with which the first user signs up; null when there is a user. Each call makes another link. */
export const makeSetupLink = async (ctx: Context): Promise<string | null> => {
  if (await hasUsers(ctx)) return null
  const token = await ctx.write(async (tx) => {
    await lockSetup(tx)
    if (await hasUsers(tx)) return null
    const made = tx.ids.token(TOKEN_LENGTH)
    await insertSetupToken(tx, sha256Hex(made), tx.clock.now() + SETUP_LIFE_MS)
    return made
  })
  return token === null ? null : `${linkBase(ctx)}/setup/${token}`
}

/** Only one person can become the first user, also when there are several links. */
export const lockSetup = (tx: Tx): Promise<void> => tx.lock('accounts:setup')

/** Ends every set-up link. Called when there is a user. */
export const closeSetup = (tx: Tx): Promise<void> => deleteSetupTokens(tx)
