/** What a stand-in for a model does with one request. */
export type ModelStep =
  /** Says a text, in parts, and calls tools. */
  | { text?: string; calls?: readonly { name: string; arguments: unknown }[]; tokens?: [input: number, output: number] }
  /** Answers with a status. */
  | { status: number; body?: string }
  /** Sends these bytes as the stream and ends. */
  | { raw: string }
  /** Begins and sends nothing more until its caller leaves. */
  | { hangs: true; text?: string }

export interface Asked {
  path: string
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read what was asked in two dialects.
  body: any
}

/** A model in this process, in both dialects. What it was asked is kept to the byte. */
export interface ModelServer {
  url: string
  asked: Asked[]
  /** Every byte that was sent to it. */
  bytes: string[]
  /** What it does with the next requests, one after the other; the last one repeats. A function decides by the request. */
  script(...steps: (ModelStep | ((asked: Asked) => ModelStep))[]): void
  stop(): Promise<void>
}

/** Answers as a model that works: one token, or the tool that it must call. */
export const USABLE = ({ body }: Asked): ModelStep =>
  body.tools ? { calls: [{ name: nameOf(body.tools[0]), arguments: { ready: true } }] } : { text: 'ok' }

const nameOf = (tool: { name?: string; function?: { name: string } }): string => tool.name ?? tool.function?.name ?? ''

export function startModel(): ModelServer {
  const [asked, bytes]: [Asked[], string[]] = [[], []]
  let steps: (ModelStep | ((asked: Asked) => ModelStep))[] = [USABLE]
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const text = await request.text()
      bytes.push(text)
      const { pathname: path } = new URL(request.url)
      const one = { path, headers: request.headers, body: JSON.parse(text) }
      asked.push(one)
      const step = steps.length > 1 ? steps.shift() : steps[0]
      return answerOf(path, (typeof step === 'function' ? step(one) : step) ?? { status: 500 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    bytes,
    script: (...next) => {
      steps = next
    },
    stop: () => server.stop(true),
  }
}

function answerOf(path: string, step: ModelStep): Response {
  if ('status' in step) return new Response(step.body ?? '{"error":{"message":"no"}}', { status: step.status })
  if ('raw' in step) return streamOf([step.raw])
  const messages = path.endsWith('/messages') ? anthropic(step) : chatCompletions(step)
  if ('hangs' in step) return hanging(messages.slice(0, step.text === undefined ? 1 : 3))
  return streamOf(messages)
}

const EVENT = { headers: { 'content-type': 'text/event-stream' } }

const streamOf = (messages: readonly string[]): Response => new Response(messages.join(''), EVENT)

function hanging(messages: readonly string[]): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const message of messages) controller.enqueue(new TextEncoder().encode(message))
    },
  })
  return new Response(body, EVENT)
}

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`

interface Said {
  text?: string
  calls?: readonly { name: string; arguments: unknown }[]
  tokens?: [number, number]
}

const halves = (text: string): [string, string] => {
  const at = Math.ceil(text.length / 2)
  return [text.slice(0, at), text.slice(at)]
}

const writtenArguments = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given))

function anthropic({ text = '', calls = [], tokens: [input, output] = [10, 5] }: Said): string[] {
  const block = (index: number, content: object, deltas: object[]) => [
    event('content_block_start', { index, content_block: content }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
  return [
    event('message_start', { message: { usage: { input_tokens: input, output_tokens: 1 } } }),
    ...(text === ''
      ? []
      : block(
          0,
          { type: 'text', text: '' },
          halves(text).map((part) => ({ type: 'text_delta', text: part })),
        )),
    ...calls.flatMap(({ name, arguments: given }, n) =>
      block(
        n + 1,
        { type: 'tool_use', id: `toolu_${n}`, name, input: {} },
        halves(writtenArguments(given)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
      ),
    ),
    event('message_delta', {
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: output },
    }),
    event('message_stop', {}),
  ]
}

function chatCompletions({ text = '', calls = [], tokens: [input, output] = [10, 5] }: Said): string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    data({ choices: [{ index: 0, delta, finish_reason: finish }] })
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(text === '' ? [] : halves(text).map((part) => chunk({ content: part }))),
    ...calls.flatMap(({ name, arguments: given }, index) => {
      const [first, second] = halves(writtenArguments(given))
      return [
        chunk({ tool_calls: [{ index, id: `call_${index}`, function: { name, arguments: first } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: second } }] }),
      ]
    }),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    data({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } }),
    'data: [DONE]\n\n',
  ]
}
