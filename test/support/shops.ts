import { expect } from 'bun:test'
import type { RenewalPayload } from '../../src/stores/ios/renewal'
import type { SimulatedPush } from '../../src/test-store/stores/android-push'
import type { SimulatedProduct } from '../../src/test-store/stores/ios'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage } from './android'
import { type Answer, COINS, LIFETIME, MONTHLY, YEARLY } from './cast'
import { refund, renew } from './facts'
import { deliver, notificationBody } from './notify'

export type Sold = 'pro_monthly' | 'pro_yearly' | 'coins_100' | 'lifetime'

/** One purchase at a store. The store sends a notification of each change, and it is delivered at once. */
export interface Bought {
  /** Posts the newest receipt or token as a device does. */
  show(device: string, more?: Record<string, unknown>, key?: string): Promise<Answer>
  /** The purchase as a member of the list in a restore. */
  receipt(): { store: string; receipt: string; productId: string }
  renew(): Promise<void>
  failPayment(): Promise<void>
  hold(): Promise<void>
  refund(): Promise<void>
  revoke(): Promise<void>
  /** Delivers everything that was sent so far again, the last first. Nothing of it is new. */
  repeat(): Promise<void>
}

interface Options {
  /** The account id that the store signs into the purchase. */
  account?: string
  isTest?: boolean
}

/** The operations that both stores have. */
export interface Shop {
  name: string
  /** Buys a product. With `isNotified` false the store's notification of the purchase is not delivered. */
  buy(s: AndroidStage, product: Sold, options?: Options & { isNotified?: boolean }): Promise<Bought>
}

const accept = ({ status, body }: Answer, isDuplicate: boolean): void =>
  expect([status, body]).toEqual([200, { data: { received: true, duplicate: isDuplicate } }])

const AT_APPLE: Record<Sold, SimulatedProduct> = {
  pro_monthly: MONTHLY,
  pro_yearly: YEARLY,
  coins_100: COINS,
  lifetime: LIFETIME,
}
const STAYS_ON = { renewal: { autoRenewStatus: 1 } }

/** In the sandbox unless the stage trusts the test store for Production (`trustForProduction`). */
const appStore: Shop = {
  name: 'App Store',
  async buy(s, sold, { account, isNotified = true, isTest = true } = {}) {
    const product = AT_APPLE[sold]
    const environment = isTest ? 'Sandbox' : 'Production'
    const bought = s.buy(product, account === undefined ? {} : { appAccountToken: account })
    let present = { ...bought, environment } as typeof bought
    const sent: { signedPayload: string }[] = []
    const notifyNow = async (kind: NotificationKind, options: { renewal?: Partial<RenewalPayload> } = {}) => {
      const body = notificationBody(s, kind, present, options)
      sent.push(body)
      accept(await deliver(s, body), false)
    }
    if (isNotified) await notifyNow(product.period === null ? ['ONE_TIME_CHARGE', null] : ['SUBSCRIBED', 'INITIAL_BUY'])
    return {
      show: (device, more = {}, key = s.project.publicKey) =>
        s.post('/v1/receipts/ios', { receipt: s.sign(present), appUserId: device, productId: sold, ...more }, { key }),
      receipt: () => ({ store: 'IOS_STORE', receipt: s.sign(present), productId: sold }),
      renew: () => {
        present = renew(s, present, product)
        return notifyNow(['DID_RENEW', null])
      },
      failPayment: () => notifyNow(['DID_FAIL_TO_RENEW', 'GRACE_PERIOD']),
      hold: () => notifyNow(['DID_FAIL_TO_RENEW', null]),
      refund: () => {
        present = present.revocationDate === undefined ? refund(s, present) : present
        return notifyNow(['REFUND', null], STAYS_ON)
      },
      revoke: () => {
        present = present.revocationDate === undefined ? refund(s, present) : present
        return notifyNow(['REVOKE', null], STAYS_ON)
      },
      async repeat() {
        for (const body of sent.toReversed()) accept(await deliver(s, body), true)
      },
    }
  },
}

const PLANS = { pro_monthly: ANDROID_MONTHLY, pro_yearly: ANDROID_YEARLY }
const ONE_TIME = { coins_100: 'coins.100', lifetime: 'lifetime.one' }

const googlePlay: Shop = {
  name: 'Google Play',
  async buy(s, sold, { account, isNotified = true, isTest = false } = {}) {
    const { store } = s.server
    const options = { isTest, ...(account === undefined ? {} : { accountId: account }) }
    const token =
      sold === 'pro_monthly' || sold === 'pro_yearly'
        ? store.subscribe(PLANS[sold], options)
        : store.buy(ONE_TIME[sold], options)
    const sent: SimulatedPush[] = []
    const notifyNow = async () => {
      for (const push of await s.pushes()) {
        sent.push(push)
        accept(await s.deliver(push), false)
      }
    }
    const turn = (take: () => void): Promise<void> => {
      take()
      return notifyNow()
    }
    if (isNotified) await notifyNow()
    else await s.pushes()
    return {
      show: (device, more = {}, key = s.project.publicKey) => s.token(device, token, sold, more, key),
      receipt: () => ({ store: 'ANDROID_STORE', receipt: token, productId: sold }),
      renew: () => turn(() => store.renew(token)),
      failPayment: () => turn(() => store.failPayment(token)),
      hold: () => turn(() => store.hold(token)),
      refund: () => turn(() => store.refund(token)),
      revoke: () => turn(() => store.revoke(token)),
      async repeat() {
        for (const push of sent.toReversed()) accept(await s.deliver(await signedNow(s, push)), true)
      },
    }
  },
}

/** Pub/Sub signs each delivery again. */
const signedNow = async (s: AndroidStage, push: SimulatedPush): Promise<SimulatedPush> => ({
  ...push,
  authorization: `Bearer ${await s.server.pushToken(s.identity)}`,
})

export const SHOPS: readonly Shop[] = [appStore, googlePlay]
