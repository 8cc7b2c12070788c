import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { pageBefore, toList } from '../../base/http/list'
import { DeletedAnswer as Deleted } from '../../base/http/object-answer'
import { withRevision, withRevisions } from '../../projects/audit/revisions'
import { operator } from '../../projects/doors/operator'
import { type CreatedKey, createKey, deleteKey, pageKeys, rotateKey, updateKey } from '../../projects/project/service'
import {
  KeyAnswer,
  KeyParams,
  KeyPatch,
  KeyQuery,
  KeyRotation,
  KeySecretAnswer,
  KeysAnswer,
  NewKey,
  readKeyBody,
  toKeyWire,
} from './key-wire'

const tags = ['Projects']

/** The API keys of a project. */
export const keyRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(changeRoutes(ctx)).use(secretRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/api-keys',
    async ({ project, query: { limit = 50, cursor } }) => {
      const scope = ['api-keys', project.id]
      const page = pageBefore(cursor, scope, limit)
      const keys = (await pageKeys(ctx, project.id, page)).map(toKeyWire)
      const views = await withRevisions(ctx, project.id, keys)
      return { data: toList(views, limit, scope, { positionOf: ({ id }) => [id], toItem: (view) => view }) }
    },
    {
      query: KeyQuery,
      response: KeysAnswer,
      detail: { tags, summary: 'API keys, revoked ones included', operationId: 'listApiKeys' },
    },
  )

const changeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .patch(
      '/api-keys/:keyId',
      async ({ project, params, body, actor, expected }) => {
        const by = { actor, projectId: project.id, expected }
        const key = await updateKey(ctx, params.keyId, readKeyBody(body), by)
        return { data: await withRevision(ctx, project.id, toKeyWire(key)) }
      },
      {
        params: KeyParams,
        body: KeyPatch,
        response: KeyAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'ORIGIN_INVALID'],
          summary: 'Change an API key',
          operationId: 'updateApiKey',
        },
      },
    )
    .delete(
      '/api-keys/:keyId',
      async ({ project, params, actor, expected }) => {
        await deleteKey(ctx, params.keyId, { actor, projectId: project.id, expected })
        return { data: { deleted: true as const } }
      },
      {
        params: KeyParams,
        response: Deleted,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT'],
          summary: 'Revoke an API key at once',
          operationId: 'deleteApiKey',
        },
      },
    )

/** Their answers contain a secret, so kept answers are encrypted. */
const secretRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN', idempotency: { isSecret: true } })
    .post(
      '/api-keys',
      async ({ project, body, actor, set }) => {
        const created = await createKey(ctx, project.id, readKeyBody(body), actor)
        set.status = 201
        return { data: await withSecret(ctx, project.id, created) }
      },
      {
        body: NewKey,
        response: { 201: KeySecretAnswer },
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'ORIGIN_INVALID'],
          summary: 'Create an API key',
          operationId: 'createApiKey',
        },
      },
    )
    .post(
      '/api-keys/:keyId/rotate',
      async ({ project, params, body: { overlapHours = 0 }, actor, expected }) => {
        const rotated = await rotateKey(ctx, params.keyId, overlapHours, { actor, projectId: project.id, expected })
        return { data: await withSecret(ctx, project.id, rotated) }
      },
      {
        params: KeyParams,
        body: KeyRotation,
        response: KeySecretAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT'],
          summary: 'Give an API key a new secret',
          description: 'The old secret works for overlapHours more. The public key stays, because apps ship with it.',
          operationId: 'rotateApiKey',
        },
      },
    )

const withSecret = async (ctx: Context, projectId: string, { key, secretKey }: CreatedKey) => ({
  ...(await withRevision(ctx, projectId, toKeyWire(key))),
  secret: secretKey,
})
