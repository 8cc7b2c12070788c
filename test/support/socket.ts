import { connect, type Socket } from 'node:net'

/** What arrived on one connection. */
export interface Exchange {
  /** Status of the first complete answer; null when the other side closed without one. */
  status: number | null
  text: string
}

/** Sends raw bytes, and waits for one answer or until the other side closes. */
export const exchange = (url: string, bytes: string | Uint8Array): Promise<Exchange> =>
  converse(url, (socket) => socket.write(bytes))

/**
 * The same for requests that may be incomplete: closes the sending side, so that the server does not wait for the rest.
 */
export const exchangeAll = (url: string, bytes: string | Uint8Array): Promise<Exchange> =>
  converse(url, (socket) => socket.end(bytes))

function converse(url: string, send: (socket: Socket) => void): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const socket = open(url)
  const seen: Exchange = { status: null, text: '' }
  socket.on('data', (part) => {
    seen.text += part.toString('latin1')
    seen.status = statusOfWhole(seen.text)
    if (seen.status === null) return
    socket.destroy()
    resolve(seen)
  })
  socket.on('error', () => {}) // A reset also means that the other side has closed.
  socket.on('close', () => resolve(seen))
  send(socket)
  return promise
}

/** A connection that stays open after the bytes were sent. */
export async function holdOpen(url: string, bytes: string): Promise<Socket> {
  const socket = open(url)
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  return socket
}

const open = (url: string): Socket => {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

/** Status of the first answer when all of its bytes have arrived, else null. */
function statusOfWhole(text: string): number | null {
  const answer = firstOf(text)
  if (answer === null) return null
  return answer.isInterim ? statusOfWhole(text.slice(answer.end)) : answer.status
}

/** The first answer of a connection when all of its bytes have arrived. */
function firstOf(text: string): { status: number; isInterim: boolean; body: string; end: number } | null {
  const start = text.indexOf('\r\n\r\n') + 4
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  if (start < 4 || status === undefined) return null
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, start)) ?? []
  const end = start + Number(length)
  return text.length < end
    ? null
    : { status: Number(status), isInterim: status === '100', body: text.slice(start, end), end }
}

/** The JSON of the first answer's body, or null when it has none. */
export function jsonOf({ text }: Exchange): { error?: { code: string; message: string }; data?: unknown } | null {
  const body = Buffer.from(firstOf(text)?.body ?? '', 'latin1').toString()
  return body.startsWith('{') ? JSON.parse(body) : null
}
