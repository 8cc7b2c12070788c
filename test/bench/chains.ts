import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { SimulatorKeys } from '../../src/stores/test-keys/keys'
import { signTransaction, simulatedPurchase, simulatedRenewal } from '../../src/test-store/stores/ios'
import { type NotificationKind, signNotification } from '../../src/test-store/stores/notification'
import { BUNDLE, MONTHLY } from '../support/cast'

/** Monthly purchases at the test store and their notifications. No two calls give the same texts. */
export class Chains {
  private transactions = 0
  private notifications = 0

  /** `name` makes the notifications of several instances different. */
  constructor(
    readonly keys: SimulatorKeys,
    private readonly name = 'bench',
  ) {}

  /** A new chain. */
  buy(): TransactionPayload {
    return simulatedPurchase({ bundleId: BUNDLE, product: MONTHLY, transactionId: this.nextId(), now: Date.now() })
  }

  renew(previous: TransactionPayload): TransactionPayload {
    return simulatedRenewal(previous, { product: MONTHLY, transactionId: this.nextId(), now: Date.now() })
  }

  sign(payload: TransactionPayload): string {
    return signTransaction(this.keys, payload)
  }

  /** The `signedPayload` of a notification. For a forged one, other keys than the store's sign it. */
  notificationOf(kind: NotificationKind, transaction: TransactionPayload, keys: SimulatorKeys = this.keys): string {
    const notificationId = `${this.name}-${++this.notifications}`
    return signNotification(keys, { kind, notificationId, now: transaction.signedDate, bundleId: BUNDLE, transaction })
  }

  private nextId(): string {
    return String(3_000_000_000_000_000 + ++this.transactions)
  }
}

/** Takes subscribers in circles; each gets a later renewal than the last time. */
export class Renewals {
  private readonly last: TransactionPayload[]
  private turn = 0

  constructor(
    private readonly chains: Chains,
    starts: readonly TransactionPayload[],
  ) {
    this.last = [...starts]
  }

  /** The next renewal, and the index of its subscriber among the starts. */
  next(): { place: number; transaction: TransactionPayload } {
    const place = this.turn++ % this.last.length
    const previous = this.last[place]
    if (!previous) throw new Error('there is nobody to renew')
    const transaction = this.chains.renew(previous)
    this.last[place] = transaction
    return { place, transaction }
  }
}
