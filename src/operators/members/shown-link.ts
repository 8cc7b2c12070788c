import type { Context, Tx } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import { sha256Hex } from '../../base/lib/hash'
import { hasCapability, type Role } from '../../core/roles/roles'
import { type Actor, type AuditEntry, recordShown } from '../../projects/audit/audit'
import { hasScope, type Scopes } from '../../projects/doors/scopes'
import { editDashboard } from '../../projects/project/edit'
import { TOKEN_LENGTH } from '../accounts/begin'
import type { Invitation } from './invitation-queries'
import { stateOf } from './invitation-state'
import { isProvedOwner } from './owners'
import { findRole } from './queries'
import type { MemberEditor } from './service'

/** Whether invitations have a link that is shown: only where none can be mailed. */
const areShown = ({ config }: Context | Tx): boolean => config.mail.smtpUrl === null

/** A new link that managers copy, and what the invitation keeps of it; without a link where mail is sent. */
export function makeShownLink(tx: Tx, id: string) {
  if (!areShown(tx)) return { shown: { shownTokenHash: null, sealedToken: null }, link: null }
  const token = tx.ids.token(TOKEN_LENGTH)
  const sealedToken = tx.vault?.seal(token, contextOf(id)) ?? null
  return { shown: { shownTokenHash: sha256Hex(token), sealedToken }, link: linkOf(tx, token) }
}

/** Part of the encrypted envelope, so that a sealed token cannot be copied to another invitation. */
const contextOf = (id: string): string => `${id}:shown-link`

const linkOf = (handle: Context | Tx, token: string): string => `${linkBase(handle)}/join/${token}`

interface Reader extends MemberEditor {
  scopes: Scopes
}

/**
 * The links of open invitations by id, for who may send them: with the capability, also of their token, and for an
 * invitation to become an owner an owner. The audit log names who saw which links before anybody sees them.
 */
export async function showLinks(
  ctx: Context,
  by: Reader,
  invitations: readonly Invitation[],
): Promise<ReadonlyMap<string, string>> {
  const links = areShown(ctx) && hasScope(by.scopes, 'members:manage') ? readLinks(ctx, invitations) : new Map()
  if (links.size === 0) return links
  return editDashboard(ctx, by, async ({ tx, projectId }) => {
    const { actor } = by
    const mayShow = await sendableBy(tx, projectId, actor)
    const shown = invitations.filter((one) => links.has(one.id) && mayShow(one.role))
    if (shown.length > 0) await recordShown(tx, projectId, actor, [entryOf(projectId, shown)])
    return new Map(shown.map(({ id }) => [id, links.get(id) ?? '']))
  })
}

/** Which invitations, by their roles, an actor may send. The role of a person is read again, under the lock. */
async function sendableBy(tx: Tx, projectId: string, actor: Actor): Promise<(role: Role) => boolean> {
  if (actor.kind !== 'USER') return () => true
  const role = actor.id === null ? null : await findRole(tx, projectId, actor.id)
  if (role === null || !hasCapability(role, 'members:manage')) return () => false
  const isOwner = await isProvedOwner(tx, projectId, actor)
  return (offered) => isOwner || offered !== 'OWNER'
}

const entryOf = (projectId: string, shown: readonly Invitation[]): AuditEntry => ({
  action: 'invitation.show_links',
  target: { type: 'project', id: projectId },
  before: null,
  after: shown.map(({ id, email, role }) => ({ invitationId: id, email, role })),
})

function readLinks(ctx: Context, invitations: readonly Invitation[]): Map<string, string> {
  const links = new Map<string, string>()
  for (const invitation of invitations) {
    const { id, sealedToken } = invitation
    const isOpen = stateOf(invitation, ctx.clock.now()) === 'OPEN'
    const token = isOpen && sealedToken !== null ? ctx.vault?.open(sealedToken, contextOf(id)) : null
    if (token) links.set(id, linkOf(ctx, token))
  }
  return links
}
