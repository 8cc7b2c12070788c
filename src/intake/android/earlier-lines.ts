import { sha256Hex } from '../../base/lib/hash'
import type { PurchaseRow } from '../../people/purchases/queries'
import { splitAndroidId } from '../../stores/android/purchase-id'
import type { Report } from '../../stores/observation'
import type { AndroidLine, AndroidLook } from './fetch'

/** The line of an earlier purchase, as far as it says which line of the new one continues it. */
export type EarlierLine = Pick<PurchaseRow, 'chainKey' | 'lineKey' | 'fold'>

/**
 * The line of the earlier purchase that a line of the new one continues: the one that Google names, else the one of the
 * same product, else the first of those that end with the earlier purchase. None for a product that is added.
 */
export function earlierLine<Line extends EarlierLine>(
  { lines }: Pick<AndroidLook, 'lines'>,
  line: AndroidLine,
  earlier: readonly Line[],
): Line | null {
  const { lineKey, replacedProductId } = line
  const named = earlier.find((one) => keyOf(one) === (replacedProductId ?? lineKey))
  if (named) return named
  const ending = earlier.filter((one) => lines.every((other) => other.lineKey !== keyOf(one)))
  const coming = lines.filter((other) => earlier.every((one) => keyOf(one) !== other.lineKey))
  return ending[coming.indexOf(line)] ?? null
}

/** A row of a time before lines has no key, and that of its product counts. */
const keyOf = ({ lineKey, fold }: EarlierLine): string => lineKey || splitAndroidId(fold.storeProductId).productId

/**
 * A report that says which line of an earlier purchase the new one continues. It has an id made from the old purchase, so
 * repeating it changes nothing. Google links only to purchases that could still be continued, on hold or not, so
 * `isRunning` is true. Later reports about the old purchase must not change the kind of the new one.
 */
export function replacement(
  { startedAt }: Pick<AndroidLook, 'startedAt'>,
  { chainKey, fold }: Pick<PurchaseRow, 'chainKey' | 'fold'>,
): Report {
  const { storeProductId, isTrial } = fold
  const id = `replaces:${sha256Hex(chainKey).slice(0, 32)}`
  return { kind: 'REPORT', id, eventAt: startedAt, replaces: { storeProductId, isTrial, isRunning: true } }
}
