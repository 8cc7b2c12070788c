import { AppError, invalid } from '../../base/errors'

export const MAX_ORIGINS = 50

// No whitespace, wildcard, userinfo, path, query or fragment; a backslash is a path to a browser.
const ORIGIN = /^https?:\/\/[^\s/\\?#@*]+$/i

/** `https://App.example.com:443` -> `https://app.example.com` (wire 1.10); null when it is not an origin. */
export function parseOrigin(text: string): string | null {
  const url = ORIGIN.test(text) && text.length <= 255 ? URL.parse(text) : null
  return url === null || url.hostname === '' || url.hostname.includes('*') ? null : url.origin
}

/** As `parseOrigin`, or 400 `ORIGIN_INVALID`. */
export function normaliseOrigin(text: string): string {
  const origin = parseOrigin(text)
  if (origin === null) throw new AppError('ORIGIN_INVALID', { origin: text })
  return origin
}

/** Every entry normalised, repetitions dropped. */
export function normaliseOrigins(texts: readonly string[]): string[] {
  if (texts.length > MAX_ORIGINS) throw invalid(`allowedOrigins must have at most ${MAX_ORIGINS} entries`)
  return [...new Set(texts.map(normaliseOrigin))]
}
