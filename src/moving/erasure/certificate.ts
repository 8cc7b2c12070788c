import { CompactSign } from 'jose'
import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { toSeconds } from '../../people/entitlements/lease-keys'
import type { ErasureRow } from './rows'

/** For how long the key of a certificate stays in the list of public keys. */
const VERIFIABLE_MS = 3652 * DAY

/**
 * A signed statement of what was erased (wire 5.17): the request, the project, the time, and by table how many rows were
 * deleted or lost what they said about the person. It does not say who that was.
 */
export async function signCertificate(ctx: Context, { id, projectId, counts, erasedAt }: ErasureRow): Promise<string> {
  const now = ctx.clock.now()
  const { kid, privateKey } = await ctx.state.leaseKeys.forLease(now + VERIFIABLE_MS)
  const claims = { jti: id, aud: projectId, iat: toSeconds(now), erasedAt: toIso(erasedAt), tables: counts }
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'svc-erasure+jwt', kid })
    .sign(privateKey)
}
