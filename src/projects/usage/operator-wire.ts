import { Type } from '@sinclair/typebox'
import { dataAnswer, orNull } from '../../base/http/object-answer'
import { toIso } from '../../base/lib/time'
import { DAILY_LENGTH } from './month'
import type { Usage } from './service'

const strict = { additionalProperties: false } as const
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Part = Type.Object({ name: Type.String(), used: Count('Of this part alone') }, { ...strict, title: 'UsagePart' })

const Meter = Type.Object(
  {
    name: Type.String({
      description: 'events, sqlQueries and webhookDeliveries are counts; subscribers and storageBytes are levels',
    }),
    kind: Type.Union([Type.Literal('COUNT'), Type.Literal('LEVEL')], {
      description: 'COUNT: what the project did in the month. LEVEL: what it had, at the end of each day',
    }),
    used: Count('In the month so far; of a level: at its end, or now'),
    previous: orNull(Count('In the month before; of a level: at its end, null where it is not known')),
    limit: orNull(Count('What the plan includes; null without a limit')),
    forecast: orNull(Count('At the end of the month, when it continues as until now; null for a level')),
    daily: Type.Array(Count('Of a UTC day'), {
      minItems: DAILY_LENGTH,
      maxItems: DAILY_LENGTH,
      description: 'From the first day of the month; 0 for days to come and for days that the month does not have',
    }),
    parts: Type.Array(Part, { maxItems: 10, description: 'What `used` is the sum of; empty when it has no parts' }),
    dropped: Count('Telemetry of the month that was dropped over the budget; not in used'),
  },
  { ...strict, title: 'UsageMeter' },
)

export const UsageQuery = Type.Object(
  {
    month: Type.Optional(
      Type.String({
        maxLength: 7,
        pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
        description: 'A UTC month; without it, the present one',
      }),
    ),
  },
  strict,
)

export const UsageSchema = Type.Object(
  {
    period: Type.Object(
      {
        start: Type.String({ format: 'date-time' }),
        end: Type.String({ format: 'date-time', description: 'The first instant after it' }),
      },
      { ...strict, title: 'UsagePeriod' },
    ),
    meters: Type.Array(Meter, { maxItems: 20 }),
  },
  { ...strict, title: 'Usage' },
)

export const UsageAnswer = dataAnswer(UsageSchema)

export const toUsageView = ({ period: { start, end }, meters }: Usage) => ({
  period: { start: toIso(start), end: toIso(end) },
  meters,
})
