import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { isUnowned } from '../../intake/recording/ownership-claim'
import type { EventCause } from '../../people/events/model'
import { mergeSubscribers } from '../../people/identity/merge'
import { moveSingle } from '../../people/identity/transfer-move'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { ClaimProof } from './model'
import type { Parties } from './parties'
import { countMoves, insertMove } from './queries'

/** How often a purchase may move to another subscriber by claims in `MOVES_WINDOW`. */
const MAX_MOVES = 5
const MOVES_WINDOW = 30 * DAY

interface Move {
  sessionId: string
  /** Whether the session was claimed before. */
  isClaimed: boolean
  proof: ClaimProof
  cause: EventCause
}

/**
 * Gives the claimer what the session has bought; both rows are locked. A buyer without a device is merged into the
 * claimer (wire 5.6). From anybody else only the purchase moves, and once a session is claimed, only by a token that
 * proves the address (funnels 6). Returns the id of the subscriber who had it; null when the claimer has it already.
 */
export async function giveToClaimer(
  tx: Tx,
  project: ProjectState,
  { claimer, holder, purchase }: Parties,
  move: Move,
): Promise<string | null> {
  if (holder === null || holder.id === claimer.id) return null
  const { cause } = move
  if (await isUnowned(tx, holder)) {
    await mergeSubscribers(tx, project, {
      from: holder,
      into: claimer,
      cause,
      transferCause: 'FUNNEL',
      takesLabel: false,
    })
    return holder.id
  }
  refuseForeign(project, { holder, claimer }, move)
  if (purchase) await reclaim(tx, project, { from: holder, to: claimer, purchaseId: purchase.id }, move)
  return holder.id
}

interface Sides {
  holder: SubscriberRow
  claimer: SubscriberRow
}

function refuseForeign(project: ProjectState, { holder, claimer }: Sides, { isClaimed, proof }: Move): void {
  if (isClaimed && proof !== 'MAIL') throw claimedByAnother()
  const isNever = project.settings.purchaseTransfer === 'never'
  const isOtherAccount = holder.appUserId !== null && claimer.appUserId !== null
  if (isNever || isOtherAccount)
    throw new AppError(
      'CONFLICT',
      { reason: 'claimed_by_account' },
      { message: 'The purchase belongs to another account; sign in with that account' },
    )
}

interface Reclaim {
  from: SubscriberRow
  to: SubscriberRow
  purchaseId: string
}

async function reclaim(
  tx: Tx,
  project: ProjectState,
  { from, to, purchaseId }: Reclaim,
  { sessionId, cause }: Move,
): Promise<void> {
  const movedAt = tx.clock.now()
  if ((await countMoves(tx, purchaseId, movedAt - MOVES_WINDOW)) >= MAX_MOVES)
    throw new AppError(
      'CONFLICT',
      { reason: 'too_many_moves' },
      { message: `The purchase was moved ${MAX_MOVES} times in 30 days; try again later` },
    )
  await moveSingle(tx, project, { from, to }, [purchaseId], cause, 'FUNNEL_RECLAIM')
  await insertMove(tx, { id: tx.ids.next('fmv'), projectId: project.id, sessionId, purchaseId, movedAt })
}

export const claimedByAnother = (): AppError =>
  new AppError('CONFLICT', undefined, { message: 'The token was claimed by another subscriber' })
