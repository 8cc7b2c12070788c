import type { StreamedEvent } from '../../api/answer-stream'
import { ApiFailure } from '../../api/failure'
import type { Schemas } from '../../api/schemas'
import type { Intent } from '../../lib/intent'
import type { Marks } from '../../lib/marks'

export type ToolUse = Schemas['AssistantToolUse']

/** An answer while it is written, or one that failed. */
export interface LiveAnswer {
  /** The question in the words of the person; null for one that the thread has already. */
  question: string | null
  messageId: string | null
  text: string
  tools: readonly ToolUse[]
  /** Changes that it prepared. */
  intents: readonly Intent[]
  /** Notices of the server about the answer. */
  notices: readonly string[]
  marks: Marks
  error: Error | null
  isDone: boolean
}

export const newAnswer = (question: string | null, messageId: string | null = null): LiveAnswer => ({
  ...{ question, messageId, text: '', tools: [], intents: [], notices: [], marks: {} },
  ...{ error: null, isDone: false },
})

/** The answer after one more event. What is not known is left out. */
export function withEvent(answer: LiveAnswer, { event, data }: StreamedEvent): LiveAnswer {
  const marks = { ...answer.marks, ...(data.marks as Marks | undefined) }
  if (event === 'start') return { ...answer, marks, messageId: String(data.messageId) }
  if (event === 'delta') return { ...answer, text: answer.text + String(data.text) }
  if (event === 'tool') {
    const { marks: _marks, ...tool } = data
    return { ...answer, marks, tools: [...answer.tools, tool as unknown as ToolUse] }
  }
  if (event === 'intent') return { ...answer, intents: [...answer.intents, intentOf(data)] }
  if (event === 'notice') return { ...answer, notices: [...answer.notices, String(data.message)] }
  if (event === 'error') return { ...answer, error: errorOf(data), isDone: true }
  return event === 'done' ? { ...answer, marks, isDone: true } : answer
}

/** The event is the intent, or has it as a member. */
const intentOf = (data: Record<string, unknown>): Intent => (data.intent ?? data) as Intent

/** The failure in an `error` event, in the form of failed calls. */
function errorOf({ code, message, ...details }: Record<string, unknown>): ApiFailure {
  return new ApiFailure(200, String(code), String(message), details, null, null)
}
