import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { dataAnswer, orNull } from '../../base/http/object-answer'
import { RulesSchema } from '../../core/audience/schema'
import { operator } from '../../projects/doors/operator'
import { toEnvironment } from '../flags/environment'
import { previewAudience } from './audience-preview'
import { evaluationFacts } from './evaluation-facts'

const strict = { additionalProperties: false } as const
const tags = ['Targeting']

const PreviewBody = Type.Object({ rules: RulesSchema }, { ...strict, title: 'AudiencePreviewRequest' })

const PreviewSchema = Type.Object(
  {
    matching: Type.Integer({ description: 'Exact for at most 2000 subscribers, otherwise estimated from 2000' }),
    total: Type.Integer(),
    sample: Type.Array(
      Type.Object(
        { id: Type.String(), deviceKey: Type.String(), appUserId: orNull(Type.String()) },
        { ...strict, title: 'SampledSubscriber' },
      ),
      { description: 'At most ten of those that match' },
    ),
  },
  { ...strict, title: 'AudiencePreview' },
)

const EvaluationQuery = Type.Object(
  { env: Type.Optional(Type.String({ maxLength: 16, description: 'prod (default), staging or development' })) },
  strict,
)

const EvaluationSchema = Type.Object(
  {
    subscriberId: Type.String({ description: 'After merges' }),
    env: Type.String(),
    attributes: Type.Record(Type.String(), Type.String()),
    builtIns: Type.Record(Type.String(), orNull(Type.String()), { description: 'The `svc.` values as text' }),
    bucketingId: Type.String({ description: 'What rollouts and variants are drawn with' }),
    heldVariants: Type.Array(
      Type.Object({ experimentId: Type.String(), variantId: Type.String() }, { ...strict, title: 'EvaluationVariant' }),
    ),
    flags: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          value: Type.Unknown(),
          reason: Type.String({ description: 'STATIC, TARGETING_MATCH or DEFAULT' }),
          variant: orNull(Type.String({ description: 'rule:<index> of the rule that applied' })),
        },
        { ...strict, title: 'EvaluatedFlag' },
      ),
      { description: 'What the saved flags give the person now' },
    ),
    groups: Type.Array(
      Type.Object(
        { audience: Type.String(), values: Type.Array(Type.String()) },
        { ...strict, title: 'EvaluationGroup' },
      ),
      { description: 'Which values of the person are in the list of ids of which audience' },
    ),
  },
  { ...strict, title: 'Evaluation' },
)

/** What targeting does to people, before and after it is saved. */
export const remoteConfigOperatorRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .post(
      '/audiences/preview',
      async ({ project, body }) => {
        const { matching, total, sample } = await previewAudience(ctx, project.id, body.rules)
        return { data: { matching, total, sample } }
      },
      {
        body: PreviewBody,
        response: dataAnswer(PreviewSchema),
        detail: { tags, summary: 'Whom rules would match', operationId: 'previewAudience' },
      },
    )
    .get(
      '/subscribers/:id/evaluation',
      async ({ project, params, query }) => {
        const env = toEnvironment(query.env ?? 'PROD')
        if (!env) throw invalid('env must be one of prod, staging, development')
        return { data: await evaluationFacts(ctx, project, params.id, env) }
      },
      {
        query: EvaluationQuery,
        response: dataAnswer(EvaluationSchema),
        detail: {
          tags,
          'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
          summary: 'What flags read of one person',
          description: 'With it a browser evaluates a draft. Nothing is drawn or counted.',
          operationId: 'getSubscriberEvaluation',
        },
      },
    )
