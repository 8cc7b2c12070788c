import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import type { Actor } from '../../projects/audit/audit'
import type { Session } from '../../projects/doors/sessions'
import { conflict } from '../../projects/project/edit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser, TOKEN_LENGTH } from '../accounts/begin'
import { type Visit, writeCookies } from '../accounts/cookies'
import { SESSION_LIFE_MS } from '../accounts/session-store'
import { findAccount } from '../accounts/users'
import { limitProof } from '../sign-in/limits'
import { requirePerson } from '../sign-in/password'
import { loadOtp, makeBackupCodes, makeSecret, openSecret, sealSecret, stepOf } from './code'
import { confirm, deleteTwoFactor, findTwoFactor, raiseSession, replaceBackupCodes, saveUnconfirmed } from './queries'
import { useCode } from './use-code'

/** The signed-in person, and the request in which they change something. */
export interface Person {
  userId: string
  actor: Actor
  session: Session | null
  visit: Visit
}

/** Makes a secret and backup codes. Signing in needs them only after `confirmTwoFactor`. */
export async function enableTwoFactor(ctx: Context, person: Person, password: string | undefined) {
  const { userId, actor, session, visit } = person
  const account = await findAccount(ctx, userId)
  if (!account) throw notFound()
  await requirePerson(ctx, visit, account, { session, password })
  const { secret, url } = makeSecret(await loadOtp(), account.user.email)
  const sealedSecret = sealSecret(ctx.vault, userId, secret)
  const { codes, hashes } = makeBackupCodes(ctx.ids)
  await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const row = { userId, sealedSecret, confirmedAt: null, lastStep: null, createdAt: tx.clock.now() }
    if (!(await saveUnconfirmed(tx, row))) throw conflict('Two-factor sign-in is enabled already; disable it first')
    await replaceBackupCodes(tx, userId, hashes)
    await recordAccount(tx, actor, userId, 'two_factor.prepare')
  })
  return { otpauthUrl: url, backupCodes: codes }
}

/** The first code proves that the app has the secret. The session counts as one that passed both factors from then on. */
export async function confirmTwoFactor(ctx: Context, person: Person, code: string): Promise<void> {
  const { userId, actor, session, visit } = person
  limitProof(ctx, visit, userId)
  const otp = await loadOtp()
  const token = ctx.ids.token(TOKEN_LENGTH)
  await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const row = await findTwoFactor(tx, userId)
    if (!row || row.confirmedAt !== null) throw conflict('No two-factor sign-in waits for its confirmation')
    const now = tx.clock.now()
    const step = stepOf(otp, openSecret(tx.vault, userId, row.sealedSecret), code, now)
    if (step === null || !(await confirm(tx, userId, now, step))) throw wrongCode()
    if (session) await raiseSession(tx, session.id, sha256Hex(token), now)
    await recordAccount(tx, actor, userId, 'two_factor.enable')
  })
  if (session) writeCookies(ctx, visit, { svc_session: { value: token, lifeMs: SESSION_LIFE_MS } })
}

export const disableTwoFactor = (ctx: Context, person: Person, code: string): Promise<void> =>
  withCode(ctx, person, code, async (tx) => {
    await deleteTwoFactor(tx, person.userId)
    await recordAccount(tx, person.actor, person.userId, 'two_factor.disable')
  })

/** New codes; the old ones stop to work. */
export async function renewBackupCodes(ctx: Context, person: Person, code: string): Promise<string[]> {
  const { codes, hashes } = makeBackupCodes(ctx.ids)
  await withCode(ctx, person, code, async (tx) => {
    await replaceBackupCodes(tx, person.userId, hashes)
    await recordAccount(tx, person.actor, person.userId, 'two_factor.renew_backup_codes')
  })
  return codes
}

async function withCode(
  ctx: Context,
  { userId, visit }: Person,
  code: string,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  limitProof(ctx, visit, userId)
  const otp = await loadOtp()
  await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const row = await findTwoFactor(tx, userId)
    if (!row || row.confirmedAt === null) throw conflict('Two-factor sign-in is not enabled')
    if (!(await useCode(tx, otp, userId, code))) throw wrongCode()
    await work(tx)
  })
}

const wrongCode = (): AppError => new AppError('UNAUTHORIZED', undefined, { message: 'The code is wrong' })

/** For somebody who has lost their app and their codes. False when two-factor sign-in is off. */
export const removeTwoFactor = (ctx: Context, actor: Actor, userId: string): Promise<boolean> =>
  ctx.write(async (tx) => {
    await lockUser(tx, userId)
    if (!(await deleteTwoFactor(tx, userId))) return false
    await recordAccount(tx, actor, userId, 'two_factor.disable')
    return true
  })
