import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { LINK_LIFE, mailAppLinks, mailPaidLink } from './app-mail'
import { findSession, isPaid, type PaidSession, paymentsOf } from './paid'
import { issueToken, type OpenUrls, openUrls } from './service'
import { TOKEN_LIFE } from './token'

export interface ClaimLink {
  /** Null when it was mailed: then only the mail has it. */
  token: string | null
  urls: OpenUrls
  expiresAt: number
}

interface Order {
  sessionId: string
  deliver: 'mail' | 'show'
  actor: Actor
}

/**
 * A new way into the app for a buyer, by mail or to read out. The token of before ends. A mailed link proves the address,
 * so it also moves a purchase that was claimed; a shown one does not (funnels 11). 404, and 409 for an unpaid session.
 */
export async function makeClaimLink(ctx: Context, project: ProjectState, order: Order): Promise<ClaimLink> {
  const made = await ctx.write(async (tx) => {
    const paid = await findPaid(tx, project.id, order.sessionId)
    const link = order.deliver === 'mail' ? await mailLink(tx, project, paid) : await showLink(tx, paid)
    const after = { deliver: order.deliver, expiresAt: toIso(link.expiresAt) }
    const target = { type: 'funnelSession', id: paid.session.id }
    await recordAudit(tx, project.id, order.actor, [{ action: 'funnelSession.claimLink', target, before: null, after }])
    return link
  })
  const urls =
    made.token === null ? { deep_link_url: null, universal_link_url: null } : await openUrls(ctx, project, made.token)
  return { ...made, urls }
}

async function findPaid(tx: Tx, projectId: string, sessionId: string): Promise<PaidSession> {
  await tx.lock(`funnel-session:${sessionId}`)
  const session = await findSession(tx, projectId, sessionId)
  if (!session) throw notFound('funnel session', sessionId)
  const payment = isPaid(session) ? await paymentsOf(tx).paymentOf(tx, sessionId) : null
  if (!payment) throw conflict('The session is not paid, so there is nothing to claim')
  return { session, payment }
}

type Made = Omit<ClaimLink, 'urls'>

async function showLink(tx: Tx, { session: { projectId, id: sessionId } }: PaidSession): Promise<Made> {
  const token = await issueToken(tx, { projectId, sessionId }, 'SHOWN')
  return { token, expiresAt: tx.clock.now() + TOKEN_LIFE }
}

async function mailLink(tx: Tx, project: ProjectState, paid: PaidSession): Promise<Made> {
  const receiver = receiverOf(tx, paid)
  if (!receiver) throw conflict('The address of the buyer is not known any more; show the link instead')
  await mailAppLinks(tx, project, { ...receiver, paid: [paid] })
  await issueToken(tx, { projectId: project.id, sessionId: paid.session.id }, 'MAIL')
  return { token: null, expiresAt: tx.clock.now() + LINK_LIFE }
}

/** Mails the buyer of a session that the payment has settled. The current token stays valid. */
export async function mailPaid(tx: Tx, project: ProjectState, sessionId: string): Promise<void> {
  const session = await findSession(tx, project.id, sessionId)
  const payment = session && isPaid(session) ? await paymentsOf(tx).paymentOf(tx, sessionId) : null
  const paid = session && payment && { session, payment }
  const receiver = paid && receiverOf(tx, paid)
  if (receiver) await mailPaidLink(tx, project, { ...receiver, paid })
}

/** Null when the address is not known: the person was erased, or the master key is another one. */
function receiverOf(tx: Tx, { payment }: PaidSession): { address: string; emailHash: string } | null {
  const address = paymentsOf(tx).addressOf(tx, payment)
  return address === null || payment.emailHash === null ? null : { address, emailHash: payment.emailHash }
}

const conflict = (message: string): AppError => new AppError('CONFLICT', undefined, { message })
