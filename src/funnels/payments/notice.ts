import type { AppError } from '../../base/errors'
import type { CheckoutNotice } from '../../core/funnel/render/checkout-words'

/** The query parameter that names the notice of the page. */
export const NOTICE = 'payment'

const NOTICES: Readonly<Record<string, CheckoutNotice | null>> = {
  PAYMENT_ALREADY_RECORDED: null,
  PAYMENT_IN_FLIGHT: 'in_flight',
  PAYMENT_NOT_SETTLED_YET: 'waiting',
  PAYMENT_PROVIDER_REJECTED: 'rejected',
  PAYMENT_NOT_CONNECTED: 'unavailable',
  PAYMENT_TEMPORARILY_UNAVAILABLE: 'unavailable',
  PAYMENT_UNVERIFIABLE: 'rejected',
}

const FIELDS: Readonly<Record<string, CheckoutNotice>> = { email: 'email', promotion_code: 'promotion_code' }

/** The notice that a page shows for a refusal; null = none. Throws a refusal that is not about a payment. */
export function noticeOf(error: AppError): CheckoutNotice | null {
  const { refusal } = error
  const details: ReadonlyMap<string, unknown> = new Map(Object.entries(error.details ?? {}))
  if (refusal === 'CONFLICT') return details.get('reason') === 'price_changed' ? 'price_changed' : 'in_flight'
  if (refusal === 'VALIDATION_ERROR') return FIELDS[String(details.get('field'))] ?? 'package'
  const notice = NOTICES[refusal]
  if (notice === undefined) throw error
  return notice
}

/** The address of a page with the notice of a refusal. */
export function noticeAddress(page: string, error: AppError): string {
  const notice = noticeOf(error)
  return notice === null ? page : `${page}?${NOTICE}=${notice}`
}
