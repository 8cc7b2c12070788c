import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { TEST_TOKEN_UNKNOWN } from '../../stores/ios/api-client'
import type { ApiResult } from '../../stores/ios/api-client-answer'
import type { ConnectKey } from '../../stores/ios/connect-token'
import { candidateClient, connectClient, connectFault, isRoleTooLow } from './ios-clients'

/** What the store reports about a key. The order of the names is the order in which refusals are answered. */
const VERDICTS = ['wrong_type', 'rejected', 'app_not_found', 'insufficient_role', 'fault', 'accepted'] as const

interface Verdict {
  kind: (typeof VERDICTS)[number]
  key: 'inAppPurchaseKey' | 'storeConnectKey'
  /** With `fault`: the store is away, or its answer cannot be used. */
  fault?: AppError
  /** With an accepted store-connect key: the id of the app. */
  appId?: string
}

export interface Candidates {
  bundleId: string
  inAppPurchaseKey: ConnectKey | null
  storeConnectKey: ConnectKey | null
}

/**
 * Tries keys at the store before they are saved. Throws the first refusal in the order of wire 7.4; returns the id of
 * the app when a store-connect key was tried.
 */
export async function probeIosKeys(ctx: Context, candidates: Candidates): Promise<string | null> {
  const { bundleId, inAppPurchaseKey, storeConnectKey } = candidates
  const verdicts = await Promise.all([
    ...(inAppPurchaseKey ? [probeInAppPurchaseKey(ctx, bundleId, inAppPurchaseKey)] : []),
    ...(storeConnectKey ? [probeStoreConnectKey(ctx, bundleId, storeConnectKey)] : []),
  ])
  const [first] = verdicts.toSorted((a, b) => VERDICTS.indexOf(a.kind) - VERDICTS.indexOf(b.kind))
  if (first) refuse(first)
  return verdicts.find(({ appId }) => appId !== undefined)?.appId ?? null
}

function refuse({ kind, key, fault }: Verdict): void {
  if (kind === 'accepted') return
  if (kind === 'fault') throw fault
  if (kind === 'wrong_type') {
    const expected = key === 'inAppPurchaseKey' ? 'inAppPurchase' : 'storeConnect'
    const message = `${key}: This is a key of the other kind; nothing was saved`
    throw new AppError('STORE_KEY_WRONG_TYPE', { expected, field: key }, { message })
  }
  if (kind === 'rejected') throw refusedKey(key, 'rejected_by_store', 'The store refused this key')
  if (kind === 'app_not_found')
    throw refusedKey('bundleId', 'app_not_found', 'The store finds no app of this bundle id')
  throw refusedKey(key, 'insufficient_role', 'The role of this key at the store is too low', 403)
}

/** 400 or 403 `STORE_CREDENTIALS_INVALID` of the iOS store. */
export const refusedKey = (field: string, reason: string, message: string, status: 400 | 403 = 400): AppError =>
  new AppError(
    'STORE_CREDENTIALS_INVALID',
    { store: 'ios', field, reason },
    { message: `${field}: ${message}`, status },
  )

async function probeInAppPurchaseKey(ctx: Context, bundleId: string, candidate: ConnectKey): Promise<Verdict> {
  const key = 'inAppPurchaseKey'
  const verdict = await askServerApi(ctx, bundleId, candidate)
  if (verdict.kind !== 'rejected') return { ...verdict, key }
  const other = await connectClient(ctx, candidate).findApp(bundleId)
  return { key, kind: other.ok || isRoleTooLow(other) ? 'wrong_type' : 'rejected' }
}

async function probeStoreConnectKey(ctx: Context, bundleId: string, candidate: ConnectKey): Promise<Verdict> {
  const key = 'storeConnectKey'
  const found = await connectClient(ctx, candidate).findApp(bundleId)
  if (found.ok) return found.value ? { key, kind: 'accepted', appId: found.value.id } : { key, kind: 'app_not_found' }
  if (isRoleTooLow(found)) return { key, kind: 'insufficient_role' }
  if (found.kind === 'unavailable' || found.status !== 401) return { key, kind: 'fault', fault: connectFault(found) }
  const other = await askServerApi(ctx, bundleId, candidate)
  return { key, kind: other.kind === 'accepted' ? 'wrong_type' : 'rejected' }
}

/** The store finds no app of the bundle id in the token. */
const APP_NOT_FOUND: readonly (number | null)[] = [4040003, 4040004]

type ApiVerdict = Pick<Verdict, 'kind' | 'fault'>

/**
 * Asks for a test notification that does not exist. An app that was never released is known in the sandbox only, so the
 * key is good when one of the two environments knows it.
 */
async function askServerApi(ctx: Context, bundleId: string, key: ConnectKey): Promise<ApiVerdict> {
  const client = candidateClient(ctx, bundleId, key)
  const production = read(await client.getTestNotificationStatus('PRODUCTION', PROBE_TOKEN))
  if (production.kind === 'accepted') return production
  const sandbox = read(await client.getTestNotificationStatus('SANDBOX', PROBE_TOKEN))
  if (sandbox.kind === 'accepted') return sandbox
  return production.kind === 'fault' ? production : sandbox.kind === 'fault' ? sandbox : production
}

const PROBE_TOKEN = 'svc-probe'

function read(result: ApiResult<unknown>): ApiVerdict {
  if (result.ok) return { kind: 'accepted' }
  if (result.kind === 'unavailable') return { kind: 'fault', fault: new AppError('STORE_UNAVAILABLE') }
  const { status, errorCode } = result
  if (TEST_TOKEN_UNKNOWN.includes(errorCode)) return { kind: 'accepted' }
  if (status === 401) return { kind: 'rejected' }
  if (APP_NOT_FOUND.includes(errorCode)) return { kind: 'app_not_found' }
  if (status === 403) return { kind: 'insufficient_role' }
  const cause = new Error(`App Store Server API: ${status} ${errorCode ?? ''}`.trim())
  return { kind: 'fault', fault: new AppError('STORE_API_ERROR', undefined, { cause }) }
}
