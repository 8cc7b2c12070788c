import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { opened } from './email'
import * as queries from './queries'

export { emailHash } from './email'

/** The paid payment of a session, else the latest one; null when there is none. */
export const paymentOf = (handle: Handle, sessionId: string): Promise<queries.PaymentRow | null> =>
  queries.findLatest(handle, sessionId)

/** A payment by its id, of any project. */
export const findFunnelPayment = queries.findPayment

export const settledPayments = queries.listSettled

/** The address that a payment was made with; null after an erasure, or with another master key. */
export const addressOf = (
  ctx: Pick<Context, 'vault'>,
  { id, email }: Pick<queries.PaymentRow, 'id' | 'email'>,
): string | null => opened(ctx, id, email)
