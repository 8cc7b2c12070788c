import { type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../base/errors'
import { bodyInstant } from '../../base/http/parameters'
import { toIso } from '../../base/lib/time'
import { jsonFault } from '../../core/text/json-fault'
import type { ExperimentResults } from './stats/results'
import type { TrackedEvent } from './track'

const strict = { additionalProperties: false } as const
const lenient = { additionalProperties: true } as const
const MAX_EVENTS = 100
const MAX_METADATA_BYTES = 4096

const time = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()], { description: `ISO 8601; ${description}` }))

export const TrackQuery = Type.Object({ subscriberId: Type.Optional(Type.String({ maxLength: 128 })) }, lenient)

export const TrackBody = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          type: Type.String({ minLength: 1, maxLength: 128, description: 'As in metrics', examples: ['signup'] }),
          key: Type.Optional(
            Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
              description: 'Key of the only experiment it is meant for; absent = every one',
            }),
          ),
          timestamp: time('absent = time of receipt'),
          metadata: Type.Optional(
            Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
              description: 'At most 4 KiB as JSON; kept with the event',
            }),
          ),
        },
        { ...lenient, title: 'TrackedEvent' },
      ),
      { minItems: 1, maxItems: MAX_EVENTS },
    ),
  },
  lenient,
)

export const TrackAnswer = Type.Object(
  { data: Type.Object({ recorded: Type.Integer({ description: 'Events saved' }) }, strict) },
  strict,
)

/** The events of a checked body; 400 names the place of the fault. */
export const readEvents = ({ events }: Static<typeof TrackBody>): TrackedEvent[] =>
  events.map(({ type, key = null, timestamp = null, metadata = null }, index) => {
    const place = `events[${index}]`
    checkMetadata(metadata, `${place}.metadata`)
    return { type, key, occurredAt: readTime(timestamp, `${place}.timestamp`), metadata }
  })

function checkMetadata(metadata: unknown, place: string): void {
  if (metadata === null) return
  const message = jsonFault(metadata)
  if (message) throw invalid(`${place} ${message}`)
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    throw invalid(`${place} must not be larger than 4 KiB as JSON`)
}

/** Null when there is none; 400 for a value that is no time. */
export const readTime = (text: string | null, place: string): number | null =>
  text === null ? null : bodyInstant(place, text)

export const ExperimentParams = Type.Object(
  { id: Type.String({ maxLength: 64, description: 'Id or key of the experiment' }) },
  lenient, // The path of browsers has the public key as well.
)

const optional = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

export const ExposeBody = Type.Object(
  {
    variantId: Type.String({ maxLength: 40, description: 'The variant that was shown', examples: ['treatment'] }),
    subscriberId: Type.String({ maxLength: 128, description: 'The device key', examples: ['svc_8fK2mQ7xLw'] }),
    placementId: optional(Type.String({ minLength: 1, maxLength: 64 })),
    platform: optional(Type.Union([Type.Literal('ios'), Type.Literal('android'), Type.Literal('web')])),
    country: optional(Type.String({ pattern: '^[A-Za-z]{2}$' })),
    exposedAt: time('absent = time of receipt'),
  },
  { ...lenient, title: 'Exposure' },
)

export const ExposeAnswer = Type.Object({ data: Type.Object({ accepted: Type.Literal(true) }, strict) }, strict)

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

const VariantResultSchema = Type.Object(
  {
    variantId: Type.String({ description: '`__holdout__`: those held out of all experiments' }),
    name: Type.String(),
    weight: Type.Number(),
    exposures: Type.Integer(),
    conversions: Type.Integer(),
    conversionRate: share('Conversions / exposures'),
    revenue: Type.Object({ amountMicros: Type.Integer(), currency: Type.String() }, strict),
    interval95: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Of the conversion rate' }),
    pValue: Type.Union([share('Against the first variant'), Type.Null()]),
    probabilityBest: Type.Union([share('Of having the highest rate'), Type.Null()]),
    expectedLoss: Type.Union([share('Rate given away by choosing it'), Type.Null()]),
  },
  { ...strict, title: 'VariantResult' },
)

export const ResultsAnswer = Type.Object(
  {
    data: Type.Object(
      {
        experimentId: Type.String(),
        key: Type.String(),
        status: Type.Union([
          Type.Literal('DRAFT'),
          Type.Literal('RUNNING'),
          Type.Literal('PAUSED'),
          Type.Literal('COMPLETED'),
        ]),
        computedAt: Type.String(),
        variants: Type.Array(VariantResultSchema),
        srm: Type.Object(
          { chi2: Type.Number(), df: Type.Integer(), pValue: Type.Number(), isMismatch: Type.Boolean() },
          strict,
        ),
        recommendation: Type.Object({ action: Type.String(), reason: Type.String(), sentence: Type.String() }, strict),
      },
      { ...strict, title: 'ExperimentResults' },
    ),
  },
  strict,
)

export const toResultsView = ({ computedAt, ...results }: ExperimentResults) => ({
  ...results,
  computedAt: toIso(computedAt),
})
