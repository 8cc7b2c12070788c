import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, invalid, notFound } from '../../base/errors'
import { HOUR, MINUTE } from '../../base/lib/clock'
import { type Actor, type AuditEntry, CLI_ACTOR, recordAudit } from '../audit/audit'
import { isSlugTaken, stampKeyUse } from './admin-queries'
import { touchConfig } from './config-version'
import { type Edit, editProject, editVersion } from './edit'
import {
  checkRate,
  type KeyChange,
  type KeyInput,
  type KeyView,
  newKey,
  newSecret,
  secretColumns,
  toKeyView,
} from './keys'
import type { ApiKeyRow, ProjectRow } from './queries'
import * as queries from './queries'
import { checkSlug, slugOf } from './slug'

export { lockProject, touchConfig } from './config-version'
export {
  findProject,
  findProjectByRef,
  findStoreSettings,
  listPaymentSettings,
  listProjects,
  readRevision,
  updateProject,
} from './queries'
export type { KeyInput, KeyView, ProjectRow }

export const MAX_KEYS = 50
export const MAX_OVERLAP_HOURS = 168

/** A key with its secret, which cannot be read again later. */
export interface CreatedKey {
  key: KeyView
  publicKey: string | null
  secretKey: string | null
}

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
    for (const insertParts of tx.hooks.onCreateProject ?? []) await insertParts(tx, project.id)
    const made = {
      action: 'project.create',
      target: { type: 'project', id: project.id },
      before: null,
      after: { name, slug },
    }
    await recordAudit(tx, project.id, actor, [made, keyEntry('create', null, row)])
    const configVersion = await touchConfig(tx, project.id)
    return { project: { ...project, configVersion }, key: toKeyView(row), publicKey: row.publicKey, secretKey }
  })
}

function checkProjectName(given: string): string {
  const name = given.trim()
  if (name.length < 1 || name.length > 255) throw invalid('name must have 1 to 255 characters')
  return name
}

