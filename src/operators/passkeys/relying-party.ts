import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { ownOrigin } from '../../base/http/own-origin'

/** For whom a passkey is made: it works on this host only. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * 503 `FEATURE_NOT_CONFIGURED` without a public address, unless the dashboard is used on the machine itself: the host
 * of a request is not enough, because passkeys of a host that changes are lost.
 */
export function relyingParty(ctx: Context, request: Request): RelyingParty {
  const origin = ownOrigin(ctx, request)
  const { hostname } = new URL(origin)
  if (ctx.config.publicBaseUrl === null && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'passkeys' })
  return { id: hostname, origin }
}
