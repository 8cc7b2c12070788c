import { type Static, Type } from '@sinclair/typebox'
import { Int64 } from '../../base/http/int64-schema'
import { orNull } from '../../base/http/object-answer'
import { DAY } from '../../base/lib/clock'
import { oneOf } from '../../core/schema/object'
import { AccessMapSchema } from '../../people/subscribers/access-map'
import { SIMULATED_STORES, TURNS } from '../stores/life'

const strict = { additionalProperties: false } as const

/** The longest time by which one call advances the clock of the test stores. */
export const MOST_DAYS = 1100

const name = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })
const device = Type.String({ minLength: 1, maxLength: 128, description: 'Device key of who buys' })
const store = oneOf(SIMULATED_STORES)
const micros = (description: string) => Type.Integer({ minimum: 0, maximum: 999_999_999_999_000, description })

const Price = Type.Object(
  {
    amountMicros: micros('Millionths of the currency'),
    currency: Type.String({ pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3, description: 'ISO 4217' }),
  },
  strict,
)

export const PurchaseOrder = Type.Object(
  {
    action: Type.Literal('purchase'),
    device,
    product: name('Identifier of the product, or its id at the store'),
    with: Type.Optional(Type.Array(name('A further product of the same purchase'), { maxItems: 19 })),
    store: Type.Optional(store),
    price: Type.Optional(Price),
    trial: Type.Optional(Type.Boolean()),
    commitment: Type.Optional(Type.Boolean({ description: 'A year that is charged each month; 12 months at Android' })),
    posted: Type.Optional(
      Type.Boolean({ description: 'False: nothing is sent, and the answer has the body that an app would post' }),
    ),
  },
  { ...strict, title: 'SimulatedPurchaseOrder' },
)

export const TurnBody = Type.Object(
  {
    action: oneOf(TURNS),
    device,
    product: Type.Optional(name('Restricts the turn to purchases of this product')),
    store: Type.Optional(store),
    to: Type.Optional(name('The other product of upgrade, downgrade, add-item and schedule')),
    item: Type.Optional(name('The product of a subscription with several that the turn changes')),
    price: Type.Optional(Price),
    amountMicros: Type.Optional(micros('Of credit, and of a refund of a part')),
    prorated: Type.Optional(Type.Boolean({ description: 'Of refund and upgrade at Android' })),
    noGrace: Type.Optional(Type.Boolean({ description: 'Of billing-issue: without a grace period' })),
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999, description: 'Of seats' })),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 999, description: 'Of extend' })),
  },
  { ...strict, title: 'SimulatedTurn' },
)

export const AdvanceOrder = Type.Object(
  { action: Type.Literal('advance'), ms: Type.Integer({ minimum: 1, maximum: MOST_DAYS * DAY }) },
  { ...strict, title: 'SimulatedTime' },
)

export const DeliverOrder = Type.Object(
  { action: Type.Literal('deliver') },
  { ...strict, title: 'SimulatedDelivery', description: 'Delivers all waiting messages, delayed ones too' },
)

const faults = {
  duplicates: Type.Integer({ minimum: 0, maximum: 9, description: 'Additional copies of each message' }),
  isReordered: Type.Boolean(),
  delayMs: Type.Integer({ minimum: 0, maximum: MOST_DAYS * DAY }),
  dropRate: Type.Number({ minimum: 0, maximum: 1, description: 'The part of the messages that is lost' }),
  isStoreDown: Type.Boolean({ description: 'The stores do not answer' }),
}

/** The simulated faults from now on. */
export const Faults = Type.Object(faults, { ...strict, title: 'SimulatedFaults' })

export const FaultsOrder = Type.Object(
  { action: Type.Literal('trouble'), ...Type.Partial(Type.Object(faults)).properties },
  { ...strict, title: 'SimulatedFaultsChange', description: 'Members that are absent keep their values' },
)

const percentOff = orNull(Type.Integer({ minimum: 1, maximum: 100 }))
const trialDays = Type.Integer({ minimum: 0, maximum: MOST_DAYS })