function newProject(tx: Tx, name: string, slug: string): ProjectRow {
  const now = tx.clock.now()
  const unset = { termsUrl: null, privacyUrl: null, suspendedAt: null, deletedAt: null }
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

/** Suspends a project: its dashboard is closed, its apps keep working. A second call changes nothing. */
export const suspendProject = (ctx: Context, projectId: string, actor: Actor = CLI_ACTOR): Promise<ProjectRow> =>
  setSuspension(ctx, projectId, ctx.clock.now(), actor)

export const unsuspendProject = (ctx: Context, projectId: string, actor: Actor = CLI_ACTOR): Promise<ProjectRow> =>
  setSuspension(ctx, projectId, null, actor)

async function setSuspension(
  ctx: Context,
  projectId: string,
  suspendedAt: number | null,
  actor: Actor,
): Promise<ProjectRow> {
  const { result, configVersion } = await editVersion(
    ctx,
    { projectId, actor },
    async ({ tx, project, now, entries }) => {
      if ((project.suspendedAt === null) === (suspendedAt === null)) return project
      const change = { suspendedAt, updatedAt: now }
      await queries.updateProject(tx, projectId, change)
      entries.push({
        action: suspendedAt === null ? 'project.unsuspend' : 'project.suspend',
        target: { type: 'project', id: projectId },
        before: { suspendedAt: project.suspendedAt },
        after: { suspendedAt },
      })
      return { ...project, ...change }
    },
  )
  return { ...result, configVersion }
}

/** A project's keys, oldest first. */
export async function listKeys(handle: Handle, projectId: string): Promise<KeyView[]> {
  return (await queries.listKeys(handle, projectId)).map(toKeyView)
}

/** Creates a key; 409 `CONFLICT` when the project already has 50 keys that are not revoked. */
export async function createKey(
  ctx: Context,
  projectId: string,
  input: KeyInput,
  actor: Actor = CLI_ACTOR,
): Promise<CreatedKey> {
  return editProject(ctx, { projectId, actor }, async ({ tx, entries }) => {
    const keys = await queries.listKeys(tx, projectId)
    const live = keys.filter(({ revokedAt }) => revokedAt === null)
    if (live.length >= MAX_KEYS) throw conflict(`A project has at most ${MAX_KEYS} API keys; revoke one first`)
    const { row, secretKey } = newKey(tx, projectId, input)
    await queries.insertKey(tx, row)
    entries.push(keyEntry('create', null, row))
    return { key: toKeyView(row), publicKey: row.publicKey, secretKey }
  })
}

/**
 * Gives a key a new secret. The old secret stays valid for `overlapHours` (0..168); the public key does not change,
 * because apps are shipped with it. 400 for a key that is only public, 409 for one that is revoked.
 */
export async function rotateKey(
  ctx: Context,
  keyId: string,
  overlapHours = 0,
  actor: Actor = CLI_ACTOR,
): Promise<CreatedKey> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS)
    throw invalid(`overlapHours must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)
  return editKey(ctx, keyId, actor, async (edit, row) => {
    if (row.kind === 'public') throw invalid('A public key has no secret to rotate')
    if (row.revokedAt !== null) throw conflict('The key is revoked; create another')
    const secretKey = newSecret(edit.tx)
    const overlap = overlapHours * HOUR
    const previous = overlap === 0 ? ([null, null] as const) : ([row.secretHash, edit.now + overlap] as const)
    const change = {
      ...secretColumns(secretKey),
      previousHash: previous[0],
      previousUntil: previous[1],
      updatedAt: edit.now,
    }
    return { key: await changeKey(edit, row, change, 'rotate'), publicKey: row.publicKey, secretKey }
  })
}

/**
 * Changes a key. A running server acts on it within 2 s. 400 for a rate outside its range, 409 for a key that is
 * revoked. A change to the same value writes nothing.
 */
export function updateKey(
  ctx: Context,
  keyId: string,
  { ratePerMinute }: KeyChange,
  actor: Actor = CLI_ACTOR,
): Promise<KeyView> {
  if (ratePerMinute !== undefined) checkRate(ratePerMinute)
  return editKey(ctx, keyId, actor, async (edit, row) => {
    if (row.revokedAt !== null) throw conflict('The key is revoked; create another')
    if (ratePerMinute === undefined || ratePerMinute === row.ratePerMinute) return toKeyView(row)
    return changeKey(edit, row, { ratePerMinute, updatedAt: edit.now }, 'update')
  })
}

/** Revokes a key at once. A second call changes nothing. */
export function revokeKey(ctx: Context, keyId: string, actor: Actor = CLI_ACTOR): Promise<KeyView> {
  return editKey(ctx, keyId, actor, async (edit, row) => {
    if (row.revokedAt !== null) return toKeyView(row)
    const change = { revokedAt: edit.now, previousHash: null, previousUntil: null, updatedAt: edit.now }
    return changeKey(edit, row, change, 'revoke')
  })
}

async function editKey<Result>(
  ctx: Context,
  keyId: string,
  actor: Actor,
  work: (edit: Edit, row: ApiKeyRow) => Promise<Result>,
): Promise<Result> {
  const found = await queries.findKeyById(ctx, keyId)
  if (!found) throw notFound()
  const { projectId } = found
  return editProject(ctx, { projectId, actor }, async (edit) =>
    work(edit, (await queries.findKeyById(edit.tx, keyId)) ?? found),
  )
}

async function changeKey(
  { tx, entries }: Edit,
  row: ApiKeyRow,
  change: Partial<ApiKeyRow>,
  verb: string,
): Promise<KeyView> {
  const changed = { ...row, ...change }
  await queries.updateKey(tx, row.id, change)
  entries.push(keyEntry(verb, row, changed))
  return toKeyView(changed)
}

/** Writes the last use of the keys, for each key at most once a minute. Called by the worker. */
export async function flushKeyUse(ctx: Context): Promise<void> {
  const used = ctx.state.keys.takeUsed()
  if (used.length === 0) return
  await ctx.write(async (tx) => {
    for (const [id, at] of used) await stampKeyUse(tx, id, at, MINUTE)
  })
}

const keyEntry = (verb: string, before: ApiKeyRow | null, after: ApiKeyRow): AuditEntry => ({
  action: `apiKey.${verb}`,
  target: { type: 'apiKey', id: after.id },
  before: before && toKeyView(before),
  after: toKeyView(after),
})

const conflict = (message: string): AppError => new AppError('CONFLICT', undefined, { message })
