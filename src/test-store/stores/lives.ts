import { type AndroidLife, androidDue, redateAndroid } from './android-life'
import { turnAndroid } from './android-turns'
import { type IosLife, iosDue, redateIos, turnIos } from './ios-life'
import type { Due, Redating, Turned, TurnOrder } from './life'
import { type PaymentLife, paymentDue, redatePayment } from './payment-life'
import { turnPayment } from './payment-life-turns'

/** One purchase in the memory of the test store. Dates that lie ahead are those of the last save, see `redated`. */
export type Life = IosLife | AndroidLife | PaymentLife

/** Takes a turn in the life of a purchase, or says in a sentence why it cannot be. */
export function turnLife(life: Life, order: TurnOrder): Turned<Life> {
  if (life.store === 'ios') return turnIos(life, order)
  return life.store === 'android' ? turnAndroid(life, order) : turnPayment(life, order)
}

/** What will happen next by itself; null when nothing will. */
export function dueOf(life: Life): Due | null {
  if (life.store === 'ios') return iosDue(life)
  return life.store === 'android' ? androidDue(life) : paymentDue(life)
}

/** The life with what lies ahead brought nearer. */
export function redated(life: Life, by: Redating): Life {
  if (by.shiftMs === 0) return life
  if (life.store === 'ios') return redateIos(life, by)
  return life.store === 'android' ? redateAndroid(life, by) : redatePayment(life, by)
}
