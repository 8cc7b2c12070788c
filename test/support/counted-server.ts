/** A server in front of a libSQL server that passes every request on and counts them. */
export interface CountedServer {
  url: string
  /** The number of requests that `work` makes. */
  during(work: () => Promise<unknown>): Promise<number>
  stop(): Promise<void>
}

export function countRequests(target: string): CountedServer {
  let count = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      count++
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'GET' ? null : await request.arrayBuffer()
      return fetch(`${target}${pathname}${search}`, { method, headers, body, decompress: false })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    async during(work) {
      const before = count
      await work()
      return count - before
    },
    stop: () => server.stop(true),
  }
}
