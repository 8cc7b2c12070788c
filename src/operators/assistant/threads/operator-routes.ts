import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../base/context'
import { idList, idPage } from '../../../base/http/id-list'
import { listAnswer, listQuery } from '../../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../../base/http/object-answer'
import { operator } from '../../../projects/doors/operator'
import { readUsage } from '../quota/service'
import { requireAssistant } from '../switched-on'
import { messageRoutes } from './message-routes'
import { createThread, deleteThread, listThreads, readThread, stopTurn } from './service'
import { ThreadDetails, ThreadSchema, toThreadDetails, toThreadView, UsageSchema } from './wire'

const strict = { additionalProperties: false } as const
const tags = ['Assistant']
const GUARD = { role: 'CUSTOMER_SUPPORT' } as const

const ThreadBody = Type.Object(
  { title: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })) },
  { ...strict, title: 'AssistantThreadRequest' },
)
const NoBody = Type.Object({}, strict)

/** Conversations with the assistant, each read by its author alone (wire 7.12). */
export const threadRoutes = (ctx: Context) =>
  new Elysia().use(listRoutes(ctx)).use(oneRoutes(ctx)).use(messageRoutes(ctx)).use(usageRoute(ctx))

const listRoutes = (ctx: Context) =>
  operator(ctx, GUARD)
    .get(
      '/assistant/threads',
      async ({ project, user, query }) => {
        requireAssistant(project)
        const scope = ['assistant-threads', project.id, user.id]
        const page = await listThreads(ctx, { projectId: project.id, userId: user.id }, idPage(query, scope))
        return { data: idList({ ...page, items: page.items.map(toThreadView) }, scope) }
      },
      {
        query: Type.Object(listQuery, strict),
        response: listAnswer(ThreadSchema),
        detail: { tags, summary: 'Your threads with the assistant, newest first', operationId: 'listAssistantThreads' },
      },
    )
    .post(
      '/assistant/threads',
      async ({ project, user, body, set }) => {
        requireAssistant(project)
        const row = await createThread(ctx, { projectId: project.id, userId: user.id }, body.title ?? null)
        set.status = 201
        return { data: toThreadView(row) }
      },
      {
        body: ThreadBody,
        response: { 201: dataAnswer(ThreadSchema) },
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Begin a thread',
          description: 'At most 200 for each person. A thread is deleted 90 days after its last message.',
          operationId: 'createAssistantThread',
        },
      },
    )

const oneRoutes = (ctx: Context) =>
  operator(ctx, GUARD)
    .get(
      '/assistant/threads/:id',
      async ({ project, user, params }) => {
        requireAssistant(project)
        return { data: toThreadDetails(await readThread(ctx, { projectId: project.id, userId: user.id }, params.id)) }
      },
      {
        response: dataAnswer(ThreadDetails),
        detail: { tags, summary: 'A thread with its messages', operationId: 'getAssistantThread' },
      },
    )
    .delete(
      '/assistant/threads/:id',
      async ({ project, user, params }) => {
        requireAssistant(project)
        await deleteThread(ctx, { projectId: project.id, userId: user.id }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: { tags, 'x-unrevised': true, summary: 'Delete a thread', operationId: 'deleteAssistantThread' },
      },
    )
    .post(
      '/assistant/threads/:id/stop',
      async ({ project, user, params }) => {
        requireAssistant(project)
        return { data: { stopped: await stopTurn(ctx, { projectId: project.id, userId: user.id }, params.id) } }
      },
      {
        body: NoBody,
        response: dataAnswer(Type.Object({ stopped: Type.Boolean() }, strict)),
        detail: { tags, summary: 'Stop the answer that is being written', operationId: 'stopAssistantAnswer' },
      },
    )

const usageRoute = (ctx: Context) =>
  operator(ctx, GUARD).get(
    '/assistant/usage',
    async ({ project }) => {
      requireAssistant(project)
      return { data: await readUsage(ctx, project.id) }
    },
    {
      response: dataAnswer(UsageSchema),
      detail: {
        tags,
        summary: 'What the assistant has used this month',
        description:
          'Limits of the plan, null without one: where projects are not billed, and for a model of your own.',
        operationId: 'getAssistantUsage',
      },
    },
  )
