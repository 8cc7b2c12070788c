import type { AssistantConfig } from '../../../base/config-assistant'
import { isObject, type Json } from '../../../base/lib/json-schema'
import type { ToolSheet } from '../tools/toolbox'

/** Where a model is, and the key for it. */
export interface ModelAccess extends AssistantConfig {
  /** Whether the operator of the server has written the address, and not a person of a project. */
  isOfServer: boolean
}

/** A call of a tool as a model writes it. The arguments are its text, which need not be JSON. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
}

export interface ToolResult {
  id: string
  text: string
  isError: boolean
}

/** A part of the conversation with a model. */
export type Turn =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ToolCall[] }
  | { role: 'tools'; results: readonly ToolResult[] }

export interface ModelRequest {
  system: string
  turns: readonly Turn[]
  tools: readonly ToolSheet[]
  maxTokens: number
  /** The model has to call a tool. */
  mustCall?: boolean
  signal: AbortSignal
}

export interface Tokens {
  inputTokens: number
  outputTokens: number
}

/** What a model sends, as it comes. The figures are the last known ones of this call. */
export type ModelEvent =
  | { kind: 'text'; text: string }
  | { kind: 'tokens'; tokens: Partial<Tokens> }
  | { kind: 'end'; calls: readonly ToolCall[]; isCut: boolean }

/** Why a model gave no whole answer. */
export type ModelFaultReason = 'rejected' | 'unreachable' | 'no_model' | 'refused' | 'limited' | 'broken' | 'timeout'

export class ModelFault extends Error {
  constructor(
    readonly reason: ModelFaultReason,
    message: string,
  ) {
    super(message)
  }
}

/** How one kind of provider is spoken to. */
export interface Dialect {
  path: string
  headers(apiKey: string | null): Record<string, string>
  body(access: ModelAccess, request: ModelRequest): object
  /** Reads the messages of the stream; ends with an `end`, or throws a fault. */
  read(messages: AsyncIterable<unknown>): AsyncGenerator<ModelEvent>
}

/** A member of what a provider sends; empty for what is no object. */
export const membersAt = (value: unknown, name: string): Readonly<Json> => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

export const textAt = (value: unknown, name: string): string => {
  const found = isObject(value) ? value[name] : undefined
  return typeof found === 'string' ? found : ''
}

/** A count of tokens; undefined for everything else. */
export const countAt = (value: unknown, name: string): number | undefined => {
  const found = isObject(value) ? value[name] : undefined
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined
}
