import { ModelFault } from './model'

/** The most that one step of a model may send. */
const MOST_BYTES = 8 * 1024 * 1024

/** The `data` of a stream of server-sent events, parsed. Ends at `[DONE]` or with the stream. */
export async function* streamedMessages({ body }: Response): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let pending = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) throw new ModelFault('broken', 'the answer is too long')
    pending += decoder.decode(chunk, { stream: true })
    const lines = pending.split(/\r\n|\n|\r(?!$)/)
    pending = lines.pop() ?? ''
    for (const line of lines) {
      const data = dataOf(line)
      if (data === '[DONE]') return
      if (data !== null) yield parsed(data)
    }
  }
}

const dataOf = (line: string): string | null => (line.startsWith('data:') ? line.slice(5).trim() : null)

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new ModelFault('broken', 'the model sent something that is no JSON')
  }
}
