const HANDSHAKE = 22
const CLIENT_HELLO = 1
const ALPN = 16
const MAX_BYTES = 16_384

/**
 * The application protocols that a TLS client offers in its first message (RFC 8446, 4.1.2 and RFC 7301, 3.1). Null while
 * the message is not complete; empty when it offers none or is no such message.
 */
export function offeredProtocols(bytes: Uint8Array): string[] | null {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return []
  if (bytes.length < 9) return null
  const length = number(bytes, 3, 2)
  if (bytes[5] !== CLIENT_HELLO || length > MAX_BYTES) return []
  if (bytes.length < 5 + length) return null
  return readAlpn(bytes.subarray(9, 5 + length))
}

/** The extension of a message without its headers. */
function readAlpn(hello: Uint8Array): string[] {
  let at = 34 // Version and random value.
  at += 1 + number(hello, at, 1) // Session.
  at += 2 + number(hello, at, 2) // Cipher suites.
  at += 1 + number(hello, at, 1) // Compression.
  const end = Math.min(hello.length, at + 2 + number(hello, at, 2))
  for (at += 2; at + 4 <= end; ) {
    const size = number(hello, at + 2, 2)
    if (number(hello, at, 2) === ALPN) return readNames(hello.subarray(at + 6, at + 4 + size))
    at += 4 + size
  }
  return []
}

function readNames(list: Uint8Array): string[] {
  const names: string[] = []
  for (let at = 0; at < list.length; ) {
    const size = number(list, at, 1)
    names.push(Buffer.from(list.subarray(at + 1, at + 1 + size)).toString('latin1'))
    at += 1 + size
  }
  return names
}

/** An unsigned big-endian number; bytes that are missing count as 0. */
const number = (bytes: Uint8Array, at: number, size: 1 | 2): number =>
  size === 1 ? (bytes[at] ?? 0) : (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
