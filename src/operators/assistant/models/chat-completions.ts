import { isObject } from '../../../base/lib/json-schema'
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

/** Chat Completions with tools, of OpenAI and of the servers that speak the same. */
export const CHAT_COMPLETIONS: Dialect = {
  path: '/chat/completions',
  headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  body: ({ model, provider }, { system, turns, tools, maxTokens, mustCall }) => ({
    ...{ model, stream: true, stream_options: { include_usage: true } },
    // Models of OpenAI that reason refuse the older name; other servers know only that one.
    [provider === 'openai' ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    messages: [{ role: 'system', content: system }, ...turns.flatMap(messagesOf)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({
        type: 'function',
        function: { name, description, parameters: input },
      })),
      tool_choice: mustCall ? 'required' : 'auto',
    }),
  }),
  read,
}

function messagesOf(turn: Turn): object[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }]
  if (turn.role === 'tools')
    return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
  const calls = turn.calls.map(({ id, name, arguments: given }) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: given },
  }))
  return [{ role: 'assistant', content: turn.text, ...(calls.length > 0 && { tool_calls: calls }) }]
}

async function* read(messages: AsyncIterable<unknown>): AsyncGenerator<ModelEvent> {
  const calls = new Map<number, ToolCall>()
  let reason = ''
  for await (const message of messages) {
    if (isObject(message) && 'error' in message) throw new ModelFault('broken', 'the provider reports an error')
    yield* tokensOf(membersAt(message, 'usage'))
    const choice = firstOf(isObject(message) ? message.choices : undefined)
    const delta = membersAt(choice, 'delta')
    const text = textAt(delta, 'content')
    if (text !== '') yield { kind: 'text', text }
    for (const part of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) addPart(calls, part)
    reason = textAt(choice, 'finish_reason') || reason
  }
  if (reason === '') throw new ModelFault('broken', 'the stream ended in the middle')
  yield { kind: 'end', calls: [...calls.values()], isCut: reason === 'length' }
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

/** The name and the arguments of a call come in parts. Some servers send no index with a single call. */
function addPart(calls: Map<number, ToolCall>, part: unknown): void {
  const index = countAt(part, 'index') ?? 0
  const call = calls.get(index) ?? { id: '', name: '', arguments: '' }
  const asked = membersAt(part, 'function')
  calls.set(index, {
    id: call.id || textAt(part, 'id') || `call_${index}`,
    name: call.name + textAt(asked, 'name'),
    arguments: call.arguments + textAt(asked, 'arguments'),
  })
}

function* tokensOf(usage: unknown): Generator<ModelEvent> {
  const inputTokens = countAt(usage, 'prompt_tokens')
  const outputTokens = countAt(usage, 'completion_tokens')
  if (inputTokens !== undefined && outputTokens !== undefined)
    yield { kind: 'tokens', tokens: { inputTokens, outputTokens } }
}
