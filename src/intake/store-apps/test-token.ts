import { AppError } from '../../base/errors'
import type { PurchaseEnvironment } from '../../stores/observation'

const NAMES: Readonly<Record<'production' | 'sandbox', PurchaseEnvironment>> = {
  production: 'PRODUCTION',
  sandbox: 'SANDBOX',
}

/** The token for callers. It names the environment, because the store's own token is known in one of them only. */
export const writeTestToken = (environment: keyof typeof NAMES, token: string): string => `${environment}_${token}`

/** 400 `STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN` for a text that `writeTestToken` did not write. */
export function readTestToken(text: string): { environment: PurchaseEnvironment; token: string } {
  const [, name, token] = /^(production|sandbox)_([\x21-\x7e]{1,500})$/.exec(text) ?? []
  if (token === undefined) throw new AppError('STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN')
  return { environment: NAMES[name === 'sandbox' ? 'sandbox' : 'production'], token }
}
