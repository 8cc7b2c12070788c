import { noteAway } from '../shell/server-state'
import { failureOf, Unreachable } from './failure'
import { isSignedInAgain } from './session-end'

/** One event of a stream that ends, such as the answer of the assistant. */
export interface StreamedEvent {
  event: string
  data: Record<string, unknown>
}

interface Ask {
  method: 'GET' | 'POST'
  body?: object
  signal: AbortSignal
}

/** The events of one answer, as they come. None when the server answers that nothing is left to stream. */
export async function* streamedEvents(path: string, ask: Ask): AsyncGenerator<StreamedEvent> {
  const response = await open(path, ask)
  if (response.status === 204 || !response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let pending = ''; ; ) {
    const { value, done } = await reader.read().catch((cause: unknown) => {
      throw ask.signal.aborted ? cause : away(cause)
    })
    if (done) return
    const frames = (pending + value).split('\n\n')
    pending = frames.pop() ?? ''
    for (const frame of frames) if (!frame.startsWith(':')) yield eventOf(frame)
  }
}

async function open(path: string, ask: Ask): Promise<Response> {
  const first = await send(path, ask)
  const isAgain = first.status === 401 && (await isSignedInAgain(path))
  const response = isAgain ? await send(path, ask) : first
  if (response.ok) return response
  throw failureOf(response, await response.json().catch(() => null))
}

const send = (path: string, { method, body, signal }: Ask): Promise<Response> =>
  fetch(path, {
    method,
    signal,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : away(cause)
  })

function away(cause: unknown): Unreachable {
  noteAway()
  return new Unreachable('the server does not answer', { cause })
}

function eventOf(frame: string): StreamedEvent {
  const line = (name: string) =>
    frame
      .split('\n')
      .find((one) => one.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? ''
  return { event: line('event'), data: JSON.parse(line('data')) as Record<string, unknown> }
}
