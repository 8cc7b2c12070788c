/**
 * The body of a notification with what is packed inside of it: signed texts by their payload, and Google's message by
 * its data. Signatures are not checked here; the server has done it.
 */
export function decoded(body: string): unknown {
  try {
    return unpacked(JSON.parse(body), 0)
  } catch {
    return body // Not JSON.
  }
}

const MOST_DEPTH = 12

function unpacked(value: unknown, depth: number): unknown {
  if (depth > MOST_DEPTH) return value
  if (typeof value === 'string') return payloadOf(value, depth) ?? value
  if (Array.isArray(value)) return value.map((one) => unpacked(one, depth + 1))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpacked(one, depth + 1)]))
}

const SIGNED = /^[\w-]+\.([\w-]+)\.[\w-]+$/
const PACKED = /^eyJ[\w+/=-]+$/

function payloadOf(text: string, depth: number): unknown {
  const packed = SIGNED.exec(text)?.[1] ?? (PACKED.test(text) ? text : null)
  if (packed === null) return null
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    return unpacked(JSON.parse(new TextDecoder().decode(bytes)), depth + 1)
  } catch {
    return null // A text that only looks like one.
  }
}
