import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** A base plan of a subscription, or a purchase option of a one-time product. */
export interface PlayBasePlan {
  id: string
  /** ISO 8601, such as `P1M`; null for a one-time product. */
  period: string | null
  /** Google's word: `ACTIVE`, `DRAFT`, `INACTIVE`. */
  status: string
  offers: { id: string; status: string }[]
}

/** A product as it is at Google Play. */
export interface PlayProduct {
  productId: string
  name: string
  isSubscription: boolean
  basePlans: PlayBasePlan[]
}

/** An offer of one base plan of one subscription. */
export interface PlayOffer {
  productId: string
  basePlanId: string
  id: string
  status: string
}

export interface PlayPage<Item> {
  items: Item[]
  nextPageToken: string | null
}

/** In protobuf's JSON a member that is empty is absent. */
const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const Id = Type.String({ minLength: 1 })
const List = <Schema extends TSchema>(schema: Schema) => Maybe(Type.Array(schema))
const Listings = List(Type.Object({ languageCode: Maybe(Type.String()), title: Maybe(Type.String()) }))
const State = Maybe(Type.String())
const Period = Maybe(Type.Object({ billingPeriodDuration: Maybe(Type.String()) }))

const Subscriptions = Type.Object({
  nextPageToken: Maybe(Type.String()),
  subscriptions: List(
    Type.Object({
      productId: Id,
      listings: Listings,
      basePlans: List(
        Type.Object({
          basePlanId: Id,
          state: State,
          autoRenewingBasePlanType: Period,
          prepaidBasePlanType: Period,
          installmentsBasePlanType: Period,
        }),
      ),
    }),
  ),
})

const OneTimeProducts = Type.Object({
  nextPageToken: Maybe(Type.String()),
  oneTimeProducts: List(
    Type.Object({
      productId: Id,
      listings: Listings,
      purchaseOptions: List(Type.Object({ purchaseOptionId: Id, state: State })),
    }),
  ),
})

const Offers = Type.Object({
  nextPageToken: Maybe(Type.String()),
  subscriptionOffers: List(Type.Object({ productId: Id, basePlanId: Id, offerId: Id, state: State })),
})

/** Null for an answer that is no page of subscriptions. Their offers are listed by another call. */
export function readSubscriptions(body: unknown): PlayPage<PlayProduct> | null {
  if (!Value.Check(Subscriptions, body)) return null
  const items = (body.subscriptions ?? []).map(({ productId, listings, basePlans }) => ({
    productId,
    name: nameOf(productId, listings),
    isSubscription: true,
    basePlans: (basePlans ?? []).map(({ basePlanId, state, ...plan }) => ({
      id: basePlanId,
      period: periodOf(plan),
      status: wordOf(state),
      offers: [],
    })),
  }))
  return { items, nextPageToken: body.nextPageToken || null }
}

export function readOneTimeProducts(body: unknown): PlayPage<PlayProduct> | null {
  if (!Value.Check(OneTimeProducts, body)) return null
  const items = (body.oneTimeProducts ?? []).map(({ productId, listings, purchaseOptions }) => ({
    productId,
    name: nameOf(productId, listings),
    isSubscription: false,
    basePlans: (purchaseOptions ?? []).map(({ purchaseOptionId, state }) => ({
      id: purchaseOptionId,
      period: null,
      status: wordOf(state),
      offers: [],
    })),
  }))
  return { items, nextPageToken: body.nextPageToken || null }
}

export function readOffers(body: unknown): PlayPage<PlayOffer> | null {
  if (!Value.Check(Offers, body)) return null
  const items = (body.subscriptionOffers ?? []).map(({ productId, basePlanId, offerId, state }) => ({
    productId,
    basePlanId,
    id: offerId,
    status: wordOf(state),
  }))
  return { items, nextPageToken: body.nextPageToken || null }
}

const wordOf = (state: string | null | undefined): string => state ?? 'STATE_UNSPECIFIED'

/** The title in English if there is one, else the first; a product without a title is called by its id. */
function nameOf(productId: string, listings: Static<typeof Listings> | undefined): string {
  const titled = (listings ?? []).filter(({ title }) => title)
  const english = titled.find(({ languageCode }) => languageCode?.startsWith('en'))
  return (english ?? titled[0])?.title ?? productId
}

type Plan = Record<'autoRenewingBasePlanType' | 'prepaidBasePlanType' | 'installmentsBasePlanType', unknown>

const periodOf = (plan: Partial<Plan>): string | null => {
  const kinds = [plan.autoRenewingBasePlanType, plan.prepaidBasePlanType, plan.installmentsBasePlanType]
  const found = kinds.find((kind) => kind) as Static<typeof Period> // The schema was checked.
  return found?.billingPeriodDuration ?? null
}
