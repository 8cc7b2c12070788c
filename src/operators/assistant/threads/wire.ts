import { Type } from '@sinclair/typebox'
import { toIso } from '../../../base/lib/time'
import { oneOf, orNull } from '../../../core/schema/object'
import { unmasked } from '../../../core/text/marks'
import type { MessageRow, ThreadRow } from './queries'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })

const threadMembers = {
  id: Type.String(),
  title: orNull(Type.String()),
  isAnswering: Type.Boolean({ description: 'Whether an answer is being written' }),
  createdAt: time,
  updatedAt: time,
}
export const ThreadSchema = Type.Object(threadMembers, { ...strict, title: 'AssistantThread' })

const Tool = Type.Object(
  {
    ...{ id: Type.String(), name: Type.String(), summary: Type.String(), rows: orNull(Type.Integer()) },
    read: orNull(
      Type.Object(
        { method: Type.String(), path: Type.String(), body: orNull(Type.Record(Type.String(), Type.Unknown())) },
        { ...strict, description: 'The call that reads the same again, with marks in its texts' },
      ),
    ),
  },
  { ...strict, title: 'AssistantToolUse' },
)
const Message = Type.Object(
  {
    id: Type.String(),
    role: oneOf(['USER', 'ASSISTANT']),
    content: Type.String(),
    status: oneOf(['RUNNING', 'DONE', 'STOPPED', 'FAILED', 'INTERRUPTED']),
    interrupted: Type.Boolean({ description: 'Whether the process that wrote it ended in the middle' }),
    tools: Type.Array(Tool),
    usage: Type.Object({ inputTokens: Type.Integer(), outputTokens: Type.Integer() }, strict),
    createdAt: time,
  },
  { ...strict, title: 'AssistantMessage' },
)
const Mark = Type.Object(
  { kind: Type.String(), text: Type.String(), subscriberId: orNull(Type.String()) },
  { ...strict, title: 'AssistantMark' },
)

export const ThreadDetails = Type.Object(
  {
    ...threadMembers,
    messages: Type.Array(Message),
    marks: Type.Record(Type.String(), Mark, {
      description: 'What stands in the texts of the thread for personal data',
    }),
  },
  { ...strict, title: 'AssistantThreadDetails' },
)

/** The title in the words of the author, who alone reads it. */
export const toThreadView = ({ id, title, marks, turnMessageId, createdAt, lastMessageAt }: ThreadRow) => ({
  ...{ id, title: title === null ? null : unmasked(title, marks), isAnswering: turnMessageId !== null },
  ...{ createdAt: toIso(createdAt), updatedAt: toIso(lastMessageAt) },
})

export const toThreadDetails = ({ thread, messages }: { thread: ThreadRow; messages: readonly MessageRow[] }) => ({
  ...toThreadView(thread),
  messages: messages.map(toMessageView),
  marks: thread.marks,
})

const toMessageView = ({ id, role, text, status, tools, inputTokens, outputTokens, createdAt }: MessageRow) => ({
  ...{ id, role, content: text, status, interrupted: status === 'INTERRUPTED' },
  tools: tools.map((tool) => ({ ...tool, read: tool.read ?? null })),
  ...{ usage: { inputTokens, outputTokens }, createdAt: toIso(createdAt) },
})

const Meter = Type.Object(
  { used: Type.Integer(), limit: orNull(Type.Integer()) },
  { ...strict, title: 'AssistantMeter' },
)

export const UsageSchema = Type.Object(
  {
    tier: orNull(Type.String()),
    messages: Meter,
    inputTokens: Meter,
    outputTokens: Meter,
    resetAt: time,
  },
  { ...strict, title: 'AssistantUsage' },
)
