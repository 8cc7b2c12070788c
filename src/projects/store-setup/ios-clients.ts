import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { outsideClock } from '../../base/lib/clock'
import { IosApiClient } from '../../stores/ios/api-client'
import { ConnectClient, type ConnectFailure } from '../../stores/ios/connect-client'
import type { ConnectKey } from '../../stores/ios/connect-token'
import type { SavedSettings } from '../connections/credentials'

export const connectClient = (ctx: Context, key: ConnectKey): ConnectClient =>
  new ConnectClient({
    key,
    clock: outsideClock(ctx),
    circuit: ctx.state.storeSetup.connectCircuit,
    apiUrl: ctx.config.storeUrls.iosConnect,
  })

/** A client for keys that are not saved. */
export const candidateClient = (ctx: Context, bundleId: string, key: ConnectKey): IosApiClient =>
  new IosApiClient({
    credentials: { bundleId, ...key },
    clock: outsideClock(ctx),
    circuits: ctx.state.storeSetup.iosCircuits,
    apiUrl: ctx.config.storeUrls.ios,
  })

/** A saved key with its private key; null without one, or when the master key does not open it. */
export function savedKey(saved: SavedSettings | null, name: 'inAppPurchaseKey' | 'storeConnectKey'): ConnectKey | null {
  const key = saved?.config[name] as { keyId?: unknown; issuerId?: unknown } | null | undefined // The form in which it is saved.
  const privateKey = saved?.secrets?.[`${name}.privateKey`]
  if (typeof key?.keyId !== 'string' || typeof key.issuerId !== 'string' || privateKey === undefined) return null
  return { keyId: key.keyId, issuerId: key.issuerId, privateKey }
}

/** 503 when App Store Connect did not answer, 502 when it refused for a reason that no other code names. */
export function connectFault(failure: ConnectFailure): AppError {
  if (failure.kind === 'unavailable') {
    const { retryAfter } = failure
    return new AppError('STORE_UNAVAILABLE', undefined, retryAfter === undefined ? {} : { retryAfter })
  }
  const { status, code, detail } = failure
  const cause = new Error(`App Store Connect: ${status} ${code ?? ''} ${detail ?? ''}`.trim())
  if (status === 401) return new AppError('STORE_API_ERROR', undefined, { cause, message: REFUSED_KEY })
  if (!isAgreementMissing(failure)) return new AppError('STORE_API_ERROR', undefined, { cause })
  return new AppError('STORE_API_ERROR', undefined, { cause, message: AGREEMENT })
}

const REFUSED_KEY = 'The store refused the store-connect key; save a valid one'
const AGREEMENT = 'App Store Connect waits for an agreement: its account holder must accept it there first'

const isAgreementMissing = ({ code }: { code: string | null }): boolean =>
  code?.startsWith('FORBIDDEN.REQUIRED_AGREEMENTS') ?? false

/** Whether the role of the key is too low for a call. */
export const isRoleTooLow = (failure: ConnectFailure): boolean =>
  failure.kind === 'rejected' && failure.status === 403 && !isAgreementMissing(failure)
