import type { PagePart } from '../hooks'

/** Where the forms of a page may go: to this server, under each of its names. */
const formTargets = (own: string): string => `'self' ${own}`

/**
 * The policy of a page (funnels 9). `parts` are those that others draw on it, such as a payment. `default-src` is none, so
 * a page with a video must allow it.
 */
export function policyOf(nonce: string, own: string, parts: readonly PagePart[], showsVideo = false): string {
  const more = (kind: 'script' | 'frame' | 'connect'): string =>
    parts
      .flatMap(({ policy }) => policy?.[kind] ?? [])
      .map((source) => ` ${source}`)
      .join('')
  return [
    "default-src 'none'",
    `script-src 'self'${more('script')}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ...(showsVideo ? ["media-src 'self'"] : []),
    `connect-src 'self'${more('connect')}`,
    `form-action ${formTargets(own)}`,
    `frame-src 'self'${more('frame')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

interface Told {
  policy: string
  status?: number
  headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
}

export const htmlAnswer = (html: string, { policy, status = 200, headers = {}, cookies = [] }: Told): Response =>
  new Response(html, {
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
      ['content-security-policy', policy],
      ['referrer-policy', 'same-origin'],
      ['x-content-type-options', 'nosniff'],
      ...Object.entries(headers),
      ...cookies.map((cookie): [string, string] => ['set-cookie', cookie]),
    ],
  })
