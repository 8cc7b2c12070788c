import { parseObject } from '../../../base/lib/json'
import {
  countAt,
  type Dialect,
  type ModelEvent,
  ModelFault,
  membersAt,
  type ToolCall,
  type Turn,
  textAt,
} from './model'

/** The Messages API, version 2023-06-01. */
export const ANTHROPIC: Dialect = {
  path: '/messages',
  headers: (apiKey) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey !== null && { 'x-api-key': apiKey }),
  }),
  body: ({ model }, { system, turns, tools, maxTokens, mustCall }) => ({
    ...{ model, max_tokens: maxTokens, system, stream: true },
    messages: turns.map(messageOf),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({ name, description, input_schema: input })),
      tool_choice: { type: mustCall ? 'any' : 'auto' },
    }),
  }),
  read,
}

function messageOf(turn: Turn): object {
  if (turn.role === 'user') return { role: 'user', content: turn.text }
  if (turn.role === 'tools') return { role: 'user', content: turn.results.map(resultBlock) }
  const text = turn.text === '' ? [] : [{ type: 'text', text: turn.text }]
  return { role: 'assistant', content: [...text, ...turn.calls.map(callBlock)] }
}

const resultBlock = ({ id, text, isError }: { id: string; text: string; isError: boolean }) => ({
  ...{ type: 'tool_result', tool_use_id: id, content: text },
  ...(isError && { is_error: true }),
})

/** The provider takes an object only; what a model wrote wrongly was answered with an error. */
const callBlock = ({ id, name, arguments: given }: ToolCall) => ({
  type: 'tool_use',
  id,
  name,
  input: parseObject(given) ?? {},
})

async function* read(messages: AsyncIterable<unknown>): AsyncGenerator<ModelEvent> {
  const calls = new Map<number, ToolCall>()
  for await (const message of messages) {
    const type = textAt(message, 'type')
    if (type === 'error') throw new ModelFault('broken', textAt(membersAt(message, 'error'), 'type') || 'error')
    if (type === 'message_stop') return
    yield* eventsOf(type, message, calls)
  }
  throw new ModelFault('broken', 'the stream ended in the middle')
}

function* eventsOf(type: string, message: unknown, calls: Map<number, ToolCall>): Generator<ModelEvent> {
  const index = countAt(message, 'index') ?? 0
  const delta = membersAt(message, 'delta')
  if (type === 'message_start') yield tokensOf(membersAt(membersAt(message, 'message'), 'usage'))
  if (type === 'content_block_start') startCall(calls, index, membersAt(message, 'content_block'))
  if (type === 'content_block_delta') {
    const text = textAt(delta, 'text')
    if (text !== '') yield { kind: 'text', text }
    const call = calls.get(index)
    if (call) call.arguments += textAt(delta, 'partial_json')
  }
  if (type !== 'message_delta') return
  yield tokensOf(membersAt(message, 'usage'))
  const reason = textAt(delta, 'stop_reason')
  if (reason !== '') yield { kind: 'end', calls: [...calls.values()], isCut: reason === 'max_tokens' }
}

function startCall(calls: Map<number, ToolCall>, index: number, block: unknown): void {
  if (textAt(block, 'type') === 'tool_use')
    calls.set(index, { id: textAt(block, 'id'), name: textAt(block, 'name'), arguments: '' })
}

/** What was read from a cache of the provider is input too. */
function tokensOf(usage: unknown): ModelEvent {
  const output = countAt(usage, 'output_tokens')
  const input = countAt(usage, 'input_tokens')
  const cached = (countAt(usage, 'cache_read_input_tokens') ?? 0) + (countAt(usage, 'cache_creation_input_tokens') ?? 0)
  return {
    kind: 'tokens',
    tokens: {
      ...(input !== undefined && { inputTokens: input + cached }),
      ...(output !== undefined && { outputTokens: output }),
    },
  }
}
