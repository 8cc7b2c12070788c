import { AppError, invalid } from '../errors'

export const MAX_ORIGINS = 50

// No whitespace, wildcard, userinfo, path, query or fragment; a backslash is a path to a browser.
const ORIGIN = /^https?:\/\/[^\s/\\?#@*]+$/i

/** `https://App.example.com:443` -> `https://app.example.com` (wire 1.10), or 400 `ORIGIN_INVALID`. */
export function normaliseOrigin(text: string): string {
  const url = ORIGIN.test(text) && text.length <= 255 ? URL.parse(text) : null
  if (url === null || url.hostname === '') throw new AppError('ORIGIN_INVALID', { origin: text })
  return url.origin
}

/** Every entry normalised, repetitions dropped. */
export function normaliseOrigins(texts: readonly string[]): string[] {
  if (texts.length > MAX_ORIGINS) throw invalid(`allowedOrigins must have at most ${MAX_ORIGINS} entries`)
  return [...new Set(texts.map(normaliseOrigin))]
}
