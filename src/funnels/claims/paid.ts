import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { Hooks } from '../../base/state'
import { findPurchases } from '../../people/purchases/holdings'
import { goesOn } from '../../people/purchases/status'
import { findFunnelSession } from '../sessions/service'
import type { ClaimedPayment, PaidSessions } from './hooks'
import { listSessions, type SessionHead } from './queries'

/** A paid session with its payment. */
export interface PaidSession {
  session: SessionHead
  payment: ClaimedPayment
}

/** The payments of funnels, read through the slice that owns them. */
export function paymentsOf({ hooks }: { hooks: Hooks }): PaidSessions {
  const [payments] = hooks.paidSessions ?? []
  if (!payments) throw new Error('no slice provides the payments of funnels')
  return payments
}

type Reader = Handle & Pick<Context, 'hooks' | 'clock'>

/** What an address has paid in a project and still has a right to, newest first; each session once. */
export async function paidSessionsOf(reader: Reader, projectId: string, emailHash: string): Promise<PaidSession[]> {
  const settled = await paymentsOf(reader).settledPayments(reader, projectId, emailHash)
  const refunded = settled.filter(({ status }) => status === 'REFUNDED')
  const alive = new Set((await goingOn(reader, projectId, refunded)).map(({ id }) => id))
  const payments = settled.filter(({ id, status }) => status === 'PAID' || alive.has(id))
  const sessions = await listSessions(reader, [...new Set(payments.map(({ sessionId }) => sessionId))])
  return sessions
    .filter(isPaid)
    .flatMap((session) => {
      const payment = payments.find(({ sessionId }) => sessionId === session.id)
      return payment ? [{ session, payment }] : []
    })
    .sort((a, b) => (b.payment.paidAt ?? 0) - (a.payment.paidAt ?? 0))
}

/** The refunded payments whose purchase gives access again, or renews: its buyer must be able to cancel it. */
async function goingOn(
  reader: Reader,
  projectId: string,
  refunded: readonly ClaimedPayment[],
): Promise<ClaimedPayment[]> {
  const now = reader.clock.now()
  const kept: ClaimedPayment[] = []
  for (const payment of refunded) {
    const [purchase] = payment.purchaseId ? await findPurchases(reader, projectId, [payment.purchaseId]) : []
    if (purchase && goesOn(purchase.fold, now)) kept.push(payment)
  }
  return kept
}

export const isPaid = ({ state }: Pick<SessionHead, 'state'>): boolean => state === 'PAID' || state === 'COMPLETED'

/** A session of a project; null when the project has none with this id. */
export async function findSession(handle: Handle, projectId: string, id: string): Promise<SessionHead | null> {
  const session = await findFunnelSession(handle, id)
  return session?.projectId === projectId ? session : null
}
