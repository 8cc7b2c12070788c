import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import type { Role } from '../../core/roles/roles'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { isEmailAddress } from '../accounts/email'
import { stateOf } from './invitation-state'
import { invite, pageInvitations, type Sent } from './invitations'
import { showLinks } from './shown-link'
import { toInvitationView } from './wire'

/** Invites a person, with an account or without one. 400 for a text that is no mail address. */
export function inviteByEmail(ctx: Context, projectId: string, email: string, role: Role): Promise<Sent> {
  if (!isEmailAddress(email)) throw invalid('email: it must be a mail address')
  return invite(ctx, { projectId, actor: CLI_ACTOR }, email, role)
}

export type InvitationView = ReturnType<typeof toInvitationView>

/** The open invitations of a project, with the links that are shown. */
export async function listOpenInvitations(ctx: Context, projectId: string): Promise<InvitationView[]> {
  const now = ctx.clock.now()
  const newest = await pageInvitations(ctx, projectId, { beforeId: null, limit: MAX_LISTED })
  const open = newest.filter((one) => stateOf(one, now) === 'OPEN')
  const links = await showLinks(ctx, { projectId, actor: CLI_ACTOR, scopes: null }, open)
  return open.map((one) => toInvitationView(one, links.get(one.id) ?? null, now))
}

const MAX_LISTED = 1000
