import type { Context } from '../../base/context'
import type { HashedSignals } from './provider'
import type { TrackEvent } from './track-event'

/** The saved data of a delivery of a track event: everything that its attempts need. */
export interface TrackPayload {
  event: {
    id: string
    type: string
    occurredAt: number
    productId: string | null
    amountMicros: number | null
    currency: string | null
    url: string | null
  }
  signals: HashedSignals
  /** `ip` and `userAgent`, encrypted; absent when there is neither, for other providers than ads, and after the end. */
  sealed?: string
}

/** What an ads provider demands unhashed. */
export interface Network {
  ip: string | null
  userAgent: string | null
}

// The envelope belongs to the connection: it cannot be copied to a delivery of another one.
const contextOf = (integrationId: string): string => `integration-network:${integrationId}`

type WithVault = Pick<Context, 'vault'>

/** The payload of a delivery to one connection. Without a master key the unhashed signals are dropped. */
export function toPayload({ vault }: WithVault, integrationId: string, track: TrackEvent, isForAds: boolean): string {
  const { eventId: id, eventType: type, occurredAt, productId, currency, eventSourceUrl: url, ip, userAgent } = track
  const amountMicros = track.amountMicros === null ? null : Number(track.amountMicros)
  const payload: TrackPayload = {
    event: { id, type, occurredAt, productId, amountMicros, currency, url },
    signals: track.signals,
  }
  if (isForAds && vault && (ip !== null || userAgent !== null))
    payload.sealed = vault.seal(JSON.stringify({ ip, userAgent } satisfies Network), contextOf(integrationId))
  return JSON.stringify(payload)
}

export const readPayload = (text: string): TrackPayload => JSON.parse(text) as TrackPayload // `toPayload` wrote it.

export function openNetwork({ vault }: WithVault, integrationId: string, { sealed }: TrackPayload): Network {
  const text = sealed === undefined ? null : (vault?.open(sealed, contextOf(integrationId)) ?? null)
  return text === null ? { ip: null, userAgent: null } : (JSON.parse(text) as Network) // `toPayload` wrote it.
}

/** The payload without the encrypted part. */
export function withoutNetwork(text: string): string {
  const { sealed, ...rest } = readPayload(text)
  return JSON.stringify(rest)
}
