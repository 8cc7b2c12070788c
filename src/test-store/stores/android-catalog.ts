import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'

/** What the stand-in of Google Play sells. Tests change it while it runs. */
export interface SimulatedCatalog {
  subscriptions: androidpublisher_v3.Schema$Subscription[]
  offers: androidpublisher_v3.Schema$SubscriptionOffer[]
  oneTimeProducts: androidpublisher_v3.Schema$OneTimeProduct[]
  /** The most items of one page, whatever is asked for. */
  pageSize: number
}

export const emptyCatalog = (): SimulatedCatalog => ({
  subscriptions: [],
  offers: [],
  oneTimeProducts: [],
  pageSize: 50,
})

/** Answers the lists of the catalogue; null for another path. `rest` is the path after the package name. */
export function answerCatalog(catalog: SimulatedCatalog, rest: string, query: URLSearchParams): Response | null {
  const list = LISTS[rest]
  return list ? Response.json(list(catalog, query)) : null
}

type List = (catalog: SimulatedCatalog, query: URLSearchParams) => object

/** Like Google, they send no empty list. */
const LISTS: Readonly<Record<string, List>> = {
  subscriptions: ({ subscriptions, pageSize }, query): androidpublisher_v3.Schema$ListSubscriptionsResponse => {
    const { rows, next } = pageOf(subscriptions, pageSize, query)
    return { ...(rows.length > 0 && { subscriptions: rows }), ...next }
  },
  'subscriptions/-/basePlans/-/offers': (
    { offers, pageSize },
    query,
  ): androidpublisher_v3.Schema$ListSubscriptionOffersResponse => {
    const { rows, next } = pageOf(offers, pageSize, query)
    return { ...(rows.length > 0 && { subscriptionOffers: rows }), ...next }
  },
  oneTimeProducts: ({ oneTimeProducts, pageSize }, query): androidpublisher_v3.Schema$ListOneTimeProductsResponse => {
    const { rows, next } = pageOf(oneTimeProducts, pageSize, query)
    return { ...(rows.length > 0 && { oneTimeProducts: rows }), ...next }
  },
}

/** The token of a page is the number of its first row. */
function pageOf<Row>(all: readonly Row[], pageSize: number, query: URLSearchParams) {
  const from = Number(query.get('pageToken') ?? 0)
  const to = from + Math.min(pageSize, Number(query.get('pageSize') ?? 50))
  return { rows: all.slice(from, to), next: to < all.length ? { nextPageToken: String(to) } : {} }
}
