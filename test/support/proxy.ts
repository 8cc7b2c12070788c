import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy between a client and a server. It can pass data, refuse connections, or hang. */
export interface ProxyServer {
  port: number
  /** Stops listening and ends all open connections. */
  leave(): Promise<void>
  comeBack(): Promise<void>
  /** Passes later connections on to another port. */
  aimAt(port: number): void
  /** Keeps all connections open and passes no data, like a server that hangs. */
  freeze(): void
  thaw(): void
}

export async function startProxy(targetPort: number): Promise<ProxyServer> {
  const pairs = new Set<[Socket, Socket]>()
  let isFrozen = false
  let isAway = false
  let target = targetPort
  const join = (client: Socket): void => {
    if (isAway) return void client.destroy() // This client connected before the proxy stopped listening.
    const pair: [Socket, Socket] = [client, connect(target, '127.0.0.1')]
    pairs.add(pair)
    if (!isFrozen) pipe(...pair)
    for (const side of pair) side.on('close', () => pairs.delete(pair)).on('error', () => {})
  }
  let server = createServer(join)
  const port = await listen(server, 0)
  const all = (act: (socket: Socket) => void) => {
    for (const pair of pairs) pair.forEach(act)
  }
  return {
    port,
    async leave() {
      isAway = true
      server.close() // The callback of `close` waits for open connections, so it might never be called.
      all((socket) => socket.destroy())
      while (await isListening(port)) await Bun.sleep(5)
    },
    async comeBack() {
      isAway = false
      server = createServer(join)
      await listen(server, port)
    },
    aimAt(next) {
      target = next
    },
    freeze() {
      isFrozen = true
      all((socket) => socket.unpipe().pause())
    },
    thaw() {
      isFrozen = false
      for (const pair of pairs) pipe(...pair)
    },
  }
}

function pipe(client: Socket, server: Socket): void {
  client.pipe(server)
  server.pipe(client)
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}
