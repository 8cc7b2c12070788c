import { AppError, invalid } from '../../base/errors'

export const MAX_ORIGINS = 50

// No whitespace, wildcard, userinfo, path, query or fragment. Browsers read a backslash as the start of a path.
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

/** Normalises every entry and removes repetitions. */
export function normaliseOrigins(texts: readonly string[]): string[] {
  if (texts.length > MAX_ORIGINS) throw invalid(`allowedOrigins must have at most ${MAX_ORIGINS} entries`)
  return [...new Set(texts.map(normaliseOrigin))]
}
