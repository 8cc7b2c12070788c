import fc from 'fast-check'
import { DAY } from '../../src/base/lib/clock'
import type { AndroidLook } from '../../src/intake/android/fetch'
import { recordUpdate } from '../../src/intake/android/news'
import { recordNotified } from '../../src/intake/ios/record'
import { recordPayment } from '../../src/intake/payment/record'
import type { ImportRow } from '../../src/moving/imports/row'
import { causeOf } from '../../src/people/events/model'
import { splitAndroidId } from '../../src/stores/android/purchase-id'
import { refundMarker } from '../../src/stores/android/voided'
import type { Marker, Observation, RenewalPart, Report, Store, TransactionPart } from '../../src/stores/observation'
import { MONTHLY, type Stage } from './cast'
import { importRow, NOW } from './imports'

/** One period of a subscription, as it was in truth. */
interface Period {
  start: number
  end: number
  micros: number
  isTrial: boolean
  refundedAt: number | null
}

/** A subscription as it was in truth. */
export interface History {
  store: Exclude<Store, 'MANUAL'>
  periods: Period[]
  /** When the customer switched the renewal off, in the last period. */
  cancelledAt: number | null
}

/** How a period becomes known: by the file, by the store, or by both. */
export type Way = 'FILE' | 'STORE' | 'BOTH'

/** An arrival: of the file's row about a period, or of the store's report about it. */
export interface Arrival {
  period: number
  by: 'FILE' | 'STORE'
}

const HOUR = 3_600_000

export const anyHistory: fc.Arbitrary<History> = fc
  .record({
    store: fc.constantFrom('IOS_STORE' as const, 'ANDROID_STORE' as const, 'PAYMENT' as const),
    count: fc.integer({ min: 1, max: 4 }),
    endsInDays: fc.integer({ min: -40, max: 29 }),
    hasTrial: fc.boolean(),
    refunds: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    isCancelled: fc.boolean(),
  })
  .map(({ store, count, endsInDays, hasTrial, refunds, isCancelled }) => {
    const end = NOW + endsInDays * DAY
    const periods = Array.from({ length: count }, (_, index): Period => {
      const start = end - (count - index) * 30 * DAY
      const isTrial = hasTrial && index === 0 && count > 1
      const refundedAt = refunds[index] && !isTrial && index % 2 === 1 ? start + DAY + HOUR : null
      return { start, end: start + 30 * DAY, micros: isTrial ? 0 : 9_990_000 + index, isTrial, refundedAt }
    })
    const last = periods.at(-1)
    const cancelledAt = isCancelled && last && last.start + 2 * DAY < NOW ? last.start + 2 * DAY : null
    return { store, periods: periods.filter(({ start }) => start + 3 * DAY < NOW), cancelledAt }
  })
  .filter(({ periods }) => periods.length > 0)

/** Each period by some way, at least one by the file, in any order and with repetitions. */
export const anyArrivals = (count: number): fc.Arbitrary<Arrival[]> =>
  fc
    .record({
      ways: fc.array(fc.constantFrom<Way>('FILE', 'STORE', 'BOTH'), { minLength: count, maxLength: count }),
      named: fc.nat({ max: count - 1 }),
      repeats: fc.array(fc.nat({ max: 20 }), { maxLength: 4 }),
    })
    .chain(({ ways, named, repeats }) => {
      const needed = ways.flatMap((way, period): Arrival[] => [
        ...(way !== 'STORE' || period === named ? [{ period, by: 'FILE' } as const] : []),
        ...(way !== 'FILE' ? [{ period, by: 'STORE' } as const] : []),
      ])
      const again = repeats.flatMap((index) => needed[index % needed.length] ?? [])
      const all = [...needed, ...again]
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })
    })

/** A history under ids of its own. */
export class ToldHistory {
  constructor(
    private readonly history: History,
    private readonly name: string,
  ) {}

  get label(): string {
    return `user_${this.name}`
  }

  private get isLast() {
    return (index: number) => index === this.history.periods.length - 1
  }

  private period(index: number): Period {
    const period = this.history.periods[index]
    if (!period) throw new Error('no such period')
    return period
  }

  private get product(): string {
    return this.history.store === 'IOS_STORE' ? MONTHLY.productId : 'pro_monthly'
  }

  private transactionId(index: number): string {
    const { store } = this.history
    if (store === 'IOS_STORE') return `${this.name}${1000 + index}`
    if (store === 'ANDROID_STORE') return `GPA.${this.name}${index === 0 ? '' : `..${index - 1}`}`
    return `in_${this.name}_${index}`
  }

