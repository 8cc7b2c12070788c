import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { api } from '../../projects/doors/api'
import { operator } from '../../projects/doors/operator'
import { requireListenSecret } from './secret'

const ListenSecret = Type.Object(
  { secret: Type.String({ description: 'Begins with `whsec_`' }) },
  { additionalProperties: false, title: 'ListenSecret' },
)

const detail = {
  'x-errors': ['FEATURE_NOT_CONFIGURED'] as const,
  summary: 'The signing secret of svc listen',
  description:
    'With it `svc listen` signs what it sends to a program on the machine of a developer. It is always the same.',
}

/** For `svc listen` with a secret key. */
export const listenRoutes = (ctx: Context) =>
  api(ctx, { key: 'secret' }).get(
    '/events/listen-secret',
    ({ project }) => ({ data: { secret: requireListenSecret(ctx, project.id) } }),
    {
      response: dataAnswer(ListenSecret),
      detail: { ...detail, tags: ['Subscribers'], operationId: 'getListenSecret' },
    },
  )

/** For `svc listen` with a personal access token. */
export const listenOperatorRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/events/listen-secret',
    ({ project }) => ({ data: { secret: requireListenSecret(ctx, project.id) } }),
    {
      response: dataAnswer(ListenSecret),
      detail: { ...detail, tags: ['Webhooks'], operationId: 'getProjectListenSecret' },
    },
  )
