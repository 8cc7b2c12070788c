import { type TSchema, Type } from '@sinclair/typebox'
import { listAnswer, listQuery } from '../../base/http/list'
import { toIso } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import { PersonRefSchema } from '../../people/purchases/person-ref'
import type { PurchaseEnvironment } from '../../stores/observation'
import { GRAINS } from '../figures/cells'
import { shownRate } from '../figures/report-rate'
import { CURRENCY_QUERY, RateSchema } from '../figures/report-wire'
import type { FigureRequest } from '../figures/scope'
import { GROUPS } from '../figures/sums'
import { CHART_GROUPS, type Chart, type ChartFigures, type ChartSeries, FILTER_NAMES, type Unit } from './chart'
import type { ReportRow } from './report-rows'

const strict = { additionalProperties: false } as const
const AnswerUnit = Type.String({
  description: 'count, share, ratio, ms, or the ISO 4217 code of a currency, whose amounts are in micros',
})
const UNITS: readonly Unit[] = ['USD', 'count', 'share', 'ratio', 'ms']
const ENVIRONMENTS: readonly PurchaseEnvironment[] = ['PRODUCTION', 'SANDBOX']
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const text = (description: string, maxLength = 40) => Type.Optional(Type.String({ maxLength, description }))
const filter = (name: string) =>
  text(`One or more of ${name}, with commas between; an empty one stands for what names none.`, 2000)

const narrowing = {
  grain: Type.Optional(oneOf(GRAINS)),
  store: filter('IOS_STORE, ANDROID_STORE, PAYMENT, MANUAL'),
  product: filter('the identifiers of products'),
  country: filter('the countries of subscribers'),
  platform: filter('the platforms of subscribers'),
  offering: filter('the offerings that purchases were made from'),
  placement: filter('the placements that purchases were made in'),
  variant: filter('the variants of experiments that purchases were made in, such as paywall:b'),
  price: filter('the prices of charges, such as 9.99 EUR'),
  groupBy: Type.Optional(oneOf(GROUPS)),
  audience: text('The name or id of an audience: only purchases of those who are in it now.', 255),
  cohort: text('The identifier or id of a cohort: only purchases of its members.', 64),
  environment: Type.Optional(oneOf(ENVIRONMENTS)),
  ...CURRENCY_QUERY,
  knownAt: text('A date, with the whole of its day, or a time: only what was known by then counts.'),
  to: text('A date or a time; until then, without it. Now by default.'),
}

const from = text(
  'A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default.',
)

export const ChartQuerySchema = Type.Object({ ...narrowing, from }, strict)

export const ChartExportQuery = Type.Object(
  { ...narrowing, from, format: Type.Optional(oneOf(['csv'] as const)) },
  strict,
)

export const ChartRowQuery = Type.Object(
  {
    ...listQuery,
    ...narrowing,
    start: Type.String({ minLength: 1, maxLength: 40, description: 'The start of the cell, as the chart tells it' }),
    value: text('The name of the value; a chart with one value needs none.'),
    group: text('The key of the group, empty for the group without a key. It goes with `groupBy`.', 500),
  },
  strict,
)

const about = {
  id: Type.String(),
  title: Type.String(),
  unit: oneOf(UNITS, { description: 'USD is in micros.' }),
  definition: Type.String(),
  formula: Type.String(),
  filters: Type.Array(oneOf(FILTER_NAMES)),
  group: oneOf(CHART_GROUPS, { description: 'What it is about' }),
}

export const ChartList = listAnswer(
  Type.Object({ ...about, values: Type.Array(Type.String()) }, { ...strict, title: 'Chart' }),
)

const Values = Type.Record(Type.String(), nullable(Type.Number()), { title: 'ChartValues' })
const Series = Type.Array(Type.Object({ start: Type.String({ format: 'date-time' }), values: Values }, strict))

export const ChartAnswer = Type.Object(
  {
    data: Type.Object(
      {
        id: Type.String(),
        title: Type.String(),
        unit: AnswerUnit,
        grain: oneOf(GRAINS),
        currency: Type.String(),
        rate: Type.Optional(RateSchema),
        series: Series,
        groups: Type.Optional(
          Type.Array(
            Type.Object(
              { key: nullable(Type.String()), series: Series, totals: Values },
              { ...strict, title: 'ChartGroup' },
            ),
          ),
        ),
        totals: Values,
        unconverted: Type.Integer({ description: 'What is left out for want of an exchange rate' }),
        computedAt: Type.Optional(
          Type.String({ format: 'date-time', description: 'Of a chart that is not computed each time' }),
        ),
      },
      { ...strict, title: 'ChartFigures' },
    ),
  },
  strict,
)

export const ChartRowList = listAnswer(
  Type.Object(
    {
      purchaseId: nullable(Type.String()),
      transactionId: nullable(Type.String()),
      subscriberId: nullable(Type.String()),
      person: nullable(PersonRefSchema),
      at: Type.String({ format: 'date-time' }),
      productIdentifier: nullable(Type.String()),
      store: nullable(Type.String()),
      funnelSessionId: nullable(Type.String({ description: 'The session of a chart of funnels' })),
      contribution: Type.Number(),
      unit: AnswerUnit,
    },
    { ...strict, title: 'ChartRow' },
  ),
)

export const toChartItem = (chart: Chart, values: readonly string[]) => ({
  id: chart.id,
  title: chart.title,
  unit: chart.unit,
  definition: chart.definition,
  formula: chart.formula,
  filters: [...chart.filters],
  group: chart.group,
  values: [...values],
})

/** The form of figures: the whole, and its groups where the query names a grouping. */
export const toFigures = (figures: ChartFigures) => ({
  ...toSeries(figures),
  ...(figures.groups && { groups: figures.groups.map((one) => ({ key: one.key, ...toSeries(one) })) }),
  unconverted: figures.unconverted,
})

const toSeries = ({ series, totals }: ChartSeries) => ({
  series: series.map(({ start, values }) => ({ start: toIso(start), values })),
  totals,
})

export const toChartAnswer = (
  { id, title, unit }: Chart,
  { grain, rate }: Pick<FigureRequest, 'grain' | 'rate'>,
  figures: ChartFigures,
) => ({
  id,
  title,
  unit: rate && unit === 'USD' ? rate.currency : unit,
  grain,
  currency: rate?.currency ?? 'USD',
  ...(rate && { rate: shownRate(rate) }),
  ...toFigures(figures),
  ...(figures.computedAt !== undefined && { computedAt: toIso(figures.computedAt) }),
})

export const toRowItem = ({ tie: _tie, told: _told, at, funnelSessionId, ...row }: ReportRow, unit: string) => ({
  ...row,
  funnelSessionId: funnelSessionId ?? null,
  at: toIso(at),
  unit,
})
