import { Type } from '@sinclair/typebox'
import { PlanSchema, TierName } from '../../base/config-cloud'
import { listAnswer } from '../../base/http/list'
import { dataAnswer, orNull } from '../../base/http/object-answer'

const strict = { additionalProperties: false } as const
const Instant = Type.String({ format: 'date-time' })

export const PlansAnswer = listAnswer(PlanSchema)

export const PlanBody = Type.Object(
  {
    tier: TierName,
    until: Type.Optional(
      orNull(Type.String({ maxLength: 40, description: 'From then on the project has what it pays for' })),
    ),
    note: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  },
  { ...strict, title: 'PlanByHand' },
)

export const PlanAnswer = dataAnswer(
  Type.Object({ tier: TierName, until: orNull(Instant), note: Type.String() }, { ...strict, title: 'ProjectPlan' }),
)
