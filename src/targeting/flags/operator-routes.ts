import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import type { FlagEnvironment } from '../../core/flag/names'
import { FlagBody, FlagOfKeyBody, FlagOfKeySchema, FlagPatch, FlagSchema, ToggleBody } from '../../core/flag/schema'
import { operator } from '../../projects/doors/operator'
import { createFlag, deleteFlag, getFlagView, listFlagViews, toggleFlag, updateFlag } from './admin'
import { deleteFlagOfKey, getFlagOfKey, putFlagOfKey } from './by-key'
import { toEnvironment } from './environment'

const tags = ['Targeting']

const FlagQuery = Type.Object(
  {
    ...listQuery,
    env: Type.Optional(Type.String({ maxLength: 16, description: 'prod, staging or development' })),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { additionalProperties: false },
)

/** Feature flags in the dashboard (wire 7.6). */
export const flagOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx)).use(wholeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/feature-flags',
      async ({ project, query }) => {
        const filter = { env: envOf(query.env), key: query.key }
        const scope = ['feature-flags', project.id, filter.env, filter.key]
        return { data: idList(await listFlagViews(ctx, project.id, { ...idPage(query, scope), ...filter }), scope) }
      },
      {
        query: FlagQuery,
        response: listAnswer(FlagSchema),
        detail: { tags, summary: 'Flags, one for each key and environment', operationId: 'listFeatureFlags' },
      },
    )
    .get(
      '/feature-flags/:id',
      async ({ project, params }) => ({ data: await getFlagView(ctx, project.id, params.id) }),
      {
        response: dataAnswer(FlagSchema),
        detail: { tags, summary: 'One flag in one environment', operationId: 'getFeatureFlag' },
      },
    )
    .get(
      '/feature-flags/by-key/:key',
      async ({ project, params }) => ({ data: await getFlagOfKey(ctx, project.id, params.key) }),
      {
        response: dataAnswer(FlagOfKeySchema),
        detail: { tags, summary: 'One flag over all environments', operationId: 'getFeatureFlagByKey' },
      },
    )

function envOf(text: string | undefined): FlagEnvironment | undefined {
  if (text === undefined) return undefined
  const env = toEnvironment(text)
  if (!env) throw invalid('env must be one of prod, staging, development')
  return env
}

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'flags:write' })
    .post(
      '/feature-flags',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createFlag(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: FlagBody,
        response: { 201: dataAnswer(FlagSchema) },
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Create a flag in one environment',
          operationId: 'createFeatureFlag',
        },
      },
    )
    .patch(
      '/feature-flags/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateFlag(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: FlagPatch,
        response: dataAnswer(FlagSchema),
        detail: { tags, 'x-errors': ['CONFLICT'], summary: 'Change a flag', operationId: 'updateFeatureFlag' },
      },
    )
    .post(
      '/feature-flags/:id/toggle',
      async ({ project, actor, expected, params, body }) => ({
        data: await toggleFlag(ctx, { projectId: project.id, actor, expected }, params.id, body.isEnabled),
      }),
      {
        body: ToggleBody,
        response: dataAnswer(FlagSchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Switch a flag on or off',
          description: 'Nothing else is checked, so that a flag that was damaged in the database can be switched off.',
          operationId: 'toggleFeatureFlag',
        },
      },
    )
    .delete(
      '/feature-flags/:id',
      async ({ project, actor, expected, params }) => {
        await deleteFlag(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete a flag in one environment',
          operationId: 'deleteFeatureFlag',
        },
      },
    )

/** A flag over all environments. */
const wholeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'flags:write' })
    .put(
      '/feature-flags/by-key/:key',
      async ({ project, actor, expected, params, body }) => ({
        data: await putFlagOfKey(ctx, { projectId: project.id, actor, expected }, params.key, body),
      }),
      {
        body: FlagOfKeyBody,
        response: dataAnswer(FlagOfKeySchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Write a flag in all environments as one',
          description: 'It is created where it is missing, and deleted in the environments that are left out.',
          operationId: 'putFeatureFlagByKey',
        },
      },
    )
    .delete(
      '/feature-flags/by-key/:key',
      async ({ project, actor, expected, params }) => {
        await deleteFlagOfKey(ctx, { projectId: project.id, actor, expected }, params.key)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete a flag in all environments as one',
          operationId: 'deleteFeatureFlagByKey',
        },
      },
    )
