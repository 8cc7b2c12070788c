import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { FigureQuery } from '../../people/purchases/operator-wire'
import { MoneySchema } from '../../people/purchases/wire'
import { operator } from '../../projects/doors/operator'

const strict = { additionalProperties: false } as const
const tags = ['Money']

const FiguresAnswer = dataAnswer(
  Type.Object(
    {
      active: Type.Integer({ description: 'Subscriptions that are paid for, those in their grace period among them' }),
      trials: Type.Integer({ description: 'In their trial, also where its grace period runs' }),
      grace: Type.Integer({ description: 'Those of them in their grace period' }),
      retry: Type.Integer({ description: 'In billing retry' }),
      granted: Type.Integer({ description: 'Grants that give access, which are in none of the other figures' }),
      mrr: Type.Object(
        {
          ...MoneySchema.properties,
          unconverted: Type.Integer({
            description: 'Subscriptions whose price has no exchange rate, so that it is not in the amount',
          }),
        },
        strict,
      ),
      churn30d: Type.Number({
        description:
          'Of the subscriptions that were paid for when the 30 days of the project that end today began, the share that left since; 0 where none was',
      }),
    },
    { ...strict, title: 'SubscriptionFigures' },
  ),
)

const Day = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    renewals: Type.Integer(),
    amountMicros: Type.Integer(),
    unconverted: Type.Integer({ description: 'Renewals of the day that amountMicros lacks' }),
  },
  { ...strict, title: 'RenewalDay' },
)

const CalendarAnswer = dataAnswer(
  Type.Object(
    {
      days: Type.Array(Day),
      unconverted: Type.Integer({ description: 'Renewals whose price has no exchange rate, so that amounts lack it' }),
    },
    { ...strict, title: 'RenewalCalendar' },
  ),
)

/** Figures of the subscriptions, by the definitions of the charts (wire 7.8, 5.11). */
export const subscriptionFigureRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/subscriptions/kpis',
      async ({ project, query: { environment = 'PRODUCTION' } }) => ({
        data: await ctx.state.subscriptionFigures.read(project, environment),
      }),
      {
        query: FigureQuery,
        response: FiguresAnswer,
        detail: {
          tags,
          summary: 'Figures of the subscriptions',
          description:
            'Computed at most once a minute. mrr and churn30d are those of the charts; prices without an exchange rate are not in them.',
          operationId: 'getSubscriptionFigures',
        },
      },
    )
    .get(
      '/subscriptions/renewal-calendar',
      async ({ project, query: { environment = 'PRODUCTION' } }) => ({
        data: await ctx.state.subscriptionFigures.readCalendar(project, environment),
      }),
      {
        query: FigureQuery,
        response: CalendarAnswer,
        detail: {
          tags,
          summary: 'Renewals of the next 30 days',
          description:
            "The next renewal of each subscription that renews, by days of the project's time zone. Amounts are the present prices in millionths of a US dollar by the newest exchange rates. Computed at most once a minute.",
          operationId: 'getRenewalCalendar',
        },
      },
    )
