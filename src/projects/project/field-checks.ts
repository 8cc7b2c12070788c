export const MAX_TIMEZONE = 64
export const MAX_WEB_URL = 2048

/** Whether a text is an absolute http or https address, which people open in a browser. */
export function isWebUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}
