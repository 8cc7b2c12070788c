import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, invalid } from '../../base/errors'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
import { isTimezone } from '../../base/lib/timezone'
import { webUrlSentence } from '../../base/lib/web-url'
import type { ProjectSettings } from '../../core/project/schema'
import { requireRevision } from '../audit/revisions'
import { type Edit, editProject, editVersion, isSame, type ProjectActor } from './edit'
import { normaliseOrigins } from './origins'
import type { ProjectRow } from './queries'
import { updateProject } from './queries'
import { checkProjectName, claimSlug } from './service'
import { allSettings, isCurrency, withoutDefaults } from './settings'

/** What can be changed of a project. Members that are left out keep their value. */
export interface ProjectChange {
  name?: string
  slug?: string
  timezone?: string
  allowedOrigins?: readonly string[]
  termsUrl?: string | null
  privacyUrl?: string | null
  /** Null = no logo. */
  logoAssetId?: string | null
  settings?: Partial<ProjectSettings>
}

/** Who changes the project, and the revision that it must have; null = any. */
export type ProjectEditor = ProjectActor & { expected: number | null }

declare module '../../base/state' {
  interface SliceHooks {
    /** The names of the funnels that people can open now, and that show them the terms and the privacy policy. */
    legalUrlUsers: (tx: Edit['tx'], projectId: string) => Promise<string[]>
    /** The path of a picture of the project; null = the project has no such picture. */
    picturePath: (handle: Handle, projectId: string, assetId: string) => Promise<string | null>
    /** Runs in the transaction that deletes a project. */
    onDeleteProject: (tx: Edit['tx'], projectId: string) => Promise<void>
  }
}

/**
 * Changes a project. A running server acts on it within 2 s. 400 for a value that a project cannot have, 409 for a slug
 * that is in use and for a legal address that a live funnel needs. A change to the same values writes nothing.
 */
export async function changeProject(ctx: Context, by: ProjectEditor, change: ProjectChange): Promise<ProjectRow> {
  await refuseJwksUrl(ctx, change.settings?.identityJwksUrl ?? null)
  const { result, configVersion } = await editVersion(ctx, by, async (edit) => {
    const { tx, project, projectId, now, entries } = edit
    await requireRevision(tx, projectId, projectId, by.expected)
    const before = fieldsOf(project)
    const after = { ...before, ...checkChange(project, change) }
    if (isSame(before, after)) return project
    await refuseTakenSlug(edit, after.slug)
    await refuseUsedLegalUrl(edit, after)
    if (after.logoAssetId !== before.logoAssetId) await refuseMissingLogo(edit, after)
    const written = { ...after, settings: withoutDefaults(after.settings), updatedAt: now }
    await updateProject(tx, projectId, written)
    entries.push({ action: 'project.update', target: { type: 'project', id: projectId }, before, after })
    return { ...project, ...written }
  })
  return { ...result, configVersion }
}

/**
 * Deletes a project: its keys stop working and its dashboard is gone at once. Its rows are kept, and its slug stays
 * taken, because addresses that contain it must not lead to another project.
 */
export const deleteProject = (ctx: Context, by: ProjectEditor): Promise<void> =>
  editProject(ctx, by, async ({ tx, project, projectId, now, entries }) => {
    await requireRevision(tx, projectId, projectId, by.expected)
    await updateProject(tx, projectId, { deletedAt: now, updatedAt: now })
    for (const deleted of tx.hooks.onDeleteProject ?? []) await deleted(tx, projectId)
    const target = { type: 'project', id: projectId }
    entries.push({ action: 'project.delete', target, before: fieldsOf(project), after: null })
  })

type Fields = ReturnType<typeof fieldsOf>

const fieldsOf = (project: ProjectRow) => ({
  name: project.name,
  slug: project.slug,
  timezone: project.timezone,
  allowedOrigins: project.allowedOrigins,
  termsUrl: project.termsUrl,
  privacyUrl: project.privacyUrl,
  logoAssetId: project.logoAssetId,
  settings: allSettings(project.settings),
})

function checkChange(project: ProjectRow, change: ProjectChange): Partial<Fields> {
  const { name, slug, timezone, allowedOrigins, termsUrl, privacyUrl, logoAssetId, settings } = change
  if (timezone !== undefined && !isTimezone(timezone))
    throw invalid('timezone must be a time zone such as Europe/Istanbul or UTC')
  const { reportCurrency } = settings ?? {}
  if (reportCurrency !== undefined && !isCurrency(reportCurrency))
    throw invalid('settings.reportCurrency must be a currency such as EUR or USD')
  return {
    ...(name !== undefined && { name: checkProjectName(name) }),
    ...(slug !== undefined && { slug }),
    ...(timezone !== undefined && { timezone }),
    ...(allowedOrigins !== undefined && { allowedOrigins: normaliseOrigins(allowedOrigins) }),
    ...(termsUrl !== undefined && { termsUrl: checkWebUrl('termsUrl', termsUrl) }),
    ...(privacyUrl !== undefined && { privacyUrl: checkWebUrl('privacyUrl', privacyUrl) }),
    ...(logoAssetId !== undefined && { logoAssetId }),
    ...(settings !== undefined && { settings: { ...allSettings(project.settings), ...settings } }),
  }
}

function checkWebUrl(field: string, url: string | null): string | null {
  const fault = url === null ? null : webUrlSentence(url)
  if (fault !== null) throw invalid(`${field} ${fault}`)
  return url
}

async function refuseTakenSlug({ tx, project }: Edit, slug: string): Promise<void> {
  if (slug !== project.slug) await claimSlug(tx, slug)
}

async function refuseUsedLegalUrl({ tx, project, projectId }: Edit, after: Fields): Promise<void> {
  for (const field of ['termsUrl', 'privacyUrl'] as const) {
    if (project[field] === null || after[field] !== null) continue
    const lists = await Promise.all((tx.hooks.legalUrlUsers ?? []).map((usersOf) => usersOf(tx, projectId)))
    const funnels = lists.flat()
    if (funnels.length > 0) throw new AppError('LEGAL_URL_IN_USE', { field, funnels })
  }
}

async function refuseMissingLogo({ tx, projectId }: Edit, { logoAssetId }: Fields): Promise<void> {
  if (logoAssetId !== null && (await logoPath(tx, { id: projectId, logoAssetId })) === null)
    throw new AppError('asset_missing', { paths: ['logoAssetId'] })
}

type Hooked = Handle & Pick<Context, 'hooks'>

/** The path of the logo of a project; null = it has none. */
export async function logoPath(
  handle: Hooked,
  { id, logoAssetId }: Pick<ProjectRow, 'id' | 'logoAssetId'>,
): Promise<string | null> {
  if (logoAssetId === null) return null
  const found = await Promise.all((handle.hooks.picturePath ?? []).map((path) => path(handle, id, logoAssetId)))
  return found.find((path) => path !== null) ?? null
}

async function refuseJwksUrl(ctx: Context, url: string | null): Promise<void> {
  const fault = url === null ? null : await ctx.state.outgoing.faultOf(url)
  if (fault !== null) throw invalid(`settings.identityJwksUrl ${URL_FAULTS[fault]}`)
}
