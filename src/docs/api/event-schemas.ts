import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { Int64 } from '../../base/http/int64-schema'
import { EVENT_TYPES } from '../../people/events/event-types'
import { CAUSE_KINDS } from '../../people/events/model'
import { PurchaseViewSchema, TransactionView } from '../../people/purchases/wire'
import { AccessEntrySchema, AccessMapSchema } from '../../people/subscribers/access-map'
import { BODIES, TEST_BODY } from './event-bodies'
import { type Body, strict, text, textOrNull, time } from './event-body'

/** The type of a test send, which is in no feed. */
const TEST_TYPE = 'webhook.test'

const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const literals = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)))

const environment = literals(['PRODUCTION', 'SANDBOX'])

const cause = Type.Object(
  {
    kind: literals(CAUSE_KINDS),
    ref: orNull(text, 'The id of the request, the store event or the job'),
    store: Type.Union([literals(['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL']), Type.Null()]),
    detail: textOrNull,
  },
  { ...strict, title: 'EventCause' },
)

const state = {
  access: AccessMapSchema,
  balances: Type.Record(Type.String(), Int64('A balance'), { description: 'By code of the currency' }),
}

const subscriberState = Type.Object(state, { ...strict, title: 'SubscriberState' })
const purchaseState = Type.Object(
  { purchase: orNull(PurchaseViewSchema, 'Null where there was none'), ...state },
  { ...strict, title: 'PurchaseChangeState' },
)

/** Whether the events of a type belong to no subscriber, or may do so before one is known. */
const isOfProject = (type: string): boolean => type === TEST_TYPE || /^(import|funnel\.session)\./.test(type)

/** For an event of no subscriber a state is allowed too: some generators drop members that can only be null. */
const imageOf = (type: string): TSchema => (type.startsWith('purchase.') ? purchaseState : subscriberState)

const stateOf = (type: string): TSchema =>
  orNull(imageOf(type), isOfProject(type) ? 'Null without a subscriber' : 'Null once the person was erased')

const ownerOf = (type: string): TProperties =>
  isOfProject(type)
    ? { subscriberId: textOrNull, seq: Type.Union([Type.Integer(), Type.Null()]) }
    : { subscriberId: text, seq: Type.Integer({ description: 'Without a gap for each subscriber, from 1' }) }

/** `purchase.trial_started` as `PurchaseTrialStarted`. */
const nameOf = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')

export const eventName = (type: string): string => `${nameOf(type)}Event`

/** An event as the feed and the dashboard give it. */
const eventSchema = (type: string, { when, data }: Body): TObject =>
  Type.Object(
    {
      id: text,
      type: Type.Literal(type),
      projectId: text,
      ...ownerOf(type),
      appUserId: textOrNull,
      environment,
      occurredAt: time,
      recordedAt: time,
      cause,
      before: stateOf(type),
      after: stateOf(type),
      data: Type.Partial(data, { description: 'Empty once the person was erased' }),
    },
    { ...strict, title: eventName(type), description: when },
  )

/** An event as a webhook sends it. */
const deliverySchema = (type: string, { when, data }: Body): TObject =>
  Type.Object(
    {
      id: text,
      type: Type.Literal(type),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
      projectId: text,
      ...ownerOf(type),
      data: Type.Object(
        {
          appUserId: textOrNull,
          environment,
          cause,
          before: sentState(type, 'before'),
          after: sentState(type, 'after'),
          ...data.properties,
          truncated: Type.Optional(
            Type.Array(literals(['before', 'after']), {
              maxItems: 2,
              description: 'What is null only because the body would be longer than 256 KiB',
            }),
          ),
        },
        strict,
      ),
    },
    { ...strict, title: `${nameOf(type)}Delivery`, description: when },
  )

const sentState = (type: string, side: 'before' | 'after'): TSchema =>
  orNull(imageOf(type), isOfProject(type) ? 'Null without a subscriber' : `Null only where truncated names ${side}`)

/** The objects that several types have, by name. */
export const SHARED: readonly [name: string, schema: TObject][] = [
  ['EventCause', cause],
  ['PurchaseChangeState', purchaseState],
  ['SubscriberState', subscriberState],
  ['PurchaseView', PurchaseViewSchema],
  ['AccessEntry', AccessEntrySchema],
  ['Transaction', TransactionView],
]

/** The event of each type, in the order of `EVENT_TYPES`. */
export const eventSchemas = (): [type: string, schema: TObject][] =>
  EVENT_TYPES.map((type) => [type, eventSchema(type, BODIES[type])])

/** What is sent to an endpoint, by type; the last one is the test. */
export const deliverySchemas = (): [type: string, schema: TObject, body: Body][] => [
  ...EVENT_TYPES.map((type): [string, TObject, Body] => [type, deliverySchema(type, BODIES[type]), BODIES[type]]),
  [TEST_TYPE, deliverySchema(TEST_TYPE, TEST_BODY), TEST_BODY],
]
