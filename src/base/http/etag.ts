import { canonicalJson, sha256Hex, type Written } from '../lib/hash'

/** Strong tag of the subscriber, the route and the payload (wire 1.6). It differs between subscribers. */
export const etagOf = (subscriberId: string | null, route: string, payload: unknown, written?: Written): string =>
  `"${sha256Hex(`${subscriberId ?? 'anonymous'}\0${route}\0${canonicalJson(payload, written)}`).slice(0, 32)}"`

/**
 * Whether `If-None-Match` (a list, or `*`) contains the tag. Weak tags are compared by their value, and so are the tags
 * that a proxy makes when it packs an answer.
 */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some((tag) => {
    const given = tag.trim()
    return given === '*' || given.replace(/^W\//, '') === etag || ownTagOf(given) === etag
  })
}

/**
 * The tag that this server wrote, of one that came through a proxy: nginx puts `W/` before it, Apache, Caddy and Jetty put
 * the name of the packing behind it: `"x-gzip"`, `"x--gzip"`, `"x;br"`, and old ones behind the quote, `"x"-gzip`.
 */
export const ownTagOf = (tag: string): string =>
  tag.replace(/^W\//, '').replace(PACKED_INSIDE, '"').replace(PACKED_BEHIND, '"')

const PACKED_INSIDE = /(-{1,2}|;)(gzip|br|zstd|deflate)"$/
const PACKED_BEHIND = /"-(gzip|br|zstd|deflate)$/

interface Answer {
  headers: Record<string, string | number>
}

/** Ends a GET whose caller already has the answer: 304, the same headers, no body. Thrown, as it has no payload. */
export class NotModified extends Error {}

/** Writes the headers of an answer that has a tag. */
export function writeTag(headers: Answer['headers'], etag: string): void {
  headers.etag = etag
  headers['cache-control'] = 'private, no-cache'
}

/**
 * Tags a GET answer with the strong tag of its payload. Throws `NotModified` when the caller already has this answer.
 * `written` avoids serialising large parts of the payload again that many answers share.
 */
export const tagged = <Payload>(
  request: Request,
  set: Answer,
  who: { subscriberId: string | null; route: string },
  payload: Payload,
  written?: Written,
): Payload => taggedAs(request, set, etagOf(who.subscriberId, who.route, payload, written), payload)

/** Like `tagged`, for a tag that is already known. */
export function taggedAs<Payload>(request: Request, set: Answer, etag: string, payload: Payload): Payload {
  writeTag(set.headers, etag)
  if (matchesEtag(request.headers.get('if-none-match'), etag)) throw new NotModified()
  return payload
}
