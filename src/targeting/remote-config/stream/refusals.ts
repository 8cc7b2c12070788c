import { AppError } from '../../../base/errors'

/** After this time some streams have ended, or the balancer has found another process. */
const RETRY_SECONDS = 5

export const full = (message: string): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS }, { retryAfter: RETRY_SECONDS, message })

export const tooManyOfAddress = (): AppError => full('Too many streams of this address are open; close one first')
