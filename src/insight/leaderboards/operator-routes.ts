import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery, readCursor, writeCursor } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { contextInTurn } from '../../base/turn-context'
import { operator } from '../../projects/doors/operator'
import { createLeaderboard, deleteLeaderboard, listLeaderboards, updateLeaderboard } from './admin'
import { listEntries, namedEntries } from './entries'
import {
  EntryQuery,
  EntrySchema,
  LeaderboardBody,
  LeaderboardPatch,
  LeaderboardSchema,
  toEntryView,
} from './operator-wire'

const tags = ['Analytics']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Leaderboards: people by what they hold, pay or do (wire 7.11). */
export const leaderboardOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/leaderboards',
      async ({ project, query }) => {
        const scope = ['leaderboards', project.id]
        return { data: idList(await listLeaderboards(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(LeaderboardSchema),
        detail: { tags, summary: 'Leaderboards', operationId: 'listLeaderboards' },
      },
    )
    .get(
      '/leaderboards/:id/entries',
      async ({ project, params, query: { limit = 50, cursor, environment = 'PRODUCTION' }, request: { signal } }) => {
        const scope = ['leaderboard-entries', project.id, params.id, environment]
        const after = readCursor(cursor, scope, 2)
        const own = contextInTurn(ctx, { group: project.id, signal })
        const { entries, next } = await listEntries(own, project.id, params.id, { environment, after, limit })
        const nextCursor = next === null ? null : writeCursor(next, scope)
        return { data: { items: (await namedEntries(own, entries)).map(toEntryView), nextCursor } }
      },
      {
        query: EntryQuery,
        response: listAnswer(EntrySchema),
        detail: {
          tags,
          summary: 'People of a leaderboard, the highest value first',
          description:
            'The first 10,000 people with a value above 0; equal values have one rank, the oldest subscriber first. Computed at most once a minute. All pages are of one computation; ten minutes after it a cursor may be refused.',
          operationId: 'listLeaderboardEntries',
          'x-errors': ['ANALYTICS_UNREACHABLE'],
        },
      },
    )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'leaderboards:write' })
    .post(
      '/leaderboards',
      async ({ project, actor, body, set }) => {
        set.status = 201
        const { currencyId = null, eventType = null, ...members } = body
        const input = { ...members, currencyId, eventType }
        return { data: await createLeaderboard(ctx, { projectId: project.id, actor }, input) }
      },
      {
        body: LeaderboardBody,
        response: { 201: dataAnswer(LeaderboardSchema) },
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Create a leaderboard',
          description: 'At most 50.',
          operationId: 'createLeaderboard',
        },
      },
    )
    .patch(
      '/leaderboards/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateLeaderboard(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: LeaderboardPatch,
        response: dataAnswer(LeaderboardSchema),
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Change a leaderboard',
          operationId: 'updateLeaderboard',
        },
      },
    )
    .delete(
      '/leaderboards/:id',
      async ({ project, actor, expected, params }) => {
        await deleteLeaderboard(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: { tags, 'x-errors': ['CONFLICT'], summary: 'Delete a leaderboard', operationId: 'deleteLeaderboard' },
      },
    )
