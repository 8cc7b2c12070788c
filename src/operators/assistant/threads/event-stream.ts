import { SECOND } from '../../../base/lib/clock'
import type { RunningTurn, TurnEvent } from './running-turn'

const PING_MS = 15 * SECOND

/** The events of a turn as server-sent events, with a comment while nothing happens. */
export function eventStream(turn: RunningTurn, after: number): Response {
  const gone = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void write(turn, after, gone.signal, controller),
    cancel: () => gone.abort(),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-svc-message-id': turn.messageId,
    },
  })
}

async function write(
  turn: RunningTurn,
  after: number,
  signal: AbortSignal,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  const send = (text: string): void => {
    if (!signal.aborted) controller.enqueue(new TextEncoder().encode(text))
  }
  const pings = setInterval(() => send(': ping\n\n'), PING_MS)
  for await (const event of turn.follow(after, signal)) send(frame(event))
  clearInterval(pings)
  if (!signal.aborted) controller.close()
}

const frame = ({ id, event, data }: TurnEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
