import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid } from '../../base/errors'
import { type Actor, CLI_ACTOR, recordAudit } from '../audit/audit'
import { isSlugTaken } from './admin-queries'
import { touchConfig } from './config-version'
import { conflict, editVersion, type ProjectActor } from './edit'
import type { CreatedKey } from './key-service'
import { newKey, toKeyView } from './keys'
import type { ProjectRow } from './queries'
import * as queries from './queries'
import { checkSlug, slugOf } from './settings'

declare module '../../base/state' {
  interface SliceHooks {
    /** Writes the first rows of a slice for a new project, in the transaction in which `actor` creates the project. */
    onCreateProject: (tx: Tx, projectId: string, actor: Actor) => Promise<void>
  }
}

export { touchConfig } from './config-version'
export {
  type CreatedKey,
  createKey,
  deleteKey,
  findKeyProject,
  flushKeyUse,
  listKeys,
  MAX_KEYS,
  MAX_OVERLAP_HOURS,
  pageKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from './key-service'
export type { KeyInput, KeyView } from './keys'
export {
  findProject,
  findProjectByRef,
  findStoreSettings,
  listPaymentSettings,
  listProjects,
  readRevision,
  updateProject,
} from './queries'
export type { ProjectRow }

export interface CreatedProject extends CreatedKey {
  project: ProjectRow
}

/** Creates a project with its first key pair. Without a slug, the slug is derived from the name. */
export async function createProject(
  ctx: Context,
  input: { name: string; slug?: string | undefined },
  actor: Actor = CLI_ACTOR,
): Promise<CreatedProject> {
  const name = checkProjectName(input.name)
  return ctx.write(async (tx) => {
    const slug = input.slug === undefined ? await freeSlug(tx, slugOf(name)) : await claimSlug(tx, input.slug)
    const project = newProject(tx, name, slug)
    const { row, secretKey } = newKey(tx, project.id, { label: 'First key pair' })
    await queries.insertProject(tx, project)
    await queries.insertKey(tx, row)
    for (const insertParts of tx.hooks.onCreateProject ?? []) await insertParts(tx, project.id, actor)
    const made = {
      action: 'project.create',
      target: { type: 'project', id: project.id },
      before: null,
      after: { name, slug, apiKey: toKeyView(row) },
    }
    await recordAudit(tx, project.id, actor, [made])
    const configVersion = await touchConfig(tx, project.id)
    return { project: { ...project, configVersion }, key: toKeyView(row), publicKey: row.publicKey, secretKey }
  })
}

export function checkProjectName(given: string): string {
  const name = given.trim()
  if (name.length < 1 || name.length > 255) throw invalid('name must have 1 to 255 characters')
  if (/\p{Cc}/u.test(name)) throw invalid('name must not contain control characters')
  return name
}

function newProject(tx: Tx, name: string, slug: string): ProjectRow {
  const now = tx.clock.now()
  const unset = { termsUrl: null, privacyUrl: null, logoAssetId: null, suspendedAt: null, deletedAt: null }
  const settings = { timezone: 'UTC', allowedOrigins: [], settings: {}, configVersion: 0 }
  return { id: tx.ids.next('prj'), name, slug, ...settings, ...unset, createdAt: now, updatedAt: now }
}

/** Returns the slug when no project has it; 409 `CONFLICT` otherwise. */
export async function claimSlug(handle: Handle, slug: string): Promise<string> {
  if (await isSlugTaken(handle, checkSlug(slug))) throw conflict(`The slug ${slug} is in use; choose another`)
  return slug
}

async function freeSlug(handle: Handle, base: string): Promise<string> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? base : `${base}-${number}`
    if (!(await isSlugTaken(handle, slug))) return slug
  }
}

/** How a suspension is recorded, and what a second one does. */
export interface SuspensionOptions {
  /** Why, for the audit log. */
  reason?: string
  /** 409 `CONFLICT` when the project is in that state already; otherwise a second call changes nothing. */
  refusesRepetition?: boolean
}

/** Suspends a project: its dashboard is closed, its apps keep working. */
export const suspendProject = (
  ctx: Context,
  projectId: string,
  actor: Actor = CLI_ACTOR,
  options: SuspensionOptions = {},
): Promise<ProjectRow> => setSuspension(ctx, { projectId, actor }, ctx.clock.now(), options)

export const unsuspendProject = (
  ctx: Context,
  projectId: string,
  actor: Actor = CLI_ACTOR,
  options: SuspensionOptions = {},
): Promise<ProjectRow> => setSuspension(ctx, { projectId, actor }, null, options)

async function setSuspension(
  ctx: Context,
  by: ProjectActor,
  suspendedAt: number | null,
  { reason, refusesRepetition = false }: SuspensionOptions,
): Promise<ProjectRow> {
  const { result, configVersion } = await editVersion(ctx, by, async ({ tx, project, now, entries }) => {
    if ((project.suspendedAt === null) === (suspendedAt === null)) {
      if (refusesRepetition) throw conflict(`The project is ${suspendedAt === null ? 'not' : 'already'} suspended`)
      return project
    }
    const change = { suspendedAt, updatedAt: now }
    await queries.updateProject(tx, project.id, change)
    entries.push({
      action: suspendedAt === null ? 'project.unsuspend' : 'project.suspend',
      target: { type: 'project', id: project.id },
      before: { suspendedAt: project.suspendedAt },
      after: { suspendedAt, ...(reason !== undefined && { reason }) },
    })
    return { ...project, ...change }
  })
  return { ...result, configVersion }
}
