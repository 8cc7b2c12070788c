import { type Static, Type } from '@sinclair/typebox'
import type { CompiledFlag } from '../../../core/flag/compile'
import type { FlagResult } from '../../../core/flag/evaluate'
import type { ExperimentAnswer } from '../../experiments/assign'
import type { CompiledExperiment } from '../../experiments/model'

/** One evaluated key as OpenFeature clients read it. Without a variant there is no such member. */
export type OfrepAnswer = Static<typeof AnswerSchema>

export const flagAnswer = <Subject>(
  { id, key, env }: CompiledFlag<Subject>,
  { value, reason, variant }: FlagResult,
): OfrepAnswer => ({
  key,
  value,
  reason: reason === 'DEFAULT' ? 'UNKNOWN' : reason,
  ...(variant !== null && { variant }),
  metadata: { env, flagId: id, ...(reason === 'DEFAULT' && NO_RULE) },
})

/** The protocol has a closed list of reasons, and none of them says that no rule hit. */
const NO_RULE = { svcReason: 'DEFAULT' } as const

export const splitAnswer = ({ key, value, variantId, experimentId, type }: ExperimentAnswer): OfrepAnswer => ({
  key,
  value: value ?? null,
  reason: 'SPLIT',
  variant: variantId,
  metadata: { experimentId, experimentType: type },
})

/**
 * The answer for a subscriber who is not in a running experiment and asks for it by its key: the value of the control,
 * as without the experiment. It names no experiment, so that no exposure is reported.
 */
export const outsideAnswer = <Subject>({ key, variants }: CompiledExperiment<Subject>): OfrepAnswer => ({
  key,
  value: variants[0]?.value ?? null,
  reason: 'UNKNOWN',
  metadata: NO_RULE,
})

const strict = { additionalProperties: false } as const

export const AnswerSchema = Type.Object(
  {
    key: Type.String(),
    value: Type.Unknown({ description: 'Of the type of the flag; for an experiment the value of the variant' }),
    reason: Type.Union(
      [
        Type.Literal('STATIC'),
        Type.Literal('TARGETING_MATCH'),
        Type.Literal('SPLIT'),
        Type.Literal('DISABLED'),
        Type.Literal('UNKNOWN'),
      ],
      { description: 'STATIC: no rules. UNKNOWN: no rule hit, or outside of the experiment. SPLIT: an experiment' },
    ),
    variant: Type.Optional(Type.String({ description: '`rule:<index>`, or the variant id of an experiment' })),
    metadata: Type.Object(
      {
        env: Type.Optional(Type.String()),
        flagId: Type.Optional(Type.String()),
        experimentId: Type.Optional(Type.String()),
        experimentType: Type.Optional(Type.String()),
        svcReason: Type.Optional(Type.Literal('DEFAULT', { description: 'With UNKNOWN: the default was given' })),
      },
      strict,
    ),
  },
  { ...strict, title: 'OfrepEvaluation' },
)

export const BulkSchema = Type.Object(
  {
    flags: Type.Array(AnswerSchema, {
      description: 'Enabled flags, and the experiments that the subscriber is in',
    }),
    metadata: Type.Object({ projectId: Type.String() }, strict),
    eventStreams: Type.Array(
      Type.Object(
        {
          type: Type.Literal('sse'),
          url: Type.String({ description: 'Opens within 10 minutes, without a header', 'x-format': 'uri' }),
          inactivityDelaySec: Type.Integer(),
        },
        strict,
      ),
    ),
  },
  { ...strict, title: 'OfrepBulkEvaluation' },
)