export const PriceOrder = Type.Object(
  { action: Type.Literal('price'), product: name('Identifier of the product'), price: Price, trialDays },
  { ...strict, title: 'SimulatedPrice', description: 'What a product costs in funnels at the test store' },
)

export const PromotionOrder = Type.Object(
  {
    action: Type.Literal('promotion'),
    code: Type.String({ pattern: '^[A-Z0-9_-]{1,50}$', minLength: 1, maxLength: 50 }),
    percentOff,
  },
  { ...strict, title: 'SimulatedPromotion', description: 'A promotion code in funnels; null ends it' },
)

export const SettleOrder = Type.Object(
  {
    action: Type.Literal('settle'),
    payment: Type.String({ minLength: 1, maxLength: 64, description: 'Id of a payment of a funnel' }),
    failed: Type.Optional(Type.Boolean({ description: 'True: it fails instead of coming in' })),
  },
  { ...strict, title: 'SimulatedSettlement' },
)

export const SimulationOrder = Type.Union(
  [PurchaseOrder, TurnBody, AdvanceOrder, DeliverOrder, FaultsOrder, PriceOrder, PromotionOrder, SettleOrder],
  { title: 'SimulationOrder' },
)

export type SimulationOrder = Static<typeof SimulationOrder>

const heard = {
  delivered: Type.Array(Type.String(), { description: 'Types of the messages that were accepted, in order' }),
  failed: Type.Array(
    Type.Object(
      {
        type: Type.String(),
        code: Type.String(),
        error: Type.String(),
        isFinal: Type.Boolean({ description: 'It was refused and is not sent again' }),
      },
      strict,
    ),
  ),
}

const ids = { transactionId: Type.String(), originalTransactionId: Type.String() }
const time = Type.String({ format: 'date-time' })

/** A purchase after an action, and what its device has. */
export const Done = Type.Object(
  {
    store,
    ...ids,
    subscriberId: orNull(Type.String()),
    access: AccessMapSchema,
    virtualCurrencyBalances: Type.Record(Type.String(), Int64()),
    told: Type.Array(Type.String(), { description: 'Types of the messages that the store wrote' }),
    ...heard,
  },
  { ...strict, title: 'SimulatedPurchase' },
)

export const Unposted = Type.Object(
  { receipt: Type.String(), appUserId: Type.String(), productId: Type.String() },
  { ...strict, title: 'SimulatedReceipt' },
)

const life = { device: Type.String(), store, product: Type.String(), ...ids }

export const Passed = Type.Object(
  {
    now: time,
    steps: Type.Array(Type.Object({ at: time, turn: Type.String(), ...life }, strict)),
    ...heard,
  },
  { ...strict, title: 'SimulatedTimePassed' },
)

export const Heard = Type.Object(heard, { ...strict, title: 'SimulatedMessages' })

export const Offer = Type.Object(
  {
    product: Type.String(),
    price: Type.Object({ amountMicros: Type.Integer(), currency: Type.String() }, strict),
    trialDays,
  },
  { ...strict, title: 'SimulatedOffer' },
)

export const Code = Type.Object({ code: Type.String(), percentOff }, { ...strict, title: 'SimulatedCode' })

export const SimulationResult = Type.Union([Done, Unposted, Passed, Heard, Faults, Offer, Code], {
  title: 'SimulationResult',
})

/** The state of a project's test stores. */
export const StoresStatus = Type.Object(
  {
    now: time,
    advancedMs: Type.Integer(),
    trouble: Faults,
    lost: Type.Integer({ description: 'How many messages were lost so far' }),
    purchases: Type.Array(
      Type.Object({ ...life, next: orNull(Type.Object({ turn: Type.String(), at: time }, strict)) }, strict),
    ),
    waiting: Type.Array(
      Type.Object(
        {
          type: Type.String(),
          device: Type.String(),
          attempts: Type.Integer(),
          error: orNull(Type.String()),
          deliverAt: time,
        },
        strict,
      ),
    ),
  },
  { ...strict, title: 'TestStoreStatus' },
)
