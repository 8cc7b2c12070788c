import { type TProperties, Type } from '@sinclair/typebox'
import { dataAnswer, orNull } from '../../base/http/object-answer'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { PersonRef } from '../../projects/project/refs'
import type { Figures } from './figures'
import type { Firsts } from './firsts'
import type { Concern } from './health'
import type { ToldEvent } from './queries'
import type { StoreOverview } from './stores'

const strict = { additionalProperties: false } as const
const Instant = Type.String({ format: 'date-time' })

/** What the three members of a figure are. */
interface Meanings {
  value: string
  previous: string
  daily: string
}

const STOCK: Meanings = {
  value: 'Now',
  previous: 'When the first of the 30 days began',
  daily: 'At the end of each of the 30 days; the last one is now',
}

const FLOW: Meanings = {
  value: 'The sum of daily',
  previous: 'The sum of the 30 days before them',
  daily: 'On each of the 30 days; the last one is today so far',
}

const figure = <More extends TProperties>(
  title: string,
  description: string,
  { value, previous, daily }: Meanings,
  more: More,
) =>
  Type.Object(
    {
      value: Type.Integer({ description: value }),
      previous: Type.Integer({ description: previous }),
      daily: Type.Array(Type.Integer(), { minItems: 30, maxItems: 30, description: daily }),
      ...more,
    },
    { ...strict, title, description },
  )

const lacking = (description: string) => ({ unconverted: Type.Integer({ description }) })

const MRR =
  'Monthly recurring revenue in millionths of a US dollar: of each subscription that is paid for, the price of a period, as a monthly amount'
const REVENUE = 'Net revenue in millionths of a US dollar: charges less what was given back, each on its own day'

const FirstsView = Type.Object(
  {
    call: orNull({ ...Instant, description: 'When a key of the project was first used' }),
    purchase: orNull({
      ...Instant,
      description: "The time of the first charge or trial, by the store's clock; of test purchases too",
    }),
  },
  { ...strict, title: 'OverviewFirsts' },
)

const StoreView = Type.Object(
  {
    store: Type.Union([Type.Literal('ios'), Type.Literal('android'), Type.Literal('payment')]),
    status: Type.Union([Type.Literal('OK'), Type.Literal('INCOMPLETE'), Type.Literal('FAILING')], {
      description: 'As in /apps',
    }),
    lastNotificationAt: orNull(Instant),
    medianDelayMs: orNull(
      Type.Integer({
        description:
          "Of its last 50 notifications: from the store's own time to the time at which they were taken here",
      }),
    ),
    halfHours: Type.Array(Type.Integer(), {
      minItems: 48,
      maxItems: 48,
      description: 'Notifications by half hour of UTC; the last is the current one',
    }),
  },
  { ...strict, title: 'StoreOverview' },
)

const ConcernView = Type.Object(
  {
    code: Type.String({ description: 'Which part it is about: WEBHOOKS, EXCHANGE_RATES, STORE_NOTIFICATIONS, …' }),
    kind: Type.Union([Type.Literal('FAULT'), Type.Literal('GAP')], {
      description: 'FAULT: something does not work. GAP: something is not set up, out of date or switched off',
    }),
    message: Type.String(),
    action: orNull(Type.String({ description: 'What to do' })),
    finding: orNull(
      Type.Object(
        {
          code: Type.String({ description: 'Which sentence the message is: NO_API_KEY, WEBHOOK_GONE, …' }),
          params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        },
        { ...strict, description: 'The message as a code with its values, for a text in another language' },
      ),
    ),
  },
  { ...strict, title: 'OverviewConcern' },
)

export const OverviewAnswer = dataAnswer(
  Type.Object(
    {
      mrr: figure('MrrFigure', MRR, STOCK, lacking('Subscriptions whose price has no exchange rate: not in it')),
      activeSubscriptions: figure(
        'ActiveSubscriptionsFigure',
        'Subscriptions that are paid for or in grace',
        STOCK,
        {},
      ),
      trials: figure('TrialsFigure', 'Subscriptions in their trial', STOCK, {}),
      revenue30d: figure(
        'RevenueFigure',
        REVENUE,
        FLOW,
        lacking('Charges and refunds without an exchange rate: not in it'),
      ),
      newSubscribers30d: figure('NewSubscribersFigure', 'People by the time they were first seen', FLOW, {}),
      first: FirstsView,
      stores: Type.Array(StoreView, { description: 'The stores that are connected or have ever notified' }),
      health: Type.Array(ConcernView, { description: 'What svc doctor says about the project; at most 10 s old' }),
    },
    { ...strict, title: 'Overview' },
  ),
)

export const toFirsts = ({ call, purchase }: Firsts) => ({
  call: toIsoOrNull(call),
  purchase: toIsoOrNull(purchase),
})

export const toStore = ({ lastNotificationAt, ...store }: StoreOverview) => ({
  ...store,
  lastNotificationAt: toIsoOrNull(lastNotificationAt),
})

export const toOverview = (figures: Figures, first: Firsts, stores: StoreOverview[], health: Concern[]) => ({
  ...figures,
  first: toFirsts(first),
  stores: stores.map(toStore),
  health,
})

/** An event with who it is about. */
export interface NamedEvent extends ToldEvent {
  person: PersonRef | null
}

export const toTold = ({ id, type, subscriberId, person, environment, occurredAt }: NamedEvent) => ({
  ...{ id, type, subscriberId, person, environment },
  at: toIso(occurredAt),
})
