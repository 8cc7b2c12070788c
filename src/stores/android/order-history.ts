import type { Money } from '../../base/lib/money'
import type { OrderResource } from './resource'
import { instantOf, moneyOf } from './values'

/** What was returned of an order, as its history states. */
export interface OrderRefunds {
  /** The whole order; null when it was not refunded as a whole. */
  whole: { at: number; isChargeback: boolean } | null
  parts: readonly PartialRefund[]
}

export interface PartialRefund {
  /** Names it within the order. */
  name: string
  at: number
  amount: Money
}

type PartialEvent = NonNullable<NonNullable<OrderResource['orderHistory']>['partialRefundEvents']>[number]

const PROCESSED = 'PROCESSED_SUCCESSFULLY'

/** Refunds that are still pending, and events without an instant or an amount, are left out. */
export function readRefunds({ orderHistory }: OrderResource): OrderRefunds {
  const { refundEvent, partialRefundEvents } = orderHistory ?? {}
  const at = instantOf(refundEvent?.eventTime)
  const isChargeback = refundEvent?.refundReason === 'CHARGEBACK'
  return { whole: at === null ? null : { at, isChargeback }, parts: named((partialRefundEvents ?? []).flatMap(toPart)) }
}

function toPart({ state, createTime, processTime, refundDetails }: PartialEvent): Omit<PartialRefund, 'name'>[] {
  const createdAt = instantOf(createTime)
  const amount = moneyOf(refundDetails?.total)
  if (state !== PROCESSED || createdAt === null || !amount) return []
  return [{ at: instantOf(processTime) ?? createdAt, amount }]
}

/** Google gives these events no ids. */
function named(parts: Omit<PartialRefund, 'name'>[]): PartialRefund[] {
  const seen = new Map<number, number>()
  return parts.map((part) => {
    const number = (seen.get(part.at) ?? 0) + 1
    seen.set(part.at, number)
    return { ...part, name: number === 1 ? `${part.at}` : `${part.at}.${number}` }
  })
}
