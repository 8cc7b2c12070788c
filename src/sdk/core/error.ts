/** What an error of the client is about; each needs another reaction of an app. */
export type ErrorKind =
  | 'InvalidApiKey'
  | 'InvalidArgument'
  | 'SubscriberUnresolvable'
  | 'NetworkUnavailable'
  | 'Timeout'
  | 'RateLimited'
  | 'Forbidden'
  | 'ServerError'
  | 'Storage'
  | 'PurchaseCanceled'
  | 'ProductNotAvailable'
  | 'StoreProblem'
  | 'ReceiptInvalid'
  | 'FunnelTokenNotFound'
  | 'FunnelTokenExpired'
  | 'FunnelTokenAlreadyClaimed'

export interface ErrorFacts {
  /** The code of the server, for example `RECEIPT_IN_USE`. */
  code?: string | undefined
  /** The HTTP status. */
  status?: number
  /** Names the request in the log of the server. */
  requestId?: string | undefined
  /** How long the server asked to wait. */
  retryAfterMs?: number | undefined
  /** For reads: the last value that was read, `{value, isStale, fetchedAt}`. */
  cached?: unknown
}

/** Every error that the client throws. */
export class SvcError extends Error implements ErrorFacts {
  declare readonly kind: ErrorKind
  declare readonly code?: string | undefined
  declare readonly status?: number
  declare readonly requestId?: string | undefined
  declare readonly retryAfterMs?: number | undefined
  declare readonly cached?: unknown

  constructor(kind: ErrorKind, message: string, facts?: ErrorFacts) {
    super(message)
    Object.assign(this, facts, { name: 'SvcError', kind })
  }
}

export const invalid = (message: string): SvcError => new SvcError('InvalidArgument', message)

export const unreachable = (message: unknown): SvcError => new SvcError('NetworkUnavailable', `${message}`)

/** What is no answer of the server, as the page of a hotel's network, counts as no network. */
export const garbled = (): SvcError => unreachable('Not an answer of svc')

/** Whether nothing was heard from the server. */
export const isOffline = (error: unknown): boolean => !(error as SvcError).status && (error as SvcError).kind[0] !== 'I'

/** Whether the server refused the call, so that it would refuse it again. */
export const isRefused = (error: unknown): boolean => {
  const { status = 0 } = error as SvcError
  return status > 399 && status < 500 && status !== 429
}