  row(index: number): ImportRow {
    const { store, cancelledAt } = this.history
    const period = this.period(index)
    const cancelled = this.isLast(index) ? cancelledAt : null
    const isPayment = store === 'PAYMENT'
    return importRow({
      ...{ line: index + 2, subscriberExternalId: this.label, store, productIdentifier: this.product },
      ...{ purchaseDate: period.start, expiresDate: period.end, isTrial: period.isTrial, renewalNumber: index + 1 },
      originalTransactionId: isPayment ? `sub_${this.name}` : this.transactionId(0),
      storeTransactionId: isPayment ? `sub_${this.name}` : this.transactionId(index),
      autoRenews: cancelled === null,
      cancelledAt: cancelled,
      refundedAt: period.refundedAt,
      price: { amountMicros: period.micros, currency: 'USD' },
      updatedAt: Math.max(period.start, period.refundedAt ?? 0, cancelled ?? 0),
    })
  }

  /** The store reports everything about a period. */
  async report(s: Stage, index: number): Promise<void> {
    const project = await s.ctx.state.projects.get(s.project.id)
    const observations = this.observations(index)
    const { store } = this.history
    const cause = causeOf('STORE_NOTIFICATION', null, store)
    const shared = { environment: 'PRODUCTION', storeProductId: this.product, isSubscription: true } as const
    const plain = { isNonRenewing: false, isLocal: false }
    await s.ctx.write(async (tx) => {
      if (store === 'IOS_STORE') {
        const [originalTransactionId, transactionId] = [this.transactionId(0), this.transactionId(index)]
        const ids = { chainKey: originalTransactionId, originalTransactionId, transactionId, bundleId: 'com.example' }
        const about = { appAccountToken: null, ownershipType: 'PURCHASED', signedAt: NOW } as const
        await recordNotified(tx, project, { ...shared, ...plain, ...ids, ...about, observations }, cause)
      } else if (store === 'PAYMENT') {
        const owner = { subscriberId: null, deviceKey: null, presentedContext: null }
        const line = { lineKey: '', storeProductId: this.product, isPresent: true, observations }
        const about = { chainKey: `sub_${this.name}`, customerId: null, owner, metadata: {}, fetchedAt: NOW }
        const payment = { ...shared, ...about, lines: [line] }
        const selling = { ...project, payment: { mode: 'live', accountId: 'acct_1', publishableKey: null } } as const
        await recordPayment(tx, selling, payment, cause)
      } else {
        const news = { purchaseToken: `token-${this.name}`, looks: [this.look(observations)], marker: null, idle: null }
        await recordUpdate(tx, project, news, cause)
      }
    })
  }

  private look(observations: Observation[]): AndroidLook {
    const name = { lineKey: splitAndroidId(this.product).productId, storeProductId: this.product }
    return {
      ...{ purchaseToken: `token-${this.name}`, family: 'SUBSCRIPTION', environment: 'PRODUCTION', account: null },
      ...{ originalTransactionId: `GPA.${this.name}`, isAcknowledged: true, replaced: null, refunds: [] },
      ...{ startedAt: this.period(0).start, fetchedAt: NOW },
      lines: [{ ...name, product: null, replacedProductId: null, observe: () => observations }],
    }
  }

  private observations(index: number): Observation[] {
    const { start, refundedAt } = this.period(index)
    const transactionId = this.transactionId(index)
    const report: Report = {
      ...{ kind: 'REPORT', id: `${transactionId}@${start}`, eventAt: start },
      transaction: this.part(index),
      renewal: { autoRenews: true },
    }
    return [
      report,
      ...this.cancellation(index),
      ...(refundedAt === null ? [] : [this.refund(transactionId, refundedAt)]),
    ]
  }

  private part(index: number): TransactionPart {
    const { start, end, micros, isTrial } = this.period(index)
    return {
      ...{ transactionId: this.transactionId(index), storeProductId: this.product, purchaseDate: start },
      ...{ originalPurchaseDate: this.period(0).start, expiresAt: end, isTrial, isIntroOffer: false, offerId: null },
      ...{ price: { amountMicros: micros, currency: 'USD' }, quantity: 1, ownershipType: 'PURCHASED' },
      reason: index === 0 ? 'PURCHASE' : 'RENEWAL',
    }
  }

  private cancellation(index: number): Report[] {
    const { cancelledAt } = this.history
    if (cancelledAt === null || !this.isLast(index)) return []
    const renewal: RenewalPart = { autoRenews: false }
    return [{ kind: 'REPORT', id: `cancel:${this.name}`, eventAt: cancelledAt, transaction: this.part(index), renewal }]
  }

  private refund(transactionId: string, at: number): Marker {
    const { store } = this.history
    if (store === 'ANDROID_STORE') return refundMarker(transactionId, at)
    const id = store === 'IOS_STORE' ? `refund:${transactionId}@${at}` : `refund:re_${transactionId}`
    return { kind: 'REFUND', id, eventAt: at, transactionId, amount: null }
  }
}
