import { SignJWT } from 'jose'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { outsideNow, SECOND } from '../../base/lib/clock'
import { findIdentitySecret } from './queries'
import { openSecrets } from './secret'
import { noSecret } from './service'
import { MAX_LIFE_MS } from './token'

const SEALED = 'The identity secret does not open with this master key; set SVC_MASTER_KEY to the one that encrypted it'

export interface TestToken {
  label: string
  /** Null = the token is valid for every device. */
  deviceKey: string | null
  /** 1 to 3600. */
  lifeSeconds: number
}

/**
 * A token like those that the customer's server signs, with the identity secret, for tests. 409 `CONFLICT` without a
 * secret; 503 `FEATURE_NOT_CONFIGURED` when the secret cannot be opened.
 */
export async function signTestToken(
  ctx: Context,
  projectId: string,
  { label, deviceKey, lifeSeconds }: TestToken,
): Promise<{ token: string; expiresAt: number }> {
  if (label.trim() === '' || label.length > 255) throw invalid('The label must have 1 to 255 characters, not all blank')
  if (!Number.isInteger(lifeSeconds) || lifeSeconds < 1 || lifeSeconds * SECOND > MAX_LIFE_MS)
    throw invalid(`A token is valid for 1 to ${MAX_LIFE_MS / SECOND} seconds`)
  const row = await findIdentitySecret(ctx, projectId)
  if (!row) throw noSecret()
  const { secrets } = openSecrets(ctx.vault, { ...row, previousSealed: null }, ctx.clock.now())
  const [secret] = secrets
  if (secret === undefined)
    throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'credential_encryption' }, { message: SEALED })
  const iat = Math.floor(outsideNow(ctx) / SECOND)
  const exp = iat + lifeSeconds
  const claims = { sub: label, aud: projectId, iat, exp, ...(deviceKey !== null && { dk: deviceKey }) }
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(Buffer.from(secret))
  return { token, expiresAt: exp * SECOND }
}
