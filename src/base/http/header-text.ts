/**
 * A header's text, trimmed; blank equals absent. Bytes above 7f are read as UTF-8 where they are, and before anything is
 * trimmed: the last one of `à` is a blank by itself.
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
