import type { Socket } from 'node:net'
import { EventSource } from 'eventsource'
import type { Deployment } from './deployment'
import { runSvc } from './deployment'
import { holdOpen } from './socket'

/** A standard event source with the events that it has received. */
export interface OpenSource {
  source: EventSource
  events: { type: string; data: string }[]
  /** Waits for an event of this type that fits, which may have arrived before; returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of many shapes.
  until(type: string, fits: (data: any) => boolean): Promise<any>
}

/** Opens the stream of a deployment with the package `eventsource`. */
export function openEventSource({ server, project }: Deployment, device: string, key = project.publicKey): OpenSource {
  const source = new EventSource(`${server.url}/v1/config/stream?subscriberId=${device}`, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
  })
  const events: OpenSource['events'] = []
  const waiting = new Set<() => void>()
  for (const type of ['initial', 'invalidate', 'ping', 'error'])
    source.addEventListener(type, (event) => {
      events.push({ type, data: String((event as MessageEvent).data ?? '') })
      for (const look of waiting) look()
    })
  return {
    source,
    events,
    until(type, fits) {
      const { promise, resolve } = Promise.withResolvers()
      const look = () => {
        const found = events.find(
          (event) => event.type === type && fits(event.data === '' ? '' : JSON.parse(event.data)),
        )
        if (found) resolve(found.data === '' ? '' : JSON.parse(found.data))
      }
      waiting.add(look)
      look()
      return promise.finally(() => waiting.delete(look))
    },
  }
}

export const requestStream = (key: string, device: string): string =>
  `GET /v1/config/stream?subscriberId=${device} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`

/** A connection that has requested the stream and read its beginning, and never reads again. */
export async function holdUnread({ server, project }: Deployment, device: string): Promise<Socket> {
  const socket = await holdOpen(server.url, requestStream(project.publicKey, device))
  await new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.pause()
  return socket
}

/** Writes flags of PROD from another process: `svc apply`. */
export async function applyFlags(
  path: string,
  values: Record<string, unknown>,
  env: Record<string, string> = {},
): Promise<void> {
  const flags = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      {
        type: typeof value === 'string' ? 'STRING' : 'NUMBER',
        environments: { PROD: { enabled: true, default: value } },
      },
    ]),
  )
  const file = `${path}/flags-${Bun.hash(JSON.stringify(values))}.yaml`
  await Bun.write(file, JSON.stringify({ version: 1, flags }))
  const args = ['apply', '-f', file, '--project', 'project-1', '--yes', '--data', path]
  const { code, err, out } = await runSvc(args, env)
  if (code !== 0) throw new Error(`svc apply ended with ${code}: ${err}${out}`)
}
