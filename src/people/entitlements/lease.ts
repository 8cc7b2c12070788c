import { CompactSign } from 'jose'
import type { Context } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { parseIso, toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import { visibleBalances } from '../currencies/service'
import type { AccessMap } from '../subscribers/access-map'
import type { SubscriberRow } from '../subscribers/service'
import { toSeconds } from './lease-keys'
import { currentAccess } from './service'

export interface LeaseOrder {
  project: ProjectState
  subscriber: SubscriberRow
  /** The key of the calling device. */
  deviceKey: string
  /** The project's limit caps it; null = the project's limit. */
  ttlSeconds: number | null
  /** The base URL under which verifiers find the public keys. */
  issuer: string
}

export interface Lease {
  lease: string
  expiresAt: string
  kid: string
}

/**
 * A signed statement of a subscriber's access, for devices without a network (wire 2.22). A verifier must check `exp` of
 * the lease and the separate `exp` of each access.
 */
export async function issueLease(ctx: Context, order: LeaseOrder): Promise<Lease> {
  const { project, ttlSeconds, issuer } = order
  const { leaseTtlSeconds } = project.settings
  const issuedAt = toSeconds(ctx.clock.now())
  const endsAt = issuedAt + Math.min(ttlSeconds ?? leaseTtlSeconds, leaseTtlSeconds)
  const { kid, privateKey } = await ctx.state.leaseKeys.forLease(endsAt * SECOND)
  const claims = { iss: issuer, aud: project.id, iat: issuedAt, nbf: issuedAt, exp: endsAt }
  // `SignJWT` would copy the claims and lose the digits of large balances.
  const payload = JSON.stringify({ ...claims, ...(await holdings(ctx, order)) })
  const lease = await new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'svc-lease+jwt', kid })
    .sign(privateKey)
  return { lease, expiresAt: toIso(endsAt * SECOND), kid }
}

async function holdings(ctx: Context, { project, subscriber, deviceKey }: LeaseOrder) {
  return {
    sub: subscriber.id,
    dk: deviceKey,
    uid: subscriber.erasedAt === null ? subscriber.appUserId : null,
    seq: subscriber.seq,
    access: toClaim(await currentAccess(ctx, project, subscriber)),
    balances: await visibleBalances(ctx, project, subscriber),
  }
}

const toClaim = (access: AccessMap) =>
  Object.fromEntries(
    Object.entries(access).map(([name, { expiresDate, productIdentifier, store }]) => {
      const endsAt = expiresDate === null ? null : parseIso(expiresDate)
      return [name, { exp: endsAt === null ? null : toSeconds(endsAt), product: productIdentifier, store }]
    }),
  )
