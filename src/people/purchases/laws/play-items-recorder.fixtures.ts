import { MINUTE } from '../../../base/lib/clock'
import { type AndroidLook, type LookTimes, likelyTypeOf, lookAt, type PlayReader } from '../../../intake/android/fetch'
import { lineReports } from '../../../intake/android/record'
import { compileCatalog } from '../../../projects/catalog/snapshot'
import type { AndroidProductType } from '../../../stores/android/notification'
import { decodePaidOrder } from '../../../stores/android/paid-order'
import { splitAndroidId } from '../../../stores/android/purchase-id'
import { type AndroidFact, readPush } from './android-world.fixtures'
import { Chains } from './chains.fixtures'
import type { PlayItemsWorld } from './play-items-world.fixtures'
import { SHOP } from './shop.fixtures'

const ANDROID = 'ANDROID_STORE'

/** The catalogue of the other laws, in which the second plan of Google Play is a product of one month. */
export const PLAY_ITEMS_SHOP = compileCatalog({
  products: [...SHOP.products.values()].map((product) =>
    product.identifier === 'pro_yearly'
      ? { ...product, androidId: 'coach', androidBasePlanId: 'monthly', period: 'P1M' }
      : product,
  ),
  access: [],
  offerings: [],
  currencies: [],
  grants: [...SHOP.grantsByProduct.values()].flat(),
})

/**
 * Receives the facts of Google Play for one owner, asks it about each, and records the answers. The steps are those of
 * `intake/android`.
 */
export class PlayItemsRecorder {
  readonly chains = new Chains(PLAY_ITEMS_SHOP)
  readonly #firstOrders = new Map<string, string>()

  constructor(private readonly world: PlayItemsWorld) {}

  async handle(fact: AndroidFact): Promise<void> {
    if (fact.kind === 'POST') return this.#post(fact.token, fact.productId)
    const { action } = readPush(fact)
    if (action.kind === 'IGNORED') return
    const { purchaseToken: token, productType } = action
    if (action.kind === 'FETCH') return this.#record(await this.#looks(token, productType, action))
    if (this.#known(token).length === 0) this.#record(await this.#looks(token, productType))
    this.chains.add(ANDROID, token, [action.marker])
  }

  async #post(token: string, productId: string): Promise<void> {
    const reports = this.#known(token).filter(({ kind }) => kind === 'REPORT')
    const isHeld = this.chains.linesOf(ANDROID, token).some(({ fold }) => productOf(fold.storeProductId) === productId)
    if (isHeld && this.world.now - Math.max(0, ...reports.map(({ eventAt }) => eventAt)) < MINUTE) return
    this.#record(await this.#looks(token, this.world.carts.includes(token) ? 'ONE_TIME' : 'SUBSCRIPTION'))
  }

  #record(looks: readonly AndroidLook[]): void {
    for (const look of looks) {
      const { purchaseToken: chainKey, fetchedAt, replaced, originalTransactionId } = look
      if (!this.#firstOrders.has(chainKey)) this.#firstOrders.set(chainKey, originalTransactionId)
      const earlier = replaced ? this.chains.linesOf(ANDROID, replaced.purchaseToken) : []
      const about = { store: ANDROID, chainKey, fetchedAt, likelyType: likelyTypeOf(look) } as const
      this.chains.record({ ...about, replacesInOrder: false, lines: lineReports(look, earlier) })
      if (replaced) this.chains.add(ANDROID, replaced.purchaseToken, [replaced.report])
    }
  }

  #known = (token: string) => this.chains.linesOf(ANDROID, token).flatMap(({ known }) => known)

  /** The purchase, after the purchases that it replaces and that are still unknown, the oldest first. */
  async #looks(purchaseToken: string, family: AndroidProductType, times?: LookTimes): Promise<AndroidLook[]> {
    const parts = this.#known(purchaseToken).flatMap((one) => (one.kind === 'REPORT' ? (one.transaction ?? []) : []))
    const result = await lookAt(
      this.#reader,
      { catalog: PLAY_ITEMS_SHOP },
      {
        purchaseToken,
        family,
        storeProductId: parts[0]?.storeProductId ?? null,
        now: () => this.world.now,
        firstOrderId: this.#firstOrders.get(purchaseToken) ?? null,
        isRecorded: (orderId, productId) =>
          parts.some((part) => part.transactionId === orderId && productOf(part.storeProductId) === productId),
        ...(times && { times }),
      },
    )
    if (result.kind !== 'found') return []
    const before = result.look.replaced?.purchaseToken
    if (before === undefined || this.#known(before).length > 0) return [result.look]
    return [...(await this.#looks(before, family)), result.look]
  }

  readonly #reader: PlayReader = {
    getSubscriptionV2: async (token) => answer(this.world.store.subscriptions.get(token)?.resource),
    getProduct: async (token) => answer(this.world.store.products.get(token)?.resource),
    getPaidOrder: async (orderId, purchaseToken) => {
      const result = decodePaidOrder(this.world.order(orderId) ?? {}, { orderId, purchaseToken })
      return { kind: 'ok', body: result.ok ? result.order : null }
    },
  }
}

const productOf = (storeProductId: string): string => splitAndroidId(storeProductId).productId

const answer = (resource: object | undefined) =>
  resource
    ? { kind: 'ok' as const, body: JSON.parse(JSON.stringify(resource)) as unknown }
    : { kind: 'not_found' as const, status: 404, reason: null }
