import { packageNameOf } from '../../projects/connections/android-store'
import type { ProjectState } from '../../projects/project/state'
import { buyAtAndroid } from '../stores/android-life'
import { buyAtIos, type IosLife, isOver } from '../stores/ios-life'
import { refused, type SimulatedNews, type SimulatedStore, type SimulatedTerms } from '../stores/life'
import type { Life } from '../stores/lives'
import { buyAtPayment } from '../stores/payment-life'
import type { AppPost } from '../stores/world'

/** A customer's order at a test store. */
export interface Buying {
  deviceKey: string
  store: SimulatedStore
  terms: SimulatedTerms
  /** Further products of the same purchase; not at the iOS store. */
  others?: readonly SimulatedTerms[]
  withTrial: boolean
}

export interface NewLife {
  life: Life
  told: SimulatedNews[]
}

interface Circumstances {
  now: number
  /** Unique. */
  seed: string
  /** Earlier purchases of the device. */
  held: readonly Life[]
  /** The metadata of a checkout on the web. */
  metadata: Record<string, string>
}

/** The new purchase, or the reason why there is none. */
export function buyLife(
  project: ProjectState,
  { deviceKey, store, terms, others = [], withTrial }: Buying,
  { now, seed, held, metadata }: Circumstances,
): ({ ok: true } & NewLife) | { ok: false; why: string } {
  const order = { deviceKey, terms, seed, now, withTrial: withTrial && terms.type === 'SUBSCRIPTION' }
  const why = reasonAgainst(store, terms, others)
  if (why !== null) return refused(why)
  if (store === 'android')
    return { ok: true, ...buyAtAndroid({ ...order, others, packageName: packageNameOf(project) }) }
  if (store === 'payment') return buyAtPayment({ ...order, others, metadata })
  if (!project.ios) return refused('The project has no iOS bundle id; set stores.ios.bundleId with svc apply.')
  return { ok: true, ...buyAtIos({ ...order, bundleId: project.ios.bundleId, previous: lapsed(held, terms) }) }
}

/** The App Store sells a year in months, and Google Play a number of months. */
const COMMITTED_PERIODS = { ios: 'P1Y', android: 'P1M', payment: 'none' } as const
const NO_COMMITMENT =
  'Only a subscription of a year at iOS, or of a month at Google Play, has a commitment; leave --commitment out.'

/** Why the products cannot be bought together; null when they can. */
function reasonAgainst(store: SimulatedStore, terms: SimulatedTerms, others: readonly SimulatedTerms[]): string | null {
  if (terms.isCommitted && terms.period !== COMMITTED_PERIODS[store]) return NO_COMMITMENT
  if (others.length === 0) return null
  if (store === 'ios') return 'The iOS store sells one product in each purchase; leave --with out.'
  const isOnce = ({ type }: SimulatedTerms) => type !== 'SUBSCRIPTION'
  if (others.some((one) => isOnce(one) !== isOnce(terms) || one.period !== terms.period))
    return 'Products that are bought together are one-time products, or subscriptions of one period.'
  const ids = new Set([terms, ...others].map(({ productId }) => productId))
  return ids.size <= others.length ? 'Products that are bought together have different ids at the store.' : null
}

/** The ended subscription to continue: the iOS store continues its chain when the customer buys the product again. */
const lapsed = (held: readonly Life[], { identifier, type }: SimulatedTerms): IosLife | null =>
  held.find(
    (life): life is IosLife =>
      life.store === 'ios' && type === 'SUBSCRIPTION' && life.terms.identifier === identifier && isOver(life),
  ) ?? null

/** What the app sends to us after a purchase; null where the customer paid on the web. */
export function postOf(life: Life): AppPost | null {
  const { identifier: productId } = life.terms
  if (life.store === 'ios') return { store: 'ios', productId, transaction: life.transaction }
  return life.store === 'android' ? { store: 'android', productId, token: life.id } : null
}
