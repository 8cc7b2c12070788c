/** A request that a receiver got. */
export interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

/** A receiver of webhooks on a loopback port. */
export interface Receiver {
  url: string
  received: Received[]
  /** What it answers; 200 by default. */
  respond: (request: Received) => Response | Promise<Response>
  close(): Promise<void>
}

export function startReceiver(): Receiver {
  const receiver: Receiver = {
    url: '',
    received: [],
    respond: () => new Response('thank you'),
    close: () => server.stop(true),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60, // Seconds; some receivers of the tests answer late.
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const one = { path: pathname, headers: Object.fromEntries(request.headers), body: await request.text() }
      receiver.received.push(one)
      return receiver.respond(one)
    },
  })
  receiver.url = `http://127.0.0.1:${server.port}`
  return receiver
}
