import type { Context, Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { appLinksFaults } from '../../../core/app-links/check'
import { type AppLinks, MAX_APPS, NO_APP_LINKS } from '../../../core/app-links/model'
import type { AuditEntry } from '../../../projects/audit/audit'
import { listRevisions, requireRevision } from '../../../projects/audit/revisions'
import { editDashboard, isSame, type ProjectActor, refuseFaults } from '../../../projects/project/edit'
import type { ProjectState } from '../../../projects/project/state'
import { deleteAppLinks, findAppLinks, saveAppLinks } from './queries'

/** The name of the object in the audit log and for revisions; a project has one. */
export const OBJECT_ID = 'app-links'

/** What a caller gives; members that are left out are those of the saved apps. */
export interface AppLinksInput {
  ios: { teamId: string; bundleIds?: string[]; scheme: string; storeUrl?: string | null } | null
  android: {
    packageNames?: string[]
    sha256Fingerprints: string[]
    scheme: string
    storeUrl?: string | null
  } | null
  applePayAssociation?: string | null
}

/** The apps with their revision, which is 0 while nothing is saved, and what the stores' settings suggest. */
export async function readAppLinks(ctx: Handle, project: ProjectState) {
  const revisions = await listRevisions(ctx, project.id, [OBJECT_ID])
  const links = await findAppLinks(ctx, project.id)
  return {
    ...(links ?? NO_APP_LINKS),
    suggested: { ios: suggestedIos(project), android: suggestedAndroid(project) },
    revision: links ? (revisions.get(OBJECT_ID) ?? 1) : 0,
  }
}

const suggestedIos = ({ ios }: ProjectState) =>
  ios && {
    bundleIds: [ios.bundleId],
    storeUrl: ios.appId === null ? null : `https://apps.apple.com/app/id${ios.appId}`,
  }

const suggestedAndroid = ({ android }: ProjectState) =>
  android && {
    packageNames: [android.packageName],
    storeUrl: `https://play.google.com/store/apps/details?id=${android.packageName}`,
  }

/** Saves the apps with one audit row; writes nothing when they are as before. 400 names every fault. */
export async function writeAppLinks(
  ctx: Context,
  by: ProjectActor,
  project: ProjectState,
  input: AppLinksInput,
): Promise<void> {
  await editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const saved = await findAppLinks(tx, projectId)
    await requireRevision(tx, projectId, OBJECT_ID, by.expected ?? null, saved ? 1 : 0)
    const links = toAppLinks(project, input, saved)
    refuseFaults([...countFaults(links), ...appLinksFaults(links)])
    const entry = await replaceAppLinks(tx, projectId, saved, links)
    if (entry) entries.push(entry)
  })
}

/** Writes the apps, or deletes them when there are none. Returns the entry of the audit log; null without a change. */
export async function replaceAppLinks(
  tx: Tx,
  projectId: string,
  saved: AppLinks | null,
  links: AppLinks,
): Promise<AuditEntry | null> {
  if (isSame(saved ?? NO_APP_LINKS, links)) return null
  const isEmpty = isSame(links, NO_APP_LINKS)
  if (isEmpty) await deleteAppLinks(tx, projectId)
  else await saveAppLinks(tx, { projectId, links, updatedAt: tx.clock.now() })
  const verb = saved === null ? 'create' : isEmpty ? 'delete' : 'update'
  const after = isEmpty ? null : links
  return { action: `appLinks.${verb}`, target: { type: 'appLinks', id: OBJECT_ID }, before: saved, after }
}

function toAppLinks(
  project: ProjectState,
  { ios, android, applePayAssociation }: AppLinksInput,
  saved: AppLinks | null,
) {
  const [ofIos, ofAndroid] = [suggestedIos(project), suggestedAndroid(project)]
  return {
    ios: ios && {
      teamId: ios.teamId,
      bundleIds: ios.bundleIds ?? ofIos?.bundleIds ?? [],
      scheme: ios.scheme,
      storeUrl: ios.storeUrl === undefined ? (ofIos?.storeUrl ?? null) : ios.storeUrl,
    },
    android: android && {
      packageNames: android.packageNames ?? ofAndroid?.packageNames ?? [],
      sha256Fingerprints: android.sha256Fingerprints.map((one) => one.toUpperCase()),
      scheme: android.scheme,
      storeUrl: android.storeUrl === undefined ? (ofAndroid?.storeUrl ?? null) : android.storeUrl,
    },
    applePayAssociation: applePayAssociation === undefined ? (saved?.applePayAssociation ?? null) : applePayAssociation,
  }
}

/** The lists of saved apps are filled from the stores' settings, so one may be empty where there are none. */
function countFaults({ ios, android }: AppLinks) {
  const fault = (path: string) => ({ path, message: `${path} must name 1 to ${MAX_APPS} apps` })
  return [
    ...(ios && ios.bundleIds.length === 0 ? [fault('ios.bundleIds')] : []),
    ...(android && android.packageNames.length === 0 ? [fault('android.packageNames')] : []),
  ]
}
