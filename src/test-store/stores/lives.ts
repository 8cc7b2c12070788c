import { currentOrder } from './android'
import { type AndroidLife, androidDue, redateAndroid } from './android-life'
import { turnAndroid } from './android-turns'
import { type IosLife, iosDue, redateIos, turnIos } from './ios-life'
import { type Due, type Redating, refused, type Turned, type TurnOrder } from './life'
import { type PaymentLife, paymentDue, redatePayment } from './payment-life'
import { turnPayment } from './payment-life-turns'

/** One purchase at the test store. Its future dates are valid as of the last save; see `redated`. */
export type Life = IosLife | AndroidLife | PaymentLife

/** Takes a turn of a purchase, or returns a sentence that says why it is impossible. */
export function turnLife(life: Life, order: TurnOrder): Turned<Life> {
  if (life.store === 'android') return turnAndroid(life, order)
  if (order.isProrated) return refused(NOT_PRORATED)
  if (life.store === 'payment') return turnPayment(life, order)
  return order.item ? refused('A purchase at the iOS store has one product; leave --item out.') : turnIos(life, order)
}

const NOT_PRORATED =
  'Only Google Play takes --prorated. Here a part is returned by refund --partial, and upgrade always credits the rest.'

/** The next turn that happens without a command; null when there is none. */
export function dueOf(life: Life): Due | null {
  if (life.store === 'ios') return iosDue(life)
  return life.store === 'android' ? androidDue(life) : paymentDue(life)
}

/** The purchase with its future dates moved by the time that the clock was advanced. */
export function redated(life: Life, by: Redating): Life {
  if (by.shiftMs === 0) return life
  if (life.store === 'ios') return redateIos(life, by)
  return life.store === 'android' ? redateAndroid(life, by) : redatePayment(life, by)
}

/** The store's ids of the purchase and of its current transaction. */
export function idsOf(life: Life): { transactionId: string; originalTransactionId: string } {
  if (life.store === 'ios')
    return {
      transactionId: life.transaction.transactionId,
      originalTransactionId: life.transaction.originalTransactionId,
    }
  if (life.store === 'payment') return { transactionId: life.id, originalTransactionId: life.id }
  const { id, subscription, product } = life
  const orderId = subscription ? currentOrder(subscription) : (product?.resource.orderId ?? id)
  return { transactionId: orderId, originalTransactionId: id }
}
