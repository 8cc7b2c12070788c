import type { Handle } from '../../base/db/handle'
import type { AppLinks } from '../../core/app-links/model'
import type { AppWays } from '../../core/funnel/render/view'
import { findAppLinks } from './app-links/queries'
import { qrCode } from './qr'
import { type ClaimWords, languageFor, wordsOf } from './words'

/** The stores of the apps, with the token of a paid session where the store hands it over; null = there is none. */
export function storesOf(links: AppLinks | null, token: string | null, words: ClaimWords): AppWays['stores'] {
  const android = links?.android?.storeUrl
  const referred = android && token !== null ? withReferrer(android, `svc_funnel_token=${token}`) : android
  const stores: [name: string, url: string | null | undefined][] = [
    ['App Store', links?.ios?.storeUrl],
    ['Google Play', referred],
  ]
  return stores.flatMap(([name, url]) => (url ? [{ label: words.getApp(name), url }] : []))
}

export function withReferrer(storeUrl: string, referrer: string): string {
  const url = new URL(storeUrl)
  url.searchParams.set('referrer', referrer)
  return url.href
}

/** The session that has paid gets its token, and the address that opens the app with it. */
export interface PaidWay {
  token: string
  universal_link_url: string | null
}

/**
 * What the blocks `store_buttons` and `qr` show. Before a payment the code leads to the store, where there is only one: one
 * code cannot lead to two.
 */
export async function appWays(
  handle: Handle,
  { projectId, locale, paid }: { projectId: string; locale: string; paid: PaidWay | null },
): Promise<AppWays> {
  const words = wordsOf(languageFor(locale))
  const stores = storesOf(await findAppLinks(handle, projectId), paid?.token ?? null, words)
  const [store, second] = stores
  const only = store && !second ? store : null
  const address = paid ? paid.universal_link_url : (only?.url ?? null)
  const label = paid ? words.openAppOnPhone : (only?.label ?? '')
  return { stores, code: address === null ? null : qrCode(address, label) }
}
