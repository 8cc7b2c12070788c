import { type Static, type TSchema, Type } from '@sinclair/typebox'

// The answers of the App Store Connect API, with the members that are used here. Other members are ignored.

const open = { additionalProperties: true }
const Word = Type.String({ maxLength: 1000 })
const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const Id = Type.String({ minLength: 1, maxLength: 255 })

/** One page of a list. `links.next` is the address of the next page. */
const pageOf = <Schema extends TSchema>(item: Schema) =>
  Type.Object({ data: Type.Array(item), links: Maybe(Type.Object({ next: Maybe(Word) }, open)) }, open)

/** An app, with the addresses to which the App Store sends its notifications. */
export const App = Type.Object(
  {
    id: Id,
    attributes: Type.Object(
      {
        bundleId: Word,
        subscriptionStatusUrl: Maybe(Word),
        subscriptionStatusUrlVersion: Maybe(Word),
        subscriptionStatusUrlForSandbox: Maybe(Word),
        subscriptionStatusUrlVersionForSandbox: Maybe(Word),
      },
      open,
    ),
  },
  open,
)
export type App = Static<typeof App>

export const Apps = pageOf(App)
export const OneApp = Type.Object({ data: App }, open)

const InAppPurchase = Type.Object(
  {
    attributes: Type.Object({ name: Word, productId: Word, inAppPurchaseType: Word, state: Maybe(Word) }, open),
  },
  open,
)
export type InAppPurchase = Static<typeof InAppPurchase>
export const InAppPurchases = pageOf(InAppPurchase)

export const SubscriptionGroups = pageOf(Type.Object({ id: Id }, open))

const Subscription = Type.Object(
  {
    attributes: Type.Object({ name: Word, productId: Word, state: Maybe(Word), subscriptionPeriod: Maybe(Word) }, open),
  },
  open,
)
export type Subscription = Static<typeof Subscription>
export const Subscriptions = pageOf(Subscription)

export const Failure = Type.Object(
  { errors: Type.Array(Type.Object({ code: Word, detail: Maybe(Type.String()) }, open), { minItems: 1 }) },
  open,
)
