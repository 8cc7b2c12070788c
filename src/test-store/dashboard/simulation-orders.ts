import type { Static } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid, missing } from '../../base/errors'
import { conflict } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import { type Buying, postOf } from '../driver/buy'
import { receiptOf } from '../driver/send'
import {
  type Done,
  type Result,
  simulatePurchase,
  simulateTurn,
  simulateUnposted,
  type TurnTerms,
} from '../driver/simulate'
import { newestStore } from '../driver/status'
import { type Price, termsOf, USUAL_PRICE } from '../driver/terms'
import type { SimulatedStore, SimulatedTerms } from '../stores/life'
import type { PurchaseOrder, TurnBody } from './simulation-wire'

type Purchase = Static<typeof PurchaseOrder>
type Turn = Static<typeof TurnBody>

/** The terms at which the test store sells a product; 404 when the catalogue does not have the product. */
function soldBy(project: ProjectState, store: SimulatedStore, product: string, price: Price): SimulatedTerms {
  const terms = termsOf(project, store, product, price)
  if (!terms) throw missing(`The project has no product "${product}"; add it with svc apply.`)
  return terms
}

const toPrice = ({ price }: Pick<Purchase, 'price'>): Price =>
  price ? { micros: price.amountMicros, currency: price.currency } : USUAL_PRICE

/** What an order buys. At the iOS store unless it names another. */
export function buyingOf(project: ProjectState, order: Purchase): Buying & { others: readonly SimulatedTerms[] } {
  const { device: deviceKey, product, store = 'ios', with: more = [], commitment, trial = false } = order
  const sold = soldBy(project, store, product, toPrice(order))
  const terms = commitment ? { ...sold, isCommitted: true } : sold
  const others = more.map((one) => soldBy(project, store, one, toPrice(order)))
  return { deviceKey, store, terms, others, withTrial: trial }
}

export const purchase = (ctx: Context, project: ProjectState, order: Purchase): Promise<Result<Done>> =>
  simulatePurchase(ctx, project, buyingOf(project, order))

/** Makes a purchase that only the app knows, and returns the body that the app would post. */
export async function unposted(ctx: Context, project: ProjectState, order: Purchase) {
  const made = await simulateUnposted(ctx, project, buyingOf(project, order))
  if (!made.ok) throw conflict(made.why)
  const { life } = made
  const post = postOf(life)
  if (!post) throw invalid('posted: no app posts what is bought on the web')
  return {
    receipt: await receiptOf(ctx, project, post),
    appUserId: life.deviceKey,
    productId: life.terms.productId,
  }
}

/** Takes a turn with the newest purchase of a device that can take it. */
export async function turn(ctx: Context, project: ProjectState, order: Turn): Promise<Result<Done>> {
  const { action, device: deviceKey, store = null, product = null } = order
  return simulateTurn(ctx, project, { deviceKey, store, product }, action, await termsFor(ctx, project, order))
}

async function termsFor(ctx: Context, project: ProjectState, order: Turn): Promise<TurnTerms> {
  switch (order.action) {
    case 'upgrade':
    case 'downgrade':
    case 'add-item':
    case 'schedule': {
      const to = soldBy(project, await storeOf(ctx, project, order), required(order, 'to'), toPrice(order))
      return { to, ...(await itemIn(ctx, project, order)), isProrated: order.prorated ?? false }
    }
    case 'remove-item':
      required(order, 'item')
      return itemIn(ctx, project, order)
    case 'seats':
      return { quantity: required(order, 'quantity'), ...(await itemIn(ctx, project, order)) }
    case 'credit':
      return { amountMicros: required(order, 'amountMicros') }
    case 'extend':
      return { days: required(order, 'days') }
    case 'price-increase':
      return { priceMicros: order.price?.amountMicros ?? null }
    case 'refund': {
      const terms = { amountMicros: order.amountMicros ?? null, isProrated: order.prorated ?? false }
      return { ...terms, ...(await itemIn(ctx, project, order)) }
    }
    case 'billing-issue':
      return { hasNoGrace: order.noGrace ?? false }
    default:
      return {}
  }
}

function required<Member extends 'to' | 'item' | 'quantity' | 'amountMicros' | 'days'>(
  order: Turn,
  member: Member,
): NonNullable<Turn[Member]> {
  const value = order[member]
  if (value === undefined) throw invalid(`${member}: ${order.action} needs it`)
  return value
}

const storeOf = async (ctx: Context, project: ProjectState, { store, device }: Turn): Promise<SimulatedStore> =>
  store ?? (await newestStore(ctx, project, device)) ?? 'ios'

/** The product of a subscription with several, by its id at the store. */
async function itemIn(ctx: Context, project: ProjectState, order: Turn): Promise<TurnTerms> {
  if (order.item === undefined) return { item: null }
  return { item: soldBy(project, await storeOf(ctx, project, order), order.item, toPrice(order)).productId }
}
