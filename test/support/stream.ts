import type { Stage } from './cast'

export interface Frame {
  event: string
  id?: string
  data: string
}

/** An open stream of a test. */
export interface HeldStream {
  response: Response
  /** The next frame as text, up to its empty line. */
  raw(): Promise<string>
  /** The next frame; null at the end. Rejects when the connection is cut. */
  next(): Promise<Frame | null>
  /** Waits for the next frame, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of many shapes.
  data(event: string): Promise<any>
  leave(): Promise<void>
}

interface Options {
  key?: string | null
  headers?: Record<string, string>
  method?: string
}

/** Requests the stream in this process; returns the answer, whatever it is. */
export const askStream = (
  s: Stage,
  query: string,
  { key = s.project.publicKey, headers = {}, method = 'GET' }: Options = {},
) =>
  s.app.handle(
    new Request(`http://localhost${query.startsWith('/') ? query : `/v1/config/stream?${query}`}`, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    }),
  )

/** Opens the stream of a device in this process. */
export async function openStream(s: Stage, query: string, options: Options = {}): Promise<HeldStream> {
  return holdStream(await askStream(s, query, options))
}

export function holdStream(response: Response): HeldStream {
  if (response.status !== 200 || !response.body) throw new Error(`the stream was refused: ${response.status}`)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const raw = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n') + 2
      if (end > 1) {
        const frame = text.slice(0, end)
        text = text.slice(end)
        return frame
      }
      const { value, done } = await reader.read()
      if (done) return text
      text += decoder.decode(value, { stream: true })
    }
  }
  const next = async () => {
    const frame = await raw()
    return frame === '' ? null : parse(frame)
  }
  return {
    response,
    raw,
    next,
    async data(event) {
      const frame = await next()
      if (frame?.event !== event) throw new Error(`${event} was awaited, not ${JSON.stringify(frame)}`)
      return JSON.parse(frame.data)
    },
    leave: () => reader.cancel(),
  }
}

function parse(raw: string): Frame {
  const fields = raw.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? [])
  const of = (name: string) => fields.find(([, field]) => field === name)?.[2]
  const id = of('id')
  return { event: of('event') ?? 'message', ...(id === undefined ? {} : { id }), data: of('data') ?? '' }
}
