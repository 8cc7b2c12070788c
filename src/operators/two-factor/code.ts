import type { Tx } from '../../base/context'
import { AppError, requireVault } from '../../base/errors'
import { outsideNow } from '../../base/lib/clock'
import type { Vault } from '../../base/lib/crypto'
import { sha256Hex } from '../../base/lib/hash'
import type { Ids } from '../../base/lib/ids'
import { findTwoFactor, useBackupCode, useStep } from './queries'

const STEP_SECONDS = 30
const CODES = 10
/** 20 hexadecimal characters are 80 bits. */
const CODE_LENGTH = 20

const FORM = { issuer: 'svc', algorithm: 'SHA1', digits: 6, period: STEP_SECONDS } as const

/** Time-based one-time passwords (RFC 6238). The library is loaded when the first one is needed. */
export const loadOtp = () => import('otpauth')

type Otp = Awaited<ReturnType<typeof loadOtp>>

/** A new secret in base32, and the address that an authenticator app reads from a picture. */
export function makeSecret({ Secret, TOTP }: Otp, email: string): { secret: string; url: string } {
  const secret = new Secret({ size: 20 })
  return { secret: secret.base32, url: new TOTP({ ...FORM, label: email, secret }).toString() }
}

/**
 * The step of 30 seconds to which a code belongs; null for a wrong code. The step before and the next are accepted. Tests
 * that move the clock of this server do not move that of an authenticator app.
 */
export function stepOf(tx: Tx, { Secret, TOTP }: Otp, secret: string, code: string): number | null {
  const now = outsideNow(tx)
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / 1000 / STEP_SECONDS) + delta
}

const contextOf = (userId: string): string => `${userId}:two-factor`

export const sealSecret = (vault: Vault | null, userId: string, secret: string): string =>
  requireVault({ vault }).seal(secret, contextOf(userId))

export function openSecret(vault: Vault | null, userId: string, sealed: string): string {
  const secret = vault?.open(sealed, contextOf(userId)) ?? null
  if (secret === null) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'credential_encryption' })
  return secret
}

/** Ten codes such as `3f9a0-…`, and the hashes that are stored of them. */
export function makeBackupCodes(ids: Ids): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, () => {
    const text = sha256Hex(ids.token(43)).slice(0, CODE_LENGTH)
    return (text.match(/.{5}/g) ?? []).join('-')
  })
  return { codes, hashes: codes.map(hashBackupCode) }
}

/** People write a code with other spaces, dashes or capitals. */
export const hashBackupCode = (code: string): string => sha256Hex(code.toLowerCase().replace(/[^0-9a-z]/g, ''))

export const isTotp = (code: string): boolean => /^\d{6}$/.test(code)

/**
 * Uses up a code of the authenticator app or a backup code of a user with two factors. A code works once: of several
 * uses at the same time one wins.
 */
export async function useCode(tx: Tx, otp: Otp, userId: string, code: string): Promise<boolean> {
  const row = await findTwoFactor(tx, userId)
  if (!row || row.confirmedAt === null) return false
  if (!isTotp(code)) return useBackupCode(tx, userId, hashBackupCode(code))
  const step = stepOf(tx, otp, openSecret(tx.vault, userId, row.sealedSecret), code)
  return step !== null && useStep(tx, userId, step)
}
