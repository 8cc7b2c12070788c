/**
 * A header's text, trimmed. A blank header counts as absent. Bytes above 7f are decoded when they are valid UTF-8, and
 * before trimming, because the last byte of `à` alone would be trimmed as a blank.
 */
export function headerText(headers: Headers, name: string): string | null {
  const value = headers.get(name)
  if (value === null) return null
  return (/^[\x20-\x7e]*$/.test(value) ? value : decodeLatin1(value)).trim() || null
}

function decodeLatin1(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
