import type { Stage } from './cast'
import { browserOf, type StaffRole } from './staff'

export interface Streamed {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of many shapes.
  data: any
}

export interface Opened {
  status: number
  headers: Headers
  /** The next event; null when the stream has ended. */
  next(): Promise<Streamed | null>
  /** All events until the end. */
  rest(): Promise<Streamed[]>
  leave(): Promise<void>
}

/** Calls a route that answers with server-sent events, as a member does in a browser. */
export async function openStream(
  s: Stage,
  role: StaffRole,
  [method, path]: readonly [method: string, path: string],
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Opened> {
  const { origin, cookie } = browserOf(s)
  const response = await s.app.handle(
    new Request(`http://localhost/dashboard/projects/${s.project.id}${path}`, {
      method,
      headers: { origin, cookie: `${cookie}=${role}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const reader = response.body?.getReader()
  const events = eventsOf(reader)
  return {
    status: response.status,
    headers: response.headers,
    next: async () => (await events.next()).value ?? null,
    rest: () => Array.fromAsync(events),
    leave: async () => reader?.cancel(),
  }
}

async function* eventsOf(
  reader: { read(): Promise<{ value?: Uint8Array | undefined }> } | undefined,
): AsyncGenerator<Streamed> {
  const decoder = new TextDecoder()
  for (let pending = ''; reader; ) {
    const { value } = await reader.read()
    if (!value) return
    const frames = (pending + decoder.decode(value, { stream: true })).split('\n\n')
    pending = frames.pop() ?? ''
    for (const frame of frames) if (!frame.startsWith(':')) yield parsed(frame)
  }
}

function parsed(frame: string): Streamed {
  const line = (name: string) =>
    frame
      .split('\n')
      .find((one) => one.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? ''
  return { id: Number(line('id')), event: line('event'), data: JSON.parse(line('data') || 'null') }
}
