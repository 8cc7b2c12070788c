import { Type } from '@sinclair/typebox'
import { PROVIDERS } from '../../../base/config-assistant'
import type { Context } from '../../../base/context'
import { DELETED, DeletedAnswer, dataAnswer } from '../../../base/http/object-answer'
import { oneOf, orNull } from '../../../core/schema/object'
import { listRevisions } from '../../../projects/audit/revisions'
import { operator } from '../../../projects/doors/operator'

import { requireAssistant } from '../switched-on'
import { CREDENTIALS_OBJECT, removeCredentials, saveCredentials, viewCredentials } from './service'

const strict = { additionalProperties: false } as const
const tags = ['Assistant']
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^\\S+$', ...(description && { description }) })

const Body = Type.Object(
  {
    provider: oneOf(PROVIDERS),
    model: Type.String({ minLength: 1, maxLength: 200, pattern: '^\\S(.*\\S)?$' }),
    apiKey: Type.Optional(orNull(text(500, 'Absent: the saved key stays, for the same provider and address'))),
    baseUrl: Type.Optional(
      orNull(text(2048, 'Another address of the provider, or that of a server that speaks Chat Completions')),
    ),
  },
  { ...strict, title: 'AssistantCredentialsRequest' },
)

const Query = Type.Object(
  {
    probe: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], {
        description: 'Whether the model must answer first; default true',
      }),
    ),
  },
  strict,
)

const View = Type.Object(
  {
    configured: Type.Boolean(),
    provider: orNull(oneOf(PROVIDERS)),
    model: orNull(Type.String()),
    baseUrl: orNull(Type.String()),
    keyLast4: orNull(Type.String({ description: 'The last four characters of the key' })),
    source: orNull(oneOf(['PROJECT', 'SERVER'])),
    revision: orNull(Type.Integer()),
  },
  { ...strict, title: 'AssistantCredentials' },
)

/** The model that answers in a project (wire 7.12). */
export const credentialsRoutes = (ctx: Context) =>
  operator(ctx, { role: 'OWNER' })
    .get(
      '/assistant/credentials',
      async ({ project }) => {
        requireAssistant(project)
        return { data: await view(ctx, project.id) }
      },
      {
        response: dataAnswer(View),
        detail: { tags, summary: 'The model of the assistant', operationId: 'getAssistantCredentials' },
      },
    )
    .put(
      '/assistant/credentials',
      async ({ project, actor, expected, body, query }) => {
        requireAssistant(project)
        await saveCredentials(ctx, { projectId: project.id, actor, expected }, body, {
          isProbed: query.probe !== 'false',
        })
        return { data: await view(ctx, project.id) }
      },
      {
        body: Body,
        query: Query,
        response: dataAnswer(View),
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Set the model of the assistant',
          description:
            'Saved after the model has answered with one token and has called a tool; details.reason of a refusal is `rejected`, `unreachable`, `no_tools` or `no_model`. The key is encrypted and never shown.',
          operationId: 'setAssistantCredentials',
        },
      },
    )
    .delete(
      '/assistant/credentials',
      async ({ project, actor, expected }) => {
        requireAssistant(project)
        await removeCredentials(ctx, { projectId: project.id, actor, expected })
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Remove the model of the assistant',
          description: 'The model of the server answers then, where there is one.',
          operationId: 'deleteAssistantCredentials',
        },
      },
    )

async function view(ctx: Context, projectId: string) {
  const revisions = await listRevisions(ctx, projectId, [CREDENTIALS_OBJECT])
  return viewCredentials(ctx, projectId, revisions.get(CREDENTIALS_OBJECT) ?? 1)
}
