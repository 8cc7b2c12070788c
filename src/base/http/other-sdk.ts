import { AppError } from '../errors'

/** How the public keys of that vendor begin, for each store and platform. */
const KEY = /^Bearer +(appl|mac|goog|amzn|galx|rcb|strp|pdl|test)_/i
const OWN_KEY = /^Bearer +svc_/i

/**
 * The SDKs of another vendor finish a purchase for ever when their receipt is answered with any 4xx, so that nobody can book
 * it later. This server has no such path; a receipt that was sent to it by one of them is refused in a way that the SDK
 * repeats. It comes before limits and every other check, which would answer 4xx.
 */
export function refuseOtherReceipt({ method, headers }: Request, path: string): void {
  if (method !== 'POST' || path !== '/v1/receipts' || !isOtherSdk(headers)) return
  throw new AppError('STORE_UNAVAILABLE', undefined, {
    message:
      "This server does not take the receipts of another vendor's SDK; the purchase stays with the store, send it again",
  })
}

function isOtherSdk(headers: Headers): boolean {
  const given = headers.get('authorization') ?? ''
  // Old keys of that vendor have no prefix; every call of its SDKs has these two headers.
  const hasItsHeaders = headers.has('x-platform') && headers.has('x-version')
  return KEY.test(given) || (hasItsHeaders && !OWN_KEY.test(given))
}
