import type { Context, Tx } from '../../base/context'
import type { Actor } from '../../projects/audit/audit'
import { conflict } from '../../projects/project/edit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { limitProof } from '../sign-in/limits'
import { loadOtp, makeBackupCodes, useCode } from './code'
import { type Person, wrongCode } from './person'
import { deleteTwoFactor, findTwoFactor, replaceBackupCodes } from './queries'

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
  await limitProof(ctx, visit, userId)
  const otp = await loadOtp()
  await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const row = await findTwoFactor(tx, userId)
    if (!row || row.confirmedAt === null) throw conflict('Two-factor sign-in is not enabled')
    if (!(await useCode(tx, otp, userId, code))) throw wrongCode()
    await work(tx)
  })
}

/** For a person who has lost their app and their codes. False when two-factor sign-in is off. */
export const removeTwoFactor = (ctx: Context, actor: Actor, userId: string): Promise<boolean> =>
  ctx.write(async (tx) => {
    await lockUser(tx, userId)
    if (!(await deleteTwoFactor(tx, userId))) return false
    await recordAccount(tx, actor, userId, 'two_factor.disable')
    return true
  })
