import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { Answers } from '../../core/funnel/conditions-hold'
import { SCORE } from '../../core/funnel/fields'
import { currentAccess } from '../../people/entitlements/service'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import { causeOf } from '../../people/events/model'
import type { AccessMap } from '../../people/subscribers/access-map'
import { findSubscriber, resolveRow, type SubscriberRow, updateSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { countedAnswersOf, lockedSession, markCompleted, type SessionRow } from '../sessions/service'
import { answeredAttributes, withAnswers } from './attributes'
import { claimedByAnother, giveToClaimer } from './move'
import { type Asked, lockParties, type Parties } from './parties'
import { claimOnce, findToken, type TokenRow } from './queries'
import { hashOf } from './token'

export interface ClaimOrder {
  token: string
  deviceKey: string
  creation: Asked['creation']
  requestId: string
}

export interface Claimed {
  subscriberId: string
  access: AccessMap
  answers: Answers
}

/**
 * Gives a paid session to the subscriber of a device: the purchase, the answers as attributes, and what the visitor was
 * shown (wire 2.16, 5.14). The same subscriber gets the same answer again; when anything fails, nothing is written.
 */
export async function claimToken(ctx: Context, project: ProjectState, order: ClaimOrder): Promise<Claimed> {
  const { claimed, isNew, dropped } = await ctx.write((tx) => claimInside(tx, project, order))
  ctx.state.presence.see(claimed.subscriberId, ctx.clock.now())
  if (isNew) ctx.metrics.funnelClaims.inc()
  if (dropped > 0) ctx.metrics.funnelAttributesDropped.inc(dropped)
  return claimed
}

async function claimInside(tx: Tx, project: ProjectState, order: ClaimOrder) {
  const { token, session } = await findClaimable(tx, project.id, order.token)
  const payment = (await tx.hooks.paidSessions?.[0]?.paymentOf(tx, session.id)) ?? null
  const { deviceKey, creation } = order
  const asked = { deviceKey, creation, projectId: project.id, subscriberId: session.subscriberId, payment }
  const parties = await lockParties(tx, asked)
  const isNew = await isUnclaimedBy(tx, token, parties.claimer)
  const dropped = isNew ? await complete(tx, project, { token, session, parties }, order) : 0
  const row = (await findSubscriber(tx, project.id, parties.claimer.id)) ?? parties.claimer
  const access = await currentAccess(tx, project, row)
  const { [SCORE]: _score, ...answers } = await countedAnswersOf(tx, session)
  return { claimed: { subscriberId: row.id, access, answers }, isNew, dropped }
}

/** The token and its session, which is locked. The token is read again then: a new one may have replaced it. */
async function findClaimable(
  tx: Tx,
  projectId: string,
  text: string,
): Promise<{ token: TokenRow; session: SessionRow }> {
  const seen = await findToken(tx, projectId, hashOf(text))
  if (!seen) throw notFound('funnel token')
  const session = await lockedSession(tx, seen.sessionId)
  const token = await findToken(tx, projectId, hashOf(text))
  if (!token) throw notFound('funnel token')
  if (session.state !== 'PAID' && session.state !== 'COMPLETED') throw new AppError('PAYMENT_NOT_SETTLED_YET')
  return { token, session }
}

/** False when the claimer has claimed the token before. 409 when another subscriber has, 410 when it has expired. */
async function isUnclaimedBy(tx: Tx, token: TokenRow, claimer: SubscriberRow): Promise<boolean> {
  if (token.claimedBy !== null) {
    const first = await findSubscriber(tx, token.projectId, token.claimedBy)
    if (first && (await resolveRow(tx, first)).id === claimer.id) return false
    throw claimedByAnother()
  }
  if (token.expiresAt > tx.clock.now()) return true
  throw new AppError('HTTP_ERROR', undefined, {
    status: 410,
    message: 'The token has expired; ask for a new one with the e-mail address of the purchase',
  })
}

interface Claim {
  token: TokenRow
  session: SessionRow
  parties: Parties
}

/** Writes the claim. Returns how many answers found no room among the attributes. */
async function complete(tx: Tx, project: ProjectState, claim: Claim, { requestId }: ClaimOrder): Promise<number> {
  const { token, session, parties } = claim
  const { claimer } = parties
  const at = tx.clock.now()
  if (!(await claimOnce(tx, token.tokenHash, { claimedAt: at, claimedBy: claimer.id }))) throw claimedByAnother()
  const cause = causeOf('FUNNEL', requestId, 'PAYMENT')
  const isClaimed = session.state === 'COMPLETED'
  const move = { sessionId: session.id, isClaimed, proof: token.proof, cause }
  const fromSubscriberId = await giveToClaimer(tx, project, parties, move)
  await markCompleted(tx, session, { subscriberId: claimer.id, at })
  const dropped = await saveAnswers(tx, project, session, claimer)
  const row = (await findSubscriber(tx, project.id, claimer.id)) ?? claimer
  for (const follow of tx.hooks.onFunnelClaim ?? []) await follow(tx, project, { session, claimer: row, requestId })
  const claimed = {
    type: 'funnel.claimed',
    occurredAt: at,
    environment: parties.purchase?.environment ?? ('PRODUCTION' as const),
    data: { sessionId: session.id, fromSubscriberId },
  }
  await recordSubscriberEvents(tx, project, row, { cause, drafts: [claimed] })
  return dropped
}

async function saveAnswers(
  tx: Tx,
  project: ProjectState,
  session: SessionRow,
  claimer: SubscriberRow,
): Promise<number> {
  const row = (await findSubscriber(tx, project.id, claimer.id)) ?? claimer
  const document = await tx.state.funnelDocuments.get(tx, session.funnelId, session.versionNo)
  const answered = answeredAttributes(document?.pages ?? [], await countedAnswersOf(tx, session))
  const now = tx.clock.now()
  const rules = { now, extraReservedKeys: project.settings.extraReservedKeys }
  const { attributes, dropped } = withAnswers(row.attributes, answered, rules)
  if (attributes !== row.attributes) await updateSubscriber(tx, row.id, { attributes, updatedAt: now })
  return dropped
}
