type Headers = Record<string, string>

/** The bytes of an HTTP/1.1 request; a body is sent as JSON. */
export function toRequest(method: 'GET' | 'POST', path: string, headers: Headers, body?: object): Uint8Array {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = { host: '127.0.0.1', ...headers, ...(body === undefined ? {} : jsonHeaders(text)) }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text}`)
}

const jsonHeaders = (text: string): Headers => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(text)),
})

export const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })

/** Returns the requests one after the other, and starts again after the last. */
export function inCircles(requests: readonly Uint8Array[]): () => Uint8Array | null {
  let index = 0
  return () => requests[index++ % requests.length] ?? null
}

/** Returns each request once. */
export function once(requests: readonly Uint8Array[]): () => Uint8Array | null {
  let index = 0
  return () => requests[index++] ?? null
}
