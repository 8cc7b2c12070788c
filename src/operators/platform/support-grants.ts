import type { Context, Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import { linkBase } from '../../base/http/own-origin'
import { HOUR } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { MemberRole } from '../../core/roles/roles'
import type { AuditEntry } from '../../projects/audit/audit'
import { requireRevision } from '../../projects/audit/revisions'
import { type Edit, editProject, type ProjectActor } from '../../projects/project/edit'
import { domainOf } from '../accounts/email'
import { queueMail } from '../mail/queue-mail'
import { listOwners } from '../members/service'
import { findGrant, findGrantee, insertGrant, revokeGrant, type SupportGrant } from './grant-queries'

export { pageGrants, type SupportGrant } from './grant-queries'

/** An active grant gives its administrator read access. It ends when the user stops being an administrator. */
export async function roleByGrant(ctx: Context, userId: string, projectId: string): Promise<MemberRole | null> {
  const email = await findGrantee(ctx, userId, projectId, ctx.clock.now())
  return email !== null && ctx.state.sessions.isAdminDomain(domainOf(email)) ? 'SUPPORT_READ' : null
}

/** Lets a platform administrator read a project for some hours. The owners get a mail. */
export const grantSupport = (
  ctx: Context,
  by: ProjectActor,
  { reason, hours }: { reason: string; hours: number },
): Promise<SupportGrant> =>
  editProject(ctx, by, async (edit) => {
    const { tx, projectId, now, entries } = edit
    const grant = {
      id: tx.ids.next('sgr'),
      projectId,
      adminId: by.actor.id ?? '',
      adminEmail: by.actor.email ?? '',
      reason,
      expiresAt: now + hours * HOUR,
      revokedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await insertGrant(tx, grant)
    entries.push(grantEntry('create', null, grant))
    await tellOwners(edit, grant)
    return grant
  })

/**
 * Ends a grant at once. 404 when there is no such grant in the project, or when it has ended or was revoked already.
 * `projectId` is null for a platform administrator, who ends grants of every project.
 */
export async function endGrant(
  ctx: Context,
  id: string,
  {
    actor,
    projectId,
    expected = null,
  }: { actor: ProjectActor['actor']; projectId: string | null; expected?: number | null },
): Promise<void> {
  const found = await findGrant(ctx, id)
  if (!found || (projectId !== null && found.projectId !== projectId)) throw notFound('support grant', id)
  await editProject(ctx, { projectId: found.projectId, actor }, async ({ tx, now, entries }) => {
    const grant = await findGrant(tx, id)
    if (!grant || grant.revokedAt !== null || grant.expiresAt <= now) throw notFound('support grant', id)
    await requireRevision(tx, grant.projectId, id, expected)
    await revokeGrant(tx, id, now)
    entries.push(grantEntry('revoke', grant, { ...grant, revokedAt: now }))
  })
}

async function tellOwners({ tx, project }: Edit, { adminEmail, reason, expiresAt }: SupportGrant): Promise<void> {
  const owners = await listOwners(tx, project.id)
  for (const owner of owners.filter(({ isProved }) => isProved))
    await queueMail(tx, {
      kind: 'support_grant',
      to: owner.email,
      userId: owner.userId,
      projectId: project.id,
      subject: `Support can read ${project.name}`,
      paragraphs: [
        `${adminEmail} of the platform can read the project ${project.name} until ${toIso(expiresAt)}, and change nothing.`,
        `Reason: ${reason}`,
        'You can end this at any time in the settings of the project.',
      ],
      action: { label: 'Open the project', url: projectUrl(tx, project.slug) },
    })
}

const projectUrl = (tx: Tx, slug: string): string => `${linkBase(tx)}/p/${slug}`

const grantEntry = (verb: string, before: SupportGrant | null, after: SupportGrant): AuditEntry => ({
  action: `supportGrant.${verb}`,
  target: { type: 'supportGrant', id: after.id },
  before: before && grantState(before),
  after: grantState(after),
})

const grantState = ({ adminEmail, reason, expiresAt, revokedAt }: SupportGrant) => ({
  adminEmail,
  reason,
  expiresAt: toIso(expiresAt),
  isRevoked: revokedAt !== null,
})
