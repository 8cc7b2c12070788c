import type { Context, Tx } from '../../base/context'
import { type AppError, invalid, requireVault } from '../../base/errors'
import { HOUR } from '../../base/lib/clock'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
import { toIsoOrNull } from '../../base/lib/time'
import { DEFAULT_SETTINGS } from '../../core/project/schema'
import { type IdentityVerification, MAX_JWKS_URL } from '../../core/project/settings'
import type { AuditEntry } from '../audit/audit'
import { conflict, editProject, isSame, type ProjectActor } from '../project/edit'
import { MAX_OVERLAP_HOURS, updateProject } from '../project/service'
import { findIdentitySecret, type IdentitySecretRow, insertIdentitySecret, updateIdentitySecret } from './queries'
import { contextOf, newIdentitySecret } from './secret'

/** A secret that was just made. It is stored encrypted and cannot be read again. */
export interface CreatedIdentitySecret {
  secret: string
  last4: string
  /** Until when tokens of the secret before it are accepted; null = no longer. */
  previousUntil: number | null
}

/** Makes the identity secret of a project. 409 `CONFLICT` when it has one; 503 without a master key. */
export const createIdentitySecret = (ctx: Context, by: ProjectActor): Promise<CreatedIdentitySecret> =>
  editProject(ctx, by, async ({ tx, projectId, now, entries }) => {
    const { secret, ...columns } = sealNew(tx, projectId)
    if (await findIdentitySecret(tx, projectId))
      throw conflict('The project has an identity secret; replace it with: svc identity secret rotate')
    const none = { previousSealed: null, previousUntil: null }
    const row = { projectId, ...columns, ...none, createdAt: now, updatedAt: now }
    await insertIdentitySecret(tx, row)
    entries.push(secretEntry('create', null, row))
    return { secret, last4: row.last4, previousUntil: null }
  })

/**
 * Replaces the identity secret of a project. Tokens of the old one are accepted for `overlapHours` (0..168) more. 409
 * `CONFLICT` when there is none yet; 503 without a master key.
 */
export async function rotateIdentitySecret(
  ctx: Context,
  by: ProjectActor,
  overlapHours = 0,
): Promise<CreatedIdentitySecret> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS)
    throw invalid(`overlapHours must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)
  return editProject(ctx, by, async ({ tx, projectId, now, entries }) => {
    const { secret, ...columns } = sealNew(tx, projectId)
    const row = await findIdentitySecret(tx, projectId)
    if (!row) throw noSecret()
    const previous =
      overlapHours === 0
        ? { previousSealed: null, previousUntil: null }
        : { previousSealed: row.sealed, previousUntil: now + overlapHours * HOUR }
    const change = { ...columns, ...previous, updatedAt: now }
    await updateIdentitySecret(tx, projectId, change)
    entries.push(secretEntry('rotate', row, { ...row, ...change }))
    return { secret, last4: columns.last4, previousUntil: previous.previousUntil }
  })
}

export const noSecret = (): AppError =>
  conflict('The project has no identity secret yet; make one with: svc identity secret create')

function sealNew(tx: Tx, projectId: string): { secret: string; sealed: string; last4: string } {
  const vault = requireVault(tx, 'credential_encryption', NO_SECRET_KEY)
  const secret = newIdentitySecret(tx.ids)
  return { secret, sealed: vault.seal(secret, contextOf(projectId)), last4: secret.slice(-4) }
}

const NO_SECRET_KEY = 'There is no master key to encrypt the identity secret with; remove SVC_MASTER_KEY=off'

const secretEntry = (verb: string, before: IdentitySecretRow | null, after: IdentitySecretRow): AuditEntry => ({
  action: `identitySecret.${verb}`,
  target: { type: 'identitySecret', id: after.projectId },
  before: before && secretView(before),
  after: secretView(after),
})

/** Without the secret itself, sealed or not. */
const secretView = ({ last4, previousUntil }: IdentitySecretRow) => ({
  last4,
  previousUntil: toIsoOrNull(previousUntil),
})

export interface IdentitySettings {
  identityVerification: IdentityVerification
  identityJwksUrl: string | null
}

/** Changes the members that are given, and returns all of them. 400 for an address that may not be called. */
export async function changeIdentitySettings(
  ctx: Context,
  by: ProjectActor,
  change: { [Name in keyof IdentitySettings]?: IdentitySettings[Name] | undefined },
): Promise<IdentitySettings> {
  await refuseUrl(ctx, change.identityJwksUrl ?? null)
  return editProject(ctx, by, async ({ tx, projectId, project, now, entries }) => {
    const before = identitySettingsOf(project.settings)
    const { identityVerification = before.identityVerification, identityJwksUrl = before.identityJwksUrl } = change
    const after = { identityVerification, identityJwksUrl }
    if (isSame(before, after)) return after
    const { identityVerification: _mode, identityJwksUrl: _url, ...others } = project.settings
    const settings = { ...others, ...withoutDefaults(after) }
    await updateProject(tx, projectId, { settings, updatedAt: now })
    entries.push({
      action: 'project.update',
      target: { type: 'project', id: projectId },
      before: { settings: before },
      after: { settings: after },
    })
    return after
  })
}

export const identitySettingsOf = (settings: Partial<IdentitySettings>): IdentitySettings => ({
  identityVerification: settings.identityVerification ?? DEFAULT_SETTINGS.identityVerification,
  identityJwksUrl: settings.identityJwksUrl ?? DEFAULT_SETTINGS.identityJwksUrl,
})

/** Only values that differ from the defaults are saved. */
const withoutDefaults = ({ identityVerification, identityJwksUrl }: IdentitySettings): Partial<IdentitySettings> => ({
  ...(identityVerification !== DEFAULT_SETTINGS.identityVerification && { identityVerification }),
  ...(identityJwksUrl !== null && { identityJwksUrl }),
})

async function refuseUrl(ctx: Context, url: string | null): Promise<void> {
  if (url === null) return
  if (url.length > MAX_JWKS_URL) throw invalid(`identityJwksUrl must have at most ${MAX_JWKS_URL} characters`)
  const fault = await ctx.state.outgoing.faultOf(url)
  if (fault !== null) throw invalid(`identityJwksUrl ${URL_FAULTS[fault]}`)
}
