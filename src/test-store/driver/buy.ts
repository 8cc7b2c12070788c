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
  /** Further products of the same purchase; at Google Play only. */
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
  if (store === 'payment') return buyAtPayment({ ...order, metadata })
  if (!project.ios) return refused('The project has no iOS bundle id; set stores.ios.bundleId with svc apply.')
  return { ok: true, ...buyAtIos({ ...order, bundleId: project.ios.bundleId, previous: lapsed(held, terms) }) }
}

/** Why the products cannot be bought together; null when they can. */
function reasonAgainst(store: SimulatedStore, terms: SimulatedTerms, others: readonly SimulatedTerms[]): string | null {
  if (others.length === 0) return null
  if (store !== 'android') return 'The test stores sell several products in one purchase at Google Play only.'
  if (others.some(({ type, period }) => type !== terms.type || period !== terms.period))
    return 'Products that are bought together have one type and one period.'
  const ids = new Set([terms, ...others].map(({ productId }) => productId))
  return ids.size <= others.length ? 'Products that are bought together have different ids at Google Play.' : null
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
