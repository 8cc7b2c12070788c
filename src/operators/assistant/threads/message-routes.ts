import { Type } from '@sinclair/typebox'
import type { Context } from '../../../base/context'
import { AppError, notFound } from '../../../base/errors'
import { countLimit } from '../../../base/http/count-limit'
import { factsOf } from '../../../base/http/request'
import { SECOND } from '../../../base/lib/clock'
import { OwnRequest } from '../../../base/lib/own-request'
import { operator } from '../../../projects/doors/operator'
import { requireAssistant } from '../switched-on'
import { callerOf, ownCaller } from '../tools/caller'
import { eventStream } from './event-stream'
import { findMessage } from './queries'
import type { RunningTurn } from './running-turn'
import { ask, MESSAGES_PER_MINUTE, readThread } from './service'

const strict = { additionalProperties: false } as const
const tags = ['Assistant']
const GUARD = { role: 'CUSTOMER_SUPPORT' } as const

const MessageBody = Type.Object(
  { content: Type.String({ minLength: 1, maxLength: 8000, pattern: '\\S' }) },
  { ...strict, title: 'AssistantMessageRequest' },
)
const STREAM = {
  200: {
    description: 'The open stream.',
    content: {
      'text/event-stream': { schema: { type: 'string', example: 'id: 2\nevent: delta\ndata: {"text":"In"}\n\n' } },
    },
  },
} as const

const EVENTS = `Server-sent events with ids from 1: \`start\` {messageId, marks}, \`delta\` {text}, \`tool\` {id, name, summary, rows, read, marks}
for each read, with the call that reads the same again, \`intent\` with each proposal, \`notice\` {code, message}, \`error\` {code, message} when it fails after the first event, and at the end
\`done\` {usage, messageId, marks}. Marks such as \`person_3\` in the texts stand for personal data that the model does not
see; \`marks\` says for what. The stream begins with the first event or after 15 s; until then a failure is 502, and 429
when the month of the plan is used up. In the middle of an answer, that \`error\` also has {tier, exceeded, resetAt}, and no \`done\` follows.`

/** Questions and their answers, which are streamed. */
export const messageRoutes = (ctx: Context) =>
  operator(ctx, { ...GUARD, idempotency: { unkept: 'RUN' } })
    .post(
      '/assistant/threads/:id/messages',
      async ({ project, user, params, body, request, set }) => {
        requireAssistant(project)
        const now = ctx.clock.now()
        const limit = await ctx.state.limits.hit('assistant', user.id, MESSAGES_PER_MINUTE, now)
        countLimit(ctx, factsOf(request), set.headers, limit)
        const author = { projectId: project.id, userId: user.id }
        // The answer is written also when its reader leaves.
        const signal = new AbortController().signal
        const caller = request instanceof OwnRequest ? ownCaller(ctx) : callerOf(ctx, request, signal)
        const turn = await ask(ctx, project, { author, threadId: params.id, content: body.content, caller })
        await begun(turn)
        return eventStream(turn, 0)
      },
      {
        body: MessageBody,
        detail: {
          tags,
          'x-errors': [
            'CONFLICT',
            'ASSISTANT_NOT_CONFIGURED',
            'ASSISTANT_QUOTA_EXCEEDED',
            'RATE_LIMITED',
            'STORE_API_ERROR',
          ],
          summary: 'Ask the assistant',
          description: EVENTS,
          operationId: 'askAssistant',
          responses: STREAM,
        },
      },
    )
    .get(
      '/assistant/threads/:id/messages/:messageId/stream',
      async ({ project, user, params, request }) => {
        requireAssistant(project)
        await readThread(ctx, { projectId: project.id, userId: user.id }, params.id)
        if (!(await findMessage(ctx, params.id, params.messageId))) throw notFound('message', params.messageId)
        const turn = ctx.state.assistantTurns.find(params.messageId)
        return turn ? eventStream(turn, lastSeen(request)) : new Response(null, { status: 204 })
      },
      {
        detail: {
          tags,
          summary: 'Go on reading an answer',
          description: 'The events after `Last-Event-ID`, or all. 204 when the answer is finished: the thread has it.',
          operationId: 'resumeAssistantAnswer',
          responses: { ...STREAM, 204: { description: 'The answer is finished.' } },
        },
      },
    )

const BEGIN_MS = 15 * SECOND

/** Waits for the first event, or 15 s. 502 when the answer has failed by then, 429 when the month is used up. */
async function begun(turn: RunningTurn): Promise<void> {
  const first = turn.follow(0, AbortSignal.timeout(BEGIN_MS))
  const { value } = await first.next()
  if (value?.event !== 'error') return
  if (turn.refusal) throw turn.refusal
  const message = 'message' in value.data ? String(value.data.message) : ''
  throw new AppError('STORE_API_ERROR', undefined, { message })
}

function lastSeen({ headers }: Request): number {
  const given = headers.get('last-event-id') ?? ''
  return /^\d{1,6}$/.test(given) ? Number(given) : 0
}
