import { AppError } from '../../base/errors'
import { conflict, type Edit } from '../../projects/project/edit'
import { emailKey } from '../accounts/email'
import { countOpenInvitations, hasOpenInvitation } from './invitation-queries'
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
