import { Type } from '@sinclair/typebox'
import { oneOf } from '../../core/schema/object'
import type { PurchaseEnvironment } from '../../stores/observation'
import { GRAINS } from '../figures/cells'
import { CURRENCY_QUERY, RateSchema } from '../figures/report-wire'
import { METRIC_GROUPS } from '../figures/sums'

const strict = { additionalProperties: false } as const
const ENVIRONMENTS: readonly PurchaseEnvironment[] = ['PRODUCTION', 'SANDBOX']
const side = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

const members = {
  from: side('A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default.'),
  to: side('A date or a time; until then, without it. Now by default.'),
  grain: Type.Optional(oneOf(GRAINS)),
  groupBy: Type.Optional(oneOf(METRIC_GROUPS)),
  environment: Type.Optional(oneOf(ENVIRONMENTS)),
  ...CURRENCY_QUERY,
}

export const MetricQuery = Type.Object(members, strict)

const fraction = Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]))
const stores = { IOS_STORE: fraction, ANDROID_STORE: fraction, PAYMENT: fraction }

export const CommissionBody = Type.Object({ rates: Type.Object(stores, strict) }, strict)

const rate = Type.Union([Type.Number(), Type.Null()], { description: 'Null: the usual rates of the store' })

export const CommissionAnswer = Type.Object(
  {
    data: Type.Object(
      { rates: Type.Object({ IOS_STORE: rate, ANDROID_STORE: rate, PAYMENT: rate }, strict) },
      { ...strict, title: 'CommissionRates' },
    ),
  },
  strict,
)

export const NamedMetricQuery = Type.Object(
  {
    projectId: Type.Optional(Type.String({ maxLength: 64, description: 'For people; a key knows its project.' })),
    ...members,
  },
  strict,
)

const Value = Type.Union([Type.Number(), Type.Null(), Type.Array(Type.Union([Type.Number(), Type.Null()]))])
const Values = Type.Record(Type.String(), Value, { title: 'MetricValues' })
const Series = Type.Array(Type.Object({ start: Type.String({ format: 'date-time' }), values: Values }, strict))

export const MetricAnswerSchema = Type.Object(
  {
    data: Type.Object(
      {
        grain: oneOf(GRAINS),
        currency: Type.String(),
        rate: Type.Optional(RateSchema),
        series: Series,
        groups: Type.Optional(
          Type.Array(
            Type.Object(
              { key: Type.Union([Type.String(), Type.Null()]), series: Series, totals: Values },
              { ...strict, title: 'MetricGroup' },
            ),
          ),
        ),
        totals: Values,
        unconverted: Type.Integer({
          description: 'Money lines or purchases that are left out for want of an exchange rate',
        }),
      },
      { ...strict, title: 'MetricSeries' },
    ),
  },
  strict,
)
