import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { PlayAnswer } from '../../stores/android/answer'
import type { CatalogPage, PlayClient } from '../../stores/android/client'
import {
  type PlayOffer,
  type PlayPage,
  type PlayProduct,
  readOffers,
  readOneTimeProducts,
  readSubscriptions,
} from '../../stores/android/play-catalog'
import { androidClient } from '../connections/android-store'
import type { ProjectState } from '../project/state'
import type { StoreCatalog, StoreProduct } from '../store-setup/model'

/** Subscriptions with their base plans and offers, and one-time products, as the Play Console shows them. */
export const androidCatalog: StoreCatalog = { store: 'android', list: listPlayProducts }

async function listPlayProducts(ctx: Context, project: ProjectState): Promise<StoreProduct[]> {
  const client = await androidClient(ctx, project)
  const subscriptions = await readAll((page) => client.listSubscriptions(page), readSubscriptions)
  const offers = subscriptions.length === 0 ? [] : await readAll((page) => client.listOffers(page), readOffers)
  const products = await readAll((page) => client.listOneTimeProducts(page), readOneTimeProducts)
  return [...subscriptions.map((one) => withOffers(one, offers)), ...products].map(toStoreProduct)
}

/** The largest page that Google gives. */
const PAGE_SIZE = 1000
/** An app has at most some thousand products; a store that says forever that there are more must not hold a call. */
const MAX_PAGES = 20

async function readAll<Item>(
  ask: (page: CatalogPage) => ReturnType<PlayClient['listOffers']>,
  read: (body: unknown) => PlayPage<Item> | null,
): Promise<Item[]> {
  const items: Item[] = []
  let pageToken: string | null = null
  for (let count = 0; count < MAX_PAGES; count++) {
    const body = unwrap(await ask({ pageSize: PAGE_SIZE, ...(pageToken === null ? {} : { pageToken }) }))
    const page = read(body)
    if (!page) throw new AppError('STORE_API_ERROR')
    items.push(...page.items)
    pageToken = page.nextPageToken
    if (pageToken === null) return items
  }
  throw new AppError('STORE_API_ERROR')
}

function unwrap(answer: PlayAnswer<unknown>): unknown {
  if (answer.kind === 'ok') return answer.body
  if (answer.kind === 'unavailable') throw new AppError('STORE_UNAVAILABLE')
  const cause = new Error(`Google Play: ${answer.status} ${answer.reason ?? ''}`.trim())
  throw new AppError('STORE_API_ERROR', undefined, { cause })
}

const withOffers = (product: PlayProduct, offers: readonly PlayOffer[]): PlayProduct => ({
  ...product,
  basePlans: product.basePlans.map((plan) => ({
    ...plan,
    offers: offers
      .filter(({ productId, basePlanId }) => productId === product.productId && basePlanId === plan.id)
      .map(({ id, status }) => ({ id, status })),
  })),
})

const toStoreProduct = ({ productId, name, isSubscription, basePlans }: PlayProduct): StoreProduct => ({
  storeId: productId,
  name,
  type: isSubscription ? 'SUBSCRIPTION' : 'ONE_TIME',
  basePlans,
  status: statusOf(basePlans.map(({ status }) => status)),
  period: null,
})

/** Google gives a state to base plans and purchase options only. A product can be bought when one of them can. */
function statusOf(states: readonly string[]): string {
  const [first = 'DRAFT'] = states
  return states.includes('ACTIVE') ? 'ACTIVE' : first
}
