import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { conflict } from '../../projects/project/edit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser, requireOpenSession, TOKEN_LENGTH } from '../accounts/begin'
import { writeCookies } from '../accounts/cookies'
import { SESSION_LIFE_MS } from '../accounts/session-store'
import { findAccount } from '../accounts/users'
import { limitProof } from '../sign-in/limits'
import { requirePerson } from '../sign-in/password'
import { loadOtp, makeBackupCodes, makeSecret, openSecret, sealSecret, stepOf } from './code'
import { type Person, wrongCode } from './person'
import { confirm, findTwoFactor, replaceBackupCodes, saveUnconfirmed } from './queries'
import { keepOnly } from './sessions'

/** Makes a secret and backup codes. Signing in needs them only after `confirmTwoFactor`. */
export async function enableTwoFactor(ctx: Context, person: Person, password: string | undefined) {
  const { userId, actor, session, visit } = person
  const account = await findAccount(ctx, userId)
  if (!account) throw notFound('account')
  await requirePerson(ctx, visit, account, { session, password })
  const { secret, url } = makeSecret(await loadOtp(), account.user.email)
  const sealedSecret = sealSecret(ctx.vault, userId, secret)
  const { codes, hashes } = makeBackupCodes(ctx.ids)
  await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    await requireOpenSession(tx, userId, session?.id)
    const row = { userId, sealedSecret, confirmedAt: null, lastStep: null, createdAt: tx.clock.now() }
    if (!(await saveUnconfirmed(tx, row))) throw conflict('Two-factor sign-in is enabled already; disable it first')
    await replaceBackupCodes(tx, userId, hashes)
    await recordAccount(tx, actor, userId, 'two_factor.prepare')
  })
  return { otpauthUrl: url, backupCodes: codes }
}

/**
 * The first code proves that the app has the secret. The session counts as one that passed both factors from then on. The
 * other sessions end.
 */
export async function confirmTwoFactor(ctx: Context, person: Person, code: string): Promise<void> {
  const { userId, actor, session, visit } = person
  await limitProof(ctx, visit, userId)
  const otp = await loadOtp()
  const token = ctx.ids.token(TOKEN_LENGTH)
  await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    await requireOpenSession(tx, userId, session?.id)
    const row = await findTwoFactor(tx, userId)
    if (!row || row.confirmedAt !== null) throw conflict('No two-factor sign-in waits for its confirmation')
    const now = tx.clock.now()
    const step = stepOf(tx, otp, openSecret(tx.vault, userId, row.sealedSecret), code)
    if (step === null || !(await confirm(tx, userId, now, step))) throw wrongCode()
    const endedSessions = await keepOnly(tx, userId, session, { token, now })
    await recordAccount(tx, actor, userId, 'two_factor.enable', { after: { endedSessions } })
  })
  if (session) writeCookies(ctx, visit, { svc_session: { value: token, lifeMs: SESSION_LIFE_MS } })
}
