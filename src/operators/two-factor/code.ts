import { AppError } from '../../base/errors'
import type { Vault } from '../../base/lib/crypto'
import { sha256Hex } from '../../base/lib/hash'
import type { Ids } from '../../base/lib/ids'

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

/** The step of 30 seconds to which a code belongs; null for a wrong code. The step before and the next are accepted. */
export function stepOf({ Secret, TOTP }: Otp, secret: string, code: string, now: number): number | null {
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / 1000 / STEP_SECONDS) + delta
}

const contextOf = (userId: string): string => `${userId}:two-factor`

export function sealSecret(vault: Vault | null, userId: string, secret: string): string {
  if (vault === null) throw notConfigured()
  return vault.seal(secret, contextOf(userId))
}

export function openSecret(vault: Vault | null, userId: string, sealed: string): string {
  const secret = vault?.open(sealed, contextOf(userId)) ?? null
  if (secret === null) throw notConfigured()
  return secret
}

const notConfigured = (): AppError => new AppError('FEATURE_NOT_CONFIGURED', { feature: 'credential_encryption' })

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
