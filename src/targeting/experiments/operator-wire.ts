import { type Static, Type } from '@sinclair/typebox'
import { orNull, REVISED } from '../../base/http/object-answer'
import { asSaved } from '../../core/schema/object'
import type { ExperimentInput } from './admin'
import { ResultsAnswer, readTime } from './wire'

const strict = { additionalProperties: false } as const

const Types = Type.Union([Type.Literal('FLAG'), Type.Literal('FUNNEL'), Type.Literal('OFFERING')])
const Label = Type.String({ minLength: 1, maxLength: 255 })
const Time = Type.Optional(orNull(Type.String({ maxLength: 64, description: 'ISO 8601, ahead of now' })))

const members = {
  key: Type.String({ minLength: 1, maxLength: 64, description: 'Letters, digits, $, _, . and -' }),
  name: Label,
  type: Types,
  audienceId: orNull(Type.String({ minLength: 1, maxLength: 64, description: 'null = everybody' })),
  bucketBy: Type.Optional(
    orNull(Type.String({ minLength: 1, maxLength: 100, description: 'The attribute by which variants are drawn' })),
  ),
  variants: Type.Array(
    Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 40 }),
        name: Label,
        weight: Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of 1' }),
        value: Type.Unknown({ description: 'FLAG: any JSON; OFFERING: an identifier; FUNNEL: {"funnelId"}' }),
      },
      { ...strict, title: 'VariantRequest' },
    ),
    { maxItems: 20, description: 'At least two; the first is the control' },
  ),
  metrics: Type.Optional(Type.Array(Label, { maxItems: 50, description: 'Types of events that convert' })),
  mutualExclusionGroup: Type.Optional(orNull(Label)),
  scheduledStartAt: Time,
  scheduledStopAt: Time,
  placementId: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 40 }))),
}

export const ExperimentBody = Type.Object(members, { ...strict, title: 'ExperimentRequest' })
export const ExperimentPatch = Type.Partial(Type.Object(members), { ...strict, title: 'ExperimentChange' })
export const StopBody = Type.Object(
  {
    winnerVariantId: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 40 }))),
    promoteToFlag: Type.Optional(Type.Boolean({ description: 'The value of the winner becomes a flag of the key' })),
  },
  { ...strict, title: 'ExperimentStopRequest' },
)
export const NoBody = Type.Object({}, strict)

type Change = Static<typeof ExperimentPatch>

/** The input of the services: times as instants. 400 names a member that is no time. */
export function readInput<Body extends Change>({
  scheduledStartAt,
  scheduledStopAt,
  ...rest
}: Body): Omit<Body, 'scheduledStartAt' | 'scheduledStopAt'> &
  Pick<ExperimentInput, 'scheduledStartAt' | 'scheduledStopAt'> {
  return {
    ...rest,
    ...(scheduledStartAt !== undefined && { scheduledStartAt: readTime(scheduledStartAt, 'scheduledStartAt') }),
    ...(scheduledStopAt !== undefined && { scheduledStopAt: readTime(scheduledStopAt, 'scheduledStopAt') }),
  }
}

const TimeOrNull = orNull(Type.String())

export const ExperimentSchema = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    name: Type.String(),
    type: Types,
    status: Type.Union([
      Type.Literal('DRAFT'),
      Type.Literal('RUNNING'),
      Type.Literal('PAUSED'),
      Type.Literal('COMPLETED'),
    ]),
    audienceId: orNull(Type.String()),
    bucketBy: orNull(Type.String({ description: 'null = by the id that rollouts use' })),
    // Values that were broken by hand in the database are shown as they are.
    variants: asSaved('In declared order, as they were sent'),
    metrics: asSaved('Types of events that convert', { type: 'string' }),
    mutualExclusionGroup: orNull(Type.String()),
    placementId: orNull(Type.String()),
    scheduledStartAt: TimeOrNull,
    scheduledStopAt: TimeOrNull,
    startedAt: TimeOrNull,
    completedAt: TimeOrNull,
    winnerVariantId: orNull(Type.String()),
    ...REVISED,
  },
  { ...strict, title: 'Experiment' },
)

/** The results, and who ended the experiment. */
export const DecidedResultsAnswer = Type.Object(
  {
    data: Type.Object(
      {
        ...ResultsAnswer.properties.data.properties,
        decidedBy: orNull(
          Type.String({ description: 'Who ended it: an e-mail address, CLI or SCHEDULE; null before its end' }),
        ),
      },
      { ...strict, title: 'ExperimentResultsOfProject' },
    ),
  },
  strict,
)
