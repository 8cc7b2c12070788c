import { Type } from '@sinclair/typebox'
import { dataAnswer, orNull } from '../../base/http/object-answer'

const Percent = Type.Integer({ minimum: 1, maximum: 1000 })

export const BudgetSchema = Type.Object(
  {
    alertsAt: Type.Array(Percent, {
      maxItems: 5,
      uniqueItems: true,
      description:
        'Owners and administrators get one notice a month for each percentage of the included events that is reached',
    }),
    stopTelemetryAt: orNull(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'When more percent of the included events are used, telemetry is dropped; null = never',
      }),
    ),
  },
  { additionalProperties: false, title: 'Budget' },
)

export const BudgetAnswer = dataAnswer(BudgetSchema)
