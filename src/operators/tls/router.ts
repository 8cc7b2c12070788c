import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { SECOND } from '../../base/lib/clock'
import { offeredProtocols } from './client-hello'

interface RouterParts {
  /** Null = all addresses. */
  host: string | null
  port: number
  /** What is shown to a client that offers the protocol of the challenge; PEM. */
  certificate: { cert: string; key: string }
  /** Where every other client is sent, on loopback; null = it is refused. */
  otherwise: number | null
  /** Called with the local port of a connection that is passed on, and the address of its client. */
  onForward?: (localPort: number, address: string) => () => void
}

const PATIENCE_MS = 5 * SECOND

/**
 * Listens on the port for https for the time of a tls-alpn-01 challenge: looks into the first message of each client, shows
 * the certificate of the challenge to the authority, and passes everybody else on unchanged. Returns how to end it; running
 * connections continue.
 */
export async function openRouter(parts: RouterParts): Promise<() => Promise<void>> {
  const proving = createTlsServer({ ...parts.certificate, ALPNProtocols: ['acme-tls/1'] }, (socket) => socket.end())
  proving.on('tlsClientError', () => {})
  await listening(proving, { host: '127.0.0.1', port: 0 })
  const provingPort = (proving.address() as AddressInfo).port
  const front = createServer((socket) => route(socket, parts, provingPort))
  try {
    await listenEverywhere(front, parts)
  } catch (error) {
    proving.close()
    throw error
  }
  return async () => {
    front.close()
    proving.close()
  }
}

async function listenEverywhere(server: Server, { host, port }: RouterParts): Promise<void> {
  if (host !== null) return listening(server, { host, port, reusePort: true })
  try {
    await listening(server, { host: '::', port, reusePort: true })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EADDRINUSE') throw error
    await listening(server, { host: '0.0.0.0', port, reusePort: true })
  }
}

function listening(server: Server, options: { host: string; port: number; reusePort?: boolean }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(options, () => {
    server.off('error', reject)
    server.on('error', () => {})
    resolve()
  })
  return promise
}

function route(client: Socket, { otherwise, onForward }: RouterParts, provingPort: number): void {
  let seen: Uint8Array = new Uint8Array()
  client.setTimeout(PATIENCE_MS, () => client.destroy())
  client.on('error', () => client.destroy())
  const read = (bytes: Uint8Array) => {
    seen = Buffer.concat([seen, bytes])
    const protocols = offeredProtocols(seen)
    if (protocols === null) return
    client.off('data', read)
    client.setTimeout(0)
    const target = protocols.includes('acme-tls/1') ? provingPort : otherwise
    if (target === null) client.destroy()
    else pass(client, target, seen, onForward)
  }
  client.on('data', read)
}

function pass(client: Socket, port: number, seen: Uint8Array, onForward: RouterParts['onForward']): void {
  client.pause()
  const { remoteAddress = '' } = client
  const inner = connect({ host: '127.0.0.1', port }, () => {
    const forget = onForward?.(inner.localPort ?? 0, remoteAddress)
    inner.write(seen)
    client.pipe(inner).pipe(client)
    client.resume()
    inner.on('close', () => {
      forget?.()
      client.destroy()
    })
  })
  inner.on('error', () => client.destroy())
  client.on('close', () => inner.destroy())
}
