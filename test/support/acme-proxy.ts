import { writeFileSync } from 'node:fs'
import type { Pebble } from './pebble'
import { scratchFile } from './secure-server'
import { selfSigned } from './self-signed'

/** What a test makes of a call; undefined = it reaches the authority. */
export type Disturb = (path: string, method: string) => Response | Promise<Response> | undefined

/** A certificate authority that misbehaves, and that has renewal information. */
export interface AcmeProxy {
  env: Record<string, string>
  /** The calls so far, as `POST /order-plz`. */
  calls: string[]
  /** How many orders the authority has made. */
  orders: number
  /** Changes how it behaves from now on. */
  disturb: Disturb
  /** What renewal information says; null = the authority has none. */
  window: { start: Date; end: Date } | null
  stop(): Promise<void>
}

/** Stands before an authority, with the same addresses below its own host. */
export async function startAcmeProxy(pebble: Pebble): Promise<AcmeProxy> {
  const { cert, key } = await selfSigned('localhost')
  const ca = scratchFile('proxy.pem')
  writeFileSync(ca, cert)
  const proxy: AcmeProxy = {
    env: { ...pebble.env, SVC_ACME_CA: ca },
    calls: [],
    orders: 0,
    disturb: () => undefined,
    window: null,
    stop: () => server.stop(true),
  }
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0, tls: { cert, key }, development: false },
    async fetch(request) {
      const { pathname, host } = new URL(request.url)
      proxy.calls.push(`${request.method} ${pathname}`)
      const disturbed = await proxy.disturb(pathname, request.method)
      if (disturbed) return disturbed
      if (pathname.startsWith('/renewal/') && proxy.window)
        return Response.json({ suggestedWindow: proxy.window }, { headers: { 'retry-after': '21600' } })
      const answer = await pass(pebble, request, pathname, host)
      if (pathname === '/order-plz' && answer.status === 201) proxy.orders++
      if (pathname !== '/dir' || proxy.window === null) return answer
      const directory = (await answer.json()) as object
      return Response.json({ ...directory, renewalInfo: `https://${host}/renewal` })
    },
  })
  proxy.env.SVC_ACME_URL = `https://localhost:${server.port}/dir`
  return proxy
}

async function pass(pebble: Pebble, request: Request, path: string, host: string): Promise<Response> {
  const body = request.method === 'POST' ? await request.text() : undefined
  const answer = await fetch(new URL(path, pebble.directory), {
    method: request.method,
    headers: { host, 'content-type': request.headers.get('content-type') ?? '', 'user-agent': 'test' },
    ...(body !== undefined && { body }),
    tls: { rejectUnauthorized: false },
  })
  const headers = new Headers(answer.headers)
  headers.delete('content-encoding')
  headers.delete('content-length')
  return new Response(await answer.arrayBuffer(), { status: answer.status, headers })
}

/** A refusal in the form of RFC 8555. */
export const problem = (status: number, type: string, detail: string, headers: Record<string, string> = {}): Response =>
  Response.json({ type: `urn:ietf:params:acme:error:${type}`, detail }, { status, headers })
