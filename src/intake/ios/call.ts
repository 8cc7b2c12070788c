import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { iosApiClient } from '../../projects/connections/ios-api'
import type { IosSettings, ProjectState } from '../../projects/project/state'
import type { IosApiClient } from '../../stores/ios/api-client'
import type { ApiResult } from '../../stores/ios/api-client-answer'

export interface IosCaller {
  client: IosApiClient
  ios: IosSettings
}

/** The project's client; 400 `STORE_NOT_CONFIGURED` without an app, 400 `STORE_KEY_MISSING` without a usable key. */
export async function requireIosClient(ctx: Context, project: ProjectState): Promise<IosCaller> {
  const { ios } = project
  if (!ios) throw new AppError('STORE_NOT_CONFIGURED')
  const client = await iosApiClient(ctx, project)
  if (client) return { client, ios }
  const message = 'Save stores.ios.inAppPurchaseKey first: the store is asked with it'
  throw new AppError('STORE_KEY_MISSING', { key: 'inAppPurchase' }, { message })
}

/** The error for a failed call: 503 when the store did not answer, 502 when it refused, with a hint where known. */
export function storeFault(result: Extract<ApiResult<unknown>, { ok: false }>): AppError {
  if (result.kind === 'unavailable') {
    const { retryAfter } = result
    return new AppError('STORE_UNAVAILABLE', undefined, retryAfter === undefined ? {} : { retryAfter })
  }
  const { status, errorCode } = result
  const cause = new Error(`App Store Server API: ${status} ${errorCode ?? ''}`.trim())
  if (status !== 401) return new AppError('STORE_API_ERROR', undefined, { cause })
  const message = 'The store refused the in-app purchase key; save a valid stores.ios.inAppPurchaseKey'
  return new AppError('STORE_API_ERROR', undefined, { cause, message })
}
