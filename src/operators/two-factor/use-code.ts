import type { Tx } from '../../base/context'
import { hashBackupCode, isTotp, type loadOtp, openSecret, stepOf } from './code'
import { findTwoFactor, useBackupCode, useStep } from './queries'

type Otp = Awaited<ReturnType<typeof loadOtp>>

/**
 * Uses up a code of the authenticator app or a backup code of a user with two factors. A code works once: of several
 * uses at the same time one wins.
 */
export async function useCode(tx: Tx, otp: Otp, userId: string, code: string): Promise<boolean> {
  const row = await findTwoFactor(tx, userId)
  if (!row || row.confirmedAt === null) return false
  if (!isTotp(code)) return useBackupCode(tx, userId, hashBackupCode(code))
  const step = stepOf(otp, openSecret(tx.vault, userId, row.sealedSecret), code, tx.clock.now())
  return step !== null && useStep(tx, userId, step)
}
