import { MINUTE } from '../../../base/lib/clock'
import { replacement } from '../../../intake/android/earlier-lines'
import { type AndroidLook, type LookTimes, lookAt } from '../../../intake/android/fetch'
import { newsOf } from '../../../intake/android/record'
import type { PlayClient } from '../../../stores/android/client'
import type { AndroidProductType } from '../../../stores/android/notification'
import type { Marker } from '../../../stores/observation'
import { olderProduct } from '../../../test-store/stores/android'
import { type AndroidFact, type PlayWorld, readPush } from './android-world.fixtures'
import { Book } from './book.fixtures'
import { SHOP } from './shop.fixtures'

/** The answers of the store about a fact, to be recorded now or later. */
export interface FetchedFact {
  purchaseToken: string
  looks: readonly AndroidLook[]
  marker: Marker | null
}

const ANDROID = 'ANDROID_STORE'

/**
 * Receives the facts of Google Play for one owner, asks it about each, and records the answers in a `Book`. The steps
 * are those of `intake/android`.
 */
export class PlayRecorder {
  readonly book = new Book(SHOP)

  constructor(private readonly world: PlayWorld) {}

  async handle(fact: AndroidFact): Promise<string[]> {
    const fetched = await this.fetch(fact)
    return fetched ? this.record(fetched) : []
  }

  /** Asks the store now. Null for a fact without effect, or when the store was asked just before. */
  async fetch(fact: AndroidFact): Promise<FetchedFact | null> {
    if (fact.kind === 'POST') return this.#fetchForDevice(fact.token, fact.productId)
    const { action } = readPush(fact)
    if (action.kind === 'IGNORED') return null
    const { purchaseToken, productType } = action
    if (action.kind === 'FETCH') {
      return { purchaseToken, looks: await this.#looks(purchaseToken, productType, action), marker: null }
    }
    const isKnown = this.book.purchases.has(purchaseToken)
    const looks = isKnown ? [] : await this.#looks(purchaseToken, productType)
    return { purchaseToken, looks, marker: action.marker }
  }

  record({ purchaseToken, looks, marker }: FetchedFact): string[] {
    const events = looks.flatMap((look) => this.#recordLook(look))
    if (!marker || !this.book.purchases.has(purchaseToken)) return events
    return [...events, ...this.#add(purchaseToken, [marker])]
  }

  async #fetchForDevice(purchaseToken: string, productId: string): Promise<FetchedFact | null> {
    const reports = this.#known(purchaseToken).filter(({ kind }) => kind === 'REPORT')
    const saidAt = Math.max(0, ...reports.map(({ eventAt }) => eventAt))
    if (Math.abs(this.world.now - saidAt) < MINUTE) return null
    const family = productId === 'pro' ? 'SUBSCRIPTION' : 'ONE_TIME'
    return { purchaseToken, looks: await this.#looks(purchaseToken, family), marker: null }
  }

  /** The purchases of these lives have one line each. */
  #recordLook(look: AndroidLook): string[] {
    const { purchaseToken, replaced } = look
    const predecessor = replaced && this.book.purchases.get(replaced.purchaseToken)
    const first = predecessor
      ? [replacement(look, { chainKey: replaced.purchaseToken, fold: predecessor.published })]
      : []
    const told = look.lines.flatMap((line) => newsOf(look, line, this.#known(purchaseToken)))
    const events = this.#add(purchaseToken, [...first, ...told])
    return predecessor ? [...events, ...this.#add(replaced.purchaseToken, [replaced.report])] : events
  }

  #add = (chainKey: string, observations: Parameters<Book['record']>[0]['observations']): string[] =>
    this.book.record({ store: ANDROID, chainKey, observations }, this.world.now)

  #known = (token: string) => this.book.purchases.get(token)?.known ?? []

  /** The purchase, after the purchases that it replaces and that are still unknown, the oldest first. */
  async #looks(token: string, family: AndroidProductType, times?: LookTimes): Promise<AndroidLook[]> {
    const look = await this.#look(token, family, times)
    if (!look) return []
    const before = look.replaced?.purchaseToken
    if (before === undefined || this.book.purchases.has(before)) return [look]
    return [...(await this.#looks(before, family)), look]
  }

  async #look(purchaseToken: string, family: AndroidProductType, times?: LookTimes): Promise<AndroidLook | null> {
    const heldId = this.book.purchases.get(purchaseToken)?.published.storeProductId ?? null
    const result = await lookAt(
      this.#client,
      { catalog: SHOP },
      {
        purchaseToken,
        family,
        storeProductId: heldId,
        now: () => this.world.now,
        ...(times === undefined ? {} : { times }),
      },
    )
    return result.kind === 'found' ? result.look : null
  }

  readonly #client: Pick<PlayClient, 'getSubscriptionV2' | 'getProduct'> = {
    getSubscriptionV2: async (token) => answer(this.world.store.subscriptions.get(token)?.resource),
    getProduct: async (token) => {
      const product = this.world.store.products.get(token)
      return answer(product?.resource ?? (product && olderProduct(product)))
    },
  }
}

const answer = (resource: object | undefined) =>
  resource
    ? { kind: 'ok' as const, body: JSON.parse(JSON.stringify(resource)) as unknown }
    : { kind: 'not_found' as const, status: 404, reason: null }
