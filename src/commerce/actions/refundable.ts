import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, notFound } from '../../base/errors'
import { findLiveOwner } from '../../intake/recording/held'
import { type Charge, type ChargeReference, findCharge } from '../../people/purchases/charges'
import type { PurchaseRow } from '../../people/purchases/holdings'
import type { ProjectState } from '../../projects/project/state'
import { type ConcernedLine, itemOf, otherLines } from './order-lines'
import { planRefund, type RefundPlan } from './refund-plan'

/** The charge, and whether all lines of its order are meant where the store cannot refund one alone. */
export type RefundReference = ChargeReference & { wholeOrder?: boolean }

export interface Refundable {
  charge: Charge
  plan: Extract<RefundPlan, { ok: true }>
}

/** The charge that the reference names, and how to refund it. Throws when the stored data rules the refund out. */
export async function getRefundable(
  ctx: Context,
  project: ProjectState,
  reference: RefundReference,
): Promise<Refundable> {
  const charge = await findCharge(ctx, project.id, reference)
  if (!charge) throw noCharge(reference)
  const now = ctx.clock.now()
  const others = await otherLines(ctx, charge, now)
  const { wholeOrder = false } = reference
  const facts = { hasOthers: others.length > 0, item: itemOf(charge, now), wholeOrder }
  const plan = planRefund({ ...charge.purchase, ...charge, ...facts })
  if (!plan.ok) throw notPossible(plan.reason, others)
  // Without a live owner the refund could not be recorded on any subscriber.
  if (!(await findLiveOwner(ctx, project.id, charge.purchase.subscriberId)))
    throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return { charge, plan }
}

const noCharge = (reference: ChargeReference): AppError =>
  'transactionId' in reference
    ? notFound('transaction', reference.transactionId)
    : notFound('purchase', reference.purchaseId)

/** The other lines that are refunded, or end, with the charge. */
export const linesBeside = (handle: Handle, { charge, plan }: Refundable, now: number): Promise<ConcernedLine[]> =>
  plan.store === 'ANDROID_STORE' && plan.item !== null ? Promise.resolve([]) : otherLines(handle, charge, now)

export const idsOf = (lines: readonly { purchase: PurchaseRow }[]): string[] => lines.map(({ purchase }) => purchase.id)

const MESSAGES = {
  ios_unsupported: 'Only the iOS store refunds its purchases; the customer asks at reportaproblem.apple.com',
  missing_store_ref: 'No store has a charge that could be given back here; nothing was sent',
  already_refunded: 'The charge was given back already; nothing was sent to the store',
  whole_order: 'Google Play refunds this charge only with its whole order',
}

export const notPossible = (
  reason: keyof typeof MESSAGES,
  others: readonly { purchase: PurchaseRow }[] = [],
): AppError =>
  new AppError(
    'REFUND_NOT_POSSIBLE',
    { reason },
    {
      status: reason === 'already_refunded' ? 409 : 422,
      message: reason === 'whole_order' ? wholeOrderNeeded(others) : MESSAGES[reason],
    },
  )

const wholeOrderNeeded = (others: readonly { purchase: PurchaseRow }[]): string =>
  `${MESSAGES.whole_order}, which also contains ${idsOf(others).join(', ')}; nothing was sent. Send wholeOrder: true (svc refund --whole-order) to refund all of it`
