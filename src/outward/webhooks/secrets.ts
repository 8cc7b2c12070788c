import type { Context } from '../../base/context'
import { requireVault } from '../../base/errors'
import { HOUR } from '../../base/lib/clock'
import { secureRandom } from '../../base/lib/ids'
import type { EndpointRow } from './queries'
import { last4Of, SECRET_BYTES, toSecret } from './sign'

/** How long the secret before a rotation still signs. */
export const OVERLAP_MS = 24 * HOUR

type WithVault = Pick<Context, 'vault'>

// Part of the encrypted envelope, so that a sealed value cannot be copied to another endpoint or column.
export const secretContext = (id: string): string => `webhook-secret:${id}`
export const authorizationContext = (id: string): string => `webhook-authorization:${id}`

/** The text of a new signing secret. It is shown once. */
export const newSecret = (): string => toSecret(secureRandom(SECRET_BYTES))

/** A signing secret of an endpoint, in the form in which it is stored. */
export const sealSecret = (
  ctx: WithVault,
  endpointId: string,
  secret: string,
): Pick<EndpointRow, 'sealedSecret' | 'secretLast4'> => ({
  sealedSecret: requireVault(ctx).seal(secret, secretContext(endpointId)),
  secretLast4: last4Of(secret),
})

export const sealAuthorization = (ctx: WithVault, endpointId: string, value: string): string =>
  requireVault(ctx).seal(value, authorizationContext(endpointId))

/** Null when there is none, or when this master key cannot open it. */
export const openAuthorization = ({ vault }: WithVault, { id, sealedAuthorization }: EndpointRow): string | null =>
  sealedAuthorization === null ? null : (vault?.open(sealedAuthorization, authorizationContext(id)) ?? null)

/**
 * The secrets that sign at present, the newest first. Null when one of them cannot be opened: then nothing can be sent,
 * because a receiver may know only that one.
 */
export function openSecrets({ vault }: WithVault, row: EndpointRow, now: number): string[] | null {
  const { id, sealedSecret, sealedPrevious, previousUntil } = row
  const isRotating = sealedPrevious !== null && previousUntil !== null && now < previousUntil
  const sealed = isRotating ? [sealedSecret, sealedPrevious] : [sealedSecret]
  const opened = sealed.map((each) => vault?.open(each, secretContext(id)) ?? null)
  return opened.every((secret) => secret !== null) ? opened : null
}
