import type { Context } from '../../base/context'
import { countryCode } from '../../base/lib/countries'

/** The facts about a visitor that the request itself has. */
export interface Visitor {
  /** The language that the browser wants most. */
  language: string | null
  country: string | null
  device: 'mobile' | 'tablet' | 'desktop'
}

export const visitorOf = ({ config }: Pick<Context, 'config'>, { headers }: Request): Visitor => ({
  language: preferredLanguage(headers.get('accept-language')),
  // Only a proxy in front can tell where an address is; without one anybody could send the header.
  country: config.trustedProxies > 0 ? countryCode(headers.get('cf-ipcountry') ?? '') : null,
  device: deviceOf(headers.get('user-agent') ?? ''),
})

const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/

function preferredLanguage(header: string | null): string | null {
  const first = header?.split(/[,;]/)[0]?.trim() ?? ''
  return LANGUAGE.test(first) ? first : null
}

function deviceOf(agent: string): Visitor['device'] {
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(agent)) return 'tablet'
  return /Mobi|iPhone|iPod/i.test(agent) ? 'mobile' : 'desktop'
}

/** The host of the page that a visitor came from; null for an address that is none. */
export function referrerHost(referrer: string | null | undefined): string | null {
  if (!referrer || !URL.canParse(referrer)) return null
  const { hostname, protocol } = new URL(referrer)
  return /^https?:$/.test(protocol) && hostname !== '' ? hostname.slice(0, 253) : null
}
