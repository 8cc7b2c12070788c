import { Type } from '@sinclair/typebox'
import type { Context } from '../../../base/context'
import { idList, idPage } from '../../../base/http/id-list'
import { listAnswer, listQuery } from '../../../base/http/list'
import { dataAnswer } from '../../../base/http/object-answer'
import { oneOf } from '../../../core/schema/object'
import { type Operator, operator } from '../../../projects/doors/operator'
import { requireAssistant } from '../switched-on'
import { executeIntent, listIntents, readIntent, rejectIntent, reviseIntent } from './service'
import { IntentSchema, STATUSES, toIntentView } from './wire'

const strict = { additionalProperties: false } as const
const tags = ['Assistant']

const InboxQuery = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(oneOf(STATUSES)),
    threadId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only those that were prepared in this thread' }),
    ),
  },
  strict,
)
const ExecuteBody = Type.Object(
  { digest: Type.String({ maxLength: 128, description: 'That of the proposal that the person has seen' }) },
  { ...strict, title: 'AssistantIntentExecuteRequest' },
)
const ReviseBody = Type.Object(
  { arguments: Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), { maxProperties: 200 }) },
  { ...strict, title: 'AssistantIntentReviseRequest' },
)
const NoBody = Type.Object({}, strict)

/** Proposals: their inbox, and what people decide about them. */
export const intentRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/assistant/intents',
      async ({ project, query }) => {
        requireAssistant(project)
        const { status, threadId } = query
        const scope = ['assistant-intents', project.id, status, threadId]
        const { items, hasMore } = await listIntents(ctx, project.id, idPage(query, scope), { status, threadId })
        const now = ctx.clock.now()
        return { data: idList({ items: items.map((row) => toIntentView(row, now)), hasMore }, scope) }
      },
      {
        query: InboxQuery,
        response: listAnswer(IntentSchema),
        detail: {
          tags,
          summary: 'Proposals, newest first',
          description:
            'Of the whole project; with threadId those of one thread, whatever their age. An unknown thread has none.',
          operationId: 'listAssistantIntents',
        },
      },
    )
    .get(
      '/assistant/intents/:id',
      async ({ project, params }) => {
        requireAssistant(project)
        return answer(ctx, await readIntent(ctx, project.id, params.id))
      },
      {
        response: dataAnswer(IntentSchema),
        detail: { tags, summary: 'One proposal with its effect', operationId: 'getAssistantIntent' },
      },
    )
    .post(
      '/assistant/intents/:id/execute',
      async ({ body, ...caller }) => {
        const decision = decisionOf(caller, caller.params.id)
        return answer(ctx, await executeIntent(ctx, decision, body.digest))
      },
      {
        body: ExecuteBody,
        response: dataAnswer(IntentSchema),
        detail: {
          tags,
          'x-errors': ['COPILOT_INTENT_SETTLED', 'CONFLICT', 'FORBIDDEN', 'CAPABILITY_REQUIRED', 'ROLE_REQUIRED'],
          summary: 'Approve a proposal',
          description:
            'Makes the change as the caller, who needs the capability of the proposal and a session. High risk needs a sign-in of the last 12 hours. When an object of its base has changed meanwhile, nothing is changed and the proposal has failed.',
          operationId: 'executeAssistantIntent',
        },
      },
    )
    .post(
      '/assistant/intents/:id/reject',
      async (caller) => answer(ctx, await rejectIntent(ctx, decisionOf(caller, caller.params.id))),
      {
        body: NoBody,
        response: dataAnswer(IntentSchema),
        detail: {
          tags,
          'x-errors': ['COPILOT_INTENT_SETTLED'],
          summary: 'Reject a proposal',
          operationId: 'rejectAssistantIntent',
        },
      },
    )
    .post(
      '/assistant/intents/:id/revise',
      async ({ body, set, ...caller }) => {
        set.status = 201
        const decision = decisionOf(caller, caller.params.id)
        return answer(ctx, await reviseIntent(ctx, decision, body.arguments))
      },
      {
        body: ReviseBody,
        response: { 201: dataAnswer(IntentSchema) },
        detail: {
          tags,
          'x-errors': ['COPILOT_INTENT_SETTLED', 'FORBIDDEN', 'CONFLICT'],
          summary: 'Change the arguments of a proposal',
          description: 'Makes a new proposal of them; the old one is rejected and names it. Needs a session.',
          operationId: 'reviseAssistantIntent',
        },
      },
    )

function decisionOf({ project, user, session, role, actor }: Operator, id: string) {
  requireAssistant(project)
  return { projectId: project.id, id, member: { user, session, role, actor } }
}

const answer = (ctx: Context, row: Parameters<typeof toIntentView>[0]) => ({ data: toIntentView(row, ctx.clock.now()) })
