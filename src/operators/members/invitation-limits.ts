import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { LimitState } from '../../base/http/rate-limit'
import { DAY, MINUTE, SECOND } from '../../base/lib/clock'
import type { Actor } from '../../projects/audit/audit'
import { conflict, type Edit } from '../../projects/project/edit'
import { emailKey } from '../accounts/email'
import { mailWrittenAt } from '../mail/outbox'
import { countInvitationMails, countOpenInvitations, hasOpenInvitation, type Invitation } from './invitation-queries'
import { countMembers, findMemberByEmail } from './queries'
import { MAX_MEMBERS, tooManyMembers } from './service'

/** 409 for the address of a member, for an address with an open invitation, and for a project that is full. */
export async function refuseInvitation({ tx, projectId, now }: Edit, email: string): Promise<void> {
  const member = await findMemberByEmail(tx, projectId, emailKey(email))
  if (member) throw new AppError('ALREADY_MEMBER', { email: member.email })
  if (await hasOpenInvitation(tx, projectId, emailKey(email), now))
    throw conflict('This address has an open invitation already; send it again, or revoke it first')
  const places = (await countMembers(tx, projectId)) + (await countOpenInvitations(tx, projectId, now))
  if (places >= MAX_MEMBERS) throw tooManyMembers()
}

/** Between two mails of one invitation. */
const PAUSE_MS = 5 * MINUTE
/** To one address in a day, from all projects: the receiver cannot unsubscribe from them. */
const MAILS_TO_ADDRESS = 5
/** That one person may cause in a day. */
export const INVITATIONS_PER_PERSON = 100

/** 429 when the newest mail of an invitation is younger than five minutes. */
export async function refuseHaste({ tx, now }: Edit, { mailId }: Invitation): Promise<void> {
  const readyAt = ((await mailWrittenAt(tx, mailId)) ?? 0) + PAUSE_MS
  if (readyAt > now) throw tooSoon(readyAt - now, 'The newest mail of this invitation is younger than 5 minutes')
}

/**
 * Runs the sending of an invitation. It is counted before, and taken back when it fails: so of two at once each counts, and
 * one whose transaction is run again counts once. `work` passes the place to `refuseFlood`.
 */
export async function withMailPlace<Result>(
  { state, clock }: Context,
  { kind, id }: Actor,
  work: (place: LimitState | null) => Promise<Result>,
): Promise<Result> {
  if (kind !== 'USER' || id === null) return work(null)
  const now = clock.now()
  const place = state.invitationMails.hit('invitations', id, INVITATIONS_PER_PERSON, now)
  try {
    return await work(place)
  } catch (error) {
    if (place?.isExceeded === false) state.invitationMails.giveBack('invitations', id, now)
    throw error
  }
}

/** 429 when the address had five invitations in a day, or the person who invites sent 100. */
export async function refuseFlood({ tx, now }: Edit, email: string, place: LimitState | null): Promise<void> {
  await tx.lock(`invitations:${emailKey(email)}`) // Another project may invite the same address.
  const since = now - DAY
  const sent = await countInvitationMails(tx, email, since)
  if (sent.count >= MAILS_TO_ADDRESS)
    throw tooSoon(sent.oldestAt - since, `This address had ${MAILS_TO_ADDRESS} invitations within a day`)
  if (place?.isExceeded)
    throw tooSoon(place.resetAt - now, `You sent ${INVITATIONS_PER_PERSON} invitations within a day`)
}

function tooSoon(waitMs: number, why: string): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / SECOND))
  const message = `${why}; send it again in ${retryAfterSeconds} s`
  return new AppError('RATE_LIMITED', { retryAfterSeconds }, { retryAfter: retryAfterSeconds, message })
}
