export const MAX_TIMEZONE = 64
export const MAX_WEB_URL = 2048

/** Whether a text is a time zone that the runtime knows, such as `Europe/Istanbul`. */
export function isTimezone(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false // The runtime does not know the zone.
  }
}

/** Whether a text is an absolute http or https address, which people open in a browser. */
export function isWebUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}
